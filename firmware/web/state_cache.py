"""What is said of the newest state, in bytes that are worked out once for everybody who listens in the same way."""

import msgspec

from firmware.web import pages
from firmware.web.api_state import ApiState, api_state
from firmware.web.snapshot import Snapshot

HEARTBEAT = b":\n\n"
"""Says nothing, and shows that the line is not cut."""

LAST_CHUNK = b"0\r\n\r\n"
"""The last frame."""


class StateCache:
    """Each version forgets what was said of the one before."""

    def __init__(self) -> None:
        self._of = -1
        self._states: dict[tuple[str, bool], ApiState] = {}
        self._told: dict[tuple[str, bool], bytes] = {}
        self._news: dict[tuple[str, bool, bool, bool], bytes] = {}

    def told(self, now: Snapshot, language: str, paired: bool) -> bytes:
        """The state as JSON."""
        self._renew(now)
        if (language, paired) not in self._told:
            self._told[language, paired] = msgspec.json.encode(self._state(now, language, paired))
        return self._told[language, paired]

    def news(self, now: Snapshot, language: str, paired: bool, *, drawn: bool, framed: bool) -> bytes:
        """The state as an event; ``drawn`` for a page, with what it shows as another one."""
        self._renew(now)
        key = (language, paired, drawn, framed)
        if key not in self._news:
            event = b"event: state\nid: %d\ndata: %s\n\n" % (now.version, self.told(now, language, paired))
            if drawn:
                shown = pages.live_parts(self._state(now, language, paired))
                event += b"event: live\ndata: %s\n\n" % msgspec.json.encode(shown)
            self._news[key] = as_chunk(event) if framed else event
        return self._news[key]

    def _state(self, now: Snapshot, language: str, paired: bool) -> ApiState:
        key = (language, paired)
        if key not in self._states:
            self._states[key] = api_state(now, language, paired)
        return self._states[key]

    def _renew(self, now: Snapshot) -> None:
        if now.version != self._of:
            self._of = now.version
            self._states, self._told, self._news = {}, {}, {}


def as_chunk(event: bytes) -> bytes:
    """As HTTP/1.1 sends what has no length."""
    return b"%x\r\n%s\r\n" % (len(event), event)
