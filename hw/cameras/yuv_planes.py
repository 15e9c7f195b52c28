"""Raw YUV camera buffers: brightness as a view, colour by conversion on demand."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cameras.colour_encoding import SYCC, ColourEncoding, stretch_levels
from hw.frame import Picture, Plane

FORMATS = ("YUV420", "YVU420", "NV12", "NV21")
"""Formats with a full brightness plane followed by colour planes at a quarter of the size."""
MIXED, RED_FIRST = ("NV12", "NV21"), ("YVU420", "NV21")
"""Formats whose colour differences alternate in one plane, and those with the red difference before the blue one."""
STRIP = 128
"""Rows converted at a time: temporary arrays for all rows would double the memory."""
STRETCHED = stretch_levels()


@dataclass(frozen=True, slots=True)
class Stream:
    """Layout of a buffer: rows are ``stride`` bytes long, of which the first ``width`` are picture."""

    format: str
    width: int
    height: int
    stride: int
    encoding: ColourEncoding = SYCC

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ValueError(f"{self.format}: set the camera to {' or '.join(FORMATS)}")
        if self.width > self.stride or self.width % 2 or self.height % 2 or self.stride % 2:
            raise ValueError(f"{self.width}x{self.height} in rows of {self.stride}: give even sizes that fit")

    @property
    def rows(self) -> int:
        return self.height * 3 // 2


def stretch_brightness(buffer: NDArray[np.uint8], stream: Stream) -> NDArray[np.uint8]:
    """The buffer with its brightness in full range, whatever the camera granted: white is 255 in every frame.

    Every buffer goes through this once, before it is read. It changes the buffer itself: a second copy of the largest
    picture would not fit in memory, and in full range there is nothing to do.
    """
    if stream.encoding.full:
        return buffer
    rows = _rows(buffer, stream)[: stream.height]
    for top in range(0, stream.height, STRIP):
        rows[top : top + STRIP] = cv2.LUT(rows[top : top + STRIP], STRETCHED)
    return buffer


def read_grey(buffer: NDArray[np.uint8], stream: Stream) -> Plane:
    """The brightness without padding; a view, nothing is copied."""
    return _rows(buffer, stream)[: stream.height, : stream.width]


def read_colour(buffer: NDArray[np.uint8], stream: Stream) -> Picture:
    bright, differences = _rows(buffer, stream), _split_differences(buffer, stream)
    convert = stream.encoding.to_colour()
    picture = np.empty((stream.height, stream.stride, 3), np.uint8)
    for top in range(0, stream.height, STRIP):
        end = min(stream.height, top + STRIP)
        size = (stream.stride, end - top)
        wide = [cv2.resize(p[top // 2 : end // 2], size, interpolation=cv2.INTER_NEAREST) for p in differences]
        picture[top:end] = cv2.transform(cv2.merge([bright[top:end], *wide]), convert)
    return picture[:, : stream.width]


def read_half_colour(buffer: NDArray[np.uint8], stream: Stream) -> Picture:
    """Colour at half the width and height, which is the colour resolution of the buffer."""
    rows, differences = _rows(buffer, stream), _split_differences(buffer, stream)
    convert = stream.encoding.to_colour()
    wide, high = stream.stride // 2, stream.height // 2
    picture = np.empty((high, wide, 3), np.uint8)
    for top in range(0, high, STRIP):
        part = slice(top, min(high, top + STRIP))
        bright = cv2.resize(rows[2 * part.start : 2 * part.stop], (wide, part.stop - top), interpolation=cv2.INTER_AREA)
        picture[part] = cv2.transform(cv2.merge([bright, *(plane[part] for plane in differences)]), convert)
    return picture[:, : stream.width // 2]


def _split_differences(buffer: NDArray[np.uint8], stream: Stream) -> list[NDArray[np.uint8]]:
    """The differences to blue and to red, at half the width and height."""
    wide, high = stream.stride // 2, stream.height // 2
    rest = _rows(buffer, stream)[stream.height :].reshape(-1)
    if stream.format in MIXED:
        pair = list(rest.reshape(high, wide, 2).transpose(2, 0, 1))
    else:
        pair = list(rest.reshape(2, high, wide))
    return pair[::-1] if stream.format in RED_FIRST else pair


def _rows(buffer: NDArray[np.uint8], stream: Stream) -> NDArray[np.uint8]:
    """The buffer may be longer than its picture: memory is allocated in whole pages."""
    wanted = stream.rows * stream.stride
    if buffer.size < wanted:
        raise ValueError(f"a buffer of {buffer.size} bytes does not hold {stream}")
    return buffer.reshape(-1)[:wanted].reshape(stream.rows, stream.stride)
