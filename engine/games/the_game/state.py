"""The state of The Game: four piles, hands as numbers of cards, and whose turn it is."""

from dataclasses import dataclass
from functools import lru_cache

from engine.game import Illegal
from engine.games.the_game.match_options import BESIDE

PILES = ("up:1", "up:2", "down:1", "down:2")
START_CARDS = (1, 1, 100, 100)
LOWEST_CARD, HIGHEST_CARD = 2, 99
CARDS = HIGHEST_CARD - LOWEST_CARD + 1
NO_CARDS = (0, 0, 0, 0)

Piles = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=256)
def laid_in(piles: Piles) -> frozenset[int]:
    return frozenset().union(*piles)


@dataclass(frozen=True, slots=True)
class State:
    """``fresh`` counts this turn's cards by pile. The hand of a player in ``gone`` stays in ``hands``, out of play.

    ``claimed`` is how many cards the player claims to have laid, if more than were seen; ``bare`` holds for each pile
    the card under which nothing lies, as a player declared; ``said`` are pairs of cards of which the first lies higher,
    as players declared; ``drew`` is a player and the number of cards to draw now; ``arrangement`` is how the start
    cards lie.
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
    said: tuple[tuple[int, int], ...] = ()
    drew: tuple[int, int] = (0, 0)
    stopped: bool = False
    shown: tuple[int, ...] = ()
    arrangement: str = BESIDE

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
    def owed(self) -> int:
        """Cards that the player claims to have laid and the camera has not seen."""
        return max(0, self.claimed - self.laid)

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(p for p in range(1, len(self.hands) + 1) if p not in self.gone)

    @property
    def in_hands(self) -> int:
        return sum(self.hands[p - 1] for p in self.playing)

    def top(self, pile: int) -> int:
        return self.piles[pile][-1] if self.piles[pile] else START_CARDS[pile]

    def is_laid(self, card: int) -> bool:
        return card in laid_in(self.piles)


def parse_pile(name: str) -> int:
    if name not in PILES:
        raise Illegal("G-3", "out_of_order", "no_such_pile", known=" ".join(PILES))
    return PILES.index(name)


def find_pile(state: State, card: int) -> str | None:
    """The pile on which the record has this card."""
    return next((name for name, pile in zip(PILES, state.piles, strict=True) if card in pile), None)
