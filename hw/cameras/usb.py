"""A webcam through Video4Linux: at its largest size, and only the newest frame."""

import os
import time

import cv2
import numpy as np

from engine.text import say
from hw.camera import Camera, Clock, Gone, NoCamera
from hw.cameras.images import frame_of
from hw.frame import Frame

LARGEST = 10_000
"""Wider than any webcam: the driver answers with the most it has."""


class UsbCamera(Camera):
    """``which`` is a number, as in /dev/video1, or the path of a device, which stays the same in another socket.

    The driver itself waits up to ten seconds for a frame, whatever ``timeout`` says, and then it is ``Gone``.
    """

    live = True

    def __init__(self, which: str, *, clock: Clock = time.monotonic, backend: int = cv2.CAP_V4L2) -> None:
        self._name = f"usb:{which}"
        self._clock = clock
        path = f"/dev/video{which}" if which.isdigit() else which
        if not os.path.exists(path):
            raise NoCamera(say("camera_no_usb", value=self._name))
        self._capture = cv2.VideoCapture(path, backend)
        if not self._capture.isOpened():
            raise NoCamera(say("camera_no_usb", value=self._name))
        # compressed, or the largest size comes at two frames a second
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, LARGEST)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, LARGEST)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old look is worth nothing

    def read(self, timeout: float) -> Frame | None:
        if not self._capture.grab():
            raise Gone(say("camera_gone", value=self._name))
        at = self._clock()
        whole, picture = self._capture.retrieve()
        return frame_of(np.asarray(picture, np.uint8), at) if whole else None

    def close(self) -> None:
        self._capture.release()
