"""How the simulated players of each game handle its pieces."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.games.nimmt import moves as nimmt
from engine.games.nimmt.cards import COPIES_OF_A_SPECIAL, SPECIAL_KINDS
from engine.games.six.lattice import frame_of
from engine.games.six.moves import Slide
from engine.games.six.zones import parse_anchor, parse_zone
from engine.games.the_game.moves import Play
from engine.options import Options


class TileFrame(Protocol):
    """Where the cells of a group of tiles are on the table, as complex numbers in mm."""

    @property
    def anchor(self) -> tuple[int, int, int, int]: ...

    @property
    def base(self) -> complex: ...

    @property
    def side(self) -> complex: ...

    def at(self, cell: tuple[int, int], /) -> complex: ...

    def snap(self, spot: complex, /) -> tuple[tuple[int, int], float]: ...


@dataclass(frozen=True, slots=True)
class TileCells:
    """How zones of a layout name the place of a group of tiles and its cells."""

    frame: Callable[[str], TileFrame]
    cell: Callable[[str], tuple[int, int]]


def never(options: Options) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class TableHabits:
    """``together``: moves that several players make at once. ``paired``: moves of which two, with the same ``pile``,
    may be made between two frames. ``settling``: moves that only measure again where the pieces are.

    ``start_cards``: zone -> the card in it that no layout names, because it is there from the start. ``stacks``: the
    kinds of zones in which cards are put one on another. ``copies``: how often a piece of each kind exists, where
    more than once. ``shares_seats``: are number cards and special cards put side by side at a seat?
    """

    together: tuple[type, ...] = ()
    paired: tuple[type, ...] = ()
    settling: tuple[type, ...] = ()
    start_cards: Mapping[str, str] = field(default_factory=dict)
    stacks: tuple[str, ...] = ("up", "down")
    copies: Mapping[str, int] = field(default_factory=dict)
    shares_seats: Callable[[Options], bool] = never
    tiles: TileCells | None = None


HABITS: dict[str, TableHabits] = {
    "nimmt": TableHabits(
        together=(nimmt.Choose, nimmt.Reveal),
        copies=dict.fromkeys(SPECIAL_KINDS, COPIES_OF_A_SPECIAL),
        shares_seats=lambda options: options.get("variant") == "anniversary",
    ),
    "thegame": TableHabits(paired=(Play,), start_cards={"up:1": "1", "up:2": "1", "down:1": "100", "down:2": "100"}),
    "six": TableHabits(settling=(Slide,), tiles=TileCells(lambda word: frame_of(parse_anchor(word)), parse_zone)),
}
"""By name of the game; a game that is not here has no special habits."""


def habits_of(game: str) -> TableHabits:
    return HABITS.get(game, TableHabits())
