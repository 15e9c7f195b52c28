"""Pictures on the surfaces of the studio: tables, card faces with their stickers, backs, markers and the room."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.printing.markers import BORDER_MODULES
from vision.tags.codebook import CODE_MODULES, EDGE_MM, QUIET_MODULES, draw_marker_modules, draw_pattern

Picture = NDArray[np.uint8]
Plane = NDArray[np.float32]

MODULE_PX = 10
"""Pixels of a module on the texture of a card."""
TABLE_PX_MM = 2.6
"""Finer than any camera of the studio sees the table from its distance, but for the largest pictures."""
FONT = cv2.FONT_HERSHEY_DUPLEX


def card_scale(sticker_mm: float) -> float:
    """Pixels for each mm of a card's texture, so that the modules of its sticker are whole pixels."""
    return MODULE_PX * (CODE_MODULES + 2 * QUIET_MODULES) / sticker_mm


def draw_face(game: str, piece: str, payload: str, size_mm: tuple[float, float], sticker_mm: float) -> Picture:
    """A card's face as BGRA; alpha is 255 on the paper of the sticker."""
    scale = card_scale(sticker_mm)
    w, h = (round(side * scale) for side in size_mm)
    number = int("".join(c for c in piece if c.isdigit()) or 0)
    face = _nimmt_face(number, w, h) if game == "nimmt" else _the_game_face(number, w, h)
    out = np.dstack([face, np.zeros((h, w), np.uint8)])
    side = (CODE_MODULES + 2 * QUIET_MODULES) * MODULE_PX
    inset = round(EDGE_MM * scale)
    code = np.full((side, side), 244, np.uint8)
    quiet = QUIET_MODULES * MODULE_PX
    dark = np.kron(draw_pattern(payload), np.ones((MODULE_PX, MODULE_PX), np.bool_))
    code[quiet : side - quiet, quiet : side - quiet][dark] = 28
    out[h - inset - side : h - inset, inset : inset + side] = np.dstack([code, code, code, np.full_like(code, 255)])
    return out


def _text(face: Picture, text: str, at: tuple[float, float], height: float, colour: tuple[int, int, int]) -> None:
    (wide, high), _ = cv2.getTextSize(text, FONT, 1.0, 1)
    scale = height / high
    thick = max(1, round(height / 9))
    origin = (round(at[0] - wide * scale / 2), round(at[1] + height / 2))
    cv2.putText(face, text, origin, FONT, scale, colour, thick, cv2.LINE_AA)


def _nimmt_face(number: int, w: int, h: int) -> Picture:
    heads = 7 if number == 55 else 5 if number % 11 == 0 else 3 if number % 10 == 0 else 2 if number % 5 == 0 else 1
    ground = {1: (235, 238, 238), 2: (210, 170, 90), 3: (70, 190, 235), 5: (75, 80, 215), 7: (150, 75, 130)}[heads]
    face = np.full((h, w, 3), 246, np.uint8)
    rim = round(w * 0.035)
    cv2.rectangle(face, (rim, rim), (w - rim, h - rim), ground, -1)
    centre = (w // 2, round(h * 0.45))
    horn = (40, 40, 46) if heads < 3 else (60, 30, 90)
    cv2.ellipse(face, centre, (round(w * 0.30), round(h * 0.22)), 0, 200, 340, horn, round(w * 0.05), cv2.LINE_AA)
    cv2.ellipse(
        face, (centre[0], round(h * 0.47)), (round(w * 0.17), round(h * 0.16)), 0, 0, 360, horn, -1, cv2.LINE_AA
    )
    _text(face, str(number), (w / 2, h * 0.46), h * 0.14, (250, 250, 250))
    for x in (0.14, 0.86):
        _text(face, str(number), (w * x, h * 0.065), h * 0.05, (20, 20, 20))
        _text(face, str(number), (w * x, h * 0.935), h * 0.05, (20, 20, 20))
    for k in range(heads):
        at = (round(w * (0.5 + (k - (heads - 1) / 2) * 0.09)), round(h * 0.065))
        cv2.circle(face, at, round(w * 0.028), horn, -1, cv2.LINE_AA)
    return face


def _the_game_face(number: int, w: int, h: int) -> Picture:
    t = np.linspace(0, 1, h)[:, None, None]
    hue = np.array([[[(number * 9) % 180, 170, 130]]], np.uint8)
    far = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)
    face = np.broadcast_to((1 - t) * far + t * np.array([30, 26, 30]), (h, w, 3)).astype(np.uint8).copy()
    rng = np.random.default_rng(number)
    for _ in range(7):
        points = rng.uniform((0, 0), (w, h), (3, 2)).astype(np.int32)
        cv2.polylines(face, [points], False, (200, 200, 205), 6, cv2.LINE_AA)
    _text(face, str(number), (w / 2, h * 0.42), h * 0.22, (235, 235, 240))
    for x, y in ((0.14, 0.07), (0.86, 0.07), (0.86, 0.93)):
        _text(face, str(number), (w * x, h * y), h * 0.055, (235, 235, 240))
    return face


