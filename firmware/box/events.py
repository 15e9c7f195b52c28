"""What can happen to the box, each with its time: tables seen, presses, commands, faults, and time itself."""

from dataclasses import dataclass

from firmware.box.commands import Command, Confirm, Vote, parse_command
from hw.buttons import Press
from vision.live.events import CameraMeasured, FaultChanged, FaultSource, TableSeen

VISION_SOURCES: frozenset[FaultSource] = frozenset({"camera", "eyes", "picture"})
"""Whose trouble it is when nothing can be seen."""
BLINDING_SOURCES: frozenset[FaultSource] = frozenset({"camera", "eyes"})
"""Whose trouble leaves the box without looks: what was seen before it says nothing of what lies there now."""
GRAVE_SOURCES: frozenset[FaultSource] = BLINDING_SOURCES | {"journal"}
"""Whose trouble nobody may miss: nothing is seen, or nothing is kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command of a person, and where it was given: button, web or command line."""

    command: Command
    by: str
    at: float


def parse_told(line: str, by: str, at: float) -> Told:
    return Told(parse_command(line), by, at)


Owners = tuple[tuple[str, tuple[str, ...]], ...]
"""Piles, and the cards that belong to each."""


@dataclass(frozen=True, slots=True)
class AllAgreed:
    """Every player has agreed."""

    vote: Vote


@dataclass(frozen=True, slots=True)
class OwnersNamed:
    """Every group of cards that vanished has its owner. ``by_all``: all players overrule the box."""

    owners: Owners
    by_all: bool


Conclusion = Confirm | AllAgreed | OwnersNamed


@dataclass(frozen=True, slots=True)
class Answered:
    """What a flow tells those below it once its question is answered. It never comes from outside the box."""

    conclusion: Conclusion
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Pressed:
    press: Press
    at: float


@dataclass(frozen=True, slots=True)
class Ticked:
    """Nothing happened; time passed."""

    at: float


@dataclass(frozen=True, slots=True)
class PageStatus:
    """Where phones find the page; while one is asked in, with which code and until when.

    ``paired`` is when the last one came in.
    """

    address: str
    code: str = ""
    until: float = 0.0
    paired: float | None = None


@dataclass(frozen=True, slots=True)
class PageChanged:
    """The page is there for phones, or how it is there has changed."""

    page: PageStatus
    at: float


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """What the box can say of itself. ``address`` is empty without a network, ``games`` None while nobody can count."""

    name: str
    address: str
    version: str
    free: str
    games: int | None


@dataclass(frozen=True, slots=True)
class FactsReady:
    """How things stand with the box."""

    facts: BoxFacts
    at: float


FlowEvent = TableSeen | CameraMeasured | Told | Answered | Ticked
"""What a flow handles."""
BoxEvent = TableSeen | CameraMeasured | Told | Pressed | Ticked | FaultChanged | PageChanged | FactsReady
