"""What is good to know for a moment stands beside a view: one note at a time, each once, and never over a question."""

from dataclasses import dataclass, replace

from engine.text import Text
from engine.view import View

LIFE = 4.0
"""Seconds on the screen."""
STALE = 30.0
"""Seconds after which news that found no room is no news any more."""


@dataclass(frozen=True, slots=True)
class Message:
    """``shown`` is when it first stood on the screen: its life begins then."""

    text: Text
    came: float
    shown: float | None = None

    def over(self, now: float) -> bool:
        return now - self.came >= STALE if self.shown is None else now - self.shown >= LIFE


Messages = tuple[Message, ...]


def post(messages: Messages, text: Text, now: float) -> Messages:
    """One more message; the same text again lives from now on."""
    standing = any(message.text == text and message.shown is not None for message in messages)
    others = tuple(message for message in messages if message.text != text)
    return (*others, Message(text, now, now if standing else None))


def on_screen(messages: Messages, view: View, now: float) -> tuple[Messages, Text | None]:
    """The note that stands beside the view now, and the messages that are left; what its alert says is not said twice.

    What stands already goes on standing, else the oldest has its turn.
    """
    living = tuple(message for message in messages if not message.over(now))
    note = min(living, key=lambda message: (message.shown is None, message.came), default=None)
    if note is None or note.text == view.alert:
        return living, None
    if note.shown is None:
        living = tuple(replace(message, shown=now) if message is note else message for message in living)
    return living, note.text
