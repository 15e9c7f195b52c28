"""The protocol of a game, and the errors for a move that the rules refuse."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, Self, TypeVar, get_args

from engine.errors import InputError
from engine.options import Option, Options
from engine.plan import Plan
from engine.table import Gap, Layout, Placement, Table
from engine.text import Arg, Text, say
from engine.view import View

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)

Why = Literal[
    "already_seen",
    "card_not_in_a_row",
    "card_not_in_taken_row",
    "duplicate_card",
    "five_rows_already",
    "hands_not_empty",
    "insert_not_at_end",
    "low_card",
    "marker_already_there",
    "min_already_met",
    "min_not_met",
    "must_move",
    "no_other_card",
    "no_row_taken",
    "no_special_in_hand",
    "not_adjacent",
    "not_in_deck",
    "not_in_drafted_hand",
    "not_own",
    "not_your_turn",
    "occupied",
    "one_special_per_card",
    "out_of_order",
    "phase_1",
    "phase_2",
    "player_count",
    "row_blocked",
    "row_full",
    "row_not_taken",
    "same_place",
    "same_row",
    "table_not_cleared",
    "touches_own_start",
    "two_blocks_already",
    "wrong_direction",
    "wrong_row",
]
"""The closed list of reasons for a refusal. A reason is stable, the wording of its text is not."""
WHYS: frozenset[Why] = frozenset(get_args(Why))


class Illegal(InputError):
    """A move the rules forbid: ``ruling`` is the paragraph, ``why`` the reason, ``text`` says what to do.

    ``sure`` means that it stays wrong wherever the pieces in the air are put down, as long as nothing is hidden.
    ``stands`` means that it was found too late: the pieces stay where they lie (R-4), and the record follows them.
    """

    text: Text

    def __init__(
        self, ruling: str, why: Why, id: str, *, sure: bool = False, stands: bool = False, **args: Arg
    ) -> None:
        super().__init__(say(id, **args))
        self.ruling = ruling
        self.why: Why = why
        self.sure = sure
        self.stands = stands

    def __str__(self) -> str:
        return f"{self.text} · {self.ruling}"

    def drop_stack(self) -> Self:
        """The same as a value to keep: it no longer holds the stack that raised it, and with that a whole frame."""
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)


class Unfinished(Illegal):
    """Not wrong yet: the players have more to do, or a player must answer first.

    ``lone`` means that this holds only while nothing else is wrong: a sixth card waits for its row to be lifted
    until another card is laid. ``late`` means that a move of before may have been another one: then it is undone.
    ``keeps`` means that it is about a piece that came and went: later tables are read when it is answered.
    """

    def __init__(
        self,
        ruling: str,
        why: Why,
        id: str,
        *,
        lone: bool = False,
        late: bool = False,
        keeps: bool = False,
        **args: Arg,
    ) -> None:
        super().__init__(ruling, why, id, sure=False, stands=False, **args)
        self.lone = lone
        self.late = late
        self.keeps = keeps


class NewRule(Illegal):
    """A move that the rules forbid now, although an older version took it: a stored record goes on with ``after``."""

    def __init__(self, after: Hashable, ruling: str, why: Why, id: str, **args: Arg) -> None:
        super().__init__(ruling, why, id, sure=False, stands=False, **args)
        self.after = after


@dataclass(frozen=True, slots=True)
class Doubtful(Generic[M]):
    """Moves that lead to the table seen, but so does something else that is likely: only a person can confirm them."""

    moves: tuple[M, ...]


@dataclass(frozen=True, slots=True)
class Settled(Generic[M]):
    """Moves that are certain, as are those read before them, although the rest of the table still waits."""

    moves: tuple[M, ...] = ()


class Game(Protocol[S, M]):
    """Pure functions on values. ``str(move)`` and ``parse`` are inverse; states and moves are hashable."""

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def plan(self, options: Options) -> Plan:
        """The zones in millimetres; ``BadOption`` names the least area if they do not fit."""
        ...

    def start(self, options: Options) -> S:
        """The state of an empty table, from complete options; ``Illegal`` or ``BadOption`` if they do not fit."""
        ...

    def play(self, state: S, move: M) -> S:
        """The state after the move, or ``Illegal``."""
        ...

    def layout(self, state: S) -> Layout:
        """The pieces in every zone, including those that have to be cleared away."""
        ...

    def view(self, state: S) -> View:
        """What screens may show of this state."""
        ...

    def arrange(self, state: S, table: Table) -> Layout:
        """Convert a table in millimetres to zones."""
        ...

    def place(self, state: S, layout: Layout) -> Table:
        """Convert zones to millimetres: a table that ``arrange`` turns into this layout."""
        ...

    def read(self, state: S, gap: Gap) -> Iterable[M | tuple[M, ...] | Doubtful[M] | Settled[M]]:
        """The next move that the difference suggests, or several alternatives; a tuple is several moves in order."""
        ...

    def due(self, state: S, gap: Gap) -> tuple[M, ...]:
        """The moves that the rules ask for next, where they leave no choice or the difference shows which was made."""
        ...

    def removable(self, state: S, gap: Gap) -> frozenset[Placement]:
        """The pieces that people may lift now, to lay them elsewhere or to clear them away; they are not missed."""
        ...

    def complete(self, states: Sequence[S], seen: Layout) -> Layout:
        """The table to adopt after these states, with what only they tell of it, or ``Illegal``."""
        ...

    def adopt(self, state: S, seen: Layout) -> S:
        """The state that the table shows, or ``Illegal`` if there is none."""
        ...

    def parse(self, text: str) -> M:
        """The move of a notation, or ``BadNotation``."""
        ...


def play_moves(game: Game[S, M], state: S, moves: Iterable[M]) -> S:
    """The state after these moves, or ``Illegal``."""
    for move in moves:
        state = game.play(state, move)
    return state
