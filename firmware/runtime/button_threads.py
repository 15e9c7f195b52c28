"""The threads that read keys of a terminal, and that try again to open the pins of the buttons."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Event

from engine.text import Text
from firmware.box.events import Pressed
from firmware.runtime.inbox import Inbox
from hw.button_presses import NoButtons, Press
from hw.camera import Clock
from hw.retry_delays import RetryDelay
from hw.terminal_keys import TerminalKeys
from vision.live.perception_events import FaultChanged

KEY_TIMEOUT_S = 0.25
"""Seconds to wait for a key before looking for the stop signal again."""


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
