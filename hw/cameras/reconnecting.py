"""A camera that comes back: what dies or was never there is reported once and tried again."""

import time
from collections.abc import Callable
from contextlib import suppress

from engine.text import Text
from hw.camera import Camera, Clock, Gone, NoCamera
from hw.frame import Frame
from hw.retry import RetryDelay


class ReconnectingCamera(Camera):
    """``open`` makes the camera, now and after every loss. ``tell`` hears of a trouble, and None once it is over.

    ``read`` never raises; without a camera it rests for ``timeout`` and gives None. A camera that was locked is
    locked again when it is back, in the light as it is then.
    """

    def __init__(
        self,
        open: Callable[[], Camera],
        *,
        tell: Callable[[Text | None], None],
        clock: Clock = time.monotonic,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        self._open = open
        self._tell = tell
        self._clock = clock
        self._rest = rest
        self._camera: Camera | None = None
        self._patience = RetryDelay(next=clock())
        self._locked = False
        self._closed = False
        self.trouble: Text | None = None

    def read(self, timeout: float) -> Frame | None:
        camera = self._camera or self._try()
        if camera is None:
            self._rest(min(timeout, self._patience.left(self._clock())))
            return None
        try:
            frame = camera.read(timeout)
        except Gone as gone:
            self._lose(gone.text)
            return None
        self.over, self.settling = camera.over, camera.settling
        if frame is not None:
            self._patience = RetryDelay(next=self._clock())
            self._report(None)
        return frame

    def lock(self) -> None:
        self._locked = True
        if self._camera is not None:
            self._camera.lock()
            self.settling = self._camera.settling

    def close(self) -> None:
        self._closed = True
        self._let_go()

    def _try(self) -> Camera | None:
        if self._closed or self._patience.left(self._clock()) > 0:
            return None
        try:
            self._camera = self._open()
        except NoCamera as none:
            self._lose(none.text)
            return None
        if self._locked:
            self._camera.lock()
        return self._camera

    def _lose(self, why: Text) -> None:
        self._let_go()
        self._patience = self._patience.failed(self._clock())
        self._report(why)

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        self.settling = False
        if camera is None:
            return
        with suppress(OSError, RuntimeError):  # it may be gone already
            camera.close()

    def _report(self, trouble: Text | None) -> None:
        """Only a change: first the trouble, then that it is over, never each failed try."""
        if (trouble is None) != (self.trouble is None):
            self._tell(trouble)
        self.trouble = trouble
