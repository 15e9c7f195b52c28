"""The main loop and the threads around it: device threads only put events into the inbox, one thread owns the rest."""

import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread

from engine.text import Text
from engine.view import View
from firmware.box.effects import PowerOff, Restart
from firmware.box.events import BoxEvent, Pressed, Ticked
from firmware.runtime.button_and_screen_state import ButtonAndScreenState
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.display_thread import Display, ScreenFrame
from firmware.runtime.inbox import Inbox, Observation
from hw.button_presses import ButtonsState, Edge, NoButtons, Press
from hw.camera import Clock
from hw.panel.screen_saver import ScreenSaver, pixel_shift
from hw.retry_delays import RetryDelay
from hw.terminal_keys import TerminalKeys
from vision.live.perception_events import FaultChanged

TICK_S = 0.2
"""Seconds between ticks, which time alerts and messages."""
END_SHOWN_S = 3.0
"""Seconds for which the last view of a finished recording stays on the screen."""
THREAD_END_TIMEOUT_S = 2.0
"""Seconds to wait for each thread at the end; one that hangs in a driver is left behind."""
KEY_TIMEOUT_S = 0.25
"""Seconds to wait for a key before looking for the stop signal again."""
HOLD_BAR_STEP_S = 0.1
"""Seconds between two steps of the bar of a held button."""


class LoopFailed(RuntimeError):
    """These threads have ended with an error."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A thread beside the loop: ``stop`` makes ``run`` return."""

    name: str
    run: Callable[[], None]
    stop: Callable[[], None] = lambda: None


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
        shown = ScreenFrame(view, self._companion.box.known.names, note, holding, light, pixel_shift(now))
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


def watch_keys(keys: TerminalKeys, inbox: Inbox, *, clock: Clock, stop: Event) -> None:
    """The thread that reads keys, until ``stop`` or until the terminal is gone."""
    try:
        while not stop.is_set():
            for press in keys.read(KEY_TIMEOUT_S):
                inbox.put(_pressed(press, clock))
    except NoButtons as why:
        inbox.put(FaultChanged("buttons", why.text, clock()))


def retry_pins(
    open: Callable[[], AbstractContextManager[object]],
    *,
    tell: Callable[[Text | None], None],
    clock: Clock,
    stop: Event,
) -> None:
    """The thread that tries again to open the pins, and then keeps them open until ``stop``."""
    patience = RetryDelay().after_failure(clock())
    while not stop.wait(patience.seconds_left(clock())):
        try:
            with open():
                tell(None)
                stop.wait()
        except NoButtons:
            patience = patience.after_failure(clock())


def _pressed(press: Press, clock: Clock) -> Pressed:
    return Pressed(press, clock())


class Workers:
    """A context in which the threads run; leaving it stops them and waits for them.

    An unexpected exception in a thread is printed, sets ``stop``, and becomes ``LoopFailed`` at the end.
    """

    def __init__(self, stop: Event, *workers: Worker) -> None:
        self._stop = stop
        self._workers = workers
        self._broken: list[str] = []
        self._threads = [Thread(target=partial(self._run, worker), name=worker.name, daemon=True) for worker in workers]

    def _run(self, worker: Worker) -> None:
        try:
            worker.run()
        except Exception:
            traceback.print_exc()
            self._broken.append(worker.name)
            self._stop.set()

    def __enter__(self) -> "Workers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join(THREAD_END_TIMEOUT_S)
            if thread.is_alive():
                print(f"{thread.name} does not end and is left behind", file=sys.stderr)
        if self._broken:
            raise LoopFailed(", ".join(self._broken))
