"""The options of a match, and the arithmetic that follows from them: hands, turns, rounds, winners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.game import Illegal
from engine.games.nimmt.cards import COPIES_OF_A_SPECIAL, DECK, SPECIAL_KINDS
from engine.options import Option, Options, get_number, get_numbers, get_word

OPTIONS = (
    Option("players", 4, 2, 10),
    Option("variant", "base", words=("base", "professional", "halves", "anniversary")),
    Option("end", "target", words=("target", "rounds")),
    Option("target", 66, 1, 999),
    Option("cmp", "ge", words=("ge", "gt")),
    Option("rounds", 3, 1, 99),
    Option("allow_7_to_10", 0, 0, 1),
    Option("allow_any_count", 0, 0, 1),
    Option("first", 1, 1, 10),
    Option("seats", "on", words=("on", "off")),
    Option("spots", (), 1, 10, many=True),
    Option("width", 0, 0, 5000),
    Option("height", 0, 0, 5000),
)
SPECIAL_CARDS = COPIES_OF_A_SPECIAL * len(SPECIAL_KINDS)
ROUND_2_MOST = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a match with their types."""

    players: int
    variant: str
    end: str
    target: int
    cmp: str
    rounds: int
    allow_7_to_10: bool
    allow_any_count: bool
    first: int
    seats: str
    spots: tuple[int, ...]
    width: int
    height: int

    @property
    def anniversary(self) -> bool:
        return self.variant == "anniversary"

    def deck(self, players: int) -> range:
        """The numbers in play (P-2)."""
        return range(1, 10 * players + 5) if self.variant == "professional" else DECK

    @property
    def halves(self) -> tuple[int, int]:
        """Hands of the first and the second half (H-2)."""
        each = (len(DECK) - 4) // self.players
        return each // 2, each - each // 2

    @property
    def turns(self) -> int:
        """How many turns a round has."""
        return sum(self.halves) if self.variant == "halves" else 12 if self.anniversary else 10

    @property
    def hand(self) -> int:
        """How many number cards each player is dealt at first."""
        return self.halves[0] if self.variant == "halves" else self.turns

    @property
    def aside(self) -> int:
        """How many number cards stay out of the round (N-3, H-2)."""
        return len(self.deck(self.players)) - 4 - self.players * self.turns

    @property
    def last_round(self) -> int:
        """How many rounds the match has, 0 if the target decides."""
        if self.variant == "halves":
            return 1
        if self.anniversary:
            return 2
        return self.rounds if self.end == "rounds" else 0


def parse_rules(options: Options) -> Rules:
    """The rules that these options make, or ``Illegal`` where the player count does not go with the variant."""
    rules = Rules(
        players=get_number(options, "players"),
        variant=get_word(options, "variant"),
        end=get_word(options, "end"),
        target=get_number(options, "target"),
        cmp=get_word(options, "cmp"),
        rounds=get_number(options, "rounds"),
        allow_7_to_10=bool(get_number(options, "allow_7_to_10")),
        allow_any_count=bool(get_number(options, "allow_any_count")),
        first=get_number(options, "first"),
        seats=get_word(options, "seats"),
        spots=get_numbers(options, "spots"),
        width=get_number(options, "width"),
        height=get_number(options, "height"),
    )
    low, high, ruling = {
        "base": (2, 10, "N-1"),
        "professional": (2, 10 if rules.allow_7_to_10 else 6, "P-1"),
        "halves": (2, 10, "H-4") if rules.allow_any_count else (4, 7, "H-4"),
        "anniversary": (2, 8, "A-1"),
    }[rules.variant]
    if not low <= rules.players <= high:
        raise Illegal(ruling, "player_count", "player_count", low=low, high=high)
    return rules


def share_specials(players: int, held: int) -> tuple[int, int]:
    """Specials free to deal, and how many each player gets (A-6)."""
    available = SPECIAL_CARDS - held
    return available, min(ROUND_2_MOST, available // players)


def count_specials_held(dealt: int, played: int) -> int:
    """Specials in a hand: public arithmetic, which an exchange does not change (A-5)."""
    return dealt - played


def find_drafter(players: int, first: int, round: int, picked: int) -> int:
    """The player who picks after ``picked`` cards: clockwise, starting one player later in each round (P-4)."""
    return (first - 1 + round - 1 + picked) % players + 1


def count_expected_cards(players: int, turns: int) -> int:
    """Number cards in rows, in bull piles and set aside together (R-6)."""
    return 4 + players * turns


class Result(NamedTuple):
    over: bool
    winners: tuple[int, ...]


def find_result(rules: Rules, totals: Sequence[int], rounds_done: int, gone: Sequence[bool] = ()) -> Result:
    """Is the match over after this many whole rounds, and who has won (N-24 to N-27, H-6, A-95)?"""
    ranked = [player for player in range(1, len(totals) + 1) if not (gone and gone[player - 1])]
    if rules.last_round:
        over = rounds_done >= rules.last_round
    else:
        highest = max((totals[player - 1] for player in ranked), default=0)
        over = rounds_done > 0 and (highest > rules.target if rules.cmp == "gt" else highest >= rules.target)
    over = over or (bool(gone) and len(ranked) < 2)
    lowest = min((totals[player - 1] for player in ranked), default=0)
    return Result(over, tuple(p for p in ranked if totals[p - 1] == lowest) if over else ())
