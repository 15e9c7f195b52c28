"""A canvas in linear light: layers (shadows and painted surfaces) are applied to all of a picture or to a part."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.projection import Points

Paint = NDArray[np.uint8]
Linear = NDArray[np.float32]
STRIP_PX = 1 << 18
"""Pixels of one strip: all that is computed about them fits into the cache of a processor."""

_BYTES = np.arange(256) / 255.0
TO_LINEAR: Linear = np.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4).astype(np.float32)


def to_linear(paint: Paint) -> Linear:
    return np.asarray(cv2.LUT(paint, TO_LINEAR), np.float32)


def make_readonly(light: Linear) -> Linear:
    """The array, made read-only because it is shared."""
    light.flags.writeable = False
    return light


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A rectangle of pixels of the frame; ``right`` and ``bottom`` are excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @staticmethod
    def enclose(points: Points, frame: "PixelBox", margin: float) -> "PixelBox | None":
        left, top = np.floor(points.min(0) - margin).astype(int).tolist()
        right, bottom = (np.ceil(points.max(0) + margin).astype(int) + 1).tolist()
        box = PixelBox(left, top, right, bottom).intersect(frame)
        return box if box is not None and min(box.size) > 1 else None

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top

    @property
    def pixels(self) -> int:
        return self.size[0] * self.size[1]

    def intersect(self, other: "PixelBox") -> "PixelBox | None":
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return PixelBox(left, top, right, bottom) if left < right and top < bottom else None

    def join(self, other: "PixelBox") -> "PixelBox":
        return PixelBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def grow(self, more: int, frame: "PixelBox") -> "PixelBox":
        """Wider by ``more`` on each side, within the frame, and starting on an even row and column."""
        return PixelBox(
            max(frame.left, self.left - more) & ~1,
            max(frame.top, self.top - more) & ~1,
            min(frame.right, self.right + more),
            min(frame.bottom, self.bottom + more),
        )

    def split_strips(self) -> "Iterator[PixelBox]":
        """The box in strips of an even number of rows, from top to bottom."""
        rows = max(16, STRIP_PX // self.size[0] & ~1)
        for top in range(self.top, self.bottom, rows):
            yield PixelBox(self.left, top, self.right, min(self.bottom, top + rows))

    def cut(self, picture: NDArray[Any], part: "PixelBox") -> Any:
        """The pixels of this box as a view into a picture that shows only ``part`` of the frame."""
        return picture[self.top - part.top : self.bottom - part.top, self.left - part.left : self.right - part.left]


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """The share of the light that is left in a box."""

    box: PixelBox
    left: Linear

    def apply(self, light: Linear, part: PixelBox) -> None:
        """Darken the box in a picture that shows ``part`` of the frame."""
        both = self.box.intersect(part)
        if both is not None:
            patch = both.cut(light, part)
            cv2.multiply(patch, cv2.cvtColor(both.cut(self.left, self.box), cv2.COLOR_GRAY2BGR), dst=patch)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The look of an object in a box, and the share of each pixel that it covers."""

    box: PixelBox
    seen: Linear
    cover: Linear

    def apply(self, light: Linear, part: PixelBox) -> None:
        """Cover the box in a picture that shows ``part`` of the frame."""
        both = self.box.intersect(part)
        if both is not None:
            patch, cover = both.cut(light, part), both.cut(self.cover, self.box)
            patch[:] = cv2.blendLinear(both.cut(self.seen, self.box), patch, cover, 1 - cover)


Layer = Shadow | Surface


def make_mesh(wide: int, high: int, step: int) -> tuple[Points, tuple[int, int]]:
    """Nodes over a picture at which a smooth map is computed, and their number of rows and columns."""
    cols, rows = wide // step + 3, high // step + 3
    xs, ys = np.meshgrid(np.arange(cols) * step - (step + 1) / 2, np.arange(rows) * step - (step + 1) / 2)
    return np.column_stack([xs.ravel(), ys.ravel()]), (rows, cols)


def interpolate_mesh(nodes: Points, step: int, size: tuple[int, int]) -> Linear:
    """The map at every pixel, from its values at the nodes of ``make_mesh``."""
    rows, cols = nodes.shape[:2]
    full = cv2.resize(nodes.astype(np.float32), (cols * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(full[step : step + size[1], step : step + size[0]], np.float32)
