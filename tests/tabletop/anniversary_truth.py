"""What has truly happened in the anniversary game: the special cards, by the rulings alone."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.tabletop.nimmt_rules import COPIES, Breach, heads_of, total_heads
from tests.tabletop.nimmt_truth import Truth

KINDS = ("fifth", "seven", "insert", "block", "replace", "move", "negpos")
TURNS = 12
FIRST = ("fifth", "seven", "block", "replace", "move")
"""These are carried out before the number card is laid (A-8, A-12)."""


@dataclass
class SpecialTruth(Truth):
    """``special`` is that of the running slot; ``start`` is a row that the card starts without a take."""

    special: str = ""
    acted: bool = False
    start: int = 0
    owed: tuple[int, ...] = ()
    """The cards of the row of which one is to be named (A-80), and who names it."""
    owing: int = 0
    credit: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    """Specials in each hand (A-5)."""
    turn: int = 0
    spent: Counter[str] = field(default_factory=Counter)
    """Kinds played and used up since the discard was last shuffled; what was exchanged is not among them."""

    def deal(self, cards: list[int]) -> None:
        super().deal(cards)
        self.turn = 0

    def begin_turn(self, early: Iterable[int] = ()) -> None:
        super().begin_turn(early)
        self.turn += 1

    @property
    def busy(self) -> bool:
        return bool(self.taking or self.special or self.owed)

    def total(self, player: int) -> int:
        return super().total(player) - self.credit.get(player, 0)

    def end_round(self) -> None:
        super().end_round()
        self.credit, self.turn = {}, 0

    def play_special(self, player: int, kind: str) -> None:
        """A-8, A-9, A-11."""
        if player != self._slot()[0] or self.taking:
            raise Breach("A-8: a special is played in its owner's own slot, before the card")
        if self.special or not self.held[player]:
            raise Breach("A-9: one special for each number card, from the hand")
        if self.list_seen()[kind] >= COPIES:
            raise Breach("A-93: four of each kind are printed")
        if not self.may_play(kind):
            raise Breach(f"A-11: nothing that {kind} could do")
        self.special, self.acted = kind, False
        self.held[player] -= 1
        self.events.append(f"special {player} {kind}")

    def list_seen(self) -> Counter[str]:
        """A-93: on the table and discarded since the discard was last shuffled."""
        return self.spent + Counter(mark for marks in self.rows.marks.values() for mark in marks)

    def may_play(self, kind: str) -> bool:
        _, card = self._slot()
        rows = self.rows
        match kind:
            case "fifth":
                return not rows.has_five()
            case "seven":
                row = rows.row_for(card)
                return bool(row) and "seven" not in rows.marks_at(row)
            case "insert":
                return bool(self.list_insertions())
            case "block":
                return sum(marks.count("block") for marks in rows.marks.values()) < 2
            case "replace":
                return self.turn < TURNS
            case "move":
                return bool(self.list_shifts())
        return bool(rows.choices(card))

    def list_insertions(self) -> list[int]:
        card = self._slot()[1]
        return [row for row in self.rows.open_rows() if self.rows.cards[row] and self.rows.cards[row][-1] > card]

    def list_shifts(self) -> list[tuple[int, int]]:
        rows = self.rows
        targets = [row for row in rows.open_rows() if not rows.is_full(row)]
        cards = [(card, row) for row in rows.open_rows() for card in rows.cards[row]]
        return [(card, target) for card, row in cards for target in targets if target != row]

    def mark(self, kind: str, row: int) -> None:
        _, card = self._slot()
        if self.special != kind or self.acted:
            raise Breach("A-8: this special has not been played")
        if kind == "seven" and row != self.rows.row_for(card):
            raise Breach("A-32: the row is the one that the card goes to")
        self.rows.mark(kind, row)
        self.acted = True
        self.start = row if kind == "fifth" else 0
        self.events.append(f"mark {kind} {row}")

    def shift(self, card: int, row: int) -> None:
        self._slot()
        if self.special != "move" or self.acted:
            raise Breach("A-70: no Move has been played")
        source = self.rows.shift(card, row)
        self.acted = True
        self.start = 0 if self.rows.cards[source] else source
        self.events.append(f"shift {card} {row}")

    def swap(self, card: int) -> None:
        player, shown = self._slot()
        if self.special != "replace" or self.acted:
            raise Breach("A-60: no Replace has been played")
        if card in self.used or not 1 <= card <= self.highest:
            raise Breach("N-8: not a card of the hand")
        self.used = self.used - {shown} | {card}
        self.shown[player] = card
        self.acted = True
        self.events.append(f"swap {card}")

    def take(self, row: int) -> None:
        player, card = self._slot()
        if self.special == "insert" or self.start or (self.special in FIRST and not self.acted):
            raise Breach("A-12: the special comes first")
        five = self.rows.has_five()
        taken = tuple(self.rows.cards.get(row, ()))
        super().take(row)
        if self.special == "negpos":
            self.owed, self.owing = taken, player
        if five:
            self.piles[player].append(card)
            self.end_slot(player, card)

    def name_negative(self, card: int, cancelled: Iterable[int], known: int | None = None) -> None:
        """A-80 to A-84. The cards cancelled are the largest sum that fits; the rest is a credit.

        The box may know of it before it knows that the card was laid.
        """
        if card not in self.owed:
            raise Breach("A-80: one card of the row that was taken is named")
        pile, value = self.piles[self.owing], heads_of(card)
        pile.remove(card)
        falls = min(value, total_heads(pile))
        if total_heads(cancelled) != _largest_sum(pile, falls) or not set(cancelled) <= set(pile):
            raise Breach("A-81, A-83: these cards are not the largest sum that fits")
        for gone in cancelled:
            pile.remove(gone)
        self.credit[self.owing] = self.credit.get(self.owing, 0) + falls - total_heads(cancelled)
        told = f"negpos {card} {','.join(map(str, cancelled)) or '-'}"
        self.events.insert(len(self.events) if known is None else known, told)
        self.owed = ()

    def lay(self, card: int, row: int) -> None:
        player, due = self._slot()
        if card == due and self.special in FIRST and not self.acted:
            raise Breach("A-12: the special comes first")
        if card == due and self.special == "insert":
            taken = self.rows.insert(card, row)
            self.piles[player] += taken
            self.takers += [player] if taken else []
        elif card == due and self.start and row == self.start:
            self.rows.cards[row] = [card]
        elif self.start:
            raise Breach("A-73: the card starts the row")
        else:
            super().lay(card, row)
            return
        self.end_slot(player, card)
        self.events.append(f"lay {card} {row}")

    def end_slot(self, player: int, card: int) -> None:
        super().end_slot(player, card)
        self.special, self.acted, self.start = "", False, 0

    def follow(self, told: str) -> None:
        verb, *words = told.split()
        match verb:
            case "special":
                self.play_special(int(words[0]), words[1])
            case "mark":
                if not self.special:  # straight from the hand to its row
                    self.play_special(self._slot()[0], words[0])
                self.mark(words[0], int(words[1]))
            case "shift":
                self.shift(int(words[0]), int(words[1]))
            case "swap":
                self.swap(int(words[0]))
            case "negpos":
                self.name_negative(int(words[0]), parse_cards(words[1]))
            case "lay" if self.special in ("fifth", "seven") and not self.acted:
                self.mark(self.special, int(words[1]))  # carried there with the card
                self.lay(int(words[0]), int(words[1]))
            case _:
                super().follow(told)


def parse_cards(word: str) -> list[int]:
    return [] if word == "-" else [int(card) for card in word.split(",")]


def _largest_sum(cards: Iterable[int], most: int) -> int:
    sums = {0}
    for card in cards:
        sums |= {total + heads_of(card) for total in sums if total + heads_of(card) <= most}
    return max(sums)
