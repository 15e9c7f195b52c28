"""A flow is what the box is busy with at the moment: it handles events, gives a view and says what to read."""

from dataclasses import dataclass
from typing import Protocol

from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Answer, Command
from firmware.box.effects import Effect
from firmware.box.events import Conclusion, FlowEvent
from firmware.box.flow_context import Context
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of an event: the flows that replace this one (none: it is over), and what must be done.

    ``tell`` is a command that this flow chose, ``answer`` the answer to its question: either goes to the flows below.
    ``known`` is the context where it has changed.
    """

    flows: tuple["Flow", ...]
    effects: tuple[Effect, ...] = ()
    tell: Command | None = None
    answer: Conclusion | None = None
    known: Context | None = None


class Flow(Protocol):
    """A frozen value. A command that it does not understand goes to the flow below."""

    def read_request(self, known: Context) -> ReadRequest | None:
        """What to read of the table; None leaves that, and every table that is seen, to the flow below."""
        ...

    def view(self, known: Context) -> View: ...

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        """None: the event is for the flow below."""
        ...


def explain_refusal(command: Command) -> Text:
    """The alert for a command that no flow takes now."""
    return say("not_asked" if isinstance(command, Answer) else "not_now")
