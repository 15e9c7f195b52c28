"""A screen that is spared when nobody looks: dimmed, then dark, never while it asks, and a dot aside each minute."""

from dataclasses import dataclass

from PIL import Image, ImageChops

from engine.view import View
from hw.panel.panel import Brightness

DIM_AFTER, OFF_AFTER = 120.0, 600.0
MINUTE = 60.0
PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Dots to the right and down; every screen leaves its last column and row free for that."""


@dataclass(frozen=True, slots=True)
class ScreenSaver:
    """``since`` is the last sign of people: a press, or a card that was accepted."""

    since: float = 0.0

    def light(self, now: float, *, asks: bool = False) -> Brightness:
        if asks or now - self.since < DIM_AFTER:
            return Brightness.BRIGHT
        return Brightness.DIM if now - self.since < OFF_AFTER else Brightness.OFF


def asks(view: View) -> bool:
    """Does it wait for an answer? An offer that is always there, or a menu between games, is no question."""
    return bool(view.offers) and (
        view.alert is not None or (len(view.offers) > 1 and bool(view.pads) and not view.over)
    )


def stirs(before: View, after: View) -> bool:
    """Has something happened that people want to see?"""
    return any(
        getattr(before, part) != getattr(after, part) for part in ("prompt", "turn", "pads", "alert", "offers", "over")
    )


def pixel_shift(now: float) -> tuple[int, int]:
    """Where the picture stands in this minute."""
    return PLACES[int(now // MINUTE) % len(PLACES)]


def moved(image: Image.Image, to: tuple[int, int]) -> Image.Image:
    return ImageChops.offset(image, *to) if any(to) else image
