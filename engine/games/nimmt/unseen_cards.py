"""What the camera has missed in a turn: a special under a hand, and a card that was laid and taken again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.state import ROWS, Slot, State
from engine.games.nimmt.turns import lay_card, take_row
from engine.table import Gap


def find_hidden_special(state: State, slot: Slot, gap: Gap) -> str:
    """A hidden zone where a special of this slot may lie, before whose card it is played (A-8), or nothing."""
    if slot.special or slot.restarts or not slot.player or not state.specials_of(slot.player):
        return ""
    places = (f"special:{state.seats[slot.player - 1]}", *(f"mark:{r}" for r in ROWS))
    return next((place for place in places if place in gap.seen.hidden), "")


def read_taken_again(state: State, slot: Slot, gap: Gap) -> Iterator[m.Move]:
    """The due card is gone, and a row begins with a later card, which took it: what the due card did before that.

    Read only if the rules lead from the due card to that second take without another choice, nothing is hidden, and no
    card of another row is in the air.
    """
    if gap.seen.hidden or not slot.player or slot.special or not _vanished(state, slot, gap):
        return
    fresh = {piece: int(zone[4:]) for piece, zone in gap.extra if zone.startswith("row:")}
    again = {row: piece for piece, row in fresh.items() if gap.seen.zones[f"row:{row}"][0] == piece
             and not set(gap.seen.zones[f"row:{row}"]) & {str(card) for card in state.row(row)}}  # fmt: skip
    if any(zone.startswith("row:") and int(zone[4:]) not in again for _, zone in gap.missing):
        return
    for row, piece in again.items():
        if is_number_card(piece) and _leads_to_take(state, gap, fresh, again, row):
            due = find_due_action(state)
            yield m.Take(row) if due and due.take else m.Lay(slot.card, row)


def _vanished(state: State, slot: Slot, gap: Gap) -> bool:
    """Has the card of this slot left its seat, and lies nowhere else?"""
    piece = str(slot.card)
    at_seat = (piece, f"seat:{state.seats[slot.player - 1]}") if slot.player else ("", "")
    return at_seat in gap.missing and all(piece != other for other, _ in gap.extra)


def _leads_to_take(state: State, gap: Gap, fresh: Mapping[str, int], again: Mapping[int, str], choice: int) -> bool:
    """Do the due cards, one after the other, fill the row ``choice`` until the card that begins it now takes it?

    A low card takes the row where it is seen, or ``choice`` if it is not seen any more.
    """
    while (slot := state.slot) and (due := find_due_action(state)):
        seen = fresh.get(str(slot.card))
        row = due.row or seen or choice
        if row not in again and row != seen:
            return False
        if again.get(row) == str(slot.card):
            return row == choice and due.take and seen == row
        if not (_vanished(state, slot, gap) if seen is None else row == seen):
            return False
        try:
            if due.take:
                state = take_row(state, row)
                state = replace(state, lying=tuple(place for place in state.lying if place[1] != f"row:{row}"))
            state = lay_card(state, slot.card, row)
        except Illegal:
            return False
    return False
