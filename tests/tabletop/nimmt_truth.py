"""What has truly happened at a table of 6 nimmt!, told in the notation of the game and kept by the oracle."""

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from tests.tabletop.nimmt_rules import Breach, Rows, total_heads


@dataclass
class Truth:
    """``events`` are the public facts that a record must hold in this order: cards laid, rows taken, specials.

    The order of cards shown and chosen is of no interest. Where seats are off nobody shows a card, and ``shown`` holds
    what the players have in their hands for this turn.
    """

    players: list[int]
    seats: bool = True
    rows: Rows = field(default_factory=Rows)
    piles: dict[int, list[int]] = field(default_factory=dict)
    chosen: set[int] = field(default_factory=set)
    shown: dict[int, int] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    """Player -> the card shown in this turn, also after it was laid."""
    before: dict[int, int] = field(default_factory=dict)
    """Heads of the rounds before."""
    laid: dict[int, int] = field(default_factory=dict)
    """Player -> the card that was laid or taken in this turn."""
    used: set[int] = field(default_factory=set)
    """Numbers seen in this round (N-8)."""
    highest: int = 104
    """The highest number of the deck."""
    drafted: dict[int, set[int]] = field(default_factory=dict)
    """The hands of an open draft, if everybody saw each pick (P-6)."""
    first: list[int] = field(default_factory=list)
    """The first cards of the rows as they were dealt."""
    picked: set[int] = field(default_factory=set)
    last: int = 0
    """The card laid last in this turn, where seats are off."""
    taking: int = 0
    events: list[str] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    """Who took each row of this round, in order."""

    def copy(self) -> "Truth":
        world = copy(self)
        for name, value in vars(self).items():
            setattr(world, name, _copy_value(value))
        return world

    def deal(self, cards: list[int]) -> None:
        self.first = cards
        self.rows = Rows({place: [card] for place, card in enumerate(cards, 1)})
        self.piles |= {player: [] for player in self.players}
        self.used = set(cards)
        self.takers = []
        self.begin_turn()

    def begin_turn(self, early: Iterable[int] = ()) -> None:
        """The backs of these players lie already."""
        self.chosen = set(early)
        self.shown, self.told, self.laid, self.last, self.taking = {}, {}, {}, 0, 0

    def end_round(self) -> None:
        """N-22, N-23: what was scored stays."""
        self.before = {player: self.total(player) for player in self.piles}
        self.piles = {player: [] for player in self.piles}
        self.picked = set()
        self.rows = Rows()

    @property
    def due(self) -> tuple[int, int] | None:
        """The player and the card whose slot it is (N-7)."""
        return min(self.shown.items(), key=lambda slot: self.told[slot[0]], default=None)

    def total(self, player: int) -> int:
        """N-22, N-23."""
        return self.before.get(player, 0) + total_heads(self.piles[player])

    @property
    def busy(self) -> bool:
        """Is somebody in the middle of a take?"""
        return bool(self.taking)

    @property
    def may_change_rows(self) -> bool:
        """P-5: may the four cards left of a draft still change their rows? Until a card is shown, or laid."""
        starts = [self.rows.cards.get(place) for place in range(1, 5)] == [[card] for card in self.first]
        return bool(self.picked) and starts and not (self.seats and self.told) and not any(self.piles.values())

    def show(self, player: int, card: int) -> None:
        """A card is turned up, or taken in hand for this turn where seats are off."""
        if player in self.told:
            raise Breach("N-6: a card that is shown cannot be changed")
        if card in self.used or not 1 <= card <= self.highest:
            raise Breach("N-8: not a card that can be shown")
        if self.seats and self.drafted and card not in self.drafted[player]:
            raise Breach("P-6: this player has not picked it")
        self.shown[player] = self.told[player] = card
        self.used.add(card)

    def take(self, row: int) -> None:
        """The row is named or lifted; its cards are the player's."""
        player, card = self._slot()
        if self.taking:
            raise Breach("N-12: this card has taken a row already")
        self.rows.check_take(card, row)
        self.piles[player] += self.rows.take(row)
        self.takers.append(player)
        self.taking = row
        self.events.append(f"take {row}")

    def lay(self, card: int, row: int) -> None:
        player, due = self._slot()
        if card != due:
            raise Breach(f"N-7: {due} comes before {card}")
        if self.taking and row != self.taking:
            raise Breach("N-16: the card starts the row that was taken")
        if self.taking:
            self.rows.cards[row] = [card]
        else:
            self.rows.put(card, row)
        self.end_slot(player, card)
        self.events.append(f"lay {card} {row}")

    def end_slot(self, player: int, card: int) -> None:
        self.taking = 0
        self.last = self.laid[player] = card
        del self.shown[player]

    def hide_hands(self) -> None:
        """What the table itself tells where seats are off: not which cards are still to come."""
        self.used -= set(self.shown.values())
        for player in self.shown:
            del self.told[player]
        self.shown = {}

    def leave(self, player: int) -> None:
        """N-29: nobody waits for this player; the pile stays as it is."""
        self.players.remove(player)
        self.chosen.discard(player)
        self.shown.pop(player, None)
        self.told.pop(player, None)
        self.events.append(f"leave {player}")

    def follow(self, told: str) -> None:
        """Play what a record tells, or ``Breach``: would this be legal after what has happened?"""
        verb, *words = told.split()
        if verb in ("choose", "reveal") and not self.shown and self.told and len(self.told) == len(self.players):
            self.begin_turn(self.chosen - self.told.keys())
        match verb:
            case "choose":
                if int(words[0]) in self.told:
                    raise Breach("N-6: a card that is shown cannot be changed")
                self.chosen.add(int(words[0]))
            case "reveal" if int(words[0]):
                player, card = map(int, words)
                if self.told.get(player) != card:
                    self.show(player, card)
            case "reveal":
                self._show_in_order(int(words[1]))
            case "take":
                self.take(int(words[0]))
            case "lay":
                self.lay(int(words[0]), int(words[1]))
            case _:
                raise Breach(f"nobody has done '{told}'")

    def _show_in_order(self, card: int) -> None:
        """Where seats are off a card is known when it is laid: it is not too low, and no player lays two."""
        if card < self.last:
            raise Breach(f"N-7: {card} comes before {self.last}")
        left = [player for player in self.players if player not in self.told]
        if not left:
            raise Breach("N-5: every player has laid a card")
        self.show(left[0], card)

    def _slot(self) -> tuple[int, int]:
        if self.due is None or (self.seats and len(self.told) < len(self.players)):
            raise Breach("N-6: nobody lays before every card is shown")
        return self.due


def _copy_value(value: Any) -> Any:
    """The values of a truth are numbers, texts, rows, and collections of such collections."""
    match value:
        case Rows():
            return value.copy()
        case Counter() | list() | set():
            return copy(value)
        case dict():
            return {key: _copy_value(held) for key, held in value.items()}
    return value
