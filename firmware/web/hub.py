"""The newest state for everybody who listens: each has room for one, and who does not read is dropped."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from firmware.web.crowd import STREAMS, Places, address
from firmware.web.snapshot import Snapshot
from firmware.web.state import encoded

MOST = 512
"""So many may listen at once; a table has ten players."""
DROP = "oxeye.drop"
"""Where the server leaves the call that cuts a line at once."""


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


USUAL = Pace()


class Hub:
    """``publish`` may be called from any thread and returns at once; all else belongs to the loop given to ``open``.

    What is said is worked out once for each language, however many listen.
    """

    def __init__(self, first: Snapshot, pace: Pace = USUAL) -> None:
        self.newest = first
        self.dropped = 0
        self._pace = pace
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._listeners = Places(MOST, STREAMS)
        self._due = False
        self._last = float("-inf")
        self._closed = False
        self._said: dict[tuple[str, bool], bytes] = {}
        self._of = -1

    def __len__(self) -> int:
        return len(self._listeners)

    def free(self, address: str) -> bool:
        """Is there room for one more from there?"""
        return self._listeners.free(address)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Called from any other thread: has it come to that in time, as listeners came and went?"""
        return self._listeners.until(condition, seconds)

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def publish(self, snapshot: Snapshot) -> None:
        self.newest = snapshot
        self._soon(self._news)

    def close(self) -> None:
        """Everybody who listens is let go."""
        self._closed = True
        self._soon(self._wave)

    def said(self, language: str, paired: bool) -> bytes:
        """The newest state as JSON."""
        newest = self.newest
        if newest.version != self._of:
            self._said, self._of = {}, newest.version
        key = (language, paired)
        if key not in self._said:
            self._said[key] = encoded(newest, language, paired)
        return self._said[key]

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
        self, scope: Scope, receive: Receive, send: Send, language: str, paired: Callable[[], bool]
    ) -> None:
        """One listener, until he goes, is let go, or is dropped."""
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        gone = asyncio.create_task(_hangs_up(receive))
        sent = -1
        with self._listeners.held(address(scope)):
            try:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                while not gone.done() and not self._closed:
                    body = b":\n\n"
                    if self.newest.version != sent:
                        sent = self.newest.version
                        body = b"event: state\nid: %d\ndata: %s\n\n" % (sent, self.said(language, paired()))
                    async with asyncio.timeout(self._pace.patience):
                        await send({"type": "http.response.body", "body": body, "more_body": True})
                    if self.newest.version == sent and not gone.done():
                        await self._next(gone)
                if not gone.done():
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
            except TimeoutError:
                self.dropped += 1
                scope.get(DROP, _left_alone)()
            finally:
                gone.cancel()

    async def _next(self, gone: "asyncio.Task[None]") -> None:
        """Until there is news, the heart beats, or he hangs up."""
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(news)
        try:
            await asyncio.wait({news, gone}, timeout=self._pace.beat, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting.discard(news)

    def _soon(self, what: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def _news(self) -> None:
        if not self._due and self._loop is not None:
            self._due = True
            breath = max(self._pace.breath, self._pace.each * len(self))
            self._loop.call_at(max(self._last + breath, self._loop.time()), self._wave)

    def _wave(self) -> None:
        self._due = False
        self._last = asyncio.get_running_loop().time()
        for news in self._waiting:
            if not news.done():
                news.set_result(None)


async def _hangs_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _left_alone() -> None:
    """For a line that nobody can cut."""
