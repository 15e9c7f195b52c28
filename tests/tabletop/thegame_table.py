"""The cards of The Game on a physical table: what lies on what, what a hand covers, and what a camera makes of it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.table import Area, Piece, Table
from tests.tabletop.thegame_rules import PILES, first_card

WIDTH, HEIGHT = 62.0, 92.0
"""A card in millimetres."""
STICKER = 18.0
"""The side of a sticker; it is this far (in millimetres) from the left and the lower edge of its card:"""
MARGIN = 3.0
READABLE = 0.2
"""A sticker of which more is covered than this share is not read."""
NOTICED_MM2 = 100.0
"""Two cards that overlap less are not told to overlap."""


@dataclass(slots=True, eq=False)
class Card:
    name: str
    x: float
    y: float
    angle: float = 0.0

    def sticker(self) -> Area:
        left, bottom = self.x - WIDTH / 2 + MARGIN, self.y + HEIGHT / 2 - MARGIN
        return Area(left, bottom - STICKER, left + STICKER, bottom)

    def paper(self) -> Area:
        return Area(self.x - WIDTH / 2, self.y - HEIGHT / 2, self.x + WIDTH / 2, self.y + HEIGHT / 2)


def shared_mm2(one: Area, two: Area) -> float:
    wide = min(one.right, two.right) - max(one.left, two.left)
    high = min(one.bottom, two.bottom) - max(one.top, two.top)
    return wide * high if wide > 0 and high > 0 else 0.0


@dataclass(slots=True)
class Habits:
    """How these people treat their cards: ``sloppy`` piles are not squared. ``told``: how often an overlap is seen."""

    start_cards: str
    told: float
    sloppy: frozenset[str]
    deck_in_sight: bool
    below: bool = False
    """The start cards lie one under another, as the rulebook shows them, and each pile to the right of its own."""


def draw_habits(rng: random.Random, *, below: bool = False) -> Habits:
    """Every fifth pile is sloppy, on the average."""
    return Habits(
        rng.choice(("box", "under", "left") if below else ("box", "under", "above", "column")),
        rng.choice((0.0, 0.5, 1.0)),
        frozenset(pile for pile in PILES if rng.random() < 0.2),
        rng.random() < 0.5,
        below,
    )


@dataclass(slots=True)
class CardTable:
    """Piles from the bottom to the top, cards beside them, cards in the air, and arms over the table."""

    rng: random.Random
    zones: Mapping[str, Area]
    habits: Habits
    piles: dict[str, list[Card]] = field(default_factory=dict)
    beside: list[Card] = field(default_factory=list)
    arms: list[Area] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, pile in enumerate(PILES):
            self.piles[pile] = []
            start, (x, y) = str(first_card(pile)), self.middle(pile)
            if self.habits.start_cards == "under":
                self.piles[pile].append(Card(start, x, y))
            elif self.habits.start_cards == "above":
                self.beside.append(Card(start, x, self.zones[pile].top + HEIGHT / 2 + 2))
            elif self.habits.start_cards == "left":
                self.beside.append(Card(start, self.zones[pile].left + WIDTH / 2 + 4, y))
            elif self.habits.start_cards == "column":
                right = max(zone.right for zone in self.zones.values())
                self.beside.append(Card(start, right + WIDTH / 2 + 5, 60 + number * (HEIGHT + 8)))
        if self.habits.deck_in_sight and self.habits.start_cards != "column":
            self.beside.append(Card("back", max(zone.right for zone in self.zones.values()) + WIDTH, 200))

    def middle(self, pile: str) -> tuple[float, float]:
        """Where the cards of this pile go: lower if the start card lies above them."""
        zone = self.zones[pile]
        middle = (zone.top + zone.bottom) / 2
        return (zone.left + zone.right) / 2, middle + (HEIGHT / 2 if self.habits.start_cards == "above" else 0)

    def lay(self, name: str, pile: str) -> Card:
        """A card from a hand onto a pile, as exactly as these people are."""
        (x, y), rng = self.middle(pile), self.rng
        if pile in self.habits.sloppy:
            wide, high = (60, 8) if self.habits.below else (28, 40)
            card = Card(name, x + rng.uniform(-wide, wide), y + rng.uniform(-high, high), rng.uniform(-12, 12))
        else:
            card = Card(name, x + rng.gauss(0, 2), y + rng.gauss(0, 2), rng.gauss(0, 2))
        self.piles[pile].append(card)
        return card

    def nudge(self, pile: str) -> None:
        """A sleeve moves one card of the pile, and those on it stay."""
        if self.piles[pile]:
            card = self.rng.choice(self.piles[pile][-4:])
            x, y = self.middle(pile)
            most = 10 if self.habits.below else 50
            card.x = min(max(card.x + self.rng.uniform(-25, 25), x - 45), x + 45)
            card.y = min(max(card.y + self.rng.uniform(-25, 25), y - most), y + most)

    def reach_over(self, pile: str) -> None:
        """An arm comes from the near side and rests over this pile."""
        x, y = self.middle(pile)
        x, half = x + self.rng.uniform(-30, 30), self.rng.uniform(25, 60)
        self.arms.append(Area(x - half, y - self.rng.uniform(-30, 80), x + half, 2000.0))

    def in_sight(self, pile: str) -> list[Card]:
        """The cards of a pile whose stickers are read, from the bottom to the top."""
        cards = self.piles[pile]
        papers = [card.paper() for card in cards]
        return [
            card
            for at, card in enumerate(cards)
            if all(shared_mm2(card.sticker(), paper) < READABLE * STICKER**2 for paper in papers[at + 1 :])
            and not self._is_under_an_arm(card)
        ]

    def picture(self) -> Table:
        """What the camera reads of it, each card a millimetre beside where it lies."""
        pieces: set[Piece] = set()
        covers: set[tuple[str, str]] = set()
        for pile in PILES:
            read = self.in_sight(pile)
            pieces |= {self._piece(card) for card in read}
            for at, lower in enumerate(read):
                for upper in read[at + 1 :]:
                    told = self.rng.random() < self.habits.told
                    if told and shared_mm2(upper.paper(), lower.paper()) > NOTICED_MM2:
                        covers.add((upper.name, lower.name))
        pieces |= {self._piece(card) for card in self.beside if not self._is_under_an_arm(card)}
        return Table(frozenset(pieces), tuple(self.arms), frozenset(covers))

    def _is_under_an_arm(self, card: Card) -> bool:
        return any(arm.overlaps(card.sticker()) for arm in self.arms)

    def _piece(self, card: Card) -> Piece:
        rng = self.rng
        return Piece(card.name, card.x + rng.uniform(-1, 1), card.y + rng.uniform(-1, 1), card.angle)
