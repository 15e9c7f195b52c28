"""The contract every game fulfils, and what a broken rule looks like."""

from collections.abc import Hashable, Iterable
from typing import Literal, Protocol, TypeVar, get_args

from engine.errors import InputError
from engine.options import Option, Options
from engine.plan import Plan
from engine.table import Gap, Layout, Table
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
    """

    text: Text

    def __init__(self, ruling: str, why: Why, id: str, *, sure: bool = False, **args: Arg) -> None:
        super().__init__(say(id, **args))
        self.ruling = ruling
        self.why: Why = why
        self.sure = sure

    def __str__(self) -> str:
        return f"{self.text} · {self.ruling}"


class Unfinished(Illegal):
    """Not wrong yet: the players have more to do, or a player must answer first.

    ``lone`` means that this holds only while nothing else is wrong: a sixth card waits for its row to be lifted
    until another card is laid.
    """

    def __init__(self, ruling: str, why: Why, id: str, *, lone: bool = False, **args: Arg) -> None:
        super().__init__(ruling, why, id, sure=False, **args)
        self.lone = lone


class Game(Protocol[S, M]):
    """Pure functions on values. ``str(move)`` and ``parse`` are inverse; states and moves are hashable."""

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def plan(self, options: Options) -> Plan:
        """Where the zones lie, in millimetres; ``BadOption`` names the least area if it does not fit."""
        ...

    def start(self, options: Options) -> S:
        """The state before anything lies on the table; ``Illegal`` or ``BadOption`` if it cannot be."""
        ...

    def play(self, state: S, move: M) -> S:
        """The state after the move, or ``Illegal``."""
        ...

    def layout(self, state: S) -> Layout:
        """Where everything lies now, litter included."""
        ...

    def view(self, state: S) -> View:
        """What screens may show."""
        ...

    def arrange(self, state: S, table: Table) -> Layout:
        """Millimetres to zones."""
        ...

    def place(self, state: S, layout: Layout) -> Table:
        """Zones to millimetres: a table that arranges to this layout."""
        ...

    def read(self, state: S, gap: Gap) -> Iterable[M]:
        """The next move that the difference suggests; several are alternatives."""
        ...

    def adopt(self, state: S, seen: Layout) -> S:
        """The state if the table is right, or ``Illegal`` if no state looks like it."""
        ...

    def parse(self, text: str) -> M:
        """A move from its notation, or ``BadNotation``."""
        ...
