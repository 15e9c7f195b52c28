"""Set-up and deck check from frames alone: drawn cards before the real eyes, and nobody tells the box anything."""

import random
from dataclasses import replace

import cv2

from engine.games import GAMES
from engine.table import Area
from firmware.box.events import parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.deck_check import DeckCheck
from firmware.box.flows.game_setup import GameSetup
from firmware.box.flows.home_menu import Home
from firmware.journal.operation_types import BeginGame
from hw.frame import Frame
from vision.live.perception import Perception
from vision.render import DrawnCard, DrawnMarker, RenderCamera, Scene
from vision.render.incremental_rendering import SceneRenderer
from vision.tags.codebook import CODES

WIDE, HIGH, OUT = 700.0, 460.0, 20.0
SPOTS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
BARE = Scene(
    RenderCamera.over(Area(-50, -50, WIDE + 50, HIGH + 50), 2.6),
    "felt",
    3,
    markers=tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(SPOTS)),
)
ZONES = GAMES["nimmt"].plan({"players": 10, "width": 700, "height": 460}).zones
PACE = 0.2


class Table:
    """A camera over a table at which people lay cards, and the box that looks through it."""

    def __init__(self, flow):
        self.renderer = SceneRenderer(1)
        self.eyes = Perception(self.drawn(()))
        self.box = Box(Context(area=self.eyes.area, decks=frozenset({"nimmt"})), (Home(), flow))
        self.at = 0.0
        self.done = []

    def drawn(self, cards):
        return cv2.cvtColor(self.renderer.render(replace(BARE, cards=cards)), cv2.COLOR_BGR2GRAY)

    def lie(self, *cards, seconds=3.0):
        """These cards and no others lie there for a while."""
        picture = self.drawn(cards)
        for _ in range(round(seconds / PACE)):
            self.at += PACE
            for item in self.eyes.update(Frame(picture, self.at), find_read_request(self.box)):
                self.take(item)
        return show_box(self.box)

    def take(self, item):
        self.box, effects = step_box(self.box, item)
        self.done += effects


def at_seat(seat, piece, angle=0.0):
    zone = ZONES[f"seat:{seat}"]
    x, y = (zone.left + zone.right) / 2, (zone.top + zone.bottom) / 2
    if piece == "back":
        return DrawnCard("nimmt", "back", x, y, angle, face_down=True)
    return DrawnCard("nimmt", piece, x, y, angle, payload=sticker(piece))


def sticker(piece):
    return next(code.payload for code in CODES if (code.game, code.piece) == ("nimmt", piece))


def test_players_are_found_by_their_cards_and_the_game_waits_until_these_are_back():
    table = Table(GameSetup("nimmt"))
    laid = (at_seat(1, "33"), at_seat(3, "back", 8), at_seat(5, "104", 180), at_seat(10, "back"))
    assert str(table.lie(*laid).prompt) == "players_at_seats n=4 seats=1,3,5,10"
    table.take(parse_told("setup:start", "button", table.at))
    assert table.lie(*laid[2:]).prompt.id == "take_cards_back"
    assert not table.done
    shown = table.lie()
    assert [effect.started.options["spots"] for effect in table.done if isinstance(effect, BeginGame)] == [
        (1, 3, 5, 10)
    ]
    assert (shown.prompt.id, shown.alert) == ("deal_rows", None)


def sheet(rng, wrong):
    """The first ten cards as people lay them; ``wrong`` says which bear the sticker of another card."""
    for n in range(10):
        row, column = divmod(n, 5)
        piece = str(n + 1)
        x, y = 90 + 110 * column + rng.uniform(-8, 8), 110 + 130 * row + rng.uniform(-8, 8)
        turned = rng.uniform(-6, 6) + 180 * rng.randrange(2)
        yield DrawnCard("nimmt", piece, x, y, turned, payload=sticker(wrong.get(piece, piece)))


def test_stickers_on_the_wrong_cards_are_named_until_they_are_right():
    table = Table(DeckCheck("nimmt"))
    for wrong, says in (
        ({"4": "5", "5": "4"}, "deck_swapped card=4 other=5"),
        ({"7": "70"}, "deck_instead card=7 read=70"),
    ):
        assert str(table.lie(*sheet(random.Random(3), wrong), seconds=3.6).alert) == says
        assert table.box.flows[-1].sheet == 0
    shown = table.lie(*sheet(random.Random(3), {}))
    assert (shown.alert, table.box.flows[-1].sheet) == (None, 1)
