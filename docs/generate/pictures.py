"""Generate the pictures of the documents: small screens, the phone page, and overlays of ``oxeye read``."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import cv2
from click.testing import CliRunner
from PIL import Image, ImageOps

from docs.generate.arguments import parse_path
from engine.games import GAMES
from engine.log import Log
from firmware.cli import main as oxeye
from firmware.machine.network_addresses import PageAddress
from firmware.runtime.clock import ScaledClock
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.runtime.inbox import Inbox
from firmware.simulation.mistakes import Hands, Mistake, list_mistakes
from firmware.simulation.players import PLAYERS
from firmware.simulation.players.player_names import PLAYER_NAMES
from firmware.simulation.session import SimulatedSession
from firmware.simulation.table import SimTable
from firmware.web.page_wiring import WebPage
from hw.frame import Picture
from vision.render import Glare, Scene, SceneLight, render_scene
from vision.render.incremental_rendering import SceneRenderer

FILES = (
    "screen.png",
    "screen-thegame.png",
    "screen-six.png",
    "camera.png",
    "camera-six.png",
    "table-good.png",
    "table-dark.png",
    "table-lamp.png",
)
PAGE = "page.png"
"""Needs Chromium; without it the old picture stays."""
NIMMT, SIX, PILES = 4, 5, 2
"""Seeds of the matches that are shown."""
MIN_MOVES, MIN_TILES = 60, 24
"""Moves after which rows and pads, or the board of SIX, hold enough to show."""
MISTAKE_KIND, ALERT_ID = "behind a lower end that is not the nearest", "belongs_in_row"
"""The mistake that is made, and the alert of the box."""
DOT, BEZEL, LIT, GLASS = 4, 20, "#bfe6ff", "#06090d"
WIDE, NARROW, COLOURS = 720, 600, 128
LAMP = SceneLight(glare=(Glare(300, 210, 60, 1.5),))
"""The reflection of a lamp in the middle of the table."""


@dataclass(frozen=True)
class WrongCard:
    """A wrong card on the table, with the screen that names it."""

    frame: Picture
    empty: Picture
    shown: ScreenFrame


def plan_late_mistake(log: Log, move: object, hands: Hands) -> Iterator[Mistake]:
    """Plan the mistake once the table holds enough to show."""
    if len(log.moves) > MIN_MOVES:
        yield from (
            mistake for mistake in list_mistakes(log, move, random.Random(NIMMT), hands) if mistake.kind == MISTAKE_KIND
        )


def play_to_wrong_card(folder: Path, shot: Path | None) -> WrongCard:
    """Play up to a card in a wrong row; the page of that moment goes to ``shot``."""
    table = SimTable(Log(GAMES["nimmt"], {"players": 4}), random.Random(NIMMT), planner=plan_late_mistake)
    session = SimulatedSession(table, NIMMT)
    page = WebPage(PageAddress(port=0, exact=True), folder, session.start.box, Inbox(), ScaledClock())
    companion = session.start_companion(observers=[lambda happened: page.publish(session.companion, happened)])
    for _ in session.play():
        if companion.view.alert is not None and companion.view.alert.id == ALERT_ID:
            break
    if shot:
        photograph_page(page, shot)
    return WrongCard(session.frame.colour(), session.empty, ScreenFrame(companion.view, session.start.started.names))


def photograph_page(page: WebPage, shot: Path) -> None:
    from tests.support.browser import chromium, opened

    server = Thread(target=page.run)
    server.start()
    try:
        with chromium() as browser, opened(browser, f"http://{page.address}") as phone:
            phone.locator(".card.wrong").first.wait_for()
            phone.screenshot(path=shot)
    finally:
        page.stop()
        server.join()


def play_moves(game: str, seed: int, moves: int) -> Log:
    """The log of a match after this many moves."""
    log = Log(GAMES[game], {})
    players = PLAYERS[game](log.options, random.Random(seed))
    while len(log.moves) < moves:
        log = log.add(players.next(log.state))
    return log


def draw_screen(shown: ScreenFrame, path: Path) -> None:
    dots = draw_picture(shown).convert("L")
    large = dots.resize((dots.width * DOT, dots.height * DOT), Image.Resampling.NEAREST)
    ImageOps.expand(ImageOps.colorize(large, GLASS, LIT), BEZEL, GLASS).save(path, optimize=True)


def draw_reading(game: str, frame: Picture, empty: Picture, folder: Path, path: Path, wide: int = WIDE) -> None:
    """Draw the overlay of ``oxeye read``, small enough for a document."""
    for name, image in (("table", frame), ("empty", empty)):
        cv2.imwrite(str(folder / f"{name}.png"), image)
    words = ["--game", game, "--empty", str(folder / "empty.png"), "--overlay", str(folder / "seen.png")]
    done = CliRunner().invoke(oxeye, ["read", str(folder / "table.png"), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    seen = Image.open(folder / "seen.png").convert("RGB")
    seen.thumbnail((wide, wide))
    seen.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def lay_pieces(game: str, seed: int, moves: int) -> tuple[Scene, Scene]:
    """A table after this many moves of a match, and the same table without any piece."""
    table = SimTable(Log(GAMES[game], {}), random.Random(seed), mistake_share=0)
    return next(act.scene for act in table.acts() if not act.reaching and len(table.truth.moves) > moves), table.empty


def draw_tiles(folder: Path, path: Path) -> None:
    """A board of SIX in its first phase."""
    (scene, bare), renderer = lay_pieces("six", SIX, MIN_TILES), SceneRenderer(SIX)
    empty = renderer.render(bare)
    draw_reading("six", renderer.render(scene), empty, folder, path)


def draw_good_and_bad_tables(folder: Path, out: Path) -> None:
    """What ``oxeye read`` tells of the same tiles on a light and a dark table, and of cards under a mirrored lamp."""
    (tiles, no_tiles), (cards, no_cards) = lay_pieces("six", SIX, MIN_TILES), lay_pieces("nimmt", NIMMT, MIN_MOVES)
    dark, no_dark = replace(tiles, ground="dark"), replace(no_tiles, ground="dark")
    lit = replace(cards, light=LAMP)
    for name, game, scene, bare in (
        ("good", "six", tiles, no_tiles),
        ("dark", "six", dark, no_dark),
        ("lamp", "nimmt", lit, no_cards),
    ):
        draw_reading(game, render_scene(scene), render_scene(bare), folder, out / f"table-{name}.png", NARROW)


def main(out: Path) -> None:
    from tests.support.browser import CHROMIUM

    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        moment = play_to_wrong_card(folder, out / PAGE if CHROMIUM else None)
        draw_screen(moment.shown, out / "screen.png")
        draw_reading("nimmt", moment.frame, moment.empty, folder, out / "camera.png")
        draw_tiles(folder, out / "camera-six.png")
        draw_good_and_bad_tables(folder, out)
    for game, seed, moves in (("thegame", PILES, 30), ("six", SIX, 20)):
        log = play_moves(game, seed, moves)
        draw_screen(ScreenFrame(log.game.view(log.state), PLAYER_NAMES), out / f"screen-{game}.png")
    print(*FILES, PAGE if CHROMIUM else f"not {PAGE}: Chromium is missing")


if __name__ == "__main__":
    main(parse_path(__doc__))
