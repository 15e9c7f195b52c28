"""Button state, hold progress, screen brightness and transient messages as one immutable value."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.text import Text, say
from engine.view import View
from hw.button_presses import (
    ButtonsState,
    Edge,
    Holding,
    Press,
    find_stuck_buttons,
    hold_progress,
    mute_held_buttons,
    process_edges,
)
from hw.panel.panel import Brightness
from hw.panel.screen_saver import ScreenSaver, awaits_answer, is_news
from hw.panel.transient_messages import Messages, announce_heads, choose_note, post_message


@dataclass(frozen=True, slots=True)
class ButtonAndScreenState:
    """A press on a dark screen only wakes it."""

    rest: ScreenSaver = field(default_factory=ScreenSaver)
    hand: ButtonsState = field(default_factory=ButtonsState)
    messages: Messages = ()

    def light(self, view: View, now: float) -> Brightness:
        return self.rest.light(now, asks=awaits_answer(view))

    def holding(self, now: float) -> Holding | None:
        return hold_progress(self.hand, now)

    def stuck(self, now: float) -> Text | None:
        """A text naming a button that has been down too long, or None."""
        buttons = find_stuck_buttons(self.hand, now)
        return say("button_stuck", value=str(buttons[0]).upper()) if buttons else None

    def felt(self, edges: Iterable[Edge], view: View, now: float) -> tuple["ButtonAndScreenState", tuple[Press, ...]]:
        """The presses that these edges make; call it without an edge when a hold may be complete."""
        hand, presses = process_edges(self.hand, now, edges)
        if not presses and not hand.any_down:
            return replace(self, hand=hand), ()
        if self.light(view, now) == Brightness.OFF and not find_stuck_buttons(hand, now):
            return replace(self, hand=mute_held_buttons(hand), rest=ScreenSaver(now)), ()
        fresh = presses or not find_stuck_buttons(
            hand, now
        )  # a stuck button, for example under a cup, does not keep the screen awake
        return replace(self, hand=hand, rest=ScreenSaver(now) if fresh else self.rest), presses

    def pressed(self, view: View, now: float) -> tuple["ButtonAndScreenState", bool]:
        """A key was pressed: does it count, or did it only wake the screen?"""
        return replace(self, rest=ScreenSaver(now)), self.light(view, now) != Brightness.OFF

    def saw(self, before: View, after: View, now: float) -> "ButtonAndScreenState":
        """After an event: wake the screen, and post a message for taken heads and other news."""
        if not is_news(before, after):
            return self
        messages = self.messages
        for text in (*announce_heads(before, after), *after.news_since(before)):
            messages = post_message(messages, text, now)
        return replace(self, rest=ScreenSaver(now), messages=messages)

    def note(self, view: View, now: float) -> tuple["ButtonAndScreenState", Text | None]:
        """The transient message to show beside the view."""
        messages, note = choose_note(self.messages, view, now)
        return replace(self, messages=messages), note
