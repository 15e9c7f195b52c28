"""The thread of a screen: it has one slot, so that a slow screen draws only the newest frame."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition

from PIL import Image

from engine.text import Text, say
from engine.view import View
from firmware.box.flow_stack import Box
from firmware.journal.operation_types import Names
from firmware.runtime.screen_text import render_screen
from firmware.texts.render import render
from hw.button_presses import Holding, PressKind
from hw.panel.panel import SIZE, Brightness
from hw.panel.screen import draw_hold_bar, draw_screen
from hw.panel.screen_saver import shift_image

REDRAW_INTERVAL_S = 1.0
"""Seconds after which the same frame is drawn again: so a panel that lost its wire is tried again."""


HOLD_TEXTS = {PressKind.RESTART: say("hold_restart"), PressKind.OFF: say("hold_off")}
"""The text beside the bar of a held button, for presses with an effect beyond the menu."""


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """Everything that a screen draws: ``note`` is a transient message, ``holding`` the bar of a held button,
    ``light`` the brightness, and ``offset`` moves the picture by a few dots against burn-in.

    ``box`` is for a screen with room for the table; ``entries`` counts its record, so that a new entry is a new frame.
    """

    view: View
    names: Names
    note: Text | None = None
    holding: Holding | None = None
    light: Brightness = Brightness.BRIGHT
    offset: tuple[int, int] = (0, 0)
    box: Box | None = field(default=None, compare=False)
    entries: int = 0

    @property
    def language(self) -> str:
        """The language that was chosen on the box, empty if none was."""
        return self.box.known.language if self.box else ""


class Display:
    """Any thread may ``put`` a frame; ``run`` is the thread, until ``close``. ``drawn``: the first frame was tried."""

    def __init__(self, draw: Callable[[ScreenFrame], None]) -> None:
        self._draw = draw
        self._came = Condition()
        self._slot: ScreenFrame | None = None
        self._fresh = False
        self._over = False
        self.drawn = False

    def put(self, shown: ScreenFrame) -> None:
        with self._came:
            self._fresh = self._fresh or shown != self._slot
            self._slot = shown
            self._came.notify()

    def run(self) -> None:
        failing = ""
        while True:
            with self._came:
                self._came.wait_for(lambda: self._fresh or self._over, REDRAW_INTERVAL_S)
                shown, fresh, self._fresh = self._slot, self._fresh, False
            if self._over and not fresh:
                return
            if shown is None:
                continue
            try:
                self._draw(shown)
            except Exception:
                why = traceback.format_exc()
                if why != failing:
                    print(why, file=sys.stderr, end="", flush=True)
                failing = why
            self.drawn = True

    def close(self) -> None:
        """Draw the last frame and end the thread."""
        with self._came:
            self._over = True
            self._came.notify()


def draw_picture(
    shown: ScreenFrame, language: str = "en", size: tuple[int, int] = SIZE, *, big: bool = False
) -> Image.Image:
    """The picture of a small screen, in its language or the one chosen on the box."""
    language = shown.language or language
    lines = render_screen(shown.view, shown.names, language, note=shown.note)
    if shown.holding is None:
        image = draw_screen(shown.view, lines, size, big=big)
    else:
        words = HOLD_TEXTS.get(shown.holding.kind)
        says = render(words, language) if words else ""
        image = draw_hold_bar(shown.view, lines, shown.holding.part, says, size, big=big)
    return shift_image(image, shown.offset)
