"""Reads a recording event by event; an error names the damaged line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine.errors import InputError
from engine.game import Illegal
from engine.notation import BadNotation
from engine.options import BadOption
from firmware.box.events import BoxEvent
from firmware.box.flow_stack import Box
from firmware.journal.operation_types import Started, WriteEntries
from firmware.recording.delta_video import Canvas, CanvasFrames, DamagedVideo, Patch, blank_canvas
from firmware.recording.header import RecordingHeader, restore_box
from firmware.recording.recorded_events import (
    AnyLine,
    EndLine,
    FrameLine,
    RecordedPads,
    ToldLine,
    WroteLine,
    decode_event,
)
from firmware.recording.writer import EMPTY_FILE, EVENTS_FILE, PARTS_FILE, RECORDING_MARK, RECORDING_VERSION
from hw.cameras.images import decode_picture
from hw.frame import Frame, Picture

WITHOUT_TIME, IN_PHRASES, IN_GREY = 1, 2, 3
"""Versions of recordings: in the first one time itself was not kept, up to the second one commands were phrases, up to
the third one only games with tiles were in colour."""
LONGEST_GAP_S = 24 * 3600.0
"""Seconds: a box that is on records something more often."""
LEAST_PX = 16
"""Pixels: no camera gives a smaller picture."""
DAMAGE_ERRORS = (ValueError, KeyError, TypeError, IndexError, RecursionError, BadOption, BadNotation, Illegal)


class DamagedRecording(InputError):
    """The recording is damaged; the message says where."""


@dataclass(frozen=True, slots=True)
class RecordingEnded:
    """The final pads: player, points by round, total, and whether the player won."""

    pads: RecordedPads


@dataclass(frozen=True, slots=True)
class ToldInPhrase:
    """A phrase of version 0.1.0; its meaning depends on the offers that were on the screen."""

    words: str
    by: str
    at: float


Event = Frame | BoxEvent | ToldInPhrase | WriteEntries | RecordingEnded


class Recorded:
    """A recording: how it begins, and ``events`` for the rest. ``timed``: ticks of time are among them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._lines = (folder / EVENTS_FILE).read_text(encoding="utf-8").splitlines()
            self._parts = (folder / PARTS_FILE).read_bytes()
        except (OSError, UnicodeDecodeError) as why:
            raise DamagedRecording(f"{folder} holds no recording") from why
        self.box, self.started = self._begin()
        self.empty = self._empty()

    def _begin(self) -> tuple[Box, Started | None]:
        try:
            mark, version, head = msgspec.json.decode(self._lines[0]) if self._lines else ("", 0, {})
            if mark != RECORDING_MARK or version not in (WITHOUT_TIME, IN_PHRASES, IN_GREY, RECORDING_VERSION):
                raise DamagedRecording(f"{EVENTS_FILE}, line 1: not a recording, or one of a newer Oxeye")
            self.timed = version != WITHOUT_TIME
            self._in_phrases = version <= IN_PHRASES
            self._in_grey = version <= IN_GREY
            self.head = msgspec.convert(head, RecordingHeader, str_keys=True)
            return restore_box(self.head)
        except DAMAGE_ERRORS as why:
            if isinstance(why, DamagedRecording):
                raise
            raise DamagedRecording(f"{EVENTS_FILE}, line 1: {why}") from why

    def _empty(self) -> Picture | None:
        for ending in (".png", ".webp"):
            file = self.folder / (EMPTY_FILE + ending)
            if file.exists():
                try:
                    picture = decode_picture(file.read_bytes())
                except OSError as why:
                    raise DamagedRecording(f"{file.name}: {why.strerror}") from why
                if picture is None or min(picture.shape[:2]) < LEAST_PX:
                    raise DamagedRecording(f"{file.name} is no whole picture")
                return picture
        return None

    def events(self) -> Iterator[Event]:
        canvas = None if self.empty is None else Canvas(self.empty, self.empty)
        shown, place, before = CanvasFrames(grey=self._in_grey), 0, 0.0
        for number, text in enumerate(self._lines[1:], 2):
            try:
                line = msgspec.json.decode(text, type=AnyLine)
                if not isinstance(line, WroteLine | EndLine):
                    if abs(line.at - before) > LONGEST_GAP_S:
                        raise DamagedVideo(f"the time {line.at:g} cannot be, after {before:g}")
                    before = line.at
                match line:
                    case FrameLine(at, width, height, parts):
                        if canvas is None or canvas.still.shape[:2] != (height, width):
                            canvas = blank_canvas((height, width))
                        patches = []
                        for x, y, wide, high, coarse, size in parts:
                            patches.append(Patch(x, y, wide, high, bool(coarse), self._parts[place : place + size]))
                            place += size
                        canvas = canvas.after(tuple(patches))
                        yield shown.frame(canvas, at)
                    case WroteLine(entries, told):
                        yield WriteEntries(entries, told)
                    case EndLine(pads):
                        yield RecordingEnded(pads)
                    case ToldLine(at, words, by) if self._in_phrases:
                        yield ToldInPhrase(words, by, at)
                    case _:
                        yield decode_event(line)
            except DAMAGE_ERRORS as why:
                raise DamagedRecording(f"{EVENTS_FILE}, line {number}: {why}") from why
