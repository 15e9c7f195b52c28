"""What whoever started the program is told of its life, over systemd's socket; on other computers nobody listens."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

NotifySystemd = Callable[..., None]
"""Called with ``READY=1`` and the like."""

HEARTBEAT_S = 2.0
"""Seconds from one sign of life to the next."""
NO_FRAME_TIMEOUT_S = 15.0
"""Seconds without a frame, and without a known reason, after which the program is held to be stuck."""


def ignore_states(*states: str) -> None:
    """For a program that nobody waits for."""


def connect_systemd(environ: Mapping[str, str] = os.environ) -> NotifySystemd:
    """A letter is lost sooner than anything waits or fails because of it."""
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
    """Has a first view been shown, how many frames were handled, and is it known and shown why none come?"""

    shown: bool
    frames: int
    ailing: bool


class Watchdog:
    """``turned`` after each turn of the loop: says once that the program is ready, and from then on that it lives.

    It lives as long as frames go on being handled, or the trouble with them is known. The loop that calls this takes
    presses and ticks itself: when it stands still, nobody says anything.
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
        if signs.frames != self._frames or signs.ailing:
            self._frames, self._moved = signs.frames, now
        if now < self._moved + NO_FRAME_TIMEOUT_S:
            trouble = ", trouble with the camera" if signs.ailing else ""
            self._tell("WATCHDOG=1", f"STATUS={signs.frames} frames handled{trouble}")
        else:
            self._tell(f"STATUS=no frame for {now - self._moved:.0f} s, and nobody knows why")

    def stopping(self) -> None:
        self._tell("STOPPING=1")
