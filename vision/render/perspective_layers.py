"""Layers of a picture: textures in perspective, each with its soft shadow."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.layer_compositing import (
    Layer,
    Linear,
    Paint,
    PixelBox,
    Shadow,
    Surface,
    interpolate_mesh,
    make_mesh,
    to_linear,
)
from vision.render.projection import Points


@dataclass(frozen=True, slots=True)
class ShadowShape:
    """A shadow: shifted by ``dx, dy`` px, ``soft`` px wide (sigma), as dark as ``strength``."""

    dx: float
    dy: float
    soft: float
    strength: float


def paint_flat(
    frame: PixelBox,
    paint: Paint,
    mask: Paint | None,
    corners: Points,
    *,
    fine: int = 2,
    shade: ShadowShape | None = None,
) -> tuple[Layer, ...]:
    """A texture painted into four ``corners`` (px), each pixel the mean of ``fine`` x ``fine`` samples."""
    box = PixelBox.enclose(corners, frame, 2)
    if box is None:
        return ()
    paint, mask = _shrink_texture(paint, mask, corners, fine)
    place = _find_homography(_texture_corners(paint), (corners - [box.left, box.top] + 0.5) * fine - 0.5)
    size = (box.size[0] * fine, box.size[1] * fine)
    drawn = cv2.warpPerspective(paint, place, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(mask, place, size, flags=cv2.INTER_LINEAR)
    return _make_layers(frame, box, _to_bytes(drawn), _to_bytes(cover), corners, shade)


def paint_bent(
    frame: PixelBox,
    paint: Paint,
    mask: Paint | None,
    place: Callable[[Points], Points],
    *,
    fine: int = 2,
    shade: ShadowShape | None = None,
) -> tuple[Layer, ...]:
    """Like ``paint_flat`` for a bent surface: ``place`` maps texture points (0..1, 0..1) to pixels."""
    rim = np.linspace(0, 1, 9)
    edge = np.concatenate([[[t, 0], [1, t], [1 - t, 1], [0, 1 - t]] for t in rim])
    outline = place(edge)
    box = PixelBox.enclose(outline, frame, 2)
    if box is None:
        return ()
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    corners = place(square)
    paint, mask = _shrink_texture(paint, mask, corners, fine)
    back = _find_homography(corners, square)
    wide, high = box.size
    nodes, shape = make_mesh(wide * fine, high * fine, 8 * fine)
    want = _apply_homography(back, (nodes + 0.5) / fine - 0.5 + [box.left, box.top])
    guess = want.copy()
    for _ in range(6):  # the flat guess is off by the bend: go back by as much
        guess += want - _apply_homography(back, place(guess))
    tall, broad = paint.shape[:2]
    maps = interpolate_mesh((guess * [broad, tall] - 0.5).reshape(*shape, 2), 8 * fine, (wide * fine, high * fine))
    xs, ys = cv2.split(maps)
    drawn = cv2.remap(paint, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.remap(mask, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return _make_layers(frame, box, _to_bytes(drawn), _to_bytes(cover), outline, shade)


def cast_shadow(frame: PixelBox, outline: Points, shade: ShadowShape) -> tuple[Layer, ...]:
    """Only the shadow of an object with straight sides."""
    box = PixelBox.enclose(outline, frame, 2)
    if box is None:
        return ()
    alpha = np.zeros((box.size[1], box.size[0]), np.uint8)
    corners = np.round((outline - [box.left, box.top]) * 16).astype(np.int32)
    cv2.fillPoly(alpha, [corners], 255, cv2.LINE_AA, 4)
    return _make_shadow(frame, alpha.astype(np.float32) * np.float32(1 / 255), box, outline, shade)


def _to_bytes(drawn: object) -> Paint:
    return np.asarray(drawn, np.uint8)


def _texture_corners(paint: Paint) -> Points:
    high, wide = paint.shape[:2]
    return np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]])


def _find_homography(source: Points, target: Points) -> Points:
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), np.float64)


def _apply_homography(matrix: Points, points: Points) -> Points:
    rays = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    out: Points = rays[:, :2] / rays[:, 2:]
    return out


def _shrink_texture(paint: Paint, mask: Paint | None, corners: Points, fine: int) -> tuple[Paint, Paint]:
    """Shrink a texture that has far more pixels than the picture, against aliasing."""
    if mask is None:
        mask = np.full(paint.shape[:2], 255, np.uint8)
    area = float(cv2.contourArea(corners.astype(np.float32))) * fine * fine
    scale = math.sqrt(area / (paint.shape[0] * paint.shape[1]))
    if scale < 0.75:
        size = (max(2, round(paint.shape[1] * scale * 1.2)), max(2, round(paint.shape[0] * scale * 1.2)))
        paint = _to_bytes(cv2.resize(paint, size, interpolation=cv2.INTER_AREA))
        mask = _to_bytes(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))
    return paint, mask


def _make_layers(
    frame: PixelBox, box: PixelBox, drawn: Paint, cover: Paint, outline: Points, shade: ShadowShape | None
) -> tuple[Layer, ...]:
    alpha = cv2.resize(cover, box.size, interpolation=cv2.INTER_AREA).astype(np.float32) * np.float32(1 / 255)
    seen = cv2.resize(to_linear(drawn), box.size, interpolation=cv2.INTER_AREA)
    if seen.ndim == 2:
        seen = cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR)
    surface = Surface(box, np.asarray(seen, np.float32), alpha)
    return (surface,) if shade is None else (*_make_shadow(frame, alpha, box, outline, shade), surface)


def _make_shadow(
    frame: PixelBox, alpha: Linear, box: PixelBox, outline: Points, shade: ShadowShape
) -> tuple[Layer, ...]:
    """The shadow of an object with this ``alpha`` on everything below it."""
    reach = 2.5 * shade.soft + math.hypot(shade.dx, shade.dy)
    wide = PixelBox.enclose(outline, frame, 2 + reach)
    if wide is None:
        return ()
    move = np.array([[1, 0, box.left - wide.left + shade.dx], [0, 1, box.top - wide.top + shade.dy]], dtype=np.float64)
    dim = np.asarray(cv2.warpAffine(alpha, move, wide.size, flags=cv2.INTER_LINEAR), np.float32)
    dim = _blur(dim, max(0.4, shade.soft))
    return (Shadow(wide, np.asarray(1 - np.float32(shade.strength) * dim, np.float32)),)


def _blur(dim: Linear, sigma: float) -> Linear:
    """Blur ``dim``; a wide blur is computed on a picture as small as leaves it smooth."""
    step = int(sigma / 4)
    if step < 2:
        return np.asarray(cv2.GaussianBlur(dim, (0, 0), sigma), np.float32)
    high, wide = dim.shape
    rows, cols = -(-high // step), -(-wide // step)
    whole = cv2.copyMakeBorder(dim, 0, rows * step - high, 0, cols * step - wide, cv2.BORDER_REPLICATE)
    small = cv2.resize(whole, (cols, rows), interpolation=cv2.INTER_AREA)
    # averaging and enlarging blur a little by themselves
    small = cv2.GaussianBlur(small, (0, 0), math.sqrt((sigma / step) ** 2 - 1 / 4))
    full = cv2.resize(small, (cols * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:high, :wide], np.float32)
