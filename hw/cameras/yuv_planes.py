"""Raw YUV camera buffers: brightness as a view, colour by conversion on demand."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.frame import Picture, Plane

TO_COLOUR = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}
"""Formats with a full brightness plane followed by colour planes at a quarter of the size."""
STRIP = 128
"""Rows converted at a time: temporary arrays for all rows would double the memory."""
_BRIGHT = 255 / 219
FROM_PLANES = np.array(
    [
        [_BRIGHT, 2.018, 0.0, -16 * _BRIGHT - 128 * 2.018],
        [_BRIGHT, -0.391, -0.813, -16 * _BRIGHT + 128 * (0.391 + 0.813)],
        [_BRIGHT, 0.0, 1.596, -16 * _BRIGHT - 128 * 1.596],
    ]
)
"""Y, U and V to blue, green and red: BT.601 with limited range, as in OpenCV."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Layout of a buffer: rows are ``stride`` bytes long, of which the first ``width`` are picture."""

    format: str
    width: int
    height: int
    stride: int

    def __post_init__(self) -> None:
        if self.format not in TO_COLOUR:
            raise ValueError(f"{self.format}: set the camera to {' or '.join(TO_COLOUR)}")
        if self.width > self.stride or self.width % 2 or self.height % 2 or self.stride % 2:
            raise ValueError(f"{self.width}x{self.height} in rows of {self.stride}: give even sizes that fit")

    @property
    def rows(self) -> int:
        return self.height * 3 // 2


def read_grey(buffer: NDArray[np.uint8], stream: Stream) -> Plane:
    """The brightness without padding; a view, nothing is copied."""
    return _rows(buffer, stream)[: stream.height, : stream.width]


def read_colour(buffer: NDArray[np.uint8], stream: Stream) -> Picture:
    picture = cv2.cvtColor(_rows(buffer, stream), TO_COLOUR[stream.format])
    return np.asarray(picture, np.uint8)[:, : stream.width]


def read_half_colour(buffer: NDArray[np.uint8], stream: Stream) -> Picture:
    """Colour at half the width and height, which is the colour resolution of the buffer."""
    rows = _rows(buffer, stream)
    wide, high = stream.stride // 2, stream.height // 2
    rest = rows[stream.height :].reshape(-1)
    mixed = stream.format in ("NV12", "NV21")
    pair = list(rest.reshape(high, wide, 2).transpose(2, 0, 1)) if mixed else list(rest.reshape(2, high, wide))
    if stream.format in ("YVU420", "NV21"):
        pair.reverse()
    picture = np.empty((high, wide, 3), np.uint8)
    for top in range(0, high, STRIP):
        part = slice(top, min(high, top + STRIP))
        bright = cv2.resize(rows[2 * part.start : 2 * part.stop], (wide, part.stop - top), interpolation=cv2.INTER_AREA)
        picture[part] = cv2.transform(cv2.merge([bright, *(plane[part] for plane in pair)]), FROM_PLANES)
    return picture[:, : stream.width // 2]


def _rows(buffer: NDArray[np.uint8], stream: Stream) -> NDArray[np.uint8]:
    """The buffer may be longer than its picture: memory is allocated in whole pages."""
    wanted = stream.rows * stream.stride
    if buffer.size < wanted:
        raise ValueError(f"a buffer of {buffer.size} bytes does not hold {stream}")
    return buffer.reshape(-1)[:wanted].reshape(stream.rows, stream.stride)
