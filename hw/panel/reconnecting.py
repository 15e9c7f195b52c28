"""A small screen that reconnects after a loose wire: a failure is reported once and opening is retried."""

import time
from collections.abc import Callable
from contextlib import suppress

from PIL import Image

from engine.text import Text
from hw.panel.panel import Brightness, NoDisplay, Panel
from hw.retry_delays import RetryDelay

RENEW_S = 10.0
"""How often a panel is initialised again, because a power loss between two pictures cannot be noticed."""


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
