"""Opens a small screen by its name."""

from abc import ABC, abstractmethod
from enum import StrEnum

from PIL import Image

from engine.text import say
from hw.errors import DeviceError

PANEL_NAMES = "oled:ssd1306 oled:ssd1306:128x32 oled:sh1106 oled:ssd1322 terminal dummy"
SIZE = (128, 64)
SIZES = {"oled:ssd1306:128x32": (128, 32), "oled:ssd1322": (256, 64)}
"""Sizes that differ from SIZE."""
KEEPING = ("oled:ssd1306", "oled:ssd1306:128x32", "oled:sh1106")
"""Panels that keep their picture after the program ends; the SSD1322 has a reset pin that clears it."""


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
