"""Where seats are off: which of the new cards in the rows was laid first."""

from collections.abc import Iterator

from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.state import ROWS, State
from engine.table import Gap

MOST_AT_ONCE = 5
"""So many cards of several turns are read in every order; more have too many for the referee and are asked about."""


def read_brought(state: State, gap: Gap) -> Iterator[m.Move]:
    """The card that came to the rows next: the lowest of its turn (N-7).

    Under a hand a lower card may lie, or the one before it in its row, and in a row that was lifted one may have lain:
    then the new cards wait. If there are more than this turn still has, every choice that fills up the turn is tried.
    """
    numbers = state.numbers()
    rows = {zone: [int(piece) for piece in held if is_number_card(piece) and int(piece) not in numbers]
            for zone, held in gap.seen.zones.items() if zone.startswith("row:")}  # fmt: skip
    new = sorted(card for cards in rows.values() for card in cards)
    hidden = sorted(zone for zone in gap.seen.hidden if zone.startswith("row:"))
    if new and hidden:
        yield m.Unseen(hidden[0])
        return
    lifted = [r for r in ROWS if state.row(r) and f"row:{r}" not in gap.seen.zones]
    rest = len(tuple(state.players())) - len(state.laid)
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
    yield from (m.Reveal(0, card) for card in new[:1])
