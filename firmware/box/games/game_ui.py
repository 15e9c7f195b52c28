"""What the box and its screens must know of one game beside its rules."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from engine.games import GAMES
from engine.log import Log
from engine.options import Option, Options, Value, get_number
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer
from firmware.box.flow import Flow
from firmware.box.games.lesson import Lesson
from firmware.box.games.manual_entry_question import Question
from firmware.box.table_state import TableState, ZonesState, ZoneState
from firmware.journal.operation_types import Started
from firmware.texts.move_texts import describe_move
from firmware.texts.render import readable


@dataclass(frozen=True, slots=True)
class GameVariant:
    """One way to play the game; ``about`` explains it to people who do not know it."""

    name: str
    label: Text
    about: Text
    options: Options


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards with stickers, in the sheets in which a deck check asks for them.

    ``alike``: the cards of a sheet exist several times, and their order among themselves does not matter.
    """

    name: str
    label: Text
    sheets: tuple[tuple[str, ...], ...]
    alike: bool = False


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """One option as set-up asks for it.

    ``values`` are offered in this order; without any, all words or numbers of the option, the current one first.
    """

    option: str
    prompt: Text
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosingCheck:
    """Something to show to the camera after the end. ``decides``: the result may still change by it."""

    offer: Offer
    open: Callable[[], Flow]
    decides: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """A flow in the menu of the game that corrects what a person has entered."""

    offer: Offer
    open: Callable[[], Flow]


@dataclass(frozen=True, slots=True)
class NextMatch:
    """What changes for the next match: options, and the players who stay, by their new numbers in this order."""

    stay: tuple[int, ...]
    options: Options = field(default_factory=dict)


