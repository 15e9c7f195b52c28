"""Nobody crowds the others out: so many lines and streams for each address, and who asks too often waits his turn."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

from starlette.types import Scope

CONNECTIONS_PER_CLIENT = 64
"""Lines that one address may have open: some phones, or the windows of a computer behind one."""
STREAMS_PER_CLIENT = 32
"""Streams of news that one address may have."""
MAX_KNOWN_CLIENTS = 1024
"""Addresses that are known before those are forgotten that need not wait any more."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests a second for as long as it goes on, and how many at once before that counts."""

    each: float
    burst: int


PER_CLIENT, TOTAL = Rate(40.0, 400), Rate(400.0, 2000)
"""Of one address: a page asks three times when it is opened, and once for each piece of news; of all together."""


def client_address(scope: Scope) -> str:
    """Who asks."""
    return str(scope["client"][0]) if scope.get("client") else ""


class RateLimiter:
    """Any number of addresses, each on its own; time is an argument."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._due: dict[str, float] = {}

    def wait(self, address: str, now: float) -> float:
        """The seconds that this request must wait; 0 for all who ask as people do."""
        if len(self._due) >= MAX_KNOWN_CLIENTS:
            self._due = {known: due for known, due in self._due.items() if due > now}
        due = max(self._due.get(address, 0.0), now) + 1 / self._rate.each
        self._due[address] = due
        return max(0.0, due - now - self._rate.burst / self._rate.each)

    def __len__(self) -> int:
        return len(self._due)


class ConnectionLimiter:
    """So many at once, and so many for each address; other threads can wait for who comes and goes."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._held: Counter[str] = Counter()
        self._changed = Condition()

    def __len__(self) -> int:
        return self._held.total()

    def free(self, address: str) -> bool:
        return len(self) < self._most and self._held[address] < self._each

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        self._change(address, 1)
        try:
            yield
        finally:
            self._change(address, -1)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Has it come to that in time?"""
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def _change(self, address: str, by: int) -> None:
        with self._changed:
            self._held[address] += by
            self._held += Counter()  # who has left is forgotten
            self._changed.notify_all()
