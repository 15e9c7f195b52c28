"""Writes a recording: one line for each event and one file of picture parts; both are only appended to."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import msgspec
import numpy as np

from engine.text import Text, say
from engine.view import View
from firmware.box.flow_stack import Box
from firmware.journal.operation_types import Started, WriteEntries
from firmware.machine.atomic_file import fsync_path
from firmware.recording.delta_video import (
    WEBP,
    CanvasFrames,
    DeltaVideo,
    ImageFormat,
    Patch,
    blank_canvas,
    encode_image,
    to_colour,
)
from firmware.recording.header import describe_start
from firmware.recording.privacy import Mask, keep_masked, keep_table, mask_zones
from firmware.recording.recorded_events import AnyLine, EndLine, FrameLine, RecordedPads, WroteLine, encode_event
from firmware.runtime.companion import Happened
from hw.frame import Frame, Picture
from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.table_calibration import TableCalibration
from vision.frame import to_grey
from vision.live.perception import Perception
from vision.live.read_request import ReadRequest
from vision.sticker_and_marker_sizes import MARKER_MM, STICKER_MM

RECORDING_MARK, RECORDING_VERSION = "oxeye recording", 4
EVENTS_FILE, PARTS_FILE, EMPTY_FILE = "events.jsonl", "parts.bin", "empty"
PNG_FORMAT: ImageFormat = (".png", cv2.IMWRITE_PNG_COMPRESSION)
FAST_COMPRESSION = 1


class Recording:
    """``frame`` returns the frame as a replay will see it, so that perception sees the same. ``record`` keeps events.

    A full disk ends the recording and nothing else: ``tell`` is called once with a text.
    """

    def __init__(
        self, folder: Path, *, tell: Callable[[Text], None] | None = None, quality: int = 85, small: bool = False
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._notify = tell
        self._quality = quality
        self._small = small
        self._lock = Lock()
        self._events = (folder / EVENTS_FILE).open("xb", buffering=0)
        self._parts = (folder / PARTS_FILE).open("xb", buffering=0)
        self._film = DeltaVideo(quality=quality, small=small)
        self._bearings: tuple[Picture, TableCalibration | None] | None = None
        self._mask: tuple[ReadRequest, Mask] | None = None
        self._broken = False
        self._shown = CanvasFrames()

    def begin(
        self,
        box: Box,
        started: Started | None,
        empty: Picture | None,
        *,
        games: int = 0,
        sizes: tuple[float, float] = (STICKER_MM, MARKER_MM),
    ) -> Picture | None:
        """Write the header, before anything else; returns the empty table as a replay will see it.

        ``games`` is the highest number of a game so far, ``sizes`` are those of stickers and markers in mm.
        """
        if empty is not None:
            packed = self._keep(empty)
            if packed is None:
                return empty
            self._film = DeltaVideo(to_colour(empty), packed, self._quality, self._small)
            empty = packed
        self._write([RECORDING_MARK, RECORDING_VERSION, describe_start(box, started, games, *sizes)])
        return empty

    def _keep(self, empty: Picture) -> Picture | None:
        """The picture as it is kept; None if it could not be written, which ends the recording."""
        kind, quality = (WEBP, self._quality) if self._small else (PNG_FORMAT, FAST_COMPRESSION)
        packed = encode_image(kind, quality, empty)
        file = self.folder / (EMPTY_FILE + kind[0])
        try:
            file.write_bytes(packed)
        except OSError:
            with suppress(OSError):
                file.unlink()  # an incomplete picture is useless
            self._broken = True
            self._report_end()
            return None
        return to_colour(np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8))

    def frame(self, frame: Frame, aim: ReadRequest | None, eyes: Perception) -> Frame:
        """Write this frame; returns it as it is kept."""
        if self._broken:
            return frame
        patches: tuple[Patch, ...] = ()
        if aim is not None:
            picture = frame.colour() if frame.colour else to_colour(frame.grey)
            patches = self._film.encode(self._kept(picture, aim, eyes))
        canvas = self._film.canvas
        if canvas is None or canvas.still.shape[:2] != frame.grey.shape:
            canvas = blank_canvas(frame.grey.shape)
        boxes = tuple((p.x, p.y, p.width, p.height, int(p.coarse), len(p.data)) for p in patches)
        height, width = (frame.grey.shape[0], frame.grey.shape[1])
        self._write(FrameLine(round(frame.at, 3), width, height, boxes), b"".join(p.data for p in patches))
        return self._shown.frame(canvas, round(frame.at, 3))

    def _kept(self, picture: Picture, aim: ReadRequest, eyes: Perception) -> Picture:
        empty = eyes.empty
        if aim.purpose == "aim" or empty is None or empty.shape[:2] != picture.shape[:2]:
            return keep_table(picture)
        if self._bearings is None or self._bearings[0] is not empty:
            self._bearings = empty, update_calibration(to_grey(empty), marker_mm=eyes.sizes[1])[0]
            self._mask = None
        calibration = self._bearings[1]
        if calibration is None:
            return keep_table(picture)
        if self._mask is None or self._mask[0] != aim:
            self._mask = aim, mask_zones(calibration, aim.zones.values(), picture.shape)
        return keep_masked(picture, self._mask[1], to_colour(empty))

    def record(self, happened: Happened) -> None:
        line = encode_event(happened.event)
        if line is not None:
            self._write(line)
        for effect in happened.effects:
            if isinstance(effect, WriteEntries):
                self._write(WroteLine(effect.entries, effect.told))

    def end(self, view: View) -> None:
        """Write the last line: the final pads."""
        self._write(EndLine(record_pads(view)))
        with self._lock:
            self._broken = True  # a camera that hung may still deliver a frame
            self._events.close()
            self._parts.close()
        with suppress(OSError):  # the events written so far can be replayed in any case
            for path in (self.folder / PARTS_FILE, self.folder / EVENTS_FILE, self.folder):
                fsync_path(path)

    def _report_end(self) -> None:
        if self._notify is not None:
            self._notify(say("recording_ends"))

    def _write(self, event: AnyLine | list[Any], parts: bytes = b"") -> None:
        with self._lock:
            if self._broken:
                return
            line = msgspec.json.encode(event) + b"\n"
            whole = self._events.tell()
            try:
                written = self._parts.write(parts), self._events.write(line)
                self._broken = written != (len(parts), len(line))
            except OSError:
                self._broken = True
            if self._broken:
                with suppress(OSError):
                    self._events.truncate(whole)  # the lines before this one can still be replayed
                self._report_end()


def record_pads(view: View) -> RecordedPads:
    return tuple((pad.player, pad.rounds, pad.total + pad.now, pad.player in view.winners) for pad in view.pads)
