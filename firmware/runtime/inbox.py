"""What waits for the box, in the order in which it came; of looks that nobody has read only the newest."""

from collections import deque
from dataclasses import dataclass
from threading import Condition

from firmware.box.events import BoxEvent
from hw.buttons import Edge
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Observation:
    """What the eyes saw while they were asked for ``aim``."""

    item: BoxEvent
    aim: ReadRequest | None


class Inbox:
    """Any thread puts, one gets."""

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
        """The next, or None if nothing comes within so many seconds."""
        with self._came:
            if not self._waiting:
                self._came.wait(max(timeout, 0.0))
            return self._waiting.popleft() if self._waiting else None

    def __len__(self) -> int:
        return len(self._waiting)
