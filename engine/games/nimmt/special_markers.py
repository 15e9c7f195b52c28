"""Special cards that stay at a row, and which of those on the table must not be cleared away."""

from engine.games.nimmt.cards import SPECIAL_KINDS, STANDING_KINDS
from engine.games.nimmt.state import ROWS, Slot, State


def is_in_force(state: State, piece: str, zone: str) -> bool:
    """Does this special still belong there, so that it must not be cleared away?"""
    if piece not in SPECIAL_KINDS:
        return False
    slot = state.slot
    if slot and slot.player and piece == slot.special:
        at_seat = f"special:{state.seats[slot.player - 1]}"
        carried = piece in STANDING_KINDS and (piece, at_seat) not in state.lying
        return zone == at_seat or (carried and _is_meant_for(state, slot, zone)) or _stands(state, piece, zone)
    return _stands(state, piece, zone)


def _is_meant_for(state: State, slot: Slot, zone: str) -> bool:
    """Is this the row that the special of the slot acts on?"""
    if not zone.startswith("mark:"):
        return False
    row = int(zone[5:])
    return row == state.home(slot.card) if slot.special == "seven" else not state.row(row)


def _stands(state: State, piece: str, zone: str) -> bool:
    """Does it stand at a row by the rules, carried there yet or not?"""
    if any(piece in mark and zone == f"mark:{r}" for r, mark in zip(ROWS, state.marks, strict=True)):
        return True
    return piece in STANDING_KINDS and zone.startswith("special:") and _uncarried(state, piece)


def _uncarried(state: State, piece: str) -> bool:
    """Does it stand at a row by the rules while it is still seen at a seat?"""
    return any(piece in mark and (piece, f"mark:{r}") not in state.lying
               for r, mark in zip(ROWS, state.marks, strict=True))  # fmt: skip
