"""Stickers pasted on photo-like noise: a second, simpler source of pictures, independent of the renderer."""

from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tags.codebook import draw_pattern

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PastedSticker:
    """One pasted sticker: its text, the corners of its code (TL TR BR BL), its covered share."""

    payload: str
    corners: NDArray[np.float64]
    covered: float = 0.0


def make_photo(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """Noise of every scale with hard edges in it, similar to a photograph of a room."""
    image = np.full((height, width), rng.uniform(70, 190), np.float32)
    scale = 2.0
    while scale < max(height, width):
        small = rng.standard_normal((int(height / scale) + 2, int(width / scale) + 2)).astype(np.float32)
        image += cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC) * rng.uniform(1, 7)
        scale *= 2.3
    for _ in range(int(height * width / 12000)):
        middle = rng.uniform(0, 1, 2) * (width, height)
        points = middle + rng.normal(0, rng.uniform(4, 60), (int(rng.integers(3, 7)), 2))
        shade = float(rng.uniform(15, 240))
        if rng.random() < 0.5:
            cv2.fillPoly(image, [points.astype(np.int32)], shade, cv2.LINE_AA)
        else:
            cv2.polylines(image, [points.astype(np.int32)], True, shade, int(rng.integers(1, 6)), cv2.LINE_AA)
    return image


def draw_sticker(modules: NDArray[np.bool_], quiet: int = 2, scale: int = 12) -> NDArray[np.float32]:
    """A printed code as paper and ink, with its white border."""
    printed = np.pad(np.where(modules, 24.0, 232.0), quiet, constant_values=232.0)
    return np.kron(printed, np.ones((scale, scale))).astype(np.float32)


