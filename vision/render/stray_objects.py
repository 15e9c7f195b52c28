"""Objects that do not belong to a game: arms in sleeves, mugs, phones, a sheet of paper."""

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.render.ground import make_waves
from vision.render.layer_compositing import Paint
from vision.render.projection import Points
from vision.render.scene import Arm, StrayObject

SLEEVE_COLOURS = ((120, 84, 52), (60, 58, 56), (70, 80, 150), (190, 196, 200), (96, 120, 70))
SIZE_MM = {"mug": (118.0, 92.0), "phone": (74.0, 152.0), "paper": (148.0, 105.0)}


@lru_cache(maxsize=16)
def _paint_cloth(sleeve: int, long: int, broad: int) -> tuple[Paint, Paint]:
    rng = np.random.default_rng([sleeve, 3])
    folds = make_waves(rng, (long, broad), 60, 400) * 0.06 + make_waves(rng, (long, broad), 9, 9) * 0.03
    across = np.linspace(-1, 1, broad)[:, None]
    round_ = 0.55 + 0.45 * np.sqrt(np.maximum(0, 1 - across**2))
    tone = (1 + folds) * round_
    paint = np.clip(np.array(SLEEVE_COLOURS[sleeve % len(SLEEVE_COLOURS)]) * tone[..., None], 0, 255).astype(np.uint8)
    return paint, np.full((broad, long), 255, np.uint8)


def _measure_arm(arm: Arm) -> tuple[float, float, float]:
    """Length and direction of the arm."""
    dx, dy = arm.hand[0] - arm.start[0], arm.hand[1] - arm.start[1]
    length = max(1.0, math.hypot(dx, dy))
    return length, dx / length, dy / length


def draw_sleeve(arm: Arm) -> tuple[Paint, Paint, Points]:
    """The cloth of the sleeve, its mask and its four corners in space."""
    length, ux, uy = _measure_arm(arm)
    paint, mask = _paint_cloth(arm.sleeve, 480, 96)
    w, wrist = arm.width / 2, arm.width * 0.36
    end = length - 125
    flat = np.array(
        [
            [arm.start[0] - uy * -w, arm.start[1] + ux * -w],
            [arm.start[0] + ux * end - uy * -wrist, arm.start[1] + uy * end + ux * -wrist],
            [arm.start[0] + ux * end - uy * wrist, arm.start[1] + uy * end + ux * wrist],
            [arm.start[0] - uy * w, arm.start[1] + ux * w],
        ]
    )
    return paint, mask, np.column_stack([flat, np.full(4, arm.lift)])


@lru_cache(maxsize=4)
def _paint_palm() -> tuple[Paint, Paint]:
    """A hand pointing right: a palm, four fingers, a thumb."""
    mask: Paint = np.zeros((260, 400), np.uint8)
    cv2.ellipse(mask, (120, 130), (125, 82), 0, 0, 360, 255, -1, cv2.LINE_AA)
    for i, (reach, lean) in enumerate(((345, -14), (385, -3), (372, 6), (322, 20))):
        y = 78 + 34 * i
        cv2.line(mask, (150, y), (reach - 20, y + lean), 255, 34, cv2.LINE_AA)
    cv2.line(mask, (110, 190), (240, 236), 255, 38, cv2.LINE_AA)
    depth = cv2.GaussianBlur(mask, (0, 0), 12).astype(np.float32)[..., None] / 255
    rng = np.random.default_rng(4)
    tone = 0.62 + 0.4 * depth + 0.03 * make_waves(rng, (400, 260), 12, 12)[..., None]
    paint = np.clip(np.array([128, 162, 208]) * tone, 0, 255).astype(np.uint8)
    return paint, mask


def draw_hand(arm: Arm) -> tuple[Paint, Paint, Points]:
    """The hand, its mask and the corners of its box in space; the fingers end at ``arm.hand``."""
    _, ux, uy = _measure_arm(arm)
    paint, mask = _paint_palm()
    long, half = 185.0, 60.0
    tip = np.array(arm.hand)
    along, side = np.array([ux, uy]), np.array([-uy, ux])
    flat = np.stack(
        [
            tip - along * long - side * half,
            tip - side * half,
            tip + side * half,
            tip - along * long + side * half,
        ]
    )
    return paint, mask, np.column_stack([flat, np.full(4, arm.lift * 0.6)])


@lru_cache(maxsize=8)
def draw_object(kind: str) -> tuple[Paint, Paint]:
    """The texture of an object from above, and its mask."""
    wide, high = (round(side * 4) for side in SIZE_MM[kind])
    paint: Paint = np.full((high, wide, 3), (38, 34, 32), np.uint8)
    mask: Paint = np.zeros((high, wide), np.uint8)
    if kind == "mug":
        r = high // 2 - 2
        middle = (r + 2, high // 2)
        for canvas, glaze in ((paint, (196, 150, 92)), (mask, (255, 255, 255))):
            cv2.circle(canvas, middle, r, glaze, -1, cv2.LINE_AA)
            cv2.ellipse(canvas, (2 * r - 4, high // 2), (90, 60), 0, -80, 80, glaze, 34, cv2.LINE_AA)
        cv2.circle(paint, middle, r - 14, (28, 44, 66), -1, cv2.LINE_AA)
        cv2.circle(paint, middle, r - 14, (150, 110, 64), 6, cv2.LINE_AA)
        cv2.ellipse(paint, (r - 40, high // 2 - 50), (60, 26), 30, 0, 360, (120, 130, 140), -1, cv2.LINE_AA)
    elif kind == "phone":
        cv2.rectangle(mask, (20, 20), (wide - 20, high - 20), 255, 40)
        cv2.rectangle(mask, (20, 20), (wide - 20, high - 20), 255, -1)
        paint[24:-24, 18:-18] = np.linspace(40, 110, high - 48)[:, None, None]
        cv2.putText(paint, "20:47", (70, 140), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (230, 230, 230), 4, cv2.LINE_AA)
    else:
        paint[:] = (226, 230, 230)
        mask[:] = 255
        for line in range(9):
            y = 50 + 40 * line
            cv2.line(paint, (40, y), (wide - 60 - 37 * (line % 3), y), (120, 70, 50), 4, cv2.LINE_AA)
    return paint, mask


def find_object_size(piece: StrayObject) -> tuple[float, float]:
    return SIZE_MM[piece.kind]
