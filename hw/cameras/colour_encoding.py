"""How a camera encodes colour as brightness and two colour differences, as matrix and range."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Matrix = Literal["Rec601", "Rec709", "Rec2020"]
"""The names that libcamera gives them."""
LUMA_SHARES: dict[Matrix, tuple[float, float]] = {
    "Rec601": (0.299, 0.114),
    "Rec709": (0.2126, 0.0722),
    "Rec2020": (0.2627, 0.0593),
}
"""The shares of red and of blue in the brightness, from the standards; green is the rest."""
BLACK_LEVEL, WHITE_LEVEL, COLOUR_LEVELS = 16, 235, 224
"""Brightness of black and of white, and the span of a colour difference, in limited range; 0, 255 and 255 in full."""


@dataclass(frozen=True, slots=True)
class ColourEncoding:
    matrix: Matrix = "Rec601"
    full: bool = True
    """Full range, or the limited range of television."""

    def to_colour(self) -> NDArray[np.float64]:
        """From full-range brightness and both colour differences (blue, red) as stored to blue, green and red: the
        columns of a matrix, and what is added."""
        red, blue = LUMA_SHARES[self.matrix]
        green = 1 - red - blue
        span = 1.0 if self.full else 255 / COLOUR_LEVELS
        from_blue, from_red = 2 * (1 - blue) * span, 2 * (1 - red) * span
        less = (-blue * from_blue / green, -red * from_red / green)
        rows = [[1.0, from_blue, 0.0], [1.0, *less], [1.0, 0.0, from_red]]
        return np.array([[*row, -128 * (row[1] + row[2])] for row in rows])


SYCC = ColourEncoding()
"""What is asked for, and what JPEG files have: BT.601 in full range."""


def stretch_levels() -> NDArray[np.uint8]:
    """The full-range level of each limited one."""
    levels = (np.arange(256) - BLACK_LEVEL) * (255 / (WHITE_LEVEL - BLACK_LEVEL))
    return np.asarray(np.clip(np.round(levels), 0, 255), np.uint8)


def read_encoding(space: object) -> ColourEncoding:
    """The encoding of a ``libcamera.ColorSpace``.

    A camera that names none, or one of colours that are not split, is taken at what it was asked for.
    """
    matrix = _name(space, "ycbcrEncoding")
    for known in LUMA_SHARES:
        if matrix == known:
            return ColourEncoding(known, _name(space, "range") != "Limited")
    return SYCC


def _name(space: object, field: str) -> str:
    return str(getattr(getattr(space, field, None), "name", ""))
