"""What has truly happened at a table of 6 nimmt!, told in the notation of the game and kept by the oracle."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field

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
    used: set[int] = field(default_factory=set)
    """Numbers seen in this round (N-8)."""
    last: int = 0
    """The card laid last in this turn, where seats are off."""
    taking: int = 0
    events: list[str] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    """Who took each row of this round, in order."""

    def copy(self) -> "Truth":
        return deepcopy(self)

    def deal(self, cards: list[int]) -> None:
        self.rows = Rows({place: [card] for place, card in enumerate(cards, 1)})
        self.piles = {player: [] for player in self.players}
        self.used = set(cards)
        self.takers = []
        self.begin_turn()

    def begin_turn(self, early: Iterable[int] = ()) -> None:
        """The backs of these players lie already."""
        self.chosen = set(early)
        self.shown, self.told, self.last, self.taking = {}, {}, 0, 0

    @property
    def due(self) -> tuple[int, int] | None:
        """The player and the card whose slot it is (N-7)."""
        return min(((p, c) for p, c in self.shown.items()), key=lambda slot: slot[1], default=None)

    def total(self, player: int) -> int:
        """N-22, N-23."""
        return self.before.get(player, 0) + total_heads(self.piles[player])

    def show(self, player: int, card: int) -> None:
        """A card is turned up, or taken in hand for this turn where seats are off."""
        if player in self.told:
            raise Breach("N-6: a card that is shown cannot be changed")
        if card in self.used or not 1 <= card <= 104:
            raise Breach("N-8: not a card that can be shown")
        self.shown[player] = self.told[player] = card
        self.used.add(card)

    def take(self, row: int) -> None:
        """The row is named or lifted; its cards are the player's."""
        player, card = self._slot()
        if self.taking:
            raise Breach("N-12: this card has taken a row already")
        self.rows.check_take(card, row)
        taken, _ = self.rows.take(row)
        self.piles[player] += taken
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
        self.taking = 0
        self.last = card
        del self.shown[player]
        self.events.append(f"lay {card} {row}")

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

    def _slot(self) -> tuple[int, int]:
        if self.due is None or (self.seats and len(self.told) < len(self.players)):
            raise Breach("N-6: nobody lays before every card is shown")
        return self.due


def follow(truth: Truth, told: str) -> None:
    """Play what a record tells, or ``Breach``: would this be legal after what has happened?"""
    verb, *words = told.split()
    match verb:
        case "choose":
            if int(words[0]) in truth.told:
                raise Breach("N-6: a card that is shown cannot be changed")
            truth.chosen.add(int(words[0]))
        case "reveal" if int(words[0]):
            truth.show(int(words[0]), int(words[1]))
        case "reveal":
            _show_in_order(truth, int(words[1]))
        case "take":
            truth.take(int(words[0]))
        case "lay":
            truth.lay(int(words[0]), int(words[1]))
        case _:
            raise Breach(f"nobody has done '{told}'")


def _show_in_order(truth: Truth, card: int) -> None:
    """Where seats are off a card is known when it is laid: it is one of those that have not been, and not too low."""
    if card < truth.last:
        raise Breach(f"N-7: {card} comes before {truth.last}")
    left = [player for player in truth.players if player not in truth.told]
    if not left:
        raise Breach("N-5: every player has laid a card")
    truth.show(left[0], card)
