"""Where something changed since the last look, or since the table was empty: what is worth reading."""

import cv2
import numpy as np

from vision import unseen
from vision.frames import Grey
from vision.locate import Box, boxes_of
from vision.mat import Mat

# grey levels by which a shrunken picture changes where something moved
CHANGED = 8.0


def changed(small: Grey, before: Grey, shape: tuple[int, int]) -> list[Box]:
    """Boxes, in full pixels, where a shrunken picture differs from the one before, its light apart."""
    if small.shape != before.shape:
        return [(0, 0, shape[1], shape[0])]
    gain = (cv2.mean(small)[0] + 1) / (cv2.mean(before)[0] + 1)
    gap = cv2.blur(cv2.absdiff(small, cv2.convertScaleAbs(before, alpha=gain)), (3, 3))
    moved_ = cv2.dilate((gap > CHANGED).astype(np.uint8), np.ones((5, 5), np.uint8))
    if not cv2.countNonZero(moved_):
        return []
    return boxes_of(np.asarray(moved_, np.uint8), shape[1] / small.shape[1], shape)


def occupied(now: unseen.View, empty: unseen.View, mat: Mat, shape: tuple[int, int]) -> list[Box] | None:
    """Boxes, in full pixels, around everything that was not there when the table was empty."""
    if now.light.shape != empty.light.shape:
        return None
    boxes = []
    for area in unseen.areas(unseen.foreign(now, empty, ())):
        ring = [
            (area.left, area.top),
            (area.right, area.top),
            (area.right, area.bottom),
            (area.left, area.bottom),
        ]
        px = mat.to_px(np.array(ring))
        left, top = np.floor(px.min(0)).astype(int).tolist()
        right, bottom = np.ceil(px.max(0)).astype(int).tolist()
        boxes.append((left, top, right, bottom))
    return boxes


def grown(box: Box, wide: float, shape: tuple[int, int]) -> Box:
    left, top, right, bottom = box
    more = round(wide)
    return max(0, left - more), max(0, top - more), min(shape[1], right + more), min(shape[0], bottom + more)


def joined(boxes: list[Box], shape: tuple[int, int]) -> list[Box]:
    """Boxes that overlap made one: no place is read twice."""
    mask = np.zeros((shape[0] // 16 + 1, shape[1] // 16 + 1), np.uint8)
    for left, top, right, bottom in boxes:
        mask[top // 16 : bottom // 16 + 1, left // 16 : right // 16 + 1] = 1
    return boxes_of(mask, 16, shape)
