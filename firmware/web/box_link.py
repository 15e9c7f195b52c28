"""Connects the page with the box: commands go into its inbox and snapshots come out; neither blocks the other."""

import asyncio
from collections.abc import Callable
from threading import Lock

from engine.text import Text
from firmware.box.commands import Command
from firmware.box.events import BoxEvent, PageChanged, PageStatus, Told
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.web.event_stream import DEFAULT_PACE, EventStream, Pace
from firmware.web.page_snapshot import Snapshot, next_snapshot, refused_command, take_snapshot
from firmware.web.paired_phones import Phones
from firmware.web.pairing_rules import CODE_LIFETIME_S

ANSWER_TIMEOUT_S = 3.0
"""Seconds to wait for the answer of the box."""

BoxAnswer = tuple[Snapshot, Text | None]


class BoxLink:
    """The thread of the box calls ``publish`` and ``invite``, that of the page calls ``tell``."""

    def __init__(
        self, inbox: Inbox, phones: Phones, clock: ScaledClock, first: Snapshot, pace: Pace = DEFAULT_PACE
    ) -> None:
        self.hub = EventStream(first, pace)
        self.phones = phones
        self._inbox = inbox
        self._clock = clock
        self._page: PageStatus | None = None
        self._address: Callable[[], str] = str
        self._lock = Lock()
        self._asked: list[tuple[BoxEvent, asyncio.AbstractEventLoop, asyncio.Future[BoxAnswer]]] = []
        self._refused: Text | None = None

    def serve(self, address: Callable[[], str]) -> None:
        """Announce the page; its address may change while the network starts."""
        self._address = address
        self._show(PageStatus(address()))

    def publish(self, companion: Companion, event: BoxEvent | None) -> None:
        """The box has handled this event: publish the snapshot and answer the request behind it."""
        last = self.hub.newest
        purpose = companion.read_request.purpose if companion.read_request else ""
        now = next_snapshot(last, take_snapshot(companion.box, companion.view, purpose))
        if now is not last:
            self.hub.publish(now)
        before, self._refused = self._refused, refused_command(companion.box)
        if not isinstance(event, Told):
            return
        refused = self._refused if self._refused is not before else None  # an earlier refusal answers another command
        with self._lock:
            answered = [asked for asked in self._asked if asked[0] is event]
            self._asked = [asked for asked in self._asked if asked[0] is not event]
        for _, loop, answer in answered:
            loop.call_soon_threadsafe(_resolve, answer, (now, refused))

    async def tell(self, command: Command) -> BoxAnswer | None:
        """The box after this command, and why it was refused if it was; None if the box has not answered."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[BoxAnswer] = loop.create_future()
        told = Told(command, "web", self._clock())
        with self._lock:
            self._asked.append((told, loop, answer))
        self._inbox.put(told)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await answer
        except TimeoutError:
            with self._lock:
                self._asked = [asked for asked in self._asked if asked[0] is not told]
            return None

    def invite(self, open: bool) -> None:
        """Let a phone pair with a new code, or no longer; the box shows the code."""
        if self._page is None:
            return
        if open:
            until = self._clock() + CODE_LIFETIME_S * self._clock.speed
            self._show(PageStatus(self._address(), self.phones.invite(), until, self._page.paired))
        else:
            self.phones.dismiss()
            self._show(PageStatus(self._address(), paired=self._page.paired))

    def paired(self) -> None:
        """A phone has paired; the code is no longer valid."""
        self._show(PageStatus(self._address(), paired=self._clock()))

    def _show(self, page: PageStatus) -> None:
        self._page = page
        self._inbox.put(PageChanged(page, self._clock()))

    @property
    def page(self) -> PageStatus | None:
        return self._page


def _resolve(answer: "asyncio.Future[BoxAnswer]", now: BoxAnswer) -> None:
    if not answer.done():
        answer.set_result(now)
