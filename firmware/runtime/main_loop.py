"""The main loop: device threads only put events into the inbox, this one thread owns the rest."""

from collections.abc import Callable, Iterable
from threading import Event

from engine.text import Text
from engine.view import View
from firmware.box.effects import PowerOff, Restart
from firmware.box.events import BoxEvent, Pressed, Ticked
from firmware.runtime.button_and_screen_state import ButtonAndScreenState
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.display_thread import Display, ScreenFrame
from firmware.runtime.inbox import Inbox, Observation
from hw.button_presses import ButtonsState, Edge
from hw.panel.screen_saver import ScreenSaver, pixel_shift
from vision.live.perception_events import FaultChanged

TICK_S = 0.2
"""Seconds between ticks, which time alerts and messages."""
END_SHOWN_S = 3.0
"""Seconds for which the last view of a finished recording stays on the screen."""
HOLD_BAR_STEP_S = 0.1
"""Seconds between two steps of the bar of a held button."""


class Loop:
    """``run`` until ``stop`` is set, the box wants to end, or ``over`` has been true for a while."""

    def __init__(
        self,
        companion: Companion,
        inbox: Inbox,
        displays: Iterable[Display],
        *,
        clock: ScaledClock,
        stop: Event,
        hand: ButtonsState | None = None,
    ) -> None:
        self._companion = companion
        self._inbox = inbox
        self._displays = tuple(displays)
        self._clock = clock
        self._stop = stop
        self._next_tick = clock()
        self._attending = ButtonAndScreenState(ScreenSaver(self._next_tick), hand or ButtonsState())
        self._stuck: Text | None = None

    def run(
        self, over: Callable[[], bool] = lambda: False, turned: Callable[[], None] | None = None
    ) -> Restart | PowerOff | None:
        """What the box wants next: a restart, power off or None. ``turned`` is called after every turn."""
        ending: float | None = None
        self.show()
        while not self._stop.is_set() and self._companion.ending is None:
            self.turn()
            if turned:
                turned()
            if not over():
                ending = None
            elif ending is None:
                ending = self._clock() + END_SHOWN_S
            elif self._clock() >= ending and not len(self._inbox):
                break
        return self._companion.ending

    def turn(self) -> None:
        """Wait for an event or for the next tick, and process it."""
        wake = min(self._next_tick, self._attending.hand.next_check_at())
        if self._attending.holding(self._clock()):
            wake = min(wake, self._clock() + HOLD_BAR_STEP_S)
        came = self._inbox.get(min(max(wake - self._clock(), 0.0), TICK_S) / self._clock.speed)
        before = self._companion.view
        for item in self._items(came):
            self._companion.handle(item)
        now = self._clock()
        if now >= self._next_tick:
            self._next_tick = now + TICK_S
            self._companion.handle(Ticked(now))
            self._look_after_buttons(now)
        self._attending = self._attending.saw(before, self._companion.view, now)
        self.show()

    def show(self) -> None:
        now, view = self._clock(), self._companion.view
        light = self._attending.light(view, now)
        self._attending, note = self._attending.note(view, now)
        holding = self._attending.holding(now)
        box, log = self._companion.box, self._companion.log
        entries = len(log.entries) if log else 0
        shown = ScreenFrame(view, box.known.names, note, holding, light, pixel_shift(now), box, entries)
        for display in self._displays:
            display.put(shown)

    def leave(self, text: Text) -> None:
        """Show a last text at full brightness."""
        for display in self._displays:
            display.put(ScreenFrame(View(text), {}))

    def _look_after_buttons(self, now: float) -> None:
        stuck = self._attending.stuck(now)
        if stuck != self._stuck:
            self._companion.handle(FaultChanged("buttons", stuck, now))
        self._stuck = stuck

    def _items(self, came: BoxEvent | Edge | Observation | None) -> tuple[BoxEvent, ...]:
        match came:
            case Observation(item, aim):
                return (item,) if aim == self._companion.read_request else ()  # otherwise it answers an old request
            case Edge() | None:
                # a release may wait behind its press: process the edge at its own time
                now = self._clock() if came is None else came.at
                edges = () if came is None else (came,)
                self._attending, presses = self._attending.felt(edges, self._companion.view, now)
                return tuple(Pressed(press, now) for press in presses)
            case Pressed():
                self._attending, heard = self._attending.pressed(self._companion.view, came.at)
                return (came,) if heard else ()
            case _:
                return (came,)
