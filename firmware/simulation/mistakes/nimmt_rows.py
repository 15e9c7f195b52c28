"""Rows of 6 nimmt! as an arbiter judges them: ends, room, and the row of a card."""

from engine.games.nimmt.state import Slot, State
from engine.table import BACK, Layout


class RowsOnTable:
    """Cards and marks of each row by the log; blocked rows are not open."""

    def __init__(self, state: State) -> None:
        self.cards = {number: row for number, row in enumerate(state.rows, 1) if row}
        self.marks = {number: state.marks[number - 1] for number in range(1, 6)}
        self.all = list(self.cards)
        self.open = [row for row in self.all if "block" not in self.marks[row]]
        self.blocked = [row for row in self.all if row not in self.open]
        self.five = any("fifth" in marks for marks in self.marks.values())

    def end(self, row: int) -> int:
        return self.cards[row][-1]

    def room(self, row: int) -> int:
        """N-4, and A-31 with a Take-at-7."""
        return (6 if "seven" in self.marks[row] else 5) - len(self.cards[row])

    def nearest(self, card: int) -> int:
        """N-9 and N-10; 0 for a low card (N-14)."""
        lower = {card - self.end(row): row for row in self.open if self.end(row) < card}
        return lower[min(lower)] if lower else 0


def seat_of(state: State, player: int) -> int:
    return state.seats[player - 1]


def slot_of(state: State) -> Slot:
    """The slot of the turn, where the caller knows that there is one."""
    if state.slot is None:
        raise ValueError("no slot is on")
    return state.slot


def due_seat(state: State) -> int:
    """The seat of the player whose slot it is, where the caller knows that there is one."""
    if state.actor is None:
        raise ValueError("no player is due")
    return seat_of(state, state.actor)


def list_taken_cards(state: State) -> list[int]:
    """Cards that were taken this round: in bull piles, or cancelled."""
    piles = (card for pile in (*state.piles, *state.unowned) for card in pile)
    lying = {piece for piece, _ in state.lying}
    return [card for card in (*piles, *state.aside) if str(card) not in lying]


def list_unseen_cards(state: State) -> list[int]:
    """Cards of this round that were not visible yet, so that a player may hold them."""
    shown = {card for card in state.shown if card}
    lying = {int(piece) for piece, _ in state.lying if piece.isdecimal()}
    old = {card for row in state.rows for card in row} | set(list_taken_cards(state)) | shown | lying
    cards = range(1, 10 * state.dealt + 5) if state.rules.variant == "professional" else range(1, 105)
    return [card for card in cards if card not in old and not (state.slot and card == state.slot.card)]


def may_all_have_shown(state: State, look: Layout) -> bool:
    """May the players who show no card have shown theirs between two looks (N-6), so that a laid card is asked about?

    Not while a card still lies face down: only a player whose new card is in a row has chosen the next one. Not either
    while no card at all was shown. If each of these players has a new card in the rows, it is known.
    """
    waiting = [player for player in state.players() if not state.shown[player - 1]]
    down = sum(look.zones.get(f"seat:{seat_of(state, player)}") == (BACK,) for player in waiting)
    laid = {card for zone, held in look.zones.items() if zone.startswith("row:") for card in held}
    new = len(laid.intersection(map(str, list_unseen_cards(state))))
    return down <= new < len(waiting) and (new > 0 or any(state.shown))
