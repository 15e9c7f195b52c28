"""``make screens``: draw every screen in every language and size on PNG sheets for inspection."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image, ImageDraw

from engine.text import Text, say
from engine.view import Offer, Pad, View
from firmware.box.events import BoxFacts
from firmware.box.flow_context import Context
from firmware.box.flows.about_box import AboutBox
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.texts.languages import available_languages
from hw.button_presses import Holding, PressKind
from hw.panel.font import SMALL
from hw.panel.screen import SIZES

NAMES = {
    1: "Maximilian",
    2: "Wilhelmina",
    3: "Christiane",
    4: "Ștefăniță",
    5: "Guilherme",
    6: "Bartolomeu",
    7: "Jo",
    8: "Konstantin",
    9: "Annunziata",
    10: "Zoë",
}
COLUMNS = {128: 6, 256: 3}
SCALE = 2
EDGE_PX = 6
GROUND, PAPER = 70, 255


@dataclass(frozen=True, slots=True)
class SheetScene:
    """One screen of the sheet: its name, view, note and held button."""

    name: str
    view: View
    note: Text | None = None
    holding: Holding | None = None


def make_offers(*labels: Text) -> tuple[Offer, ...]:
    return tuple(Offer(label, str(label)) for label in labels)


def make_pads(players: int, now: int = 1) -> tuple[Pad, ...]:
    return tuple(Pad(n, total=n * 37 % 67, now=now * (n * 7 % 13)) for n in range(1, players + 1))


FACTS = BoxFacts("raspberrypi-kitchen.local", "192.168.178.123:8480", "0.10.12+bookworm", "999 MB", 1234)
LAY = View(say("lay_behind", card=104, row=3, behind=103), turn=2)
LIES = make_offers(say("lies_there", card=104))
ROWS = make_offers(*(say("take_row", row=row, n=n) for row, n in enumerate((5, 12, 1, 27), 1)))
WAYS = make_offers(say("step_back", n=1), say("table_is_right"))
ADVICE = {
    "swap": say("act_swap", piece=104, partner=103, source="home:1", target="home:6"),
    "swap rows": say("act_swap_zones", source="row:3", piece=103, target="row:4", partner=104),
    "move": say("act_move", piece="block", source="row:2", target="row:4"),
    "turn": say("act_turn_up", piece=104, zone="home:4"),
    "take back": say("take_back", card=78, top=82, zone="down:2"),
    "a tile": say("act_take", pieces="black", zone="BL"),
    "a tile a step": say("act_step", piece="red", zone="BL", way="to_BR"),
    "under a card": say("act_under", zone="down:2", piece=83, above=79),
}
GUIDE = tuple(say("guide_lay", zone=f"row:{row}", pieces="37 43 44 55 104") for row in (1, 2, 3, 4))


def list_scenes() -> Iterator[SheetScene]:
    """The screens of set-up, games and menus, each with the longest texts that can appear."""
    yield SheetScene("home", View(say("home"), offers=_home()))
    yield SheetScene("which game", View(say("which_game"), offers=_games(), cursor=2))
    yield SheetScene("aim", View(say("aim_focus"), bar=0.62, lines=(say("aim_area", width=841, height=594),)))
    yield SheetScene("a tile?", View(say("aim_tiles", n=2), offers=make_offers(say("aim_belongs")), bar=0.9))
    fixed = make_offers(say("aim_moves"), say("aim_stuck"))
    yield SheetScene("does it move", View(say("aim_push"), offers=fixed, bar=0.9))
    yield SheetScene("choose", View(say("choose_cards"), pads=make_pads(4)))
    yield SheetScene("waiting", View(say("waiting_for", players=(1, 2, 9)), pads=make_pads(9)))
    for players in (2, 3, 4, 5, 6, 7, 8, 9, 10):
        yield SheetScene(f"{players} players", replace(LAY, pads=make_pads(players), offers=LIES))
    yield SheetScene("low card", View(say("low_card", card=3), 1, make_pads(4), ROWS, cursor=1))
    yield SheetScene("forced take", View(say("take_row", row=4, n=27), 4, make_pads(5), ROWS[3:]))
    yield SheetScene("wrong", replace(LAY, pads=make_pads(4), offers=(*WAYS, *LIES), alert=_belongs(), ruling="N-10"))
    yield SheetScene("wrong, ten play", replace(LAY, pads=make_pads(10), offers=WAYS, alert=_belongs(), ruling="N-10"))
    for name, text in ADVICE.items():
        yield SheetScene(name, replace(LAY, pads=make_pads(4), offers=(*WAYS, *LIES), alert=text, ruling="N-10"))
    more = (say("act_take", pieces="31", zone="home:6"), say("act_turn_up", piece=45, zone="home:4"))
    yield SheetScene(
        "advice of three acts", replace(LAY, pads=make_pads(4), offers=WAYS, alert=ADVICE["swap"], lines=more)
    )
    yield SheetScene("a card is missed", View(say("act_put", pieces="103", zone="row:3"), 2, make_pads(4), WAYS))
    low = View(say("low_takes_first", card=3), 1, make_pads(10), ROWS, alert=say("seven_own_row", row=3), cursor=3)
    yield SheetScene("wrong while asked", low)
    yield SheetScene("hidden", replace(LAY, pads=make_pads(4), alert=say("cannot_see", zone="row:3")))
    yield SheetScene("camera trouble", View(say("choose_cards"), pads=make_pads(4), alert=say("camera_silent")))
    by_hand = Offer(say("by_hand"), "by hand")
    yield SheetScene("camera trouble, asked", replace(low, alert=say("camera_no_start"), offers=(*ROWS, by_hand)))
    yield SheetScene("too little power", replace(LAY, pads=make_pads(4), offers=LIES, alert=say("power_weak")))
    yield SheetScene("a note", replace(LAY, pads=make_pads(4)), say("draws", player=2, n=2))
    drawn = View(say("lay_cards", n=2), 1, (Pad(0, total=92, cards=98),), make_offers(say("cannot_play")))
    yield SheetScene("news", replace(drawn, news=(say("draws", player=2, n=2),)))
    near = View(say("move_tile", player=1, colour="red"), 1, make_pads(2), news=(say("near_border"),))
    yield SheetScene("news beside pads", near)
    took = make_offers(*(say("player_took", player=player, n=12) for player in (2, 1, 3)))
    yield SheetScene("take to correct", View(say("which_take"), offers=(*make_offers(say("go_on")), *took), cursor=1))
    yield SheetScene("taker", View(say("who_took", n=12), offers=(*make_offers(say("go_on")), *took), cursor=2))
    yield SheetScene("game menu", View(say("game_menu"), offers=_menu(), cursor=3, pads=make_pads(4)))
    yield SheetScene("guide", View(GUIDE[0], pads=make_pads(4), lines=GUIDE, offers=_guide(), bar=0.25))
    yield SheetScene(
        "round over", View(say("round_over", round=3), pads=make_pads(10, 0), offers=make_offers(say("next_round")))
    )
    yield SheetScene(
        "match over", View(say("match_over", players=(3,)), None, make_pads(6, 0), over=True, winners=(3,))
    )
    yield SheetScene(
        "match shared", View(say("match_over", players=(1, 2)), None, make_pads(10, 0), over=True, winners=(1, 2))
    )
    yield SheetScene(
        "the game", View(say("lay_cards", n=2), 1, (Pad(0, total=57, cards=41),), make_offers(say("cannot_play")))
    )
    yield SheetScene("beaten", View(say("game_beaten"), None, (Pad(0, cards=98),), over=True, winners=(0,)))
    yield SheetScene("six", View(say("lay_tile", player=1, colour="black", n=17), 1, make_pads(2, 0)))
    nexts = make_offers(*(say("colour_is_next", colour=colour) for colour in ("red", "black")))
    yield SheetScene("six, who is next", View(say("cut_off_gone_who_next"), 1, make_pads(2, 0), nexts))
    out = make_offers(
        *(say("out_colour_is_next", colour=colour) for colour in ("red", "black")),
        say("out_colour_wins", colour="black"),
        say("out_a_draw"),
    )
    yield SheetScene("six, tiles gone", View(say("tiles_out_of_game", n=12), 1, make_pads(2, 0), out))
    wins = make_offers(say("colour_wins", colour="red"), say("a_draw"))
    yield SheetScene("six, over?", View(say("is_game_over"), 1, make_pads(2, 0), wins))
    yield SheetScene(
        "six won", View(say("wins_triangle", player=2, colour="black"), None, make_pads(2, 0), winners=(2,))
    )
    for at, name in enumerate(("name", "address", "version", "room", "games")):
        yield SheetScene(f"about the box: {name}", AboutBox(at).view(Context(facts=FACTS)))
    yield SheetScene("about the box: no network", AboutBox(1).view(Context(facts=replace(FACTS, address=""))))
    invited = say("pair_code", value="123 456", line="192.168.178.123:8480")
    asked = make_offers(say("pair_done"), say("pair_new_code"))
    yield SheetScene("a phone", View(invited, offers=asked, bar=0.6, link="http://192.168.178.123:8480"))
    yield SheetScene(
        "power", View(say("power_off_sure"), offers=make_offers(say("stay_on"), say("power_off")), cursor=1)
    )
    yield SheetScene(
        "held to switch off", replace(LAY, pads=make_pads(4), offers=LIES), holding=Holding(PressKind.OFF, 0.6)
    )
    yield SheetScene(
        "held for a new start", replace(LAY, pads=make_pads(4), offers=LIES), holding=Holding(PressKind.RESTART, 0.2)
    )
    yield SheetScene("it restarts", View(say("starts_anew")))
    yield SheetScene("a light tells when it is off", View(say("off_light")))
    yield SheetScene("the screen tells it", View(say("off_screen")))
    yield SheetScene("nothing tells it", View(say("off_minute")))


def _belongs() -> Text:
    return say("belongs_in_row", card=104, row=3, behind=103)


def _home() -> tuple[Offer, ...]:
    return make_offers(
        say("resume_game", game="nimmt"),
        say("same_again"),
        say("new_game"),
        say("check_deck"),
        say("aim_camera"),
        say("about_box"),
        say("restart"),
        say("power_off"),
    )


def _games() -> tuple[Offer, ...]:
    return make_offers(*(say("game", game=game) for game in ("nimmt", "thegame", "six")))


def _menu() -> tuple[Offer, ...]:
    return make_offers(
        say("go_on"),
        say("take_moves_back"),
        say("by_hand"),
        say("people"),
        say("pads"),
        say("rebuild"),
        say("pause"),
        say("give_up"),
    )


def _guide() -> tuple[Offer, ...]:
    return make_offers(say("guide_line"), say("guide_all"))


def draw_sheet(language: str, size: tuple[int, int], *, big: bool = False) -> Image.Image:
    """One picture with all screens and their names, each pixel enlarged to two by two."""
    shown = [*list_scenes()]
    abreast = COLUMNS[size[0]]
    wide, high = size[0] * SCALE + EDGE_PX, size[1] * SCALE + EDGE_PX + 18
    rows = -(-len(shown) // abreast)
    paper = Image.new("L", (abreast * wide + EDGE_PX, rows * high + EDGE_PX), GROUND)
    for at, scene in enumerate(shown):
        x, y = EDGE_PX + at % abreast * wide, EDGE_PX + at // abreast * high
        shows = ScreenFrame(scene.view, NAMES, scene.note, scene.holding)
        dots = draw_picture(shows, language, size, big=big)
        paper.paste(_enlarged(dots), (x, y))
        name = Image.new("1", (size[0], 9))
        SMALL.write(ImageDraw.Draw(name), 0, 0, scene.name)
        paper.paste(PAPER, (x, y + size[1] * SCALE + 3), _enlarged(name).crop((0, 0, size[0] * SCALE, 16)))
    return paper


def _enlarged(dots: Image.Image) -> Image.Image:
    return dots.convert("L").resize((dots.width * SCALE, dots.height * SCALE), Image.Resampling.NEAREST)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for language in available_languages():
        for width, height in SIZES:
            for big in (False, True):
                name = folder / f"{language}-{width}x{height}{'-big' if big else ''}.png"
                draw_sheet(language, (width, height), big=big).save(name)
                print(name)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/screens"))
