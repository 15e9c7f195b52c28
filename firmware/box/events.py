"""What can happen to the box, each with its time: looks, presses, words told, troubles, and time itself."""

from dataclasses import dataclass

from hw.buttons import Press
from vision.live.events import CameraMeasured, FaultChanged, FaultSource, TableSeen

VISION_SOURCES: frozenset[FaultSource] = frozenset({"camera", "eyes", "picture"})
"""Whose trouble it is when nothing can be seen."""
LOOKS: frozenset[FaultSource] = frozenset({"camera", "eyes"})
"""Whose trouble leaves the box without looks: what was seen before it says nothing of what lies there now."""
UNSERVED: frozenset[FaultSource] = LOOKS | {"journal"}
"""Whose trouble nobody may miss: nothing is seen, or nothing is kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """The words of an offer, or an entry in notation, and who gave them: button, web or command line."""

    words: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Answered(Told):
    """What a flow says to those below it because its own question was answered, by whoever did: nothing from outside
    is ever taken for that.
    """


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


BoxEvent = TableSeen | CameraMeasured | Told | Pressed | Ticked | FaultChanged | PageChanged | FactsReady
