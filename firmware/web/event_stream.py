"""Server-sent events: sends the newest state to every listener in batches, and drops listeners that do not read."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from firmware.web.page_snapshot import Snapshot
from firmware.web.rate_limits import STREAMS_PER_CLIENT, ConnectionLimiter, client_address
from firmware.web.state_cache import StateCache

MAX_LISTENERS = 512
"""At once; a table has ten players."""
TRANSPORT = "oxeye.transport"
"""Key of the ASGI scope under which the server leaves the connection, so that it can be cut."""
HEARTBEAT = b":\n\n"
"""A comment of server-sent events: clients ignore it."""
BATCH_SIZE, BATCH_GAP_S = 32, 0.004
"""Listeners that are woken in one go, and the pause in which other threads work before the next batch."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: the least between two broadcasts, what each listener adds to that, so that many listeners cost no more
    than a few; after which a heartbeat shows that the connection stands; and after which a listener that has not read
    the last event is dropped.
    """

    min_interval: float = 0.1
    per_listener: float = 0.001
    heartbeat: float = 15.0
    unread_timeout: float = 10.0


DEFAULT_PACE = Pace()


@dataclass(slots=True, eq=False)
class Listener:
    """``sent`` is the version of its last event. ``due`` is set when it gets the next one, or else a heartbeat."""

    sent: int = -1
    due: asyncio.Event = field(default_factory=asyncio.Event)


class EventStream:
    """``publish`` may be called from any thread and returns at once; all else belongs to the loop given to ``open``."""

    def __init__(self, first: Snapshot, pace: Pace = DEFAULT_PACE) -> None:
        self.newest = first
        self.dropped = 0
        self._pace = pace
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._limiter = ConnectionLimiter(MAX_LISTENERS, STREAMS_PER_CLIENT)
        self._listeners: set[Listener] = set()
        self._next: asyncio.TimerHandle | None = None
        self._broadcasting = False
        self._last = float("-inf")
        self._version = first.version
        self._closed = False
        self._cache = StateCache()

    def __len__(self) -> int:
        return len(self._limiter)

    def has_room(self, address: str) -> bool:
        """Whether this client may open one more stream."""
        return self._limiter.has_room(address)

    def wait_until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Block another thread until the condition holds, checked as listeners come and go; False after the timeout."""
        return self._limiter.wait_until(condition, seconds)

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._listeners, self._next, self._broadcasting = set(), None, False

    def publish(self, snapshot: Snapshot) -> None:
        self.newest = snapshot
        self._call_soon(self._schedule_broadcast)

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._call_soon(self._close_all)

    def state_json(self, language: str, paired: bool) -> bytes:
        return self._cache.state_json(self.newest, language, paired)

    async def wait_for_change(self, version: int) -> Snapshot:
        """The newest snapshot, as soon as it is of another version."""
        while self.newest.version == version:
            changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(changed)
            try:
                await changed
            finally:
                self._waiting.discard(changed)
        return self.newest

    async def listen(
        self, scope: Scope, receive: Receive, send: Send, language: str, paired: Callable[[], bool], *, live: bool
    ) -> None:
        """Serve one listener until it disconnects, is dropped, or the stream is closed."""

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(self._pace.unread_timeout):
                await send(message)

        with self._limiter.held(client_address(scope)):
            listener = Listener()
            self._listeners.add(listener)
            if self._next is None and not self._broadcasting:
                self._schedule_at(asyncio.get_running_loop().time() + self._pace.heartbeat)
            events = self._events(listener, language, paired, live=live)
            response = StreamingResponse(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
            try:
                await response(scope, receive, send_in_time)
            except* TimeoutError:
                self.dropped += 1
                scope[TRANSPORT].abort()
            finally:
                self._listeners.discard(listener)

    async def _events(
        self, listener: Listener, language: str, paired: Callable[[], bool], *, live: bool
    ) -> AsyncIterator[bytes]:
        """The newest state whenever it is due. What came while the listener was reading is skipped."""
        while not self._closed:
            if listener.sent == self.newest.version:
                yield HEARTBEAT
            else:
                listener.sent = self.newest.version
                yield self._cache.event(self.newest, language, paired(), live=live)
            await listener.due.wait()
            listener.due.clear()

    def _call_soon(self, callback: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)

    def _schedule_broadcast(self) -> None:
        """Schedule the next broadcast, no sooner than the minimum interval allows."""
        if self._loop is not None and not self._broadcasting:
            self._schedule_at(max(self._last + self._min_interval, self._loop.time()))

    @property
    def _min_interval(self) -> float:
        return max(self._pace.min_interval, self._pace.per_listener * len(self))

    def _schedule_at(self, when: float) -> None:
        assert self._loop is not None
        if self._next is not None:
            self._next.cancel()
        self._next = self._loop.call_at(when, self._broadcast)

    def _broadcast(self) -> None:
        self._next = None
        self._last = asyncio.get_running_loop().time()
        self._version = self.newest.version
        for changed in self._waiting:
            if not changed.done():
                changed.set_result(None)
        self._broadcasting = True
        self._send_batch(list(self._listeners))

    def _send_batch(self, left: list[Listener]) -> None:
        """Wake the first few. After the last batch, schedule the next broadcast, or else the heartbeat."""
        for listener in left[:BATCH_SIZE]:
            listener.due.set()
        if len(left) > BATCH_SIZE:
            asyncio.get_running_loop().call_later(BATCH_GAP_S, self._send_batch, left[BATCH_SIZE:])
            return
        self._broadcasting = False
        newer = self.newest.version != self._version
        if self._listeners:
            self._schedule_at(self._last + (self._min_interval if newer else self._pace.heartbeat))

    def _close_all(self) -> None:
        for listener in self._listeners:
            listener.due.set()
