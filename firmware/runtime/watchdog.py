"""systemd readiness and watchdog messages (sd_notify); does nothing without NOTIFY_SOCKET."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

NotifySystemd = Callable[..., None]
"""Called with states such as ``READY=1``."""

HEARTBEAT_S = 2.0
"""Seconds between two watchdog messages."""
NO_FRAME_TIMEOUT_S = 15.0
"""Seconds without a frame and without a known fault after which the program counts as stuck."""


def ignore_states(*states: str) -> None:
    """Used where systemd did not start the program."""


def connect_systemd(environ: Mapping[str, str] = os.environ) -> NotifySystemd:
    """The function that sends states to systemd; a message is lost rather than blocks or fails."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return ignore_states
    place = "\0" + address[1:] if address.startswith("@") else address

    def tell(*states: str) -> None:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as post:
            post.setblocking(False)
            post.sendto("\n".join(states).encode(), place)

    return tell


@dataclass(frozen=True, slots=True)
class LifeSigns:
    """Was a first view shown, how many frames were processed, and is a camera fault known and shown?"""

    shown: bool
    frames: int
    fault: bool


class Watchdog:
    """Call ``turned`` after each turn of the loop: it reports readiness once, and then sends watchdog messages.

    The program is alive while frames are processed or a camera fault is known. The loop also processes presses and
    ticks: when it hangs, no message is sent.
    """

    def __init__(self, tell: NotifySystemd, signs: Callable[[], LifeSigns], *, clock: Callable[[], float]) -> None:
        self._tell = tell
        self._signs = signs
        self._clock = clock
        self._ready = False
        self._next = self._moved = clock()
        self._frames = 0

    def turned(self) -> None:
        now = self._clock()
        if now < self._next:
            return
        signs = self._signs()
        if not self._ready:
            if not signs.shown:
                return
            self._ready, self._moved = True, now
            self._tell("READY=1")
        self._next = now + HEARTBEAT_S
        if signs.frames != self._frames or signs.fault:
            self._frames, self._moved = signs.frames, now
        if now < self._moved + NO_FRAME_TIMEOUT_S:
            trouble = ", camera fault" if signs.fault else ""
            self._tell("WATCHDOG=1", f"STATUS={signs.frames} frames handled{trouble}")
        else:
            self._tell(f"STATUS=no frame for {now - self._moved:.0f} s, without a known fault")

    def stopping(self) -> None:
        self._tell("STOPPING=1")
