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
MOST_SUMMED = 16
"""The sum of a square of this many pixels across is below 65,536."""
BAND_ROWS = 32
"""Rows of means that are made at a time: their sums stay in the cache of the processor."""


class CameraFrame(Protocol):
    """``at`` is in seconds of the camera's clock and never runs backwards from one frame to the next.

    ``small`` is the same picture in fewer pixels, if the camera delivers one at no cost, and ``small_colour`` converts
    it to colour. ``colour`` and ``halved`` convert on demand, at full and at half width and height: most frames are
    never read in colour.
    """

    @property
    def grey(self) -> Grey: ...
    @property
    def at(self) -> float: ...
    @property
    def small(self) -> Grey | None: ...
    @property
    def small_colour(self) -> Callable[[], Picture] | None: ...
    @property
    def colour(self) -> Callable[[], Picture] | None: ...
    @property
    def halved(self) -> Callable[[], Picture] | None: ...


def average_down(picture: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    """The picture ``times`` smaller, each pixel the mean of a square; incomplete squares at right and bottom are cut.

    Whole squares are averaged several times as fast.
    """
    rows, columns = picture.shape[0] // times, picture.shape[1] // times
    whole = picture[: rows * times, : columns * times]
    if picture.ndim == 2 and 2 < times <= MOST_SUMMED:
        return _average_squares(whole, times)
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def _average_squares(whole: Grey, times: int) -> Grey:
    """The same means as those of OpenCV, whose loop over the pixels of a square takes twice as long."""
    rows, columns = whole.shape[0] // times, whole.shape[1] // times
    found = np.empty((rows, columns), np.uint8)
    for first in range(0, rows, BAND_ROWS):
        band = whole[first * times : (first + BAND_ROWS) * times]
        sums = np.add.reduce(band.reshape(-1, times, columns * times), 1, np.uint16).reshape(-1, columns, times)
        total = sums[..., 0].copy()
        for column in range(1, times):
            total += sums[..., column]
        found[first : first + BAND_ROWS] = np.rint(total * np.float32(1 / times**2))
    return found


def shrink_frame(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture, grey or in colour, at the size of a camera's low-resolution stream."""
    high, wide = picture.shape[:2]
    times = round(max(high, wide) / SMALL_PX)
    return picture if times < 2 or min(high, wide) < times else average_down(picture, times)


def find_small_colour(frame: CameraFrame) -> Callable[[], Picture] | None:
    """What converts a frame to colour at low resolution: without a stream of that size, the large picture is shrunk."""
    colour = frame.colour
    if frame.small_colour is not None or colour is None:
        return frame.small_colour
    return lambda: shrink_frame(colour())


def to_grey(image: NDArray[np.uint8]) -> Grey:
    """The brightness of a grey, BGR or BGRA picture."""
    if image.ndim == 2:
        return image
    code = cv2.COLOR_BGRA2GRAY if image.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(image, code), np.uint8)