def draw_back(print_name: str, colour: tuple[int, int, int], rim_mm: float, size_mm: tuple[float, float]) -> Picture:
    """A card's back as BGRA; ``colour`` is BGR, a rim of 0 prints to the edge."""
    scale = 8.0
    w, h = (round(side * scale) for side in size_mm)
    back = np.full((h, w, 3), colour, np.uint8)
    blue, green, red = (int(c + (255 - c) * 0.55) for c in colour)
    light = (blue, green, red)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    match print_name:
        case "lattice":
            mesh = (np.abs(np.sin((x + y) * math.pi / 24)) < 0.22) | (np.abs(np.sin((x - y) * math.pi / 24)) < 0.22)
            back[mesh] = light
        case "rays":
            a = np.arctan2(y - h / 2, x - w / 2)
            back[np.sin(a * 14) > 0.1] = light
        case "numbers":
            rng = np.random.default_rng(5)
            for _ in range(70):
                at = rng.uniform((0, 0), (w, h))
                _text(back, str(rng.integers(1, 105)), (at[0], at[1]), h * 0.05, light)
        case "bull":
            for angle in (0, 180):
                spun = np.zeros((h, w), np.uint8)
                cv2.ellipse(spun, (w // 2, round(h * 0.3)), (round(w * 0.3), round(h * 0.16)), 0, 190, 350, 255, 26)
                cv2.circle(spun, (w // 2, round(h * 0.28)), round(w * 0.16), 255, -1)
                back[(spun if angle == 0 else spun[::-1, ::-1]) > 0] = light
        case _:
            pass
    rim = round(rim_mm * scale)
    if rim:
        inner = back[rim : h - rim, rim : w - rim].copy()
        back[:] = (240, 243, 244)
        back[rim : h - rim, rim : w - rim] = inner
    return np.dstack([back, np.zeros((h, w), np.uint8)])


def draw_marker_picture(corner: str) -> Picture:
    """A marker with its white border."""
    modules = np.pad(draw_marker_modules(corner), BORDER_MODULES)
    return np.where(np.kron(modules, np.ones((40, 40), np.bool_)), np.uint8(30), np.uint8(243))


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Plane:
    """Noise of about mean 0 and deviation 1 with features of ``cell`` pixels (down, across)."""
    small = rng.standard_normal((math.ceil(shape[0] / cell[0]) + 3, math.ceil(shape[1] / cell[1]) + 3))
    large = cv2.resize(small.astype(np.float32), None, fx=cell[1], fy=cell[0], interpolation=cv2.INTER_CUBIC)
    return np.asarray(large[: shape[0], : shape[1]])


def draw_table(name: str, size_mm: tuple[float, float], seed: int) -> Picture:
    """The top of a table as BGR."""
    rng = np.random.default_rng([seed, 77])
    w, h = (round(side * TABLE_PX_MM) for side in size_mm)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / TABLE_PX_MM
    drawn: NDArray[np.float32]
    match name:
        case "gingham":
            side = float(rng.uniform(9, 22))
            ink = ((40, 40, 190), (160, 90, 40), (70, 120, 40))[int(rng.integers(3))]
            cover = ((x // side) % 2 + (y // side) % 2) / 2
            drawn = _blend((232, 236, 238), ink, cover)
            drawn += 3 * _weave(x, y, 1.1)[..., None]
        case "stripes":
            a = float(rng.uniform(-1.2, 1.2))
            side = float(rng.uniform(14, 34))
            ink = ((60, 110, 30), (150, 90, 30), (40, 40, 170))[int(rng.integers(3))]
            cover = np.clip((np.sin((x * math.cos(a) + y * math.sin(a)) * math.pi / side) * side / 1.2) + 0.5, 0, 1)
            drawn = _blend((222, 226, 228), ink, cover)
            drawn += 3 * _weave(x, y, 1.0)[..., None]
        case "marble":
            warp = 26 * smooth_noise(rng, (h, w), (190, 190)) + 9 * smooth_noise(rng, (h, w), (60, 60))
            vein = np.abs(np.sin((x + 0.6 * y + warp * 1.4) / 55))
            fine = np.abs(np.sin((x - 0.9 * y + warp * 2.2) / 31))
            cover = np.clip(0.75 * np.exp(-vein * 9) + 0.35 * np.exp(-fine * 13), 0, 0.85)
            cover *= np.clip(0.6 + 0.4 * smooth_noise(rng, (h, w), (150, 150)), 0.1, 1)
            drawn = _blend((226, 228, 230), (118, 116, 112), cover)
            drawn += 3 * smooth_noise(rng, (h, w), (90, 90))[..., None]
        case "laminate":
            drawn = np.full((h, w, 3), (196, 208, 214), np.float32)
            drawn += (
                4 * smooth_noise(rng, (h, w), (3, 3))[..., None] + 3 * smooth_noise(rng, (h, w), (120, 120))[..., None]
            )
        case "green-felt" | "red-felt":
            base = (52, 92, 24) if name == "green-felt" else (34, 28, 128)
            drawn = np.full((h, w, 3), base, np.float32)
            fibre = (
                smooth_noise(rng, (h, w), (2, 2))
                + smooth_noise(rng, (h, w), (3, 6))
                + smooth_noise(rng, (h, w), (6, 3))
            )
            drawn *= (1 + 0.07 * fibre + 0.05 * smooth_noise(rng, (h, w), (160, 160)))[..., None]
        case "dark-cloth":
            base = ((48, 40, 36), (62, 40, 30), (44, 44, 50))[int(rng.integers(3))]
            drawn = np.full((h, w, 3), base, np.float32)
            drawn *= (1 + 0.10 * _weave(x, y, 1.2) + 0.06 * smooth_noise(rng, (h, w), (3, 3)))[..., None]
        case "light-wood" | "dark-wood":
            drawn = _wood(rng, x, y, light=name == "light-wood")
        case _:
            drawn = np.full((h, w, 3), (228, 231, 232), np.float32)
            drawn += 2 * smooth_noise(rng, (h, w), (140, 140))[..., None] + smooth_noise(rng, (h, w), (3, 3))[..., None]
    return np.clip(drawn, 0, 255).astype(np.uint8)


def _blend(a: tuple[int, ...], b: tuple[int, ...], cover: Plane) -> NDArray[np.float32]:
    first, second = np.array(a, np.float32), np.array(b, np.float32)
    return np.asarray(first + (second - first) * cover[..., None], np.float32)


def _weave(x: Plane, y: Plane, pitch: float) -> Plane:
    return np.asarray(np.sin(x * 2 * math.pi / pitch) + np.sin(y * 2 * math.pi / pitch), np.float32)


def _wood(rng: np.random.Generator, x: Plane, y: Plane, *, light: bool) -> NDArray[np.float32]:
    shape = (x.shape[0], x.shape[1])
    plank = float(rng.uniform(80, 180))
    number = np.floor(y / plank)
    shift = np.sin(number * 12.9898) * 43.75
    along = smooth_noise(rng, shape, (26, 420)) + 0.6 * smooth_noise(rng, shape, (9, 260))
    rings = np.sin((y + shift * 7 + along * 7) / 3.4)
    pore = smooth_noise(rng, shape, (2, 34))
    tone = 1 + 0.07 * rings + 0.06 * along + 0.05 * pore + 0.06 * np.sin(number * 78.233 + 1)
    tone *= np.where(np.abs(y / plank - np.round(y / plank)) * plank < 0.5, 0.72, 1.0)
    base = (128, 172, 204) if light else (34, 50, 76)
    return np.asarray(np.array(base, np.float32) * tone[..., None], np.float32)


def draw_room(seed: int) -> Picture:
    """The room around the table as a panorama: light ceiling, walls, dark things, a brighter side."""
    rng = np.random.default_rng([seed, 99])
    h, w = 64, 128
    up = np.linspace(1, -1, h, dtype=np.float32)[:, None]
    tone = np.where(up > 0.45, 200, np.where(up > -0.1, 165, 80)) * np.ones((1, w), np.float32)
    tone = tone * (1 + 0.25 * np.sin(np.linspace(0, 2 * math.pi, w) + rng.uniform(0, 6)))[None]
    for _ in range(6):
        left, top = int(rng.integers(0, w - 14)), int(rng.integers(h // 3, h // 2))
        tone[top : top + int(rng.integers(6, 18)), left : left + int(rng.integers(4, 14))] *= rng.uniform(0.3, 0.8)
    grey = cv2.GaussianBlur(tone.astype(np.float32), (0, 0), 1.2)
    return np.clip(np.dstack([grey * 0.97, grey, grey * 1.0]), 0, 255).astype(np.uint8)
