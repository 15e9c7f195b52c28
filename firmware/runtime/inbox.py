"""The queue of events for the box, in order; of unread readings of the table only the newest stays."""

from collections import deque
from dataclasses import dataclass
from threading import Condition

from firmware.box.events import BoxEvent
from hw.button_presses import Edge
from vision.live.perception_events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Observation:
    """An event from perception, with the read request that it answers."""

    item: BoxEvent
    aim: ReadRequest | None


class Inbox:
    """Any thread puts, one thread gets."""

    def __init__(self) -> None:
        self._waiting: deque[BoxEvent | Edge | Observation] = deque()
        self._came = Condition()

    def put(self, what: BoxEvent | Edge | Observation) -> None:
        with self._came:
            if isinstance(what, Observation) and isinstance(what.item, TableSeen | CameraMeasured):
                kind = type(what.item)
                for old in [w for w in self._waiting if isinstance(w, Observation) and isinstance(w.item, kind)]:
                    self._waiting.remove(old)
            self._waiting.append(what)
            self._came.notify()

    def get(self, timeout: float) -> BoxEvent | Edge | Observation | None:
        """The next event, or None if none comes within ``timeout`` seconds."""
        with self._came:
            if not self._waiting:
                self._came.wait(max(timeout, 0.0))
            return self._waiting.popleft() if self._waiting else None

    def __len__(self) -> int:
        return len(self._waiting)
