"""Four piles, hands as numbers of cards, whose turn it is, and what follows from these."""

from dataclasses import dataclass
from functools import lru_cache

PILES = ("up:1", "up:2", "down:1", "down:2")
START_CARDS = (1, 1, 100, 100)
LOWEST_CARD, HIGHEST_CARD = 2, 99
CARDS = HIGHEST_CARD - LOWEST_CARD + 1
STANDARD, EXPERT, SMALL_HAND = LEVELS = ("standard", "expert", "expert_small_hand")
NO_CARDS = (0, 0, 0, 0)

Piles = tuple[tuple[int, ...], ...]


def hand_size(players: int, level: str) -> int:
    return {1: 8, 2: 7}.get(players, 6) - (level == SMALL_HAND)


def fits(pile: int, top: int, card: int) -> bool:
    """Onward by any step, or backward by exactly ten."""
    if pile < 2:
        return card > top or card == top - 10
    return card < top or card == top + 10


def grade_result(left: int) -> str:
    if left == 0:
        return "beaten"
    return "excellent" if left <= 9 else "ended"


@lru_cache(maxsize=256)
def laid_in(piles: Piles) -> frozenset[int]:
    return frozenset().union(*piles)


@dataclass(frozen=True, slots=True)
class State:
    """``fresh`` counts this turn's cards by pile. The hand of a player in ``gone`` stays in ``hands``, out of play.

    ``claimed`` is how many cards the player claims to have laid, if more than were seen; ``bare`` holds for each pile
    the card under which nothing lies, as a player declared; ``drew`` is a player and the number of cards to draw now.
    """

    size: tuple[int, int]
    level: str
    hands: tuple[int, ...]
    turn: int
    piles: Piles = ((), (), (), ())
    fresh: tuple[int, ...] = NO_CARDS
    gone: tuple[int, ...] = ()
    claimed: int = 0
    bare: tuple[int, ...] = NO_CARDS
    drew: tuple[int, int] = (0, 0)
    stopped: bool = False
    shown: tuple[int, ...] = ()

    @property
    def laid(self) -> int:
        """Cards laid in this turn."""
        return sum(self.fresh)

    @property
    def total(self) -> int:
        return sum(map(len, self.piles))

    @property
    def left(self) -> int:
        return CARDS - self.total

    @property
    def deck(self) -> int:
        """The cards in no pile and no hand. It changes between turns only, so the minimum of a turn is constant."""
        return self.left - sum(self.hands)

    @property
    def hand(self) -> int:
        return self.hands[self.turn - 1]

    @property
    def least(self) -> int:
        """How many cards this turn asks for; never more than the player had."""
        wanted = 1 if self.deck == 0 else 2 if self.level == STANDARD else 3
        return min(wanted, max(1, self.hand + self.laid))

    @property
    def need(self) -> int:
        return max(0, self.least - self.laid)

    @property
    def draw(self) -> int:
        """How many cards are drawn if the turn ends now."""
        return min(self.laid, self.deck)

    @property
    def owed(self) -> int:
        """Cards that the player claims to have laid and the camera has not seen."""
        return max(0, self.claimed - self.laid)

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(p for p in range(1, len(self.hands) + 1) if p not in self.gone)

    @property
    def in_hands(self) -> int:
        return sum(self.hands[p - 1] for p in self.playing)

    @property
    def over(self) -> bool:
        return self.stopped or not self.playing or (self.in_hands == 0 and self.deck == 0)

    def top(self, pile: int) -> int:
        return self.piles[pile][-1] if self.piles[pile] else START_CARDS[pile]

    def is_laid(self, card: int) -> bool:
        return card in laid_in(self.piles)

    def takes(self, pile: int, card: int) -> bool:
        """May this card be laid on this pile now?"""
        return LOWEST_CARD <= card <= HIGHEST_CARD and not self.is_laid(card) and fits(pile, self.top(pile), card)

    def between(self, pile: int, card: int) -> tuple[int, ...]:
        """Cards of which each could be hidden under this one and make it legal."""
        if self.in_hands < 2:
            return ()
        back = -10 if pile < 2 else 10
        maybe = {self.top(pile) + back, card - back} - {card}
        return tuple(sorted(c for c in maybe if self.takes(pile, c) and fits(pile, c, card)))
