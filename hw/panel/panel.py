"""Open a small screen by its name, and reconnect it after a loose wire."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

from PIL import Image

from engine.text import Text, say
from hw.errors import DeviceError
from hw.retry_delays import RetryDelay

PANEL_NAMES = "oled:ssd1306 oled:ssd1306:128x32 oled:sh1106 oled:ssd1322 terminal dummy"
SIZE = (128, 64)
SIZES = {"oled:ssd1306:128x32": (128, 32), "oled:ssd1322": (256, 64)}
"""Sizes that differ from SIZE."""
KEEPING = ("oled:ssd1306", "oled:ssd1306:128x32", "oled:sh1106")
"""Panels that keep their picture after the program ends; the SSD1322 has a reset pin that clears it."""
RENEW_S = 10.0
"""How often a panel is initialised again, because a power loss between two pictures cannot be noticed."""


class NoDisplay(DeviceError):
    """There is no such screen, or it does not answer."""


class Brightness(StrEnum):
    BRIGHT = "bright"
    DIM = "dim"
    OFF = "off"


class Panel(ABC):
    """Every method raises ``NoDisplay`` if the screen no longer answers."""

    @abstractmethod
    def show(self, image: Image.Image) -> None:
        """Show this picture."""

    def renew(self, image: Image.Image) -> None:
        """Initialise the screen again and show this picture."""
        self.show(image)

    def probe(self) -> None:  # noqa: B027  most cannot be disconnected
        """Raise ``NoDisplay`` if the screen does not answer."""

    def set_brightness(self, light: Brightness) -> None:  # noqa: B027  a terminal has no brightness
        """Set the brightness."""

    def detach(self) -> None:
        """Release the device and leave its picture on, if it can keep one."""
        self.close()

    def close(self) -> None:  # noqa: B027  a terminal needs nothing
        """Switch the screen off and release it."""


class DummyPanel(Panel):
    """For a box without a screen: stores the picture."""

    def __init__(self) -> None:
        self.image: Image.Image | None = None

    def show(self, image: Image.Image) -> None:
        self.image = image


def panel_size(name: str) -> tuple[int, int]:
    """Width and height in dots of the screen of this name."""
    return SIZES.get(name, SIZE)


def keeps_picture(name: str) -> bool:
    """Does this screen keep its last picture while it has power?"""
    return name in KEEPING


def open_panel(name: str, *, port: int = 1, address: int = 0x3C) -> Panel:
    """Open the screen of this name; ``port`` and ``address`` are for the I2C bus."""
    match name:
        case "oled:ssd1306" | "oled:sh1106" | "oled:ssd1306:128x32":
            from hw.panel.oled_ssd1306 import OledPanel

            return OledPanel(name.split(":")[1], size=panel_size(name), port=port, address=address)
        case "oled:ssd1322":
            from hw.panel.oled_ssd1322 import WidePanel

            return WidePanel()
        case "terminal":
            from hw.panel.terminal import TerminalPanel

            return TerminalPanel()
        case "dummy":
            return DummyPanel()
    raise NoDisplay(say("panel_unknown", value=name, known=PANEL_NAMES))


class ReconnectingPanel:
    """``show`` never raises and sends changes only; call it about once a second with the same picture to probe
    the screen and to retry a lost one.

    ``report`` gets a fault once, and None when the screen is back and shows the picture.
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
        self._retry = RetryDelay(next=clock())
        self._renew = clock()
        self.trouble: Text | None = None

    def show(self, image: Image.Image, light: Brightness = Brightness.BRIGHT) -> None:
        now = self._clock()
        if self._panel is None and self._retry.seconds_left(now) > 0:
            return
        try:
            try:
                self._put(image, light, now)
            except NoDisplay:
                if self._panel is None:
                    raise
                # a bus error or a brief disconnection: initialise once more
                self._put(image, light, now, initialise=True)
        except NoDisplay as why:
            self.close()
            self._retry = self._retry.after_failure(now)
            self._report(why.text)
        else:
            self._shown, self._light = image.copy(), light
            self._retry = RetryDelay(next=now)
            self._report(None)

    def close(self) -> None:
        panel, self._panel, self._shown = self._panel, None, None
        if panel is not None:
            with suppress(NoDisplay):
                panel.close()

    def detach(self) -> None:
        """Release the device and leave its picture on."""
        panel, self._panel, self._shown = self._panel, None, None
        if panel is not None:
            with suppress(NoDisplay):
                panel.detach()

    def _put(self, image: Image.Image, light: Brightness, now: float, *, initialise: bool = False) -> None:
        panel = self._panel
        if panel is None:
            self._panel = panel = self._open()
            self._light, self._renew = Brightness.BRIGHT, now + RENEW_S
        if initialise or now >= self._renew:
            panel.renew(image)
            self._renew = now + RENEW_S
        elif image == self._shown and light == self._light:
            panel.probe()
        elif image != self._shown:
            panel.show(image)
        if initialise or light != self._light:
            panel.set_brightness(light)

    def _report(self, trouble: Text | None) -> None:
        if (trouble is None) != (self.trouble is None):
            self._tell(trouble)
        self.trouble = trouble
