"""A picture with its time: what every camera delivers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]
"""Brightness, rows by columns. Black is 0 and white is 255, where the camera clips, whatever range it delivers."""

Picture = NDArray[np.uint8]
"""Blue, green and red, rows by columns by three."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """``at`` is in seconds of the camera's clock and never runs backwards from one frame to the next.

    ``small`` is the same picture in fewer pixels, if the camera delivers one at no cost, and ``small_colour`` converts
    it to colour. ``colour`` converts to colour on demand, because most frames are never read in colour. ``halved``
    converts at half the width and height, if the camera has colour at that size: a full-size colour picture would be
    the largest object in memory.
    """

    grey: Plane
    at: float
    small: Plane | None = None
    colour: Callable[[], Picture] | None = None
    halved: Callable[[], Picture] | None = None
    small_colour: Callable[[], Picture] | None = None
