"""What a screen says besides its view: the weightiest first, each for its time and once, and never over a question."""

from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf

from engine.text import Text
from engine.view import View

STALE = 30.0
"""Seconds after which news that found no room is no news any more."""


class Weight(IntEnum):
    """A note stands beside everything, a trouble where no alert is, and what is urgent in place of one."""

    NOTE = 1
    TROUBLE = 2
    URGENT = 3


LIFE = {Weight.NOTE: 4.0, Weight.TROUBLE: inf, Weight.URGENT: inf}
"""Seconds on the screen; a trouble stays until it is withdrawn."""


@dataclass(frozen=True, slots=True)
class Message:
    """``shown`` is when it first stood on the screen: its life begins then."""

    text: Text
    weight: Weight
    life: float
    came: float
    shown: float | None = None

    def over(self, now: float) -> bool:
        if self.shown is not None:
            return now - self.shown >= self.life
        return self.life < inf and now - self.came >= STALE


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Now:
    """What is on the screen at this moment."""

    view: View
    note: Text | None = None


def post(messages: Messages, text: Text, weight: Weight, now: float, life: float | None = None) -> Messages:
    """One more message; the same text again lives from now on, and as the weightier of both."""
    same = next((message for message in messages if message.text == text), None)
    message = Message(text, weight, LIFE[weight] if life is None else life, now)
    if same is not None:
        shown = now if same.shown is not None else None
        message = replace(message, weight=max(weight, same.weight), shown=shown)
    return (*withdraw(messages, text), message)


def withdraw(messages: Messages, text: Text) -> Messages:
    return tuple(message for message in messages if message.text != text)


def on_screen(messages: Messages, view: View, now: float) -> tuple[Messages, Now]:
    """The view with the alert and the note that stand in it now, and the messages that are left.

    Prompt, offers and cursor are those of the view, whatever there is to say.
    """
    living = tuple(message for message in messages if not message.over(now))
    alert = _first(living, Weight.URGENT) or (None if view.alert else _first(living, Weight.TROUBLE))
    note = _first(living, Weight.NOTE)
    if note is not None and note.text == (alert.text if alert else view.alert):
        note = None
    standing = {message.text for message in (alert, note) if message is not None}
    living = tuple(
        replace(message, shown=now) if message.text in standing and message.shown is None else message
        for message in living
    )
    if alert is not None:
        view = replace(view, alert=alert.text, ruling="")
    return living, Now(view, note.text if note else None)


def next_change(messages: Messages) -> float:
    """When to look again, if nothing else happens before."""
    return min((message.shown + message.life for message in messages if message.shown is not None), default=inf)


def _first(messages: Messages, weight: Weight) -> Message | None:
    """What stands already goes on standing, else the oldest."""
    fitting = [message for message in messages if message.weight == weight]
    return min(fitting, key=lambda message: (message.shown is None, message.came), default=None)