class GameUi(Protocol):
    """``PlainUi`` implements each member for a game that needs nothing special; states and logs are of this game."""

    @property
    def areas(self) -> tuple[tuple[int, int], ...]:
        """The sizes of table the game is planned for, in mm."""
        ...

    @property
    def about(self) -> Text:
        """What the game is, for people who do not know it."""
        ...

    @property
    def variants(self) -> tuple[GameVariant, ...]:
        """The variants to choose from; none if there is one way to play."""
        ...

    @property
    def decks(self) -> tuple[Deck, ...]:
        """All decks whose stickers can be checked."""
        ...

    @property
    def counts_by_cards(self) -> bool:
        """Do cards put at the seats before the match tell who plays where? Else the players are counted by hand."""
        ...

    @property
    def leaves(self) -> bool:
        """May a player leave and the others play on?"""
        ...

    @property
    def swaps_places(self) -> bool:
        """Do the numbers of the players follow from who starts, so that they change places from match to match?"""
        ...

    @property
    def plays_on(self) -> bool:
        """Does the next match continue the same log?"""
        ...

    @property
    def fewest_points_lead(self) -> bool: ...

    @property
    def card_points(self) -> Mapping[str, int]:
        """The points of each card in a taken pile; empty if cards have none."""
        ...

    @property
    def standing_questions(self) -> frozenset[str]:
        """Questions that stand until their table is recorded: ``doubt`` is asked about what comes to sight before."""
        ...

    @property
    def piles(self) -> tuple[str, ...]:
        """The zones in which each card covers the one below it."""
        ...

    @property
    def pile_moves(self) -> tuple[type, ...]:
        """Moves that name cards in a hidden pile."""
        ...

    @property
    def first_game(self) -> Options:
        """The options of a first game, which explains itself."""
        ...

    def choose_lesson(self, log: Log[Any, Any]) -> Lesson | None:
        """What a first game explains at this prompt."""
        ...

    def rounds_played(self, log: Log[Any, Any]) -> int:
        """How many rounds are over; in a game without rounds, how many turns each player has had."""
        ...

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        """The options that matter after what was chosen so far, without the number of players."""
        ...

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        """An option with its value as one line of a screen; ``options`` are all of the match."""
        ...

    def setup_notice(self, options: Options) -> Text | None:
        """What people should know before they start with these options."""
        ...

    def needed_decks(self, options: Options) -> tuple[str, ...]:
        """The names of the decks that this match needs."""
        ...

    def draws_lot(self, options: Options) -> bool:
        """Does the box draw lots for who starts, if no player was chosen?"""
        ...

    def seats(self, options: Options) -> Mapping[int, int]:
        """Player -> seat at the start; empty for a game without seats."""
        ...

    def seated(self, log: Log[Any, Any]) -> Mapping[int, int]:
        """Player -> seat now."""
        ...

    def players(self, log: Log[Any, Any]) -> tuple[int, ...]:
        """The players who play on."""
        ...

    def joining(self, log: Log[Any, Any]) -> tuple[Offer, ...] | Text | None:
        """Where a player may join now, or why not; None if the game never lets players join."""
        ...

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch: ...

    def colours(self, state: Any) -> Mapping[int, str]:
        """Player -> colour of the player's pieces; empty if pieces do not belong to players."""
        ...

    def answers(self, state: Any, asked: Text) -> tuple[Offer, ...]:
        """The entries that answer a question of the rules."""
        ...

    def doubt(self, state: Any, asked: Text, move: Any, table: Table) -> Any | None:
        """What to ask instead of this move, as the piece may have come to sight because of the question before it."""
        ...

    def describe_stories(self, state: Any, stories: tuple[tuple[Any, ...], ...]) -> tuple[Text, ...]:
        """The question which of these moves happened, and a name for each."""
        ...

    def name_doubtful(self, state: Any, stories: tuple[tuple[Any, ...], ...]) -> tuple[Text, ...]:
        """A name for each story that is offered beside the prompt of the game: what is to be confirmed."""
        ...

    def name_late(self, state: Any, moves: tuple[Any, ...]) -> Text | None:
        """A name for the answer that these moves came from this state, in place of those that are recorded."""
        ...

    def manual_forms(self, state: Any) -> tuple[Offer, ...]:
        """What may have happened now. A complete entry is offered as it is, any other as an ``OpenForm``."""
        ...

    def ask(self, state: Any, verb: str, words: tuple[str, ...]) -> Question | None:
        """The next question about a manual entry, after these answers; None if it is complete."""
        ...

    def entry(self, verb: str, words: tuple[str, ...]) -> str:
        """The complete entry in notation."""
        ...

    def board_choice(self, state: Any) -> tuple[tuple[Offer, ...], tuple[Text, ...]]:
        """Offers that need a drawn board, and its lines; they replace the offers of the view."""
        ...

    def needs(self, zone: str, state: Any) -> bool:
        """Must this zone of the plan be in sight now?"""
        ...

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        """What to keep apart when the match pauses: what the camera never saw and the record cannot restore."""
        ...

    def unowned(self, log: Log[Any, Any], table: Table) -> tuple[tuple[str, ...], ...]:
        """Groups of cards that the record has on the table and that are not in sight: a player may have taken each."""
        ...

    def closing_checks(self, log: Log[Any, Any]) -> tuple[ClosingCheck, ...]: ...

    def corrections(self, log: Log[Any, Any]) -> tuple[Correction, ...]: ...

    def hands_secret(self, state: Any) -> bool:
        """Does a match run in which a picture of the table could show a secret?"""
        ...

    def public_cards(self, state: Any) -> frozenset[int] | None:
        """The cards that a list of moves may still name; None: all."""
        ...

    def secret_from(self, log: Log[Any, Any]) -> int:
        """The number of the first move whose cards may be secret now."""
        ...

    def table_state(self, log: Log[Any, Any]) -> TableState: ...


def option_of(game: str, name: str) -> Option:
    return next(option for option in GAMES[game].options if option.name == name)


