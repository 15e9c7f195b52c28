"""Cache of the serialised state for each (language, paired, format); dropped when the version changes."""

import msgspec

from firmware.web import page_html
from firmware.web.api_state import ApiState, api_state
from firmware.web.page_snapshot import Snapshot


class StateCache:
    """Holds what was made of one version; each value is made when it is first asked for."""

    def __init__(self) -> None:
        self._version = -1
        self._states: dict[tuple[str, bool], ApiState] = {}
        self._json: dict[tuple[str, bool], bytes] = {}
        self._events: dict[tuple[str, bool, bool], bytes] = {}

    def state_json(self, now: Snapshot, language: str, paired: bool) -> bytes:
        self._drop_older(now)
        if (language, paired) not in self._json:
            self._json[language, paired] = msgspec.json.encode(self._state(now, language, paired))
        return self._json[language, paired]

    def event(self, now: Snapshot, language: str, paired: bool, *, live: bool) -> bytes:
        """The state as a server-sent event; with ``live``, a second event holds the parts of the page as HTML."""
        self._drop_older(now)
        key = (language, paired, live)
        if key not in self._events:
            event = b"event: state\nid: %d\ndata: %s\n\n" % (now.version, self.state_json(now, language, paired))
            if live:
                parts = page_html.live_parts(self._state(now, language, paired))
                event += b"event: live\ndata: %s\n\n" % msgspec.json.encode(parts)
            self._events[key] = event
        return self._events[key]

    def _state(self, now: Snapshot, language: str, paired: bool) -> ApiState:
        key = (language, paired)
        if key not in self._states:
            self._states[key] = api_state(now, language, paired)
        return self._states[key]

    def _drop_older(self, now: Snapshot) -> None:
        if now.version != self._version:
            self._version = now.version
            self._states, self._json, self._events = {}, {}, {}
