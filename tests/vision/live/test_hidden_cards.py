"""Cards that were not read, on drawn tables through the whole live path: from frames to the table at rest."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.table import Area, Table, find_hidden_zones
from hw.cameras.images import make_frame
from tests.support.frames import BARE, HIGH, WIDE
from vision.frame import Picture
from vision.live.empty_table import EmptyTable, measure_empty
from vision.live.steady_table import REST_S
from vision.live.table_watcher import TableWatcher
from vision.render import Arm, DrawnCard, Scene, render_scene
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import CODES

PACE_S = 0.1
PLANS = {
    "nimmt": {"row:1": Area(0, 0, WIDE, HIGH / 2), "row:2": Area(0, HIGH / 2, WIDE, HIGH)},
    "thegame": {"up:1": Area(0, 0, WIDE / 2, HIGH), "up:2": Area(WIDE / 2, 0, WIDE, HIGH)},
}
HAND = Arm((120, 320), (120, 90))
"""It reaches over the second row, or the piles, to the first row."""


def card(game: str, piece: str, x: float, y: float = 55.0, *, tagged: bool = True, **more: float) -> DrawnCard:
    payload = next(code.payload for code in CODES if (code.game, code.piece) == (game, piece)) if tagged else ""
    return DrawnCard(game, piece, x, y, payload=payload, style="framed", **more)  # type: ignore[arg-type]


@cache
def draw(scene: Scene) -> Picture:
    return render_scene(scene)


@cache
def empty() -> EmptyTable:
    found = measure_empty(draw(replace(BARE, seed=40)), STICKER_MM)
    assert found is not None
    return found


class Watched:
    """A table that is watched frame by frame; ``reports`` are the tables at rest and their times."""

    def __init__(self, game: str, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> None:
        self._zones, self._cast = PLANS[game], np.array(cast)
        self._watcher = TableWatcher(game, self._zones, empty())
        self._at = 0.0
        self.reports: list[tuple[float, Table]] = []

    def show(self, cards: Sequence[DrawnCard], seconds: float, *, arms: tuple[Arm, ...] = ()) -> Table:
        """Frames with noise of their own."""
        for n in range(round(seconds / PACE_S)):
            self._at += PACE_S
            moved = tuple(replace(arm, hand=(arm.hand[0] + 9 * n, arm.hand[1])) for arm in arms)
            scene = replace(BARE, cards=tuple(cards), arms=moved, seed=n % 3)
            picture = np.asarray(draw(scene) * self._cast, np.uint8)
            table = self._watcher.update(make_frame(picture, self._at), None)
            self.reports.append((self._at, table))
        return table

    def lay(self, cards: Sequence[DrawnCard]) -> Table:
        """A hand passes, and then the table is as given."""
        self.show(cards, 0.3, arms=(HAND,))
        self.reports.clear()
        self._at = 10.0 + round(self._at)
        return self.show(cards, 1.4)

    def hidden(self, table: Table) -> frozenset[str]:
        return find_hidden_zones(self._zones, table.unseen)


LOWER, UPPER, OTHER = card("nimmt", "33", 60), card("nimmt", "73", 108), card("nimmt", "84", 90, 165)
BETWEEN = card("nimmt", "61", 84, tagged=False)
BELOW = card("nimmt", "61", 128, tagged=False)
"""Mostly under the upper card: a strip sticks out at its right."""


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param((LOWER, BETWEEN, UPPER), id="a card between two others"),
        pytest.param((LOWER, BELOW, UPPER), id="a card below another, a strip of it in view"),
    ],
)
def test_a_row_with_a_card_that_was_not_read_never_counts_as_seen(cards: tuple[DrawnCard, ...]) -> None:
    watched = Watched("nimmt")
    watched.show((LOWER, OTHER), 0.8)
    table = watched.lay((*cards, OTHER))
    assert watched.hidden(table) == {"row:1"}
    assert {piece.piece for piece in table.seen} == {"33", "73", "84"}
    told = [table for _, table in watched.reports if any(piece.piece == "73" for piece in table.seen)]
    assert told
    assert all("row:1" in watched.hidden(table) for table in told)


@pytest.mark.parametrize(
    "cast", [(1.0, 1.0, 1.0), (0.6, 0.9, 1.0), (1.0, 0.85, 0.7)], ids=["as when it was empty", "less blue", "less red"]
)
def test_a_row_of_cards_that_were_all_read_counts_as_soon_as_it_rests(cast: tuple[float, float, float]) -> None:
    watched = Watched("nimmt", cast)
    watched.show((LOWER, OTHER), 0.8)
    table = watched.lay((LOWER, UPPER, OTHER))
    assert watched.hidden(table) == frozenset()
    assert table.covers == {("73", "33")}
    first = next(at for at, table in watched.reports if any(piece.piece == "73" for piece in table.seen))
    assert first - watched.reports[0][0] <= REST_S + PACE_S + 1e-6
    told = [table for _, table in watched.reports if any(piece.piece == "73" for piece in table.seen)]
    assert {watched.hidden(table) for table in told} == {frozenset()}


def test_a_hidden_card_that_is_taken_away_is_forgotten() -> None:
    watched = Watched("nimmt")
    assert watched.hidden(watched.lay((LOWER, BETWEEN, UPPER))) == {"row:1"}
    assert watched.hidden(watched.lay((LOWER, UPPER))) == frozenset()


def test_what_was_found_stays_while_a_hand_is_elsewhere() -> None:
    watched = Watched("nimmt")
    watched.lay((LOWER, BETWEEN, UPPER, OTHER))
    beside = Arm((240, 320), (240, 170))
    table = watched.show((LOWER, BETWEEN, UPPER, OTHER), 0.6, arms=(beside,))
    assert watched.hidden(table) == {"row:1", "row:2"}
    assert watched.hidden(watched.show((LOWER, BETWEEN, UPPER, OTHER), 0.8)) == {"row:1"}


PILE, TOP = card("thegame", "30", 75, 110), card("thegame", "41", 79, 114)
UNKNOWN = card("thegame", "55", 75, 100, tagged=False)


@pytest.mark.parametrize(
    ("below", "hidden"),
    [
        pytest.param((PILE,), frozenset(), id="a card below the top that was read before"),
        pytest.param((UNKNOWN,), {"up:1"}, id="one that never was"),
    ],
)
def test_what_sticks_out_below_the_top_of_a_pile(below: tuple[DrawnCard, ...], hidden: frozenset[str]) -> None:
    watched = Watched("thegame")
    watched.show(below, 0.8)
    assert watched.hidden(watched.lay((*below, TOP))) == hidden
