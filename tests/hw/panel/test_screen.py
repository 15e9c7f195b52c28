"""Views on every screen size: questions and answers visible, no text cut, nothing drawn outside."""

from dataclasses import replace

import pytest
from PIL import Image, ImageDraw

from engine.text import say
from engine.view import Offer, Pad, View
from hw.panel.icons import choose_icon
from hw.panel.screen import SIZES, Lines, draw_hold_bar, draw_screen, lay_out_screen, list_cut_texts

NAMES = ("Maximilian", "Christiane", "Ștefăniță", "Guilherme", "Wilhelmina", "Bob", "Jo", "Konstantin", "Ada", "Zoë")
LAY = View(say("lay_behind", card=104, row=3, behind=103))
LOW = tuple(Offer(say("take_row", row=row, n=heads), f"take {row}") for row, heads in enumerate((5, 12, 1, 27), 1))
SAID = Lines("104 to row 3, behind 103", NAMES)
ALERT = "104 belongs in row 3, behind 103, not here"
LONG = "Pune cartea 104 în rândul 3, după cartea 103 de acolo"
OFFERS = ("Undo 1 move", "The table is right", "Keep playing", "Pause", "End the game")

every_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
every_look = pytest.mark.parametrize("big", [False, True], ids=["plain", "big"])


def pads(players, now=9):
    return tuple(Pad(n, total=10 + 13 * n, now=now) for n in range(1, players + 1))


def offered(count):
    return tuple(Offer(say("story", value=label), label) for label in OFFERS[:count])


SCENES = {
    "a prompt alone": (View(say("home")), Lines("Oxeye: what do you want to do?")),
    "a turn": (replace(LAY, turn=2, pads=pads(4)), SAID),
    "a long prompt": (replace(LAY, turn=2, pads=pads(6)), replace(SAID, prompt=LONG)),
    "one offer": (replace(LAY, pads=pads(2), offers=offered(1)), replace(SAID, offers=OFFERS[:1])),
    "a menu": (replace(LAY, offers=offered(5), cursor=3), replace(SAID, offers=OFFERS)),
    "an alert over a question": (
        replace(LAY, pads=pads(10), offers=offered(2), alert=say("not_now")),
        replace(SAID, prompt=LONG, alert=LONG, offers=OFFERS[:2]),
    ),
    "a low card": (replace(LAY, pads=pads(5), offers=LOW), replace(SAID, offers=OFFERS[:4])),
    "a list": (
        replace(LAY, lines=tuple(say("story", value=w) for w in OFFERS), bar=0.4, offers=offered(2)),
        replace(SAID, lines=OFFERS, offers=OFFERS[:2]),
    ),
    "a note": (replace(LAY, pads=pads(3)), replace(SAID, note="Bob draws 2 cards")),
    "a team": (replace(LAY, pads=(Pad(0, total=57, cards=41),)), SAID),
    "the end": (replace(LAY, pads=pads(10), over=True, winners=(3, 4)), SAID),
    **{f"{n} players": (replace(LAY, turn=n, pads=pads(n)), SAID) for n in range(2, 11)},
}
every_scene = pytest.mark.parametrize(("view", "lines"), SCENES.values(), ids=SCENES)


@every_size
@every_look
@every_scene
def test_only_names_are_cut_on_any_screen(view, lines, size, big):
    assert not set(list_cut_texts(view, lines, size, big=big)) - set(NAMES)


@pytest.mark.parametrize("players", range(2, 11))
def test_ten_names_of_ten_letters_fit_beside_a_prompt(players):
    view = replace(LAY, turn=1, pads=pads(players))
    names = (*NAMES[:2], *["Wilhelmina"] * (players - 2))
    places = lay_out_screen(view, replace(SAID, names=names), (128, 64))
    assert len(places) == 2
    assert list_cut_texts(view, replace(SAID, names=names)) == ()


@every_size
@every_look
@every_scene
def test_every_widget_stays_in_its_area_and_on_the_screen(view, lines, size, big):
    for place in lay_out_screen(view, lines, size, big=big):
        image = Image.new("1", (size[0] + 40, size[1] + 40))
        place.part.paint(ImageDraw.Draw(image), place.x + 20, place.y + 20, place.width, 1)
        left, _, right, bottom = image.getbbox() or (20, 20, 20, 20)
        assert (left >= 20 + place.x, right <= 20 + place.x + place.width) == (True, True)
        assert bottom <= 20 + size[1], "letters are cut at the lower edge"


