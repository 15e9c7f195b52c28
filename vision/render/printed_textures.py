"""Printed textures: faces and backs of cards, stickers, corner markers."""

import math
from functools import lru_cache

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from vision.render.layer_compositing import Paint
from vision.render.scene import DrawnCard, ForeignCode
from vision.tags.codebook import QUIET_MODULES, draw_pattern

INK_LEVEL, PAPER_LEVEL = 28, 236
TEXTURE_PX_MM = 8
"""Texture pixels per mm of card."""
TEXTURE_PX_MODULE = 12
"""Texture pixels per module of a code."""
SHRINK_FACTOR = 1.25
COLOURS = (
    (226, 240, 244),
    (60, 190, 238),
    (196, 140, 62),
    (66, 66, 196),
    (92, 168, 92),
    (184, 92, 148),
    (44, 42, 42),
    (170, 200, 120),
)


def print_code(dark: NDArray[np.bool_], quiet: int, module: int = TEXTURE_PX_MODULE) -> Paint:
    """Dark modules on white paper with a quiet zone."""
    cells = np.pad(~dark, quiet, constant_values=True).astype(np.uint8)
    return cells.repeat(module, 0).repeat(module, 1) * np.uint8(PAPER_LEVEL - INK_LEVEL) + np.uint8(INK_LEVEL)


def choose_level(texture: float, wanted: float) -> int:
    """How many times a texture may be shrunk by ``SHRINK_FACTOR`` and still be finer than wanted."""
    return max(0, int(math.log(texture / (1.1 * wanted)) / math.log(SHRINK_FACTOR))) if wanted < texture else 0


