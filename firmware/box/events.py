"""What can happen to the box, each with its time: looks, presses, words told, troubles, and time itself."""

from dataclasses import dataclass
from typing import Literal, get_args

from engine.table import Table
from engine.text import Text
from hw.buttons import Press
from vision.calibration.camera_check import Aiming

Source = Literal["journal", "camera", "eyes", "picture", "power", "buttons", "panel", "news"]
"""Who is in trouble, the gravest first: where one line is all there is, it is his.

A picture that shows too little is not the camera's; news are for a while, and nobody's trouble.
"""
SOURCES: tuple[Source, ...] = get_args(Source)
SIGHT: frozenset[Source] = frozenset({"camera", "eyes", "picture"})
"""Whose trouble it is when nothing can be seen."""
LOOKS: frozenset[Source] = frozenset({"camera", "eyes"})
"""Whose trouble leaves the box without looks: what was seen before it says nothing of what lies there now."""
UNSERVED: frozenset[Source] = LOOKS | {"journal"}
"""Whose trouble nobody may miss: nothing is seen, or nothing is kept."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A table that lies still, as seen."""

    table: Table
    at: float


@dataclass(frozen=True, slots=True)
class Aimed:
    """How well the camera stands, while somebody sets it up."""

    aiming: Aiming
    at: float


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
class Trouble:
    """Something does not work, with what to do; or, without a text, it works again."""

    source: Source
    text: Text | None
    at: float


@dataclass(frozen=True, slots=True)
class Page:
    """Where phones find the page; while one is asked in, with which code and until when.

    ``paired`` is when the last one came in.
    """

    address: str
    code: str = ""
    until: float = 0.0
    paired: float | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """The page is there for phones, or how it is there has changed."""

    page: Page
    at: float


@dataclass(frozen=True, slots=True)
class Facts:
    """What the box can say of itself. ``address`` is empty without a network, ``games`` None while nobody can count."""

    name: str
    address: str
    version: str
    free: str
    games: int | None


@dataclass(frozen=True, slots=True)
class LookedUp:
    """How things stand with the box."""

    facts: Facts
    at: float


Item = Looked | Aimed | Told | Pressed | Ticked | Trouble | Served | LookedUp
