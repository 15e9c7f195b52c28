"""A camera that reconnects: a failure is reported once and opening is retried."""

import time
from collections.abc import Callable
from contextlib import suppress

from engine.text import Text
from hw.camera import Camera, CameraGone, Clock, NoCamera
from hw.frame import Frame
from hw.retry_delays import RetryDelay


class ReconnectingCamera(Camera):
    """``open`` opens the camera, now and after every loss. ``report`` gets the fault, and None when it is over.

    ``read`` never raises; without a camera it waits for ``timeout`` and returns None. A camera that was locked is
    locked again after reconnecting, in the light of that moment.
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
        self._retry = RetryDelay(next=clock())
        self._locked = False
        self._closed = False
        self.trouble: Text | None = None

    def read(self, timeout: float) -> Frame | None:
        camera = self._camera or self._try()
        if camera is None:
            self._rest(min(timeout, self._retry.seconds_left(self._clock())))
            return None
        try:
            frame = camera.read(timeout)
        except CameraGone as gone:
            self._lose(gone.text)
            return None
        self.over, self.settling = camera.over, camera.settling
        if frame is not None:
            self._retry = RetryDelay(next=self._clock())
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
        if self._closed or self._retry.seconds_left(self._clock()) > 0:
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
        self._retry = self._retry.after_failure(self._clock())
        self._report(why)

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        self.settling = False
        if camera is None:
            return
        with suppress(OSError, RuntimeError):  # it may be disconnected already
            camera.close()

    def _report(self, trouble: Text | None) -> None:
        """Report a change only: the fault once, then its end; not each failed retry."""
        if (trouble is None) != (self.trouble is None):
            self._tell(trouble)
        self.trouble = trouble
