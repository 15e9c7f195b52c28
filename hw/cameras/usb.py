"""A webcam through Video4Linux: largest size, newest frame only."""

import os
import time

import cv2
import numpy as np

from engine.text import say
from hw.camera import Camera, CameraGone, Clock, NoCamera
from hw.cameras.images import make_frame
from hw.frame import Frame

LARGEST = 10_000
"""Wider than any webcam: the driver chooses its largest size."""


class UsbCamera(Camera):
    """``which`` is a number, as in /dev/video1, or the path of a device, which does not change with the USB socket.

    The driver waits up to ten seconds for a frame, regardless of ``timeout``; then ``CameraGone`` is raised.
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
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old frame is useless

    def read(self, timeout: float) -> Frame | None:
        if not self._capture.grab():
            raise CameraGone(say("camera_gone", value=self._name))
        at = self._clock()
        whole, picture = self._capture.retrieve()
        return make_frame(np.asarray(picture, np.uint8), at) if whole else None

    def close(self) -> None:
        self._capture.release()
