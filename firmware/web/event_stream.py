"""The newest state for everybody who listens: each has room for one, and who does not read is dropped."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from firmware.web.rate_limits import STREAMS_PER_CLIENT, ConnectionLimiter, client_address
from firmware.web.snapshot import Snapshot
from firmware.web.state_cache import HEARTBEAT, LAST_CHUNK, StateCache, as_chunk

MAX_LISTENERS = 512
"""So many may listen at once; a table has ten players."""
TRANSPORT = "oxeye.line"
"""Where the server leaves the line itself: news are the same for all, and go out without being made anew for each."""
BATCH_SIZE, BATCH_GAP_S = 32, 0.004
"""So many are told in one go, and the seconds that others may work before the next are."""
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: from one wave of news to the next, for more often nobody can read; what each listener adds to that, so
    that a crowd takes no more of this computer than a few; after which a word is sent in any case, so that a line that
    was cut is noticed; and for which somebody may leave unread what was sent.
    """

    breath: float = 0.1
    each: float = 0.001
    beat: float = 15.0
    patience: float = 10.0


DEFAULT_PACE = Pace()


@dataclass(slots=True, eq=False)
class Listener:
    """``drawn``: with the parts of a page; ``sent`` is the version he got last, ``spoken`` when that was."""

    line: asyncio.Transport
    language: str
    paired: Callable[[], bool]
    drawn: bool
    framed: bool
    sent: int = -1
    spoken: float = 0.0


class EventStream:
    """``publish`` may be called from any thread and returns at once; all else belongs to the loop given to ``open``."""

    def __init__(self, first: Snapshot, pace: Pace = DEFAULT_PACE) -> None:
        self.newest = first
        self.dropped = 0
        self._pace = pace
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._places = ConnectionLimiter(MAX_LISTENERS, STREAMS_PER_CLIENT)
        self._listeners: set[Listener] = set()
        self._next: asyncio.TimerHandle | None = None
        self._round = False
        self._last = float("-inf")
        self._closed = False
        self._said = StateCache()

    def __len__(self) -> int:
        return len(self._places)

    def free(self, address: str) -> bool:
        """Is there room for one more from there?"""
        return self._places.free(address)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Called from any other thread: has it come to that in time, as listeners came and went?"""
        return self._places.until(condition, seconds)

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._listeners, self._next, self._round = set(), None, False

    def publish(self, snapshot: Snapshot) -> None:
        self.newest = snapshot
        self._soon(self._news)

    def close(self) -> None:
        """Everybody who listens is let go."""
        self._closed = True
        self._soon(self._let_go)

    def told(self, language: str, paired: bool) -> bytes:
        """The newest state as JSON."""
        return self._said.told(self.newest, language, paired)

    async def news(self, since: int) -> Snapshot:
        """The newest, once it is not that version any more."""
        while self.newest.version == since:
            news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(news)
            try:
                await news
            finally:
                self._waiting.discard(news)
        return self.newest

    async def listen(
        self, scope: Scope, receive: Receive, send: Send, language: str, paired: Callable[[], bool], *, drawn: bool
    ) -> None:
        """One listener, until he goes, is let go, or is dropped."""
        listener = Listener(scope[TRANSPORT], language, paired, drawn, scope["http_version"] != "1.0")
        with self._places.held(client_address(scope)):
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            self._listeners.add(listener)
            self._tell(listener)
            self._news()
            try:
                while (await receive())["type"] != "http.disconnect":
                    pass
            finally:
                self._listeners.discard(listener)

    def _soon(self, what: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def _news(self) -> None:
        """A wave as soon as one may go out."""
        if self._loop is not None and not self._round:
            self._at(max(self._last + self._breath, self._loop.time()))

    @property
    def _breath(self) -> float:
        return max(self._pace.breath, self._pace.each * len(self))

    def _at(self, when: float) -> None:
        assert self._loop is not None
        if self._next is not None:
            self._next.cancel()
        self._next = self._loop.call_at(when, self._wave)

    def _wave(self) -> None:
        self._next = None
        self._last = asyncio.get_running_loop().time()
        for news in self._waiting:
            if not news.done():
                news.set_result(None)
        self._round = True
        self._go_round(list(self._listeners))

    def _go_round(self, left: list[Listener]) -> None:
        """The next few; after the last it is as long to the next wave as there is anything left to say."""
        for listener in left[:BATCH_SIZE]:
            if listener in self._listeners:
                self._tell(listener)
        if len(left) > BATCH_SIZE:
            asyncio.get_running_loop().call_later(BATCH_GAP_S, self._go_round, left[BATCH_SIZE:])
            return
        self._round = False
        behind = any(listener.sent != self.newest.version for listener in self._listeners)
        if self._listeners:
            self._at(self._last + (self._breath if behind else self._pace.beat))

    def _tell(self, listener: Listener) -> None:
        """What is new to him, if he has read the last."""
        line, now = listener.line, asyncio.get_running_loop().time()
        if self._closed:
            _close(listener)
        elif line.get_write_buffer_size():
            if now - listener.spoken > self._pace.patience:
                self.dropped += 1
                self._listeners.discard(listener)
                line.abort()
        elif listener.sent != self.newest.version:
            listener.sent, listener.spoken = self.newest.version, now
            drawn, framed = listener.drawn, listener.framed
            line.write(self._said.news(self.newest, listener.language, listener.paired(), drawn=drawn, framed=framed))
        elif now - listener.spoken >= self._pace.beat:
            listener.spoken = now
            line.write(as_chunk(HEARTBEAT) if listener.framed else HEARTBEAT)

    def _let_go(self) -> None:
        for listener in self._listeners:
            _close(listener)


def _close(listener: Listener) -> None:
    """Politely, for who has read what he got."""
    if listener.line.get_write_buffer_size():
        listener.line.abort()
    else:
        listener.line.write(LAST_CHUNK if listener.framed else b"")
        listener.line.close()
