"""A reader that knows the true position of every code: what it cannot identify, no camera can read."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey, shrink_frame
from vision.live.picture_notes import note_brightness
from vision.render import Scene, find_truth
from vision.tags.codebook import BOOK, CODE_MODULES, CODES, draw_pattern

MAX_COVERED = 0.1
"""Share of a code that may be hidden for the code to count."""
_STEPS = np.arange(CODE_MODULES, dtype=np.float32) + np.float32(0.5)
_CENTRES = np.stack(np.meshgrid(_STEPS, _STEPS), -1).reshape(-1, 1, 2)
_SQUARE = np.array([[0, 0], [CODE_MODULES, 0], [CODE_MODULES, CODE_MODULES], [0, CODE_MODULES]], np.float32)


def is_unreadable(grey: Grey, scene: Scene, shift: tuple[float, float] = (0.0, 0.0)) -> bool:
    """Is the picture too dark or too bright, or are fewer than half of its uncovered codes identifiable?

    ``shift`` is by how many pixels the picture of the scene was moved afterwards.
    """
    if note_brightness(shrink_frame(grey)):
        return True
    told = [
        _told(grey, tag.payload, tag.corners, shift) for tag in find_truth(scene).tags if tag.covered <= MAX_COVERED
    ]
    return sum(told) * 2 < len(told)


def _told(grey: Grey, payload: str, corners: tuple[tuple[float, float], ...], shift: tuple[float, float]) -> bool:
    """Are the modules more similar to the true code than to any other code of the game?"""
    placed = np.array(corners, np.float32) + np.array(shift, np.float32)
    at = cv2.perspectiveTransform(_CENTRES, cv2.getPerspectiveTransform(_SQUARE, placed))
    xs, ys = cv2.split(np.asarray(at, np.float32))
    seen = np.asarray(cv2.remap(grey, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64).ravel()
    payloads, printed = _book(BOOK[payload].game)
    return payloads[int((printed @ (seen - seen.mean())).argmax())] == payload


@cache
def _book(game: str) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """The payloads of a game and their modules, light ones high, each code normalised."""
    payloads = tuple(code.payload for code in CODES if code.game == game)
    printed = np.stack([~draw_pattern(payload) for payload in payloads]).reshape(len(payloads), -1).astype(np.float64)
    printed -= printed.mean(1, keepdims=True)
    return payloads, np.asarray(printed / np.linalg.norm(printed, axis=1, keepdims=True))
