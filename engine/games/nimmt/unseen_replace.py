"""A Replace that was carried out before the camera saw the card that it replaced, or the one that it brought."""

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.move_effects import play_move
from engine.games.nimmt.slot_stories import explains
from engine.games.nimmt.state import ROWS, Slot, State
from engine.games.nimmt.turns import reveal_card
from engine.games.nimmt.unseen_cards import has_vanished
from engine.table import BACK, Gap, Placement


def read_replaced_card(state: State, gap: Gap) -> m.Move | None:
    """Replace beside a new card that is not the lowest, or beside another card than the one shown there.

    Then it was played after the last card was shown, and that was not seen.
    """
    seats = {f"seat:{state.seats[player - 1]}": player for player in state.players()}
    rest = state.list_unshown()
    unshown = [seat for seat, player in seats.items() if player in rest]
    fresh = {zone: int(piece) for piece, zone in gap.extra if zone in seats and is_number_card(piece)}
    lowest = min((*filter(None, state.shown), *(card for seat, card in fresh.items() if seat in unshown)), default=0)
    all_down = all(gap.seen.zones.get(seat) == (BACK,) for seat in unshown)
    waits = not all_down and not fresh.keys() >= set(unshown)
    for piece, zone in gap.extra:
        seat = zone.replace("special", "seat")
        if piece != "replace" or zone == seat or seat not in fresh:
            continue
        if waits if seat not in unshown else fresh[seat] != lowest:
            asked = _ask(state, gap, seats[seat], m.Unreplaced(piece, fresh[seat]))
            return asked or m.Early(piece)
        if unshown == [seat] and _came_later(state, gap, seats[seat]):
            return m.Unreturned(seats[seat])
    return None


def _came_later(state: State, gap: Gap, player: int) -> bool:
    """Were higher cards laid before that of this player, so that Replace must have brought a lower one?"""
    laid = [card for card, place in _list_places(state) if place in gap.missing]
    numbers = state.numbers()
    free = next((card for card in state.deck if laid and card > max(laid) and card not in numbers), 0)
    try:
        return bool(free) and not gap.seen.hidden and explains(reveal_card(state, player, free), gap.seen)
    except Illegal:
        return False


def _list_places(state: State) -> list[tuple[int, Placement]]:
    """The shown cards, each with its place at a seat."""
    return [(card, (str(card), f"seat:{seat}")) for seat, card in zip(state.seats, state.shown, strict=True) if card]


def read_brought_already(state: State, slot: Slot, gap: Gap) -> m.Unreplaced | None:
    """The card of a Replace that is not carried out lies where it belongs: it may be the one that Replace brought."""
    laid = any(piece == str(slot.card) and zone.startswith("row:") for piece, zone in gap.extra)
    if not slot.waits_for("replace") or not laid or gap.seen.hidden:
        return None
    after = play_move(state, m.Swap(slot.card))
    return m.Unreplaced("replace", slot.card) if explains(after, gap.seen) else None


def read_brought_card(state: State, gap: Gap) -> m.Unreplaced | None:
    """The card of the last player to show one lies in a row although a lower one waits at its seat."""
    rest = state.list_unshown()
    if not state.specials or len(rest) != 1:
        return None
    numbers = state.numbers()
    pieces = [piece for piece, zone in gap.extra if zone.startswith("row:") and is_number_card(piece)]
    fresh = [int(piece) for piece in pieces if int(piece) not in numbers]
    waits = [card for card, place in _list_places(state) if place not in gap.missing]
    if len(fresh) != 1 or not waits or min(waits) > fresh[0]:
        return None
    lies = any(piece == "replace" and zone.startswith("special:") for piece, zone in gap.extra)
    return _ask(state, gap, rest[0], m.Unreplaced("replace" if lies else str(fresh[0]), fresh[0]))


def _ask(state: State, gap: Gap, player: int, asked: m.Unreplaced) -> m.Unreplaced | None:
    """The question whether Replace has brought this player's card, if that explains the table."""
    if gap.seen.hidden:
        return None
    try:
        after = play_move(state, m.Replaced(player, asked.card))
    except Illegal:
        return None
    return asked if explains(after, gap.seen) else None


def was_replaced_and_taken(state: State, slot: Slot, gap: Gap) -> bool:
    """Has Replace brought a card that was taken with a row before it was seen?"""
    if not slot.waits_for("replace") or gap.seen.hidden or not has_vanished(state, slot, gap):
        return False
    numbers = state.numbers()
    fresh = any(is_number_card(piece) and int(piece) not in numbers for piece, _ in gap.extra)
    gone = any(state.row(r) and f"row:{r}" not in gap.seen.zones for r in ROWS)
    return gone and not fresh