@every_size
@pytest.mark.parametrize("alert", ["", ALERT], ids=["of the prompt", "of the alert"])
def test_the_ruling_follows_the_text_it_belongs_to(alert, size):
    view = replace(LAY, alert=say("not_now") if alert else None)
    lines = replace(SAID, alert=alert)
    cites, bare = (draw_screen(view, replace(lines, ruling=ruling), size) for ruling in ("N-10", ""))
    said = f"{alert or SAID.prompt} · N-10"
    there = draw_screen(view, replace(lines, alert=said) if alert else replace(lines, prompt=said), size)
    assert (cites == there, cites == bare) == (True, False)


def test_on_a_crowded_screen_the_ruling_is_dropped_first():
    crowded = replace(LAY, pads=pads(4), offers=offered(2), alert=say("not_now"))
    lines = replace(SAID, alert="44 belongs in row 3, behind 43", offers=OFFERS[:2])
    assert draw_screen(crowded, replace(lines, ruling="N-10"), SIZES[1]) == draw_screen(crowded, lines, SIZES[1])


@every_size
@every_scene
def test_the_last_row_and_column_stay_dark_for_the_pixel_shift(view, lines, size):
    image = draw_screen(view, lines, size)
    assert (image.mode, image.size) == ("1", size)
    assert image.crop((size[0] - 1, 0, *size)).getbbox() is None
    assert image.crop((0, size[1] - 1, *size)).getbbox() is None


@every_size
@every_look
def test_an_alert_hides_neither_the_question_nor_the_answers(size, big):
    view, lines = SCENES["an alert over a question"]
    shown = draw_screen(view, lines, size, big=big)
    for other in (
        replace(lines, prompt=lines.prompt.replace("104", "14")),
        replace(lines, alert=lines.alert.replace("104", "14")),
        replace(lines, offers=("Something else", *lines.offers[1:])),
    ):
        assert draw_screen(view, other, size, big=big) != shown


def inverse(image):
    """Share of lit dots in the rows where most are lit."""
    rows = [sum(image.getpixel((x, y)) > 0 for x in range(image.width)) for y in range(image.height)]
    return sum(row > image.width * 0.6 for row in rows)


@pytest.mark.parametrize("size", [(128, 64), (128, 32)], ids=["128x64", "128x32"])
def test_an_alert_is_inverse(size):
    assert inverse(draw_screen(LAY, replace(SAID, alert=ALERT), size)) >= 10
    assert inverse(draw_screen(LAY, SAID, size)) == 0


CHANGES = {
    "the prompt": ({}, {"prompt": "104 to row 2, behind 103"}),
    "the first offer": ({"offers": offered(3)}, {"offers": ("Something else", *OFFERS[1:3])}),
    "the cursor": ({"cursor": 1}, {}),
    "an offer for another row": ({"offers": (*LOW[:3], Offer(say("take_row", row=4, n=3), "take 4"))}, {}),
    "whose turn": ({"turn": 3}, {}),
    "who won": ({"winners": (2,)}, {}),
    "a score": ({"pads": (Pad(1, total=3), *pads(4)[1:])}, {}),
    "who left": ({"pads": (replace(pads(4)[0], gone=True), *pads(4)[1:])}, {}),
    "a name": ({}, {"names": ("Eva", *NAMES[1:])}),
    "an alert": ({"alert": say("not_now")}, {"alert": "Not possible now"}),
    "a note": ({}, {"note": "Not possible now"}),
    "a bar": ({"bar": 0.5}, {}),
}


@pytest.mark.parametrize(("seen", "said"), CHANGES.values(), ids=CHANGES)
def test_every_change_of_the_view_changes_the_picture(seen, said):
    cells = "take_row" in str(seen.get("offers", ""))
    view = replace(LAY, turn=1, pads=pads(4), offers=LOW if cells else offered(2))
    lines = replace(SAID, offers=OFFERS[: len(view.offers)])
    assert draw_screen(replace(view, **seen), replace(lines, **said)) != draw_screen(view, lines)


@every_size
@pytest.mark.parametrize("cursor", range(5))
def test_the_selected_offer_is_always_visible(size, cursor):
    view = replace(LAY, pads=pads(4), offers=offered(5), cursor=cursor)
    other = tuple("Something" if n == cursor else offer for n, offer in enumerate(OFFERS))
    shown = draw_screen(view, replace(SAID, offers=OFFERS), size)
    assert draw_screen(view, replace(SAID, offers=other), size) != shown