class PlainUi:
    """A game without variants, seats, hidden piles or checks. Tables are drawn zone by zone."""

    areas: tuple[tuple[int, int], ...] = ()
    variants: tuple[GameVariant, ...] = ()
    decks: tuple[Deck, ...] = ()
    counts_by_cards = False
    leaves = False
    swaps_places = False
    plays_on = False
    fewest_points_lead = False
    card_points: Mapping[str, int] = {}
    standing_questions: frozenset[str] = frozenset()
    piles: tuple[str, ...] = ()
    pile_moves: tuple[type, ...] = ()
    first_game: Options = MappingProxyType({})
    lessons: Mapping[str, Lesson] = {}
    """What a first game explains, by the id of the prompt."""

    def __init__(self, game: str) -> None:
        self.game = game

    @property
    def about(self) -> Text:
        return say("game", game=self.game)

    def choose_lesson(self, log: Log[Any, Any]) -> Lesson | None:
        return self.lessons.get(log.game.view(log.state).prompt.id)

    def rounds_played(self, log: Log[Any, Any]) -> int:
        return max((len(pad.rounds) for pad in log.game.view(log.state).pads), default=0)

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        return ()

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        return say("as_is", value=f"{readable(option)}: {value}")

    def setup_notice(self, options: Options) -> Text | None:
        return None

    def needed_decks(self, options: Options) -> tuple[str, ...]:
        return tuple(deck.name for deck in self.decks)

    def draws_lot(self, options: Options) -> bool:
        return False

    def seats(self, options: Options) -> Mapping[int, int]:
        return {}

    def seated(self, log: Log[Any, Any]) -> Mapping[int, int]:
        return self.seats(log.options)

    def players(self, log: Log[Any, Any]) -> tuple[int, ...]:
        return tuple(range(1, get_number(log.options, "players") + 1))

    def joining(self, log: Log[Any, Any]) -> tuple[Offer, ...] | Text | None:
        return None

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch:
        return NextMatch(self.players(log))

    def colours(self, state: Any) -> Mapping[int, str]:
        return {}

    def answers(self, state: Any, asked: Text) -> tuple[Offer, ...]:
        return ()

    def doubt(self, state: Any, asked: Text, move: Any, table: Table) -> Any | None:
        return None

    def describe_stories(self, state: Any, stories: tuple[tuple[Any, ...], ...]) -> tuple[Text, ...]:
        """A story is named after the first move in which it differs from all others, or which it alone has."""
        at = next((n for n, told in enumerate(zip(*stories, strict=False)) if len(set(told)) == len(told)), 0)
        marks = [
            next((move for move in story if sum(move in other for other in stories) == 1), story[at])
            for story in stories
        ]
        moves = marks if len({story[at] for story in stories}) < len(stories) else [story[at] for story in stories]
        return say("which_was_it"), *(describe_move(self.game, move) for move in moves)

    def name_doubtful(self, state: Any, stories: tuple[tuple[Any, ...], ...]) -> tuple[Text, ...]:
        return self.describe_stories(state, stories)[1:]

    def name_late(self, state: Any, moves: tuple[Any, ...]) -> Text | None:
        return None

    def manual_forms(self, state: Any) -> tuple[Offer, ...]:
        return ()

    def ask(self, state: Any, verb: str, words: tuple[str, ...]) -> Question | None:
        return None

    def entry(self, verb: str, words: tuple[str, ...]) -> str:
        return " ".join((verb, *words))

    def board_choice(self, state: Any) -> tuple[tuple[Offer, ...], tuple[Text, ...]]:
        return (), ()

    def needs(self, zone: str, state: Any) -> bool:
        return True

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        return ()

    def unowned(self, log: Log[Any, Any], table: Table) -> tuple[tuple[str, ...], ...]:
        return ()

    def closing_checks(self, log: Log[Any, Any]) -> tuple[ClosingCheck, ...]:
        return ()

    def corrections(self, log: Log[Any, Any]) -> tuple[Correction, ...]:
        return ()

    def hands_secret(self, state: Any) -> bool:
        return not GAMES[self.game].view(state).over

    def public_cards(self, state: Any) -> frozenset[int] | None:
        return None

    def secret_from(self, log: Log[Any, Any]) -> int:
        return len(log.moves)

    def table_state(self, log: Log[Any, Any]) -> TableState:
        held = log.game.layout(log.state).zones
        order = {zone: n for n, zone in enumerate(log.game.plan(log.options).zones)}
        zones = sorted(held, key=lambda zone: (order.get(zone, len(order)), zone))
        return ZonesState([ZoneState(zone, list(held[zone])) for zone in zones])


def sheets_of(cards: Iterable[str], each: int = 10) -> tuple[tuple[str, ...], ...]:
    """Number of cards on a sheet: ten fit on the smallest table."""
    some = tuple(cards)
    return tuple(some[n : n + each] for n in range(0, len(some), each))
