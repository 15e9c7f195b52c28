"""Any small screen by its name, opened by a call, and one that comes back after a loose wire."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

from PIL import Image

from engine.text import Text, say
from hw.errors import DeviceError
from hw.retry import RetryDelay

KINDS = "oled:ssd1306 oled:ssd1306:128x32 oled:sh1106 oled:ssd1322 terminal dummy"
SIZE = (128, 64)
SIZES = {"oled:ssd1306:128x32": (128, 32), "oled:ssd1322": (256, 64)}
"""Of those that are not like most."""
KEEPING = ("oled:ssd1306", "oled:ssd1306:128x32", "oled:sh1106")
"""The others have a wire that resets them when nobody holds it any more."""
RENEW = 10.0
"""Seconds after which a screen is told everything again: it may have lost its power while nobody asked."""


class NoDisplay(DeviceError):
    """There is no such screen, or it does not answer."""


class Brightness(StrEnum):
    BRIGHT = "bright"
    DIM = "dim"
    OFF = "off"


class Panel(ABC):
    """Any of it raises ``NoDisplay`` if the screen does not answer any more."""

    @abstractmethod
    def show(self, image: Image.Image) -> None:
        """Put these dots on the screen."""

    def renew(self, image: Image.Image) -> None:
        """The same for a screen that may have forgotten all it was told."""
        self.show(image)

    def ask(self) -> None:  # noqa: B027  most are always there
        """Is it there?"""

    def shine(self, light: Brightness) -> None:  # noqa: B027  a terminal has its own light
        """So bright from now on."""

    def leave(self) -> None:
        """Let go of it with what it shows, if it can keep that by itself."""
        self.close()

    def close(self) -> None:  # noqa: B027  a terminal stays as it is
        """Switch it off."""


class DummyPanel(Panel):
    """Keeps the picture and shows it to nobody: for a box without a screen."""

    def __init__(self) -> None:
        self.image: Image.Image | None = None

    def show(self, image: Image.Image) -> None:
        self.image = image


def size_of(name: str) -> tuple[int, int]:
    """The dots of the screen of this name."""
    return SIZES.get(name, SIZE)


def keeps(name: str) -> bool:
    """Does the screen of this name show its last picture for as long as it has power?"""
    return name in KEEPING


def open_panel(name: str, *, port: int = 1, address: int = 0x3C) -> Panel:
    """The screen of this name; ``port`` and ``address`` are its place on the I2C bus."""
    match name:
        case "oled:ssd1306" | "oled:sh1106" | "oled:ssd1306:128x32":
            from hw.panel.oled import OledPanel

            return OledPanel(name.split(":")[1], size=size_of(name), port=port, address=address)
        case "oled:ssd1322":
            from hw.panel.wide import WidePanel

            return WidePanel()
        case "terminal":
            from hw.panel.terminal import TerminalPanel

            return TerminalPanel()
        case "dummy":
            return DummyPanel()
    raise NoDisplay(say("panel_unknown", value=name, known=KINDS))


class ReconnectingPanel:
    """``show`` never raises and sends what has changed; call it with the same picture, about once a second,
    to have a screen asked whether it is there, and a lost one tried again.

    ``tell`` hears of a trouble once, and None when the screen is back, which by then shows the picture.
    """

    def __init__(
        self,
        open: Callable[[], Panel],
        *,
        tell: Callable[[Text | None], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open = open
        self._tell = tell
        self._clock = clock
        self._panel: Panel | None = None
        self._shown: Image.Image | None = None
        self._light = Brightness.BRIGHT
        self._patience = RetryDelay(next=clock())
        self._renew = clock()
        self.trouble: Text | None = None

    def show(self, image: Image.Image, light: Brightness = Brightness.BRIGHT) -> None:
        now = self._clock()
        if self._panel is None and self._patience.left(now) > 0:
            return
        try:
            try:
                self._put(image, light, now)
            except NoDisplay:
                if self._panel is None:
                    raise
                # a disturbance, or a plug pulled for a moment: once more from the beginning
                self._put(image, light, now, anew=True)
        except NoDisplay as why:
            self.close()
            self._patience = self._patience.failed(now)
            self._report(why.text)
        else:
            self._shown, self._light = image.copy(), light
            self._patience = RetryDelay(next=now)
            self._report(None)

    def close(self) -> None:
        panel, self._panel, self._shown = self._panel, None, None
        if panel is not None:
            with suppress(NoDisplay):
                panel.close()

    def leave(self) -> None:
        """What is on the screen stays there."""
        panel, self._panel, self._shown = self._panel, None, None
        if panel is not None:
            with suppress(NoDisplay):
                panel.leave()

    def _put(self, image: Image.Image, light: Brightness, now: float, *, anew: bool = False) -> None:
        panel = self._panel
        if panel is None:
            self._panel = panel = self._open()
            self._light, self._renew = Brightness.BRIGHT, now + RENEW
        if anew or now >= self._renew:
            panel.renew(image)
            self._renew = now + RENEW
        elif image == self._shown and light == self._light:
            panel.ask()
        elif image != self._shown:
            panel.show(image)
        if anew or light != self._light:
            panel.shine(light)

    def _report(self, trouble: Text | None) -> None:
        if (trouble is None) != (self.trouble is None):
            self._tell(trouble)
        self.trouble = trouble
