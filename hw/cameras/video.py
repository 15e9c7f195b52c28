"""A video file as a camera: frame by frame, with the times of the recording."""

from pathlib import Path

import cv2
import numpy as np

from engine.text import Text, say
from hw.camera import Camera, NoCamera, ReportNote
from hw.cameras.images import make_frame
from hw.frame import Frame

SLOWEST, FASTEST = 0.1, 1000.0
"""Plausible frame rates; a file that states another one is read at 10 frames a second."""


class VideoCamera(Camera):
    """A file without usable times is read at its stated frame rate, or at 10 frames a second."""

    def __init__(self, file: str, *, start: float = 0.0, note: ReportNote | None = None) -> None:
        path = Path(file)
        self._name = path.name
        self._note = note
        if not path.is_file():
            raise NoCamera(say("camera_no_file", value=path.name))
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise NoCamera(say("camera_no_video", value=path.name))
        claimed = self._capture.get(cv2.CAP_PROP_FPS)
        self._step = 1 / (claimed if SLOWEST <= claimed <= FASTEST else 10.0)
        self._start = start
        self._last: float | None = None

    def read(self, timeout: float) -> Frame | None:
        while self._capture.grab():
            claimed = self._start + self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            self._last = at = next_frame_time(claimed, self._last, self._step)
            whole, picture = self._capture.retrieve()
            if whole:
                return make_frame(np.asarray(picture, np.uint8), at)
            self._report_note(say("camera_bad_picture", value=self._name))
        self.over = True
        return None

    def close(self) -> None:
        self._capture.release()

    def _report_note(self, text: Text) -> None:
        if self._note is not None:
            self._note(text)


def next_frame_time(at: float, last: float | None, step: float) -> float:
    """The stated time of a frame, or one step after the last if it does not increase."""
    return at if last is None or at > last else last + step
