"""A video file, frame by frame, with the times it was recorded at."""

from pathlib import Path

import cv2
import numpy as np

from engine.text import say
from hw.camera import Camera, NoCamera, Note, unheard
from hw.cameras.images import frame_of
from hw.frame import Frame

SLOWEST, FASTEST = 0.1, 1000.0
"""Frames a second that a file may claim and be believed."""


class VideoCamera(Camera):
    """A file whose own times stand still is given at the pace it claims, or at 10 frames a second."""

    def __init__(self, file: str, *, start: float = 0.0, note: Note = unheard) -> None:
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
            self._last = at = growing(claimed, self._last, self._step)
            whole, picture = self._capture.retrieve()
            if whole:
                return frame_of(np.asarray(picture, np.uint8), at)
            self._note(say("camera_bad_picture", value=self._name))
        self.over = True
        return None

    def close(self) -> None:
        self._capture.release()


def growing(at: float, last: float | None, step: float) -> float:
    """The time a file claims for a frame, or a step after the last if it claims none."""
    return at if last is None or at > last else last + step
