"""The fingers on the box and the rest of its screen as one value: what is pressed, what fills, how bright it is."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.text import Text, say
from engine.view import View
from hw.buttons import (
    ButtonsState,
    Edge,
    Holding,
    Press,
    find_stuck_buttons,
    hold_progress,
    mute_held_buttons,
    process_edges,
)
from hw.panel.messages import Messages, choose_note, post_message
from hw.panel.panel import Brightness
from hw.panel.screen_saver import ScreenSaver, awaits_answer, is_news


@dataclass(frozen=True, slots=True)
class InputState:
    """A press that finds the screen dark only wakes it."""

    rest: ScreenSaver = field(default_factory=ScreenSaver)
    hand: ButtonsState = field(default_factory=ButtonsState)
    messages: Messages = ()

    def light(self, view: View, now: float) -> Brightness:
        return self.rest.light(now, asks=awaits_answer(view))

    def holding(self, now: float) -> Holding | None:
        return hold_progress(self.hand, now)

    def stuck(self, now: float) -> Text | None:
        """Which button to look after."""
        buttons = find_stuck_buttons(self.hand, now)
        return say("button_stuck", value=str(buttons[0]).upper()) if buttons else None

    def felt(self, edges: Iterable[Edge], view: View, now: float) -> tuple["InputState", tuple[Press, ...]]:
        """What the fingers meant; call it with every edge, and when the hand wants to be looked at."""
        hand, presses = process_edges(self.hand, now, edges)
        if not presses and not hand.any_down:
            return replace(self, hand=hand), ()
        if self.light(view, now) == Brightness.OFF and not find_stuck_buttons(hand, now):
            return replace(self, hand=mute_held_buttons(hand), rest=ScreenSaver(now)), ()
        fresh = presses or not find_stuck_buttons(hand, now)  # a cup on a button is nobody
        return replace(self, hand=hand, rest=ScreenSaver(now) if fresh else self.rest), presses

    def pressed(self, view: View, now: float) -> tuple["InputState", bool]:
        """A key went down: is it to be heard?"""
        return replace(self, rest=ScreenSaver(now)), self.light(view, now) != Brightness.OFF

    def saw(self, before: View, after: View, now: float) -> "InputState":
        """Something happened at the table: awake with it, and what somebody took is said for a moment."""
        if not is_news(before, after):
            return self
        messages = self.messages
        for text in taken_heads(before, after):
            messages = post_message(messages, text, now)
        return replace(self, rest=ScreenSaver(now), messages=messages)

    def note(self, view: View, now: float) -> tuple["InputState", Text | None]:
        """What stands beside the view for a moment."""
        messages, note = choose_note(self.messages, view, now)
        return replace(self, messages=messages), note


def taken_heads(before: View, after: View) -> tuple[Text, ...]:
    """Who took how many heads just now."""
    pads = [(was, now) for was, now in zip(before.pads, after.pads, strict=False) if was.player == now.player]
    return tuple(
        say("took_heads", player=now.player, n=now.now - was.now)
        for was, now in pads
        if now.cards > was.cards and now.now > was.now
    )
