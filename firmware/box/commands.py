"""What a person can tell the box, as values with one notation that buttons, the page and recordings share.

A line without a colon in its first word is an entry in the notation of the game, except ``back`` and ``menu``; a
command has one (``game:pause``). ``yes`` before a command answers the question that this command opened. Every answer
names its question, and only the flow that asked takes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Literal

BEGIN, TEACH = "game:begin", "game:teach"
"""The first words of the command that begins a match, and of the one that begins a match that explains itself."""
Vote = Literal["overrule", "phones"]
"""What all players must agree on: that the table is right against the rules, or that phones may see the table."""


class Verb(StrEnum):
    """Commands without arguments."""

    BACK = "back"
    MENU = "menu"
    NEXT_PAGE = "page:next"

    NEW_GAME = "game:new"
    SAME_AGAIN = "game:same-again"
    STOPPED_GAMES = "game:stopped"
    PAUSE = "game:pause"
    GIVE_UP = "game:give-up"
    PLAY_AGAIN = "game:play-again"
    FIRST_GAME = "game:first"
    EXPLAIN = "game:explain"
    LEAVE_GAME = "game:leave"
    PADS = "game:pads"
    MOVES = "game:moves"
    BY_HAND = "game:by-hand"
    NEXT_PILE = "audit:next-pile"

    TABLE_IS_RIGHT = "table:is-right"
    RECORD_IS_RIGHT = "table:rebuild"
    LINE_IS_RIGHT = "table:line-is-right"
    ALL_IS_RIGHT = "table:all-is-right"
    OVERRULE = "table:overrule"

    START = "setup:start"
    CARDS_ARE_BACK = "setup:cards-are-back"
    PLAYER_COUNTS = "setup:players"
    PLAYERS_BY_CARDS = "setup:players-by-cards"
    RULES = "setup:rules"
    CHECK_NEEDED_DECK = "setup:check-deck"

    DECKS = "deck:list"
    SKIP_SHEET = "deck:skip-sheet"

    PEOPLE = "people:list"
    CHOOSE_WHO_IS_RENAMED = "people:choose-renamed"
    CHOOSE_WHO_LEAVES = "people:choose-leaving"
    JOINS = "people:join"
    CHOOSE_WHO_MOVES = "people:choose-moving"
    SPELL = "name:spell"
    SPELLED = "name:done"
    ERASE = "name:erase"

    ROW_IS_WHOLE = "entry:row-is-whole"

    PAIR = "phone:pair"
    NEW_CODE = "phone:new-code"
    SHOW_PHONES = "phone:show-table"

    SET_UP_CAMERA = "camera:set-up"
    KEEP_EMPTY_TABLE = "camera:keep-empty-table"
    TILES_BELONG = "camera:tiles-belong"
    TILES_ARE_FIXED = "camera:tiles-are-fixed"

    LANGUAGE = "box:language"
    ABOUT = "box:about"
    RESTORE_GAMES = "box:restore-games"
    RESTART = "box:restart"
    POWER_OFF = "box:power-off"


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry of the log in the notation of the game; anything that is no command is taken for one, and refused."""

    text: str

    def __str__(self) -> str:
        return self.text


class _WithArguments:
    """A command that is written as its verb and its fields."""

    __slots__ = ()

    def __str__(self) -> str:
        values = ((getattr(self, field.name), field.default) for field in fields(self))  # type: ignore[arg-type]
        return " ".join((_VERBS[type(self)], *(str(value) for value, default in values if value != default)))


@dataclass(frozen=True, slots=True)
class BeginMatch:
    """Options in words; what is left out is as usual. A match that is ``taught`` explains itself."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    taught: bool = False

    def __str__(self) -> str:
        return " ".join(
            (TEACH if self.taught else BEGIN, self.game, *(f"{name}={value}" for name, value in self.options))
        )


@dataclass(frozen=True, slots=True)
class ResumeMatch(_WithArguments):
    number: int


@dataclass(frozen=True, slots=True)
class TakeMovesBack(_WithArguments):
    """Move ``first`` and all later ones, up to ``last`` where that is known; the first move has the number 1."""

    first: int
    last: int = 0


@dataclass(frozen=True, slots=True)
class AskFirst(_WithArguments):
    """An entry that would end the game: a question comes first."""

    entry: str


@dataclass(frozen=True, slots=True)
class OpenCheck(_WithArguments):
    """Check or correct something: what, the game says."""

    check: str


@dataclass(frozen=True, slots=True)
class ShowPad(_WithArguments):
    player: int


@dataclass(frozen=True, slots=True)
class ChooseGame(_WithArguments):
    game: str
    variant: str = ""


@dataclass(frozen=True, slots=True)
class LearnGame(_WithArguments):
    """Set up a first game, which explains itself."""

    game: str


@dataclass(frozen=True, slots=True)
class ChooseLanguage(_WithArguments):
    """The language of the small screen, by its code."""

    language: str


@dataclass(frozen=True, slots=True)
class SetPlayerCount(_WithArguments):
    count: int


@dataclass(frozen=True, slots=True)
class ChooseOption(_WithArguments):
    name: str


@dataclass(frozen=True, slots=True)
class SetOption(_WithArguments):
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ChooseDeck(_WithArguments):
    deck: str


@dataclass(frozen=True, slots=True)
class RenamePlayer(_WithArguments):
    player: int


@dataclass(frozen=True, slots=True)
class NamePlayer(_WithArguments):
    """The whole act in one command: what others do at the box meanwhile cannot come between."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class RemovePlayer(_WithArguments):
    player: int


