"""A flow is what the box is busy with at the moment: it handles events, gives a view and says what to read."""

from dataclasses import dataclass
from typing import Protocol

from engine.view import View
from firmware.box.context import Context
from firmware.box.effects import Effect
from firmware.box.events import Ticked, Told
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


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
