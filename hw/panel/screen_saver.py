"""Screen saver: dim, then off without activity, never during a question; and a pixel shift each minute."""

from dataclasses import dataclass

from PIL import Image, ImageChops

from engine.view import View
from hw.panel.panel import Brightness

DIM_AFTER_S, OFF_AFTER_S = 120.0, 600.0
SHIFT_EVERY_S = 60.0
SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Offsets to the right and down; every screen leaves its last column and row dark for that."""


@dataclass(frozen=True, slots=True)
class ScreenSaver:
    """``since`` is the last activity: a press, or an accepted card."""

    since: float = 0.0

    def light(self, now: float, *, asks: bool = False) -> Brightness:
        if asks or now - self.since < DIM_AFTER_S:
            return Brightness.BRIGHT
        return Brightness.DIM if now - self.since < OFF_AFTER_S else Brightness.OFF


def awaits_answer(view: View) -> bool:
    """Does the view wait for an answer? A permanent offer or a menu between games is no question."""
    return bool(view.offers) and (
        view.alert is not None or (len(view.offers) > 1 and bool(view.pads) and not view.over)
    )


def is_news(before: View, after: View) -> bool:
    """Is this change worth waking the screen?"""
    return any(
        getattr(before, part) != getattr(after, part)
        for part in ("prompt", "turn", "pads", "alert", "offers", "over", "news")
    )


def pixel_shift(now: float) -> tuple[int, int]:
    """The offset of the picture in this minute, against burn-in."""
    return SHIFTS[int(now // SHIFT_EVERY_S) % len(SHIFTS)]


def shift_image(image: Image.Image, to: tuple[int, int]) -> Image.Image:
    return ImageChops.offset(image, *to) if any(to) else image