@dataclass(frozen=True, slots=True)
class MovePlayer(_WithArguments):
    player: int


@dataclass(frozen=True, slots=True)
class SetName(_WithArguments):
    name: str


@dataclass(frozen=True, slots=True)
class SpellLetter(_WithArguments):
    letter: str


@dataclass(frozen=True, slots=True)
class OpenForm(_WithArguments):
    """The beginning of an entry whose other words are chosen one after the other."""

    entry: str


@dataclass(frozen=True, slots=True)
class ChooseTens(_WithArguments):
    """The tens of a number that is looked for; of the numbers below 10 they are 0."""

    tens: int


@dataclass(frozen=True, slots=True)
class ChooseWord(_WithArguments):
    """The next word of the entry."""

    word: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """Yes to the question that this command opened."""

    command: "Question"

    def __str__(self) -> str:
        return f"yes {self.command}"


@dataclass(frozen=True, slots=True)
class Agree(_WithArguments):
    """This player agrees; 0 is no player, as version 0.1.0 did not say who."""

    vote: Vote
    player: int = 0


@dataclass(frozen=True, slots=True)
class NameOwner(_WithArguments):
    """This player took the cards, which lie nowhere in sight. ``cards`` have a bar between them."""

    cards: str
    player: int


Question = Verb | TakeMovesBack | EntryLine
"""What may be asked before it is done."""
Answer = Confirm | Agree | NameOwner
Command = (
    Verb
    | EntryLine
    | BeginMatch
    | ResumeMatch
    | TakeMovesBack
    | AskFirst
    | OpenCheck
    | ShowPad
    | ChooseGame
    | LearnGame
    | ChooseLanguage
    | SetPlayerCount
    | ChooseOption
    | SetOption
    | ChooseDeck
    | RenamePlayer
    | NamePlayer
    | RemovePlayer
    | MovePlayer
    | SetName
    | SpellLetter
    | OpenForm
    | ChooseTens
    | ChooseWord
    | Answer
)

_VERBS: Mapping[type[_WithArguments], str] = {
    ResumeMatch: "game:resume",
    TakeMovesBack: "moves:take-back",
    AskFirst: "entry:ask",
    OpenCheck: "game:check",
    ShowPad: "pads:show",
    ChooseGame: "setup:game",
    LearnGame: "setup:first-game",
    ChooseLanguage: "box:language-is",
    SetPlayerCount: "setup:player-count",
    ChooseOption: "setup:option",
    SetOption: "setup:set",
    ChooseDeck: "deck:check",
    RenamePlayer: "people:rename",
    NamePlayer: "people:name",
    RemovePlayer: "people:remove",
    MovePlayer: "people:move",
    SetName: "name:set",
    SpellLetter: "name:letter",
    OpenForm: "entry:form",
    ChooseTens: "entry:tens",
    ChooseWord: "entry:word",
    Agree: "vote:agree",
    NameOwner: "owner:is",
}
_CLASSES: Mapping[str, type[Any]] = {verb: kind for kind, verb in _VERBS.items()}
_SENTENCES = frozenset({AskFirst, SetName, NamePlayer, OpenForm, ChooseWord})
"""Commands whose last argument may hold blanks."""
VOTES: tuple[Vote, ...] = ("overrule", "phones")


def parse_command(text: str) -> Command:
    """The command of this line; ``str`` is the way back."""
    verb, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if verb == "yes" and rest:
        asked = parse_command(rest)
        return Confirm(asked) if isinstance(asked, Verb | TakeMovesBack | EntryLine) else EntryLine(text)
    if not rest and verb in {*Verb}:
        return Verb(verb)
    if verb in (BEGIN, TEACH):
        return _begin(rest, taught=verb == TEACH) or EntryLine(text)
    kind = _CLASSES.get(verb)
    return EntryLine(text.strip()) if kind is None else _with_arguments(kind, rest) or EntryLine(text)


def _begin(rest: str, *, taught: bool) -> BeginMatch | None:
    game, *options = rest.split() or [""]
    pairs = tuple(option.partition("=") for option in options)
    if not game or not all(name and equals for name, equals, _ in pairs):
        return None
    return BeginMatch(game, tuple((name, value) for name, _, value in pairs), taught)


def _with_arguments(kind: type[Any], rest: str) -> Command | None:
    shape = fields(kind)
    words = rest.split(maxsplit=len(shape) - 1 if kind in _SENTENCES else -1)
    values: list[int | str] = []
    for field, word in zip(shape, words, strict=False):
        if field.type is int and not word.isdecimal():
            return None
        values.append(int(word) if field.type is int else word)
    if len(words) > len(shape):
        return None
    try:
        command: Command = kind(*values)
    except TypeError:  # too few
        return None
    return None if isinstance(command, Agree) and command.vote not in VOTES else command
