"""One picture with its time: what every camera gives."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]
"""Brightness, rows by columns."""

Picture = NDArray[np.uint8]
"""Blue, green and red, rows by columns by three."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """``at`` is in seconds of the camera's clock, and never runs backwards from one frame to the next.

    ``small`` is the same look in few pixels, where the camera makes one for nothing. ``colour`` makes the
    colours when somebody asks: most frames are never looked at in colour. ``halved`` makes them at half the width and
    height, where the camera has them so: of all its pixels they would be the heaviest thing of the box.
    """

    grey: Plane
    at: float
    small: Plane | None = None
    colour: Callable[[], Picture] | None = None
    halved: Callable[[], Picture] | None = None
