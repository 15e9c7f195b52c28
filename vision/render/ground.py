"""Surfaces of tables, painted in table mm so that they stay in place when the camera moves."""

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.layer_compositing import Linear, Paint, interpolate_mesh, make_mesh, make_readonly, to_linear
from vision.render.projection import Points, project_to_table
from vision.render.scene import Ground, RenderCamera

Wave = NDArray[np.float32]


def make_waves(rng: np.random.Generator, size: tuple[int, int], wide: float, high: float) -> Wave:
    """Smooth noise of unit strength with humps of ``wide`` x ``high`` px."""
    cols, rows = max(2, math.ceil(size[0] / wide) + 1), max(2, math.ceil(size[1] / high) + 1)
    humps = rng.standard_normal((rows, cols), np.float32)
    return np.asarray(cv2.resize(humps, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _make_grain(rng: np.random.Generator, size: tuple[int, int]) -> Wave:
    """White noise: one tile of it repeated, since drawing millions of numbers is slow."""
    tile = rng.standard_normal((251, 509), np.float32)
    reps = (size[1] // 251 + 1, size[0] // 509 + 1)
    return np.tile(tile, reps)[: size[1], : size[0]]


def _tint(grey: Wave, base: tuple[float, float, float], depth: tuple[float, float, float]) -> Paint:
    """BGR = base + grey * depth."""
    planes = [cv2.convertScaleAbs(np.clip(grey * d + b, 0, 255)) for b, d in zip(base, depth, strict=True)]
    return np.asarray(cv2.merge(planes), np.uint8)


def _paint_wood(rng: np.random.Generator, size: tuple[int, int], mm: float, dim: float) -> Paint:
    rings = make_waves(rng, size, 180 * mm, 9 * mm) + 0.4 * make_waves(rng, size, 60 * mm, 1.6 * mm)
    fibre = 0.3 * make_waves(rng, size, 22 * mm, max(1.0, 0.5 * mm)) + 0.12 * _make_grain(rng, size)
    veins: Wave = np.abs(np.sin(2.2 * rings)).astype(np.float32)
    grey = -0.8 * veins * veins + 0.5 * rings + fibre
    tone = rng.uniform(0.8, 1.15) * dim
    planks = np.zeros(size[1], np.float32)
    for top in np.arange(rng.uniform(0, 90), size[1] / mm, rng.uniform(80, 140)):
        planks[int(top * mm) :] += rng.normal(0, 0.35)
        planks[int(top * mm) : int(top * mm) + max(1, round(0.6 * mm))] -= 2.2
    grey += planks[:, None]
    return _tint(grey.astype(np.float32), (88 * tone, 132 * tone, 178 * tone), (11 * dim, 14 * dim, 15 * dim))


def _paint_felt(rng: np.random.Generator, size: tuple[int, int], mm: float) -> Paint:
    grey = (
        0.8 * _make_grain(rng, size)
        + 0.6 * make_waves(rng, size, 2 * mm, 2 * mm)
        + 0.6 * make_waves(rng, size, 60 * mm, 60 * mm)
    )
    tone = rng.uniform(0.8, 1.2)
    colour = ((62, 108, 38), (120, 70, 40), (70, 62, 120))[int(rng.integers(0, 3))]
    return _tint(grey, (colour[0] * tone, colour[1] * tone, colour[2] * tone), (6, 8, 6))


def _paint_even(rng: np.random.Generator, size: tuple[int, int], mm: float, level: float, rough: float) -> Paint:
    grey = _make_grain(rng, size) + 1.2 * make_waves(rng, size, 40 * mm, 40 * mm)
    return _tint(grey, (level, level * 1.01, level * 1.02), (rough, rough, rough))


def _paint_clutter(rng: np.random.Generator, size: tuple[int, int], mm: float) -> Paint:
    """A newspaper with rules, pictures, bar codes and a chequered cloth."""
    level = int(rng.uniform(160, 225))
    paint: Paint = np.full((size[1], size[0], 3), level, np.uint8)
    ink = (25, 25, 25)
    for _ in range(int(size[0] * size[1] / (mm * mm) / 1800)):
        x, y = int(rng.integers(0, size[0])), int(rng.integers(0, size[1]))
        s = mm * rng.uniform(2, 14)
        colour = [float(c) for c in rng.integers(10, 245, 3)]
        kind = int(rng.integers(0, 5))
        if kind == 0:
            for line in range(int(rng.integers(2, 9))):
                words = "".join(chr(int(c)) for c in rng.integers(48, 122, int(rng.integers(8, 30))))
                thick = max(1, int(s / 9))
                at = (x, int(y + line * s))
                cv2.putText(paint, words, at, cv2.FONT_HERSHEY_SIMPLEX, s / 30, ink, thick, cv2.LINE_AA)
        elif kind == 1:
            fill = -1 if rng.random() < 0.5 else max(1, int(s / 6))
            cv2.rectangle(paint, (x, y), (int(x + 3 * s), int(y + 2 * s)), colour, fill)
        elif kind == 2:
            fill = -1 if rng.random() < 0.4 else max(1, int(s / 6))
            cv2.circle(paint, (x, y), int(s), colour, fill, cv2.LINE_AA)
        elif kind == 3:
            at_x = float(x)
            for bar in rng.integers(1, 4, (40, 2)) * mm * 0.35:
                cv2.rectangle(paint, (int(at_x), y), (int(at_x + bar[0]), int(y + 2 * s)), ink, -1)
                at_x += bar[0] + bar[1]
        else:
            step = max(2, int(s / 8))
            for i in range(64):
                left, top = x + (i % 8) * step, y + (i // 8) * step
                if (i + i // 8) % 2:
                    cv2.rectangle(paint, (left, top), (left + step, top + step), ink, -1)
    return paint


@lru_cache(maxsize=4)
def _paint_ground(kind: Ground, seed: int, size: tuple[int, int], mm: float) -> Paint:
    rng = np.random.default_rng([seed, 77])
    match kind:
        case "wood":
            return _paint_wood(rng, size, mm, 1.0)
        case "darkwood":
            return _paint_wood(rng, size, mm, 0.5)
        case "white":
            return _paint_even(rng, size, mm, 222, 2.5)
        case "dark":
            return _paint_even(rng, size, mm, 34, 2.5)
        case "felt":
            return _paint_felt(rng, size, mm)
        case "clutter":
            return _paint_clutter(rng, size, mm)


@lru_cache(maxsize=1)
def draw_ground(camera: RenderCamera, kind: Ground, seed: int) -> Linear:
    """The light of the bare table at the lens, linear; the last one is cached."""
    nodes, shape = make_mesh(camera.width, camera.height, 16)
    at = project_to_table(camera, nodes)
    low, high = _span(camera)
    mm = min(camera.focal / camera.distance, 5.0)
    mm = max(mm, 0.5)
    size = (math.ceil((high[0] - low[0]) * mm), math.ceil((high[1] - low[1]) * mm))
    maps = interpolate_mesh(((at - low) * mm - 0.5).reshape(*shape, 2), 16, (camera.width, camera.height))
    painted = _paint_ground(kind, seed, size, mm)
    xs, ys = cv2.split(maps)
    drawn = cv2.remap(painted, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return make_readonly(to_linear(np.asarray(drawn, np.uint8)))


def _span(camera: RenderCamera) -> tuple[Points, Points]:
    """The part of the table in the frame, widened to multiples of 60 mm so that a swaying camera keeps its table."""
    rim = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0], [0.5, 1], [0, 0.5], [1, 0.5]])
    at = project_to_table(camera, rim * [camera.width, camera.height])
    low, high = np.floor((at.min(0) - 20) / 60) * 60, np.ceil((at.max(0) + 20) / 60) * 60
    return low, high
