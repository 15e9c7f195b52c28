"""What the box is busy with at the moment, as values: each flow takes items, shows a view and says where to look."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from engine.log import Log
from engine.options import Options
from engine.text import Text
from engine.view import View
from firmware.box.events import BoxFacts, PageStatus, Ticked, Told
from vision.live.events import CameraMeasured, FaultSource, TableSeen
from vision.live.read_request import ReadRequest

Names = Mapping[int, str]
How = Literal["finished", "given up"]


@dataclass(frozen=True, slots=True)
class Started:
    """A game as it was begun, and who plays it."""

    game: str
    options: Options
    names: Names = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A game that was begun and not ended: after a pause, or because the power went."""

    id: int
    names: Names
    log: Log[Any, Any]
    paused: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """What every flow may know. ``area`` is the table between the markers in mm, None until it was measured.

    ``game`` is the number that the running game has in the journal, ``people`` is everybody who ever played,
    ``placed`` are the names of those who played before the colours of SIX went round,
    ``picture`` the game for which all have agreed that phones may see the table.
    """

    now: float = 0.0
    game: int = 0
    names: Names = field(default_factory=dict)
    people: tuple[str, ...] = ()
    placed: Names = field(default_factory=dict)
    last: Started | None = None
    stopped: tuple[Stopped, ...] = ()
    decks: frozenset[str] = frozenset()
    area: tuple[int, int] | None = None
    troubles: tuple[tuple[FaultSource, Text], ...] = ()
    page: PageStatus | None = None
    facts: BoxFacts | None = None
    picture: int | None = None


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game in the journal; one that still runs is put aside as stopped."""

    started: Started


@dataclass(frozen=True, slots=True)
class TakeUp:
    """A stopped game goes on."""

    id: int


@dataclass(frozen=True, slots=True)
class Write:
    """Entries of the running game, to be on disk before anything is shown."""

    entries: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class PutAside:
    """The running game stops until somebody takes it up again."""


@dataclass(frozen=True, slots=True)
class EndGame:
    how: How


@dataclass(frozen=True, slots=True)
class Rename:
    names: Names


@dataclass(frozen=True, slots=True)
class DeckChecked:
    deck: str


@dataclass(frozen=True, slots=True)
class KeepEmpty:
    """The table is empty now: its picture is what later ones are compared with; light and focus are held."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Phones may be paired with a new code, or no longer."""

    open: bool


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """How things stand with the box is wanted, as an item."""


@dataclass(frozen=True, slots=True)
class Restart:
    """The program ends and is started anew."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """The whole box is shut down."""


Effect = (
    Begin
    | TakeUp
    | Write
    | PutAside
    | EndGame
    | Rename
    | DeckChecked
    | KeepEmpty
    | Invite
    | RequestFacts
    | Restart
    | PowerOff
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of an item: the flows that now stand in this one's place (none: it is over), and things to do.

    ``say`` is then told to whatever is below, as the answer to a question of this flow; ``known`` are facts that have
    changed.
    """

    flows: tuple["Flow", ...]
    effects: tuple[Effect, ...] = ()
    say: str = ""
    known: Context | None = None


class Flow(Protocol):
    """A frozen value. Words it does not understand are for the flow below."""

    def aim(self, known: Context) -> ReadRequest | None:
        """Where to look; None leaves that, and every look, to the flow below."""
        ...

    def view(self, known: Context) -> View: ...

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        """None: this is not for me."""
        ...
