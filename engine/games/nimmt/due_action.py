"""Which action the rules ask for now: a card to lay at a row, a row to take, or a choice of rows."""

from dataclasses import dataclass, replace

from engine.games.nimmt.moves import Lay, Move, Take, Tidy
from engine.games.nimmt.state import ROWS, State
from engine.table import Gap


@dataclass(frozen=True, slots=True)
class Due:
    """The one legal act of a slot (R-3): a row to lay at, a row to take first, or the rows to choose from."""

    player: int | None
    card: int
    row: int | None = None
    take: bool = False
    choices: tuple[int, ...] = ()


def find_due_action(state: State) -> Due | None:
    """The one act that the rules allow in this slot; None when no slot is on."""
    slot = state.slot
    if state.phase != "lay" or slot is None:
        return None
    player, card = slot.player, slot.card
    if start := slot.start:
        return Due(player, card, start)
    if slot.special == "fifth":
        return Due(player, card, next(r for r in ROWS if not state.row(r)))
    if slot.special == "insert":
        inside = tuple(r for r in state.open_rows() if card < state.row(r)[-1])
        return Due(player, card, choices=inside)
    row = state.home(card)
    if row:
        return Due(player, card, row, take=state.room(row) < 1 and slot.special != "seven")
    return Due(player, card, choices=state.open_rows(), take=True)


def find_lifted_rows(state: State, gap: Gap) -> tuple[int, ...]:
    """The rows of which every card is gone from its place."""
    gone = [zone for _, zone in gap.missing]
    return tuple(r for r in ROWS if state.row(r) and gone.count(f"row:{r}") == len(state.row(r))) if gone else ()


def list_forced_moves(state: State, lifted: tuple[int, ...] = ()) -> tuple[Move, ...]:
    """The moves of the slot that is on, if the rules leave no choice (R-3), or the one row lifted shows it (N-19)."""
    due = find_due_action(state)
    if due and due.take and len(lifted) == 1 and lifted[0] in due.choices:
        due = replace(due, row=lifted[0])
    if due is None or not due.row:
        return ()
    here = f"row:{due.row}"
    litter = due.take or any(zone == here for _, zone in state.lying)
    taken: tuple[Move, ...] = (Take(due.row),) if due.take else ()
    swept: tuple[Move, ...] = (Tidy(here),) if litter else ()
    last: tuple[Move, ...] = () if due.take and state.five_rows() else (Lay(due.card, due.row),)
    return (*taken, *swept, *last)
