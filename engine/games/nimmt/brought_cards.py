"""Where seats are off: which of the new cards in the rows was laid first."""

from collections.abc import Iterator

from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.rows import row_limit
from engine.games.nimmt.state import ROWS, Slot, State
from engine.games.nimmt.zones import list_hidden_rows
from engine.table import Gap

MOST_AT_ONCE = 5
"""So many cards of several turns are read in every order; more have too many for the referee and are asked about."""


def read_brought(state: State, gap: Gap) -> Iterator[m.Move]:
    """The card that came to the rows next: the lowest of its turn (N-7).

    Under a hand a lower card may lie, or the one before it in its row, and in a row that was lifted one may have lain:
    then the new cards wait. If there are more than this turn still has, every choice that fills up the turn is tried.
    If all are lower than the last one laid, they are of the next turn, and a row was taken with a card not seen.
    """
    numbers = state.numbers()
    rows = {zone: [int(piece) for piece in held if is_number_card(piece) and int(piece) not in numbers]
            for zone, held in gap.seen.zones.items() if zone.startswith("row:")}  # fmt: skip
    new = sorted(card for cards in rows.values() for card in cards)
    hidden = list_hidden_rows(gap) if new else []
    if waits := [zone for zone in hidden if _may_hold(state, gap, zone, new[0])]:
        yield m.Unseen(waits[0])
        return
    lifted = [r for r in ROWS if state.row(r) and f"row:{r}" not in gap.seen.zones]
    rest = len(state.players()) - len(state.laid)
    taken = [r for r in lifted if state.may_be_lifted(r)]
    if new and taken:
        yield m.Take(taken[0])
        return
    if lifted and len(new) >= rest:  # the new cards may end the turn, and the row be taken in the next one
        yield m.Unseen(f"row:{lifted[0]}")
        return
    if len(new) > rest:
        last = state.laid[-1] if state.laid else 0
        firsts = sorted(cards[0] for cards in rows.values() if cards)
        able = [card for card in firsts if card > last and sum(card < other for other in new) >= rest - 1]
        if len(able) > 1 and len(new) > MOST_AT_ONCE:
            yield m.Undecided(tuple(able))
            return
        yield from (m.Reveal(0, card) for card in able)
        if able:
            return
    begun = [card for zone, cards in rows.items() for card in cards if _begins(state, gap, zone, card)]
    if begun and state.laid and new[-1] < state.laid[-1]:
        first = min(begun)
        row = next(int(zone[4:]) for zone, cards in rows.items() if first in cards)
        yield m.Untold(first, row)
        return
    yield from (m.Reveal(0, card) for card in new[:1])


def was_laid_and_taken(state: State, slot: Slot, gap: Gap) -> bool:
    """May the card that the players have entered have gone with its row, which another card began again?"""
    home = slot.start or state.home(slot.card)
    if slot.player or home is None or gap.seen.hidden or any(piece == str(slot.card) for piece, _ in gap.extra):
        return False
    zone = f"row:{home}"
    seen = gap.seen.zones.get(zone, ())
    if not seen or not is_number_card(seen[0]):
        return False
    return (seen[0], zone) in gap.extra if slot.start else _begins(state, gap, zone, int(seen[0]))


def _may_hold(state: State, gap: Gap, zone: str, lowest: int) -> bool:
    """May a card that came before the lowest new one lie unseen in this hidden row?

    Not if all its places are in sight, nor if its own cards are and end higher than that: then an unseen one is higher.
    """
    number = int(zone[4:])
    row, seen = state.row(number), gap.seen.zones.get(zone, ())
    if len(seen) >= row_limit(state.marks[number - 1]):
        return False
    return not (row and {str(card) for card in row} <= set(seen) and lowest < row[-1])


def _begins(state: State, gap: Gap, zone: str, card: int) -> bool:
    """Does this new card lie first in a row of which every recorded card is gone?"""
    seen, row = gap.seen.zones[zone], state.row(int(zone[4:]))
    return bool(row) and seen[0] == str(card) and set(seen).isdisjoint(map(str, row))
