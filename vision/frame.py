"""The camera frame that perception reads, and sizes and brightness of pictures."""

from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""Brightness, rows by columns, already cropped to the size of the picture."""

Picture = NDArray[np.uint8]
"""Blue, green and red, rows by columns by three."""

SMALL_PX = 576
"""The longer side of a low-resolution stream."""


class CameraFrame(Protocol):
    """``at`` is in seconds of the camera's clock and never runs backwards from one frame to the next.

    ``small`` is the same picture in fewer pixels, if the camera delivers one at no cost. ``colour`` and ``halved``
    convert on demand, at full and at half width and height: most frames are never read in colour.
    """

    @property
    def grey(self) -> Grey: ...
    @property
    def at(self) -> float: ...
    @property
    def small(self) -> Grey | None: ...
    @property
    def colour(self) -> Callable[[], Picture] | None: ...
    @property
    def halved(self) -> Callable[[], Picture] | None: ...


def crop_luma(buffer: NDArray[np.uint8], width: int, height: int) -> Grey:
    """The Y plane of YUV420 or NV12, whose rows may be padded beyond ``width``; a view, nothing is copied."""
    if buffer.ndim != 2 or buffer.shape[0] < height or buffer.shape[1] < width:
        raise ValueError(f"a {buffer.shape} buffer does not hold a {width} x {height} picture")
    return buffer[:height, :width]


def average_down(picture: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    """The picture ``times`` smaller, each pixel the mean of a square; incomplete squares at right and bottom are cut.

    Whole squares are averaged several times as fast.
    """
    rows, columns = picture.shape[0] // times, picture.shape[1] // times
    whole = picture[: rows * times, : columns * times]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def shrink_frame(grey: Grey) -> Grey:
    """The picture at the size of a camera's low-resolution stream."""
    times = round(max(grey.shape) / SMALL_PX)
    return grey if times < 2 or min(grey.shape) < times else average_down(grey, times)


def to_grey(image: NDArray[np.uint8]) -> Grey:
    """The brightness of a grey, BGR or BGRA picture."""
    if image.ndim == 2:
        return image
    code = cv2.COLOR_BGRA2GRAY if image.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(image, code), np.uint8)
