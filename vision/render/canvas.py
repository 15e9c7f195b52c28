"""A picture in linear light on which painted things are laid in perspective, with their soft shadows."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.project import Points

Paint = NDArray[np.uint8]
Linear = NDArray[np.float32]

_BYTES = np.arange(256) / 255.0
TO_LINEAR: Linear = np.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Shade:
    """A shadow: shifted by ``dx, dy`` px, ``soft`` px wide (sigma), as dark as ``strength``."""

    dx: float
    dy: float
    soft: float
    strength: float


def _bytes(drawn: object) -> Paint:
    return np.asarray(drawn, np.uint8)


def linear(paint: Paint) -> Linear:
    return np.asarray(cv2.LUT(paint, TO_LINEAR), np.float32)


def _corners(paint: Paint) -> Points:
    high, wide = paint.shape[:2]
    return np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]])


def homography(source: Points, target: Points) -> Points:
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), np.float64)


@dataclass(frozen=True, slots=True)
class Box:
    left: int
    top: int
    right: int
    bottom: int

    @staticmethod
    def around(points: Points, light: Linear, margin: float) -> "Box | None":
        high, wide = light.shape[:2]
        left, top = np.floor(points.min(0) - margin).astype(int)
        right, bottom = np.ceil(points.max(0) + margin).astype(int) + 1
        box = Box(max(0, left), max(0, top), min(wide, right), min(high, bottom))
        return box if box.right - box.left > 1 and box.bottom - box.top > 1 else None

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top


def lay(
    light: Linear,
    paint: Paint,
    mask: Paint | None,
    corners: Points,
    *,
    fine: int = 2,
    shade: Shade | None = None,
) -> None:
    """Paint a texture into four ``corners`` (px), each pixel the mean of ``fine`` x ``fine`` samples."""
    box = Box.around(corners, light, 2)
    if box is not None:
        paint, mask = _nearer(paint, mask, corners, fine)
        place = homography(_corners(paint), (corners - [box.left, box.top] + 0.5) * fine - 0.5)
        size = (box.size[0] * fine, box.size[1] * fine)
        drawn = cv2.warpPerspective(paint, place, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpPerspective(mask, place, size, flags=cv2.INTER_LINEAR)
        _put(light, box, _bytes(drawn), _bytes(cover), corners, shade)


def lay_bent(
    light: Linear,
    paint: Paint,
    mask: Paint | None,
    place: Callable[[Points], Points],
    *,
    fine: int = 2,
    shade: Shade | None = None,
) -> None:
    """Like ``lay`` for a surface that is not flat: ``place`` takes texture points (0..1, 0..1) to pixels."""
    rim = np.linspace(0, 1, 9)
    edge = np.concatenate([[[t, 0], [1, t], [1 - t, 1], [0, 1 - t]] for t in rim])
    outline = place(edge)
    box = Box.around(outline, light, 2)
    if box is None:
        return
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    corners = place(square)
    paint, mask = _nearer(paint, mask, corners, fine)
    back = homography(corners, square)
    wide, high = box.size
    nodes, shape = mesh(wide * fine, high * fine, 8 * fine)
    want = _through(back, (nodes + 0.5) / fine - 0.5 + [box.left, box.top])
    guess = want.copy()
    for _ in range(6):  # where the flat guess lands is off by the bend; walk back by as much
        guess += want - _through(back, place(guess))
    tall, broad = paint.shape[:2]
    maps = stretch((guess * [broad, tall] - 0.5).reshape(*shape, 2), 8 * fine, (wide * fine, high * fine))
    xs, ys = cv2.split(maps)
    drawn = cv2.remap(paint, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.remap(mask, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    _put(light, box, _bytes(drawn), _bytes(cover), outline, shade)


def mesh(wide: int, high: int, step: int) -> tuple[Points, tuple[int, int]]:
    """Nodes over a picture at which a smooth map is worked out, and how many rows and columns they make."""
    cols, rows = wide // step + 3, high // step + 3
    xs, ys = np.meshgrid(np.arange(cols) * step - (step + 1) / 2, np.arange(rows) * step - (step + 1) / 2)
    return np.column_stack([xs.ravel(), ys.ravel()]), (rows, cols)


def stretch(nodes: Points, step: int, size: tuple[int, int]) -> Linear:
    """The map at every pixel, from its values at the nodes of ``mesh``."""
    rows, cols = nodes.shape[:2]
    full = cv2.resize(nodes.astype(np.float32), (cols * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(full[step : step + size[1], step : step + size[0]], np.float32)


def _through(matrix: Points, points: Points) -> Points:
    rays = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    out: Points = rays[:, :2] / rays[:, 2:]
    return out


def _nearer(paint: Paint, mask: Paint | None, corners: Points, fine: int) -> tuple[Paint, Paint]:
    """Shrink a texture that has far more pixels than will be looked at, lest it shimmer."""
    if mask is None:
        mask = np.full(paint.shape[:2], 255, np.uint8)
    area = float(cv2.contourArea(corners.astype(np.float32))) * fine * fine
    scale = math.sqrt(area / (paint.shape[0] * paint.shape[1]))
    if scale < 0.75:
        size = (max(2, round(paint.shape[1] * scale * 1.2)), max(2, round(paint.shape[0] * scale * 1.2)))
        paint = _bytes(cv2.resize(paint, size, interpolation=cv2.INTER_AREA))
        mask = _bytes(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))
    return paint, mask


def _put(
    light: Linear,
    box: Box,
    drawn: Paint,
    cover: Paint,
    outline: Points,
    shade: Shade | None,
) -> None:
    alpha = cv2.resize(cover, box.size, interpolation=cv2.INTER_AREA).astype(np.float32) * (1 / 255)
    if shade is not None:
        darken(light, alpha, box, outline, shade)
    seen = cv2.resize(linear(drawn), box.size, interpolation=cv2.INTER_AREA)
    if seen.ndim == 2:
        seen = cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR)
    patch = light[box.top : box.bottom, box.left : box.right]
    patch[:] = cv2.blendLinear(seen, patch, alpha, 1 - alpha)


def cast(light: Linear, outline: Points, shade: Shade) -> None:
    """The shadow alone of a thing with straight sides."""
    box = Box.around(outline, light, 2)
    if box is not None:
        alpha = np.zeros((box.size[1], box.size[0]), np.uint8)
        corners = np.round((outline - [box.left, box.top]) * 16).astype(np.int32)
        cv2.fillPoly(alpha, [corners], 255, cv2.LINE_AA, 4)
        darken(light, alpha.astype(np.float32) * np.float32(1 / 255), box, outline, shade)


def darken(light: Linear, alpha: Linear, box: Box, outline: Points, shade: Shade) -> None:
    """Cast a thing's shadow on what already lies there."""
    reach = 2.5 * shade.soft + math.hypot(shade.dx, shade.dy)
    wide = Box.around(outline, light, 2 + reach)
    if wide is None:
        return
    move = np.array([[1, 0, box.left - wide.left + shade.dx], [0, 1, box.top - wide.top + shade.dy]], dtype=np.float64)
    dim = cv2.warpAffine(alpha, move, wide.size, flags=cv2.INTER_LINEAR)
    dim = cv2.GaussianBlur(dim, (0, 0), max(0.4, shade.soft))
    patch = light[wide.top : wide.bottom, wide.left : wide.right]
    cv2.multiply(patch, cv2.cvtColor(1 - shade.strength * dim, cv2.COLOR_GRAY2BGR), dst=patch)