def _shrink(paint: Paint, times: int) -> Paint:
    if not times:
        return paint
    size = (round(paint.shape[1] / SHRINK_FACTOR**times), round(paint.shape[0] / SHRINK_FACTOR**times))
    return np.asarray(cv2.resize(paint, size, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=512)
def paint_sticker(payload: str, times: int = 0) -> Paint:
    return _shrink(print_code(np.asarray(draw_pattern(payload), dtype=np.bool_), QUIET_MODULES), times)


@lru_cache(maxsize=256)
def paint_foreign_code(code: ForeignCode) -> Paint:
    made = segno.make(code.text, version=code.version, error=code.error, mask=code.mask, boost_error=False, micro=False)
    dark = np.array([[bool(cell) for cell in row] for row in made.matrix])
    return print_code(~dark if code.inverted else dark, 2)


@lru_cache(maxsize=8)
def paint_marker(name: int) -> Paint:
    """A marker with a white rim a quarter of its size."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    grey = cv2.aruco.generateImageMarker(book, name, 240)
    framed = np.pad(grey, 60, constant_values=255)
    return np.where(framed > 127, PAPER_LEVEL, INK_LEVEL).astype(np.uint8)


def _draw_bull(paint: Paint, x: int, y: int, s: int, colour: tuple[int, int, int]) -> None:
    cv2.ellipse(paint, (x, y), (s // 2, s), 0, 0, 360, colour, -1, cv2.LINE_AA)
    horns = [[x - s, y - s], [x - s // 3, y - s // 2], [x + s // 3, y - s // 2], [x + s, y - s], [x, y]]
    cv2.fillPoly(paint, [np.array(horns)], colour, cv2.LINE_AA)


@lru_cache(maxsize=512)
def paint_card(game: str, piece: str, style: str, size: tuple[float, float], times: int) -> Paint:
    if style == "back":
        return _shrink(_draw_back(size), times)
    framed = style == "framed"
    return _shrink(_draw_framed_face(piece, size) if framed else _draw_face(game, piece, style, size), times)


@lru_cache(maxsize=64)
def paint_card_mask(size: tuple[float, float], times: int) -> Paint:
    return _shrink(_draw_outline(size), times)


def _draw_face(game: str, piece: str, style: str, size: tuple[float, float]) -> Paint:
    """The face of a card: its number large in the middle and small in the corners, on a plain or a busy picture."""
    rng = np.random.default_rng([ord(c) for c in f"{game} {piece}"])
    wide, high = round(size[0] * TEXTURE_PX_MM), round(size[1] * TEXTURE_PX_MM)
    base = COLOURS[0] if style == "plain" else COLOURS[int(rng.integers(0, len(COLOURS)))]
    paint: Paint = np.full((high, wide, 3), base, np.uint8)
    if style == "busy":
        frame = tuple(int(c) for c in rng.integers(0, 255, 3))
        cv2.rectangle(paint, (16, 16), (wide - 16, high - 16), frame, int(rng.integers(3, 12)))
        for _ in range(int(rng.integers(2, 9))):
            colour = (int(rng.integers(0, 255)), int(rng.integers(0, 255)), int(rng.integers(0, 255)))
            x, y = int(rng.integers(60, wide - 60)), int(rng.integers(80, high - 80))
            _draw_bull(paint, x, y, int(rng.integers(12, 46)), colour)
    ink = (24, 22, 22) if sum(base) > 300 else (238, 240, 240)
    word = piece.split(".")[0]
    scale = min(6.0, 0.8 * wide / (20 * len(word)))
    across = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, round(3 * scale))[0][0]
    at = ((wide - across) // 2, round(high * 0.6))
    cv2.putText(paint, word, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, round(3 * scale), cv2.LINE_AA)
    for x, y in ((24, 70), (wide - 24 - 26 * len(word), 70), (wide - 24 - 26 * len(word), high - 30)):
        cv2.putText(paint, word, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.3, ink, 3, cv2.LINE_AA)
    return paint


def _draw_framed_face(piece: str, size: tuple[float, float]) -> Paint:
    """The face of a card of one design: a white frame, one ground, a picture and the number in the middle and in all
    corners, the same when it is turned round."""
    number = int("".join(c for c in piece if c.isdigit()) or 0)
    kind = 4 if number % 11 == 0 else 3 if number % 10 == 0 else 2 if number % 5 == 0 else 1
    ground = {1: (238, 240, 240), 2: (214, 186, 120), 3: (96, 200, 238), 4: (104, 104, 222)}[kind]
    wide, high = round(size[0] * TEXTURE_PX_MM), round(size[1] * TEXTURE_PX_MM)
    paint: Paint = np.full((high, wide, 3), (246, 247, 247), np.uint8)
    rim = round(2.2 * TEXTURE_PX_MM)
    cv2.rectangle(paint, (rim, rim), (wide - rim, high - rim), ground, -1)
    ink = (44, 42, 42)
    middle, word = wide // 2, str(number)
    horns, nose = (round(wide * 0.31), round(high * 0.19)), (round(wide * 0.09), round(high * 0.045))
    at = (middle, round(high * 0.42))
    cv2.ellipse(paint, at, horns, 0, 10, 170, ink, round(wide * 0.05), cv2.LINE_AA)
    cv2.ellipse(paint, (middle, round(high * 0.66)), nose, 0, 0, 360, ink, 6, cv2.LINE_AA)
    across = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 6.0, 26)[0][0]
    at = (middle - across // 2, round(high * 0.56))
    cv2.putText(paint, word, at, cv2.FONT_HERSHEY_DUPLEX, 6.0, (250, 250, 250), 16, cv2.LINE_AA)
    corner = paint.copy()
    corner[:] = 0
    for x in (30, wide - 34 - 30 * len(word)):
        cv2.putText(corner, word, (x, 72), cv2.FONT_HERSHEY_DUPLEX, 1.4, (255, 255, 255), 4, cv2.LINE_AA)
    for n in range(kind):
        _draw_bull(corner, round(wide / 2 + (n - (kind - 1) / 2) * 40), 56, 13, (255, 255, 255))
    cover = np.maximum(corner, corner[::-1, ::-1]).astype(np.float32) / 255
    return np.asarray(paint * (1 - cover) + np.array(ink, np.float32) * cover, np.uint8)


def _draw_back(size: tuple[float, float]) -> Paint:
    """The back of a card: a lattice in a frame, the same on every card."""
    wide, high = round(size[0] * TEXTURE_PX_MM), round(size[1] * TEXTURE_PX_MM)
    paint: Paint = np.full((high, wide, 3), (228, 236, 238), np.uint8)
    inner = np.full((high - 60, wide - 60, 3), (120, 60, 40), np.uint8)
    ys, xs = np.mgrid[: inner.shape[0], : inner.shape[1]]
    lattice = ((xs + ys) % 44 < 8) | ((xs - ys) % 44 < 8)
    inner[lattice] = (200, 190, 150)
    paint[30:-30, 30:-30] = inner
    return paint


def _draw_outline(size: tuple[float, float]) -> Paint:
    """The mask of a card in its box: the corners are round."""
    wide, high, r = round(size[0] * TEXTURE_PX_MM), round(size[1] * TEXTURE_PX_MM), round(3.5 * TEXTURE_PX_MM)
    mask: Paint = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (r, 0), (wide - r - 1, high - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (wide - 1, high - r - 1), 255, -1)
    for x, y in ((r, r), (wide - r - 1, r), (r, high - r - 1), (wide - r - 1, high - r - 1)):
        cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def add_gloss(paint: Paint, laid: DrawnCard) -> Paint:
    """The card with gloss: a bright streak across it, where the lamp is mirrored."""
    high, wide = paint.shape[:2]
    rng = np.random.default_rng([round(abs(laid.x) * 10), round(abs(laid.y) * 10)])
    ys, xs = np.mgrid[0 : 1 : high * 1j, 0 : 1 : wide * 1j]
    slant, where = rng.uniform(-0.8, 0.8), rng.uniform(0.2, 0.8)
    off = (ys + slant * (xs - 0.5) - where) / rng.uniform(0.06, 0.2)
    streak = (255 * laid.gloss * np.exp(-(off**2)))[..., None]
    out: Paint = np.clip(paint + streak, 0, 255).astype(np.uint8)
    return out