def paste_sticker(
    image: NDArray[np.float32],
    modules: NDArray[np.bool_],
    corners: NDArray[np.float64],
    bend: float = 0.0,
    quiet: int = 2,
) -> None:
    """Draw a sticker so that the corners of its code are at ``corners``, bulging by ``bend`` modules."""
    scale, fine = 12, 4
    count = len(modules)
    art = draw_sticker(modules, quiet, scale)
    outline = np.array([[0, 0], [count, 0], [count, count], [0, count]], np.float32)
    to_px = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    rim = np.array([[[-quiet, -quiet], [count + quiet, -quiet], [count + quiet] * 2, [-quiet, count + quiet]]], float)
    reach = cv2.perspectiveTransform(rim, to_px)[0]
    left, top = np.floor(reach.min(0)).astype(int) - 3
    right, bottom = np.ceil(reach.max(0)).astype(int) + 4
    left, top = max(0, left), max(0, top)
    right, bottom = min(image.shape[1], right), min(image.shape[0], bottom)
    if right - left < 2 or bottom - top < 2:
        return
    ys, xs = np.mgrid[0 : (bottom - top) * fine, 0 : (right - left) * fine].astype(np.float64)
    places = np.stack([left + (xs + 0.5) / fine - 0.5, top + (ys + 0.5) / fine - 0.5], -1)
    code = cv2.perspectiveTransform(places.reshape(1, -1, 2), np.linalg.inv(to_px)).reshape(*xs.shape, 2)
    if bend:
        code[..., 1] += bend * np.sin(code[..., 0] / count * np.pi)
    at = ((code + quiet) * scale - 0.5).astype(np.float32)
    drawn = cv2.remap(art, at, None, cv2.INTER_LINEAR)
    inside = ((code > -quiet) & (code < count + quiet)).all(-1).astype(np.float32)
    size = (right - left, bottom - top)
    drawn = cv2.resize(drawn * inside, size, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(inside, size, interpolation=cv2.INTER_AREA)
    part = image[top:bottom, left:right]
    part *= 1 - inside
    part += drawn


def make_square(
    x: float, y: float, side: float, angle: float, tilt: float = 0.0, toward: float = 0.0
) -> NDArray[np.float64]:
    """Corners of a square seen from above, leaning by ``tilt`` degrees, with little perspective."""
    turn, lean = radians(angle), radians(toward)
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    unit = unit @ np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    axes = np.array([[cos(lean), sin(lean)], [-sin(lean), cos(lean)]])
    along = unit @ axes.T
    depth = 1 + along[:, 0] * sin(radians(tilt)) / (side * 40)
    along[:, 0] *= cos(radians(tilt))
    return np.array([x, y]) + (along / depth[:, None]) @ axes


@dataclass(frozen=True, slots=True)
class Degradation:
    """What degrades a picture of a table."""

    blur: float = 0.6
    far_blur: float = 0.0
    noise: float = 2.0
    shade: float = 0.3
    gain: float = 1.0
    gloss: int = 0
    streak: float = 0.0


def degrade(rng: np.random.Generator, image: NDArray[np.float32], weather: Degradation) -> Picture:
    """Light, lens and sensor: soft shadows, gloss, depth of field, motion, noise."""
    height, width = image.shape
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    light = np.ones_like(image)
    for _ in range(4):
        edge = (xs - rng.uniform(0, width)) * cos(a := rng.uniform(0, 6.28)) + (ys - rng.uniform(0, height)) * sin(a)
        light *= 1 - weather.shade * rng.uniform(0.2, 1) / (1 + np.exp(-np.clip(edge / rng.uniform(4, 80), -30, 30)))
    image = image * light * weather.gain
    for _ in range(weather.gloss):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        image += rng.uniform(40, 200) * np.exp(
            -(((xs - x) / rng.uniform(8, 60)) ** 2) - ((ys - y) / rng.uniform(8, 60)) ** 2
        )
    if weather.streak:
        size = 2 * int(weather.streak) + 5
        kernel = np.zeros((size * 8, size * 8), np.float32)
        middle, turn = size * 4, rng.uniform(0, 3.14)
        reach = np.array([cos(turn), sin(turn)]) * weather.streak * 4
        a, b = (middle - reach).astype(int).tolist(), (middle + reach).astype(int).tolist()
        cv2.line(kernel, a, b, 1.0, 4, cv2.LINE_AA)
        kernel = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    sharp = cv2.GaussianBlur(image, (0, 0), weather.blur) if weather.blur else image
    if weather.far_blur:
        soft = cv2.GaussianBlur(image, (0, 0), weather.far_blur)
        near = ys / height
        sharp = sharp * near + soft * (1 - near)
    sharp = np.clip(sharp, 0, 255)
    sharp += rng.standard_normal(image.shape).astype(np.float32) * weather.noise * np.sqrt(0.4 + sharp / 200)
    return np.clip(np.round(sharp), 0, 255).astype(np.uint8)


def paste_stickers(
    seed: int,
    payloads: tuple[str, ...],
    px: float,
    *,
    tilt: float = 5.0,
    weather: Degradation | None = None,
    covered: float = 0.0,
    bend: float = 0.0,
    quiet: int = 2,
) -> tuple[Picture, tuple[PastedSticker, ...]]:
    """Stickers at ``px`` pixels per module, at random angles, on photo-like noise."""
    rng = np.random.default_rng(seed)
    pitch = int(px * 21 * 2.2) + 8
    columns = max(1, int(np.ceil(len(payloads) ** 0.5)))
    rows = -(-len(payloads) // columns)
    image = make_photo(rng, rows * pitch, columns * pitch)
    stuck = []
    for at, payload in enumerate(payloads):
        row, column = divmod(at, columns)
        x, y = (np.array([column, row]) + 0.5) * pitch + rng.uniform(-0.1, 0.1, 2) * pitch
        corners = make_square(x, y, 21 * px, rng.uniform(0, 360), tilt, rng.uniform(0, 360))
        if rng.random() < 0.7:
            card = make_square(x, y, 21 * px * 1.9, rng.uniform(0, 360)).astype(np.int32)
            cv2.fillPoly(image, [card], float(rng.uniform(30, 240)), cv2.LINE_AA)
        paste_sticker(image, draw_pattern(payload), corners, bend * rng.uniform(-1, 1), quiet)
        part = 0.0
        if covered and rng.random() < 0.5:
            part = rng.uniform(0.04, covered)
            a, b, c, d = np.roll(corners, int(rng.integers(4)), axis=0)
            cover = np.array([a - (d - a) * 0.2, b - (c - b) * 0.2, b + (c - b) * part, a + (d - a) * part])
            cv2.fillPoly(image, [cover.astype(np.int32)], float(rng.uniform(40, 200)), cv2.LINE_AA)
        stuck.append(PastedSticker(payload, corners, part))
    return degrade(rng, image, weather or Degradation()), tuple(stuck)
