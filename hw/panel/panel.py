"""Any small screen by its name, opened by a call, and one that comes back after a loose wire."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

from PIL import Image

from engine.text import Text, say
from hw.patience import Patience
from hw.trouble import Trouble

KINDS = "oled:ssd1306 oled:sh1106 terminal dummy"


class NoDisplay(Trouble):
    """There is no such screen, or it does not answer."""


class Panel(ABC):
    @abstractmethod
    def show(self, image: Image.Image) -> None:
        """Put these dots on the screen; ``NoDisplay`` if it does not answer any more."""

    def close(self) -> None:  # noqa: B027  a terminal stays as it is
        """Switch it off."""


class DummyPanel(Panel):
    """Keeps the picture and shows it to nobody: for a box without a screen."""

    def __init__(self) -> None:
        self.image: Image.Image | None = None

    def show(self, image: Image.Image) -> None:
        self.image = image


def open_panel(name: str, *, port: int = 1, address: int = 0x3C) -> Panel:
    """The screen of this name; ``port`` and ``address`` are its place on the I2C bus."""
    match name.partition(":"):
        case "oled", _, ("ssd1306" | "sh1106") as chip:
            from hw.panel.oled import OledPanel

            return OledPanel(chip, port=port, address=address)
        case "terminal", "", "":
            from hw.panel.terminal import TerminalPanel

            return TerminalPanel()
        case "dummy", "", "":
            return DummyPanel()
    raise NoDisplay(say("panel_unknown", value=name, known=KINDS))


class PatientPanel(Panel):
    """``show`` never raises and sends nothing twice: call it with the same picture to have a lost screen tried again.

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
        self._patience = Patience(next=clock())
        self.trouble: Text | None = None

    def show(self, image: Image.Image) -> None:
        if image == self._shown or (self._panel is None and self._patience.left(self._clock()) > 0):
            return
        try:
            self._panel = self._panel or self._open()
            self._panel.show(image)
        except NoDisplay as why:
            self.close()
            self._patience = self._patience.failed(self._clock())
            self._report(why.text)
        else:
            self._shown = image.copy()
            self._patience = Patience(next=self._clock())
            self._report(None)

    def close(self) -> None:
        panel, self._panel, self._shown = self._panel, None, None
        if panel is not None:
            with suppress(NoDisplay):
                panel.close()

    def _report(self, trouble: Text | None) -> None:
        if (trouble is None) != (self.trouble is None):
            self._tell(trouble)
        self.trouble = trouble
