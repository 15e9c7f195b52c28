"""What is certain of the slot that is due, whatever hidden places may hold: its special in sight, then its card."""

from engine.games.nimmt import moves as m
from engine.games.nimmt.state import Slot, State
from engine.table import BACK, Gap


def find_certain_special(state: State, slot: Slot, gap: Gap) -> m.Special | None:
    """The special of this slot, or nothing: one that may be of the next turn, or carried there, is not certain.

    No other place can hold another one for this slot (A-9), and the slots before it are recorded.
    """
    if slot.special or slot.restarts or not slot.player or not gap.seen.hidden:
        return None
    seat = state.seats[slot.player - 1]
    kinds = [piece for piece, zone in gap.extra if zone == f"special:{seat}"]
    if (
        len(kinds) != 1
        or _may_come_from_record(state, gap, kinds[0])
        or _may_be_of_next_turn(state, slot, gap, kinds[0])
    ):
        return None
    return m.Special(slot.player, kinds[0])


def find_certain_lay(state: State, slot: Slot, gap: Gap) -> m.Lay | None:
    """The card of a slot whose special is recorded, or nothing: no hidden place can hold another one for it (A-9).

    The next card is still at its seat, so no later player has moved this one.
    """
    rows = [int(zone[4:]) for piece, zone in gap.extra if piece == str(slot.card) and zone.startswith("row:")]
    later = [(str(card), f"seat:{state.seats[player - 1]}") for player, card in state.order() if card != slot.card]
    waits = bool(later) and later[0][0] in gap.seen.zones.get(later[0][1], ())
    return m.Lay(slot.card, rows[0]) if slot.special and rows and waits else None


def _may_come_from_record(state: State, gap: Gap, kind: str) -> bool:
    """Is a special of this kind not seen where the record has it?"""
    return any(piece == kind for piece, _ in gap.missing + gap.veiled)


def _may_be_of_next_turn(state: State, slot: Slot, gap: Gap, kind: str) -> bool:
    """May every player have laid the card of this turn, and this one show the next, in sight or at a hidden seat?

    Not while another card of this turn is at its seat: then a new card beside Replace is the one that it brought.
    """
    at_seats = {f"seat:{state.seats[player - 1]}": str(state.shown[player - 1]) for player in state.players()}
    own = f"seat:{state.seats[(slot.player or 0) - 1]}"
    is_on = any(card in gap.seen.zones.get(seat, ()) for seat, card in at_seats.items() if seat != own)
    held = gap.seen.zones.get(own, ())
    if not held:
        return own in gap.seen.hidden and not is_on
    return held not in ((BACK,), (str(slot.card),)) and not (is_on and kind == "replace")
