"""6 nimmt! from the rulings alone: heads, the row of a card, and what a take removes. Written without the engine."""

from collections.abc import Iterable
from dataclasses import dataclass, field

STAYING = ("fifth", "seven", "block")
"""Specials that stay at a row until a take removes them (A-10)."""
COPIES = 4
"""Of each kind of special (A-93)."""


class Breach(Exception):
    """A play that the rules forbid; the text begins with the ruling."""


def heads_of(card: int) -> int:
    """N-20."""
    if card == 55:
        return 7
    if card in range(11, 100, 11):
        return 5
    return {0: 3, 5: 2}.get(card % 10, 1)


def total_heads(cards: Iterable[int]) -> int:
    return sum(map(heads_of, cards))


@dataclass
class Rows:
    """The rows by their place, and the specials that lie at them. A row that is gone has no place here (A-21)."""

    cards: dict[int, list[int]] = field(default_factory=dict)
    marks: dict[int, list[str]] = field(default_factory=dict)

    def copy(self) -> "Rows":
        return Rows(
            {row: [*cards] for row, cards in self.cards.items()}, {row: [*marks] for row, marks in self.marks.items()}
        )

    def marks_at(self, row: int) -> list[str]:
        return self.marks.get(row, [])

    def open_rows(self) -> list[int]:
        """A-12 (3)."""
        return [row for row in sorted(self.cards) if "block" not in self.marks_at(row)]

    def capacity(self, row: int) -> int:
        """N-4, A-31."""
        return 6 if "seven" in self.marks_at(row) else 5

    def is_full(self, row: int) -> bool:
        return len(self.cards[row]) >= self.capacity(row)

    def has_five(self) -> bool:
        return any("fifth" in marks for marks in self.marks.values())

    def row_for(self, card: int) -> int:
        """The obligatory row by Rules 1 and 2, 0 for a low card."""
        lower = [row for row in self.open_rows() if self.cards[row] and self.cards[row][-1] < card]
        return max(lower, key=lambda row: self.cards[row][-1], default=0)

    def choices(self, card: int) -> list[int]:
        """The rows that this card may or must take; empty if it is laid without a take."""
        row = self.row_for(card)
        if not row:
            return self.open_rows()
        return [row] if self.is_full(row) else []

    def put(self, card: int, row: int) -> None:
        """A card without a take, at the end of its row (N-9, N-10, N-12)."""
        if row != self.row_for(card):
            raise Breach(f"N-10: {card} does not go to row {row}")
        if self.is_full(row):
            raise Breach(f"N-12: row {row} is full")
        self.cards[row].append(card)

    def check_take(self, card: int, row: int) -> None:
        if row not in self.choices(card):
            raise Breach(f"N-12, N-15: {card} does not take row {row}")

    def take(self, row: int) -> list[int]:
        """The cards that are taken. The row is empty then, with five rows it is gone (A-21)."""
        taken = self.cards[row]
        if self.settle(row):
            del self.cards[row]
        else:
            self.cards[row] = []
        return taken

    def settle(self, row: int) -> bool:
        """A-13: a Take-at-7 of this row, every Block and the 5th Row leave; were there five rows?"""
        five = self.has_five()
        for place in self.marks:
            self.marks[place] = [m for m in self.marks[place] if m == "seven" and place != row]
        return five

    def insert(self, card: int, row: int) -> list[int]:
        """A-40 to A-44: the cards that the player takes, empty if the row had room."""
        if row not in self.open_rows():
            raise Breach("A-51: the row is blocked")
        if not self.cards[row] or self.cards[row][-1] < card:
            raise Breach("A-41: the end of a row is no insertion")
        full = self.is_full(row)
        self.cards[row] = sorted((*self.cards[row], card))
        if not full:
            return []
        if self.settle(row):
            return self.cards.pop(row)
        *taken, last = self.cards[row]
        self.cards[row] = [last]
        return taken

    def shift(self, card: int, target: int) -> int:
        """A-70 to A-72; the row it came from, which may be empty now."""
        source = next((row for row, cards in self.cards.items() if card in cards), 0)
        if not source or source == target or target not in self.cards:
            raise Breach("A-70: a card that lies in a row goes to a different one")
        if source not in self.open_rows() or target not in self.open_rows() or self.is_full(target):
            raise Breach("A-72: a row is blocked or has no room")
        self.cards[source].remove(card)
        self.cards[target] = sorted((*self.cards[target], card))
        return source

    def mark(self, kind: str, row: int) -> None:
        """A-20, A-33, A-51, A-53."""
        marks = self.marks.setdefault(row, [])
        if kind == "fifth":
            if self.has_five() or row in self.cards:
                raise Breach("A-20: there are five rows, or one lies here")
            self.cards[row] = []
        elif row not in self.open_rows() or kind in marks:
            raise Breach("A-33, A-51: the row is blocked, or has one already")
        elif kind == "block" and sum(m.count("block") for m in self.marks.values()) >= 2:
            raise Breach("A-53: two rows are blocked already")
        marks.append(kind)
