"""What waits for the box, in the order in which it came; of looks that nobody has read only the newest."""

from collections import deque
from dataclasses import dataclass
from threading import Condition

from firmware.box.events import Aimed, Item, Looked
from firmware.box.flow import Aim
from hw.buttons import Edge


@dataclass(frozen=True, slots=True)
class Sight:
    """What the eyes saw while they were asked for ``aim``."""

    item: Item
    aim: Aim | None


class Inbox:
    """Any thread puts, one gets."""

    def __init__(self) -> None:
        self._waiting: deque[Item | Edge | Sight] = deque()
        self._came = Condition()

    def put(self, what: Item | Edge | Sight) -> None:
        with self._came:
            if isinstance(what, Sight) and isinstance(what.item, Looked | Aimed):
                kind = type(what.item)
                for old in [w for w in self._waiting if isinstance(w, Sight) and isinstance(w.item, kind)]:
                    self._waiting.remove(old)
            self._waiting.append(what)
            self._came.notify()

    def get(self, timeout: float) -> Item | Edge | Sight | None:
        """The next, or None if nothing comes within so many seconds."""
        with self._came:
            if not self._waiting:
                self._came.wait(max(timeout, 0.0))
            return self._waiting.popleft() if self._waiting else None

    def __len__(self) -> int:
        return len(self._waiting)
