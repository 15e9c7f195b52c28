"""Rate limits for each client address and for all together: requests a second, connections and event streams."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

from starlette.types import Scope

CONNECTIONS_PER_CLIENT = 64
"""Some phones, or the windows of one computer."""
STREAMS_PER_CLIENT = 32
MAX_KNOWN_CLIENTS = 1024
"""Addresses that are remembered before those without a delay are forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests a second in the long run, and how many at once are free."""

    per_second: float
    burst: int


PER_CLIENT, TOTAL = Rate(40.0, 400), Rate(400.0, 2000)
"""A page makes three requests when it opens, and one for each event."""


def client_address(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


class RateLimiter:
    """Delays requests over the rate, each address on its own; the time is an argument."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._due: dict[str, float] = {}

    def delay(self, address: str, now: float) -> float:
        """Count one request. Returns the seconds it must wait: 0 within the rate."""
        if len(self._due) >= MAX_KNOWN_CLIENTS:
            self._due = {known: due for known, due in self._due.items() if due > now}
        due = max(self._due.get(address, 0.0), now) + 1 / self._rate.per_second
        self._due[address] = due
        return max(0.0, due - now - self._rate.burst / self._rate.per_second)

    def __len__(self) -> int:
        return len(self._due)


class ConnectionLimiter:
    """Limits how many are open in total and for each address. Other threads can wait for a change."""

    def __init__(self, total: int, per_client: int) -> None:
        self._total = total
        self._per_client = per_client
        self._held: Counter[str] = Counter()
        self._changed = Condition()

    def __len__(self) -> int:
        return self._held.total()

    def has_room(self, address: str) -> bool:
        return len(self) < self._total and self._held[address] < self._per_client

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        """Count one more from this address for as long as the context lasts."""
        self._change(address, 1)
        try:
            yield
        finally:
            self._change(address, -1)

    def wait_until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Block until the condition holds, checked at every change; False after the timeout."""
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def _change(self, address: str, by: int) -> None:
        with self._changed:
            self._held[address] += by
            self._held += Counter()  # drops addresses that hold none
            self._changed.notify_all()
