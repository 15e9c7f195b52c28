"""What the box wants done, as values: operations on the journal, and requests to the devices around it."""

from dataclasses import dataclass

from firmware.journal.operation_types import Operation


@dataclass(frozen=True, slots=True)
class KeepEmpty:
    """The table is empty now: keep its picture to compare later ones with, and lock exposure and focus."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Let phones pair with a new code, or no longer."""

    open: bool


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """Look up the state of the box; the answer comes as an event."""


@dataclass(frozen=True, slots=True)
class KeepLanguage:
    """Show this language from now on, also after a restart."""

    language: str


@dataclass(frozen=True, slots=True)
class RestoreGames:
    """Bring back the games that a copy of the journal has and the journal itself has lost."""


@dataclass(frozen=True, slots=True)
class Restart:
    """End the program and start it again."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """Shut the whole box down."""


Effect = Operation | KeepEmpty | KeepLanguage | Invite | RequestFacts | RestoreGames | Restart | PowerOff