def test_a_menu_shows_several_offers():
    view, lines = SCENES["a menu"]
    shown = draw_screen(view, lines)
    seen = sum(
        draw_screen(view, replace(lines, offers=(*OFFERS[:n], "Other", *OFFERS[n + 1 :]))) != shown
        for n in range(len(OFFERS))
    )
    assert seen >= 4


def test_an_offer_equal_to_the_prompt_is_a_tick():
    view = replace(LAY, offers=(Offer(LAY.prompt, "x"),))
    assert draw_screen(view, replace(SAID, offers=(SAID.prompt,))) == draw_screen(view, replace(SAID, offers=("",)))


@pytest.mark.parametrize("players", range(2, 11))
def test_every_score_is_shown_completely(players):
    low = replace(LAY, turn=1, pads=tuple(Pad(n, total=180) for n in range(1, players + 1)))
    shown = {draw_screen(low, SAID).tobytes()}
    for player in range(1, players + 1):
        one = tuple(replace(pad, total=188) if pad.player == player else pad for pad in low.pads)
        shown.add(draw_screen(replace(low, pads=one), SAID).tobytes())
    assert len(shown) == players + 1


def test_players_without_names_are_shown_as_numbers():
    assert draw_screen(replace(LAY, pads=pads(2)), Lines("")) == draw_screen(
        replace(LAY, pads=pads(2)), Lines("", ("1", "2"))
    )


def test_a_line_equal_to_the_prompt_is_shown_once():
    lines = tuple(say("guide_lay", zone=f"row:{n}", pieces="1 2") for n in (1, 2, 3))
    view, said = View(lines[1], lines=lines), Lines("row 2: 1 2", lines=("row 1: 1 2", "row 2: 1 2", "row 3: 1 2"))
    alone = draw_screen(replace(view, lines=(say("home"),)), replace(said, lines=("row 3: 1 2",)))
    assert draw_screen(view, said) == alone


ICONS = {
    "a take": (say("take_row", row=3, n=12), "bull"),
    "a row": (say("lay_behind", card=44, row=3, behind=43), "row"),
    "a pile": (say("guide_lay", zone="up:1", pieces="4"), "pile"),
    "a tile": (say("straighten", colour="red"), "tile"),
    "a card": (say("already_laid", card=4), "card"),
    "a camera": (say("camera_silent"), "camera"),
    "the power": (say("power_off_sure"), "power"),
    "a victory": (say("match_over", players=(1,)), "cup"),
    "no icon": (say("home"), ""),
}


@pytest.mark.parametrize(("text", "icon"), ICONS.values(), ids=ICONS)
def test_a_text_has_the_icon_of_its_subject(text, icon):
    assert choose_icon(text) == icon


@every_size
def test_the_hold_bar_fills_at_the_bottom_of_the_screen(size):
    lit = [sum(draw_hold_bar(LAY, SAID, part, "", size).histogram()[1:]) for part in (0.0, 0.3, 0.6, 1.0)]
    assert lit == sorted(set(lit))
    told = draw_hold_bar(LAY, SAID, 0.5, "Keep holding to switch off", size)
    assert told != draw_hold_bar(LAY, SAID, 0.5, "", size)
    above = next(y for y in range(1, size[1]) if all(told.getpixel((x, y)) for x in range(size[0] - 1)))  # the frame
    assert told.crop((0, 0, size[0], above)) == draw_screen(LAY, SAID, (size[0], above)), (
        "the view is drawn in the remaining height"
    )
    assert told.crop((size[0] - 1, 0, *size)).getbbox() is None
    assert told.crop((0, size[1] - 1, *size)).getbbox() is None


@every_size
def test_the_hold_bar_leaves_the_prompt_visible(size):
    """On a view with an alert and three offers."""
    offers = tuple(Offer(say("step_back", n=n), str(n)) for n in range(3))
    crowded = replace(LAY, offers=offers, alert=say("row_full", row=2))
    said = replace(SAID, offers=("One", "Two", "Three"), alert="Row 2 is full: take it and then lay the card")
    shown = draw_hold_bar(crowded, said, 0.5, "Keep holding to switch off", size)
    assert shown.crop((0, 0, size[0], size[1] - 22)).getbbox() is not None
