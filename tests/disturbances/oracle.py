"""A reader that knows where every code of a picture lies: what it cannot tell from the modules, no camera sees."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey, shrink_frame
from vision.live.picture_notes import note_brightness
from vision.render import Scene, find_truth
from vision.tags.codebook import BOOK, CODE_MODULES, CODES, draw_pattern

MAX_COVERED = 0.1
"""A code of which more is hidden is not counted."""
_STEPS = np.arange(CODE_MODULES, dtype=np.float32) + np.float32(0.5)
_CENTRES = np.stack(np.meshgrid(_STEPS, _STEPS), -1).reshape(-1, 1, 2)
_SQUARE = np.array([[0, 0], [CODE_MODULES, 0], [CODE_MODULES, CODE_MODULES], [0, CODE_MODULES]], np.float32)


def is_unreadable(grey: Grey, scene: Scene, shift: tuple[float, float] = (0.0, 0.0)) -> bool:
    """Is the picture dark or burnt out, or can fewer than half of the codes that lie open in it be told from others?

    ``shift`` is by how many pixels the picture of the scene was moved afterwards.
    """
    if note_brightness(shrink_frame(grey)):
        return True
    told = [
        _told(grey, tag.payload, tag.corners, shift) for tag in find_truth(scene).tags if tag.covered <= MAX_COVERED
    ]
    return sum(told) * 2 < len(told)


def _told(grey: Grey, payload: str, corners: tuple[tuple[float, float], ...], shift: tuple[float, float]) -> bool:
    """Do the modules agree with what is printed there better than with any other code of the game?"""
    placed = np.array(corners, np.float32) + np.array(shift, np.float32)
    at = cv2.perspectiveTransform(_CENTRES, cv2.getPerspectiveTransform(_SQUARE, placed))
    xs, ys = cv2.split(np.asarray(at, np.float32))
    seen = np.asarray(cv2.remap(grey, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64).ravel()
    payloads, printed = _book(BOOK[payload].game)
    return payloads[int((printed @ (seen - seen.mean())).argmax())] == payload


@cache
def _book(game: str) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """The codes of a game, and their modules, light ones high, all of the same weight."""
    payloads = tuple(code.payload for code in CODES if code.game == game)
    printed = np.stack([~draw_pattern(payload) for payload in payloads]).reshape(len(payloads), -1).astype(np.float64)
    printed -= printed.mean(1, keepdims=True)
    return payloads, np.asarray(printed / np.linalg.norm(printed, axis=1, keepdims=True))
