"""Transient messages beside a view: which change posts one, and how long it is shown; one at a time, each once."""

from dataclasses import dataclass, replace

from engine.text import Text, say
from engine.view import View

NOTE_LIFE_S = 4.0
"""How long a message is shown."""
NOTE_STALE_S = 30.0
"""A message that could not be shown for this long is dropped."""


@dataclass(frozen=True, slots=True)
class Message:
    """``shown`` is when it first appeared on the screen; its life begins then."""

    text: Text
    came: float
    shown: float | None = None

    def over(self, now: float) -> bool:
        return now - self.came >= NOTE_STALE_S if self.shown is None else now - self.shown >= NOTE_LIFE_S


Messages = tuple[Message, ...]


def post_message(messages: Messages, text: Text, now: float) -> Messages:
    """Add a message; the same text again restarts its life."""
    standing = any(message.text == text and message.shown is not None for message in messages)
    others = tuple(message for message in messages if message.text != text)
    return (*others, Message(text, now, now if standing else None))


def choose_note(messages: Messages, view: View, now: float) -> tuple[Messages, Text | None]:
    """The remaining messages and the one to show now; none that repeats the alert.

    A message on the screen stays there; otherwise the oldest is next.
    """
    living = tuple(message for message in messages if not message.over(now))
    note = min(living, key=lambda message: (message.shown is None, message.came), default=None)
    if note is None or note.text == view.alert:
        return living, None
    if note.shown is None:
        living = tuple(replace(message, shown=now) if message is note else message for message in living)
    return living, note.text


def announce_heads(before: View, after: View) -> tuple[Text, ...]:
    """A message for each player who has just taken heads."""
    pads = [(was, now) for was, now in zip(before.pads, after.pads, strict=False) if was.player == now.player]
    return tuple(
        say("took_heads", player=now.player, n=now.now - was.now)
        for was, now in pads
        if now.cards > was.cards and now.now > was.now
    )
