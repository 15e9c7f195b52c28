"""A camera over the physical table: it gives frames for ever, whatever the box plays."""

from collections.abc import Callable
from functools import partial
from math import inf

from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table_pace import TablePace
from hw.camera import Camera
from hw.cameras.images import make_frame
from hw.frame import Frame, Picture
from vision.render import Scene
from vision.render.incremental_rendering import SceneRenderer

FPS = 5.0
"""Frames of a simulated camera in a second."""


class TableCamera(Camera):
    """``before_frame`` gets the time of each frame before it is drawn: there the simulated players move. ``allow`` gets
    the time up to which the clock may run before the next frame, so that time waits for a slow renderer.

    It gives frames as fast as they are read; ``pace_camera`` slows it down to the clock. While ``pace`` is paused it
    gives one for each change of the table, so that the person sees it, and the simulated players stand still.
    """

    def __init__(
        self,
        table: PhysicalTable,
        *,
        draw: Callable[[Scene], Picture] | None = None,
        allow: Callable[[float], None] = lambda until: None,
        before_frame: Callable[[float], None] = lambda at: None,
        pace: TablePace | None = None,
        fps: float = FPS,
        start: float = 0.0,
    ) -> None:
        self._table = table
        self._draw = draw or partial(SceneRenderer().render, noise="fresh")
        self._allow = allow
        self._before_frame = before_frame
        self._pace = pace or TablePace()
        self._step = 1 / fps
        self._at = start
        self._drawn = table.version
        allow(start)

    def read(self, timeout: float) -> Frame | None:
        runs = not self.over and self._pace.wait(timeout)
        if self.over or not (runs or self._table.version != self._drawn):
            return None
        self._at = round(self._at + self._step, 3)
        if runs:
            self._before_frame(self._at)
        if self.over:
            return None
        self._drawn = self._table.version
        picture = self._draw(self._table.scene())
        self._allow(self._at)
        return make_frame(picture, self._at)

    def end(self) -> None:
        """No frame follows."""
        self.over = True
        self._allow(inf)

    def close(self) -> None:
        """A simulated camera holds no device."""
