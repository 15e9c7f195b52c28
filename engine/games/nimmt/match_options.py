"""The options of a match, and what follows from them: the deck, hands, turns and rounds."""

from dataclasses import dataclass

from engine.game import Illegal
from engine.games.nimmt.cards import DECK
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
