"""Rectification: an area of the table as seen from straight above, at a chosen number of pixels per mm."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area

Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]


def make_rectification(to_mm: Matrix, area: Area, fine: float) -> tuple[Matrix, tuple[int, int]]:
    """The homography from pixels to those of the rectified area, ``fine`` per mm, and its width and height."""
    size = (
        max(1, round((area.right - area.left) * fine)),
        max(1, round((area.bottom - area.top) * fine)),
    )
    shift = np.array([[fine, 0, -area.left * fine - 0.5], [0, fine, -area.top * fine - 0.5], [0, 0, 1.0]])
    return np.asarray(shift @ to_mm, np.float64), size


def rectify(picture: Picture, matrix: Matrix, size: tuple[int, int]) -> Picture:
    """Warp a picture by a homography; outside the picture its rim is repeated."""
    corners = np.array([[[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]]], np.float64)
    at = cv2.perspectiveTransform(corners, np.linalg.inv(matrix))[0]
    high, wide = picture.shape[:2]
    left, top = (min(max(0, int(v) - 4), side - 2) for v, side in zip(at.min(0), (wide, high), strict=True))
    right, bottom = (
        max(min(side, int(v) + 5), low + 2) for v, side, low in zip(at.max(0), (wide, high), (left, top), strict=True)
    )
    cut = picture[max(0, top) : bottom, max(0, left) : right]
    times = math.sqrt(abs(cv2.contourArea(at.astype(np.float32))) / (size[0] * size[1]))
    if times > 1.4:  # shrink by averaging first: a warp alone would skip pixels
        small = (max(1, round(cut.shape[1] / times)), max(1, round(cut.shape[0] / times)))
        shrunk = cv2.resize(cut, small, interpolation=cv2.INTER_AREA)
    else:
        shrunk = cut
    sx, sy = cut.shape[1] / shrunk.shape[1], cut.shape[0] / shrunk.shape[0]
    back = np.array([[sx, 0, max(0, left) + sx / 2 - 0.5], [0, sy, max(0, top) + sy / 2 - 0.5], [0, 0, 1.0]])
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpPerspective(shrunk, matrix @ back, size, flags=flags, borderMode=border), np.uint8)
