"""A camera over the simulated table; the players continue when the box has read what they did."""

from collections.abc import Callable, Iterator
from math import inf

from firmware.simulation.table import SimTable, SimulatedAct
from firmware.simulation.table.hand_timing import SIGHT_TIMEOUT_S
from hw.camera import Camera
from hw.cameras.images import make_frame
from hw.frame import Frame, Picture
from vision.render import Scene, render_scene

FPS = 5.0


class SimCamera(Camera):
    """``tell`` gets what a player enters with a button, ``has_seen`` answers whether the box has read the table, and
    ``allow`` gets the time up to which the clock may run before the next frame.

    It gives frames as fast as they are read, and ends with the match or after this many ``acts`` of hands.
    """

    def __init__(
        self,
        table: SimTable,
        *,
        tell: Callable[[str], None],
        has_seen: Callable[[SimTable], bool],
        allow: Callable[[float], None] = lambda until: None,
        acts: int | None = None,
        draw: Callable[[Scene], Picture] = render_scene,
        fps: float = FPS,
        start: float = 0.0,
    ) -> None:
        self._table = table
        self._tell = tell
        self._has_seen = has_seen
        self._allow = allow
        self._draw = draw
        self._step = 1 / fps
        self._at = start
        self._most = acts
        self._pictures = self._film()
        allow(start)

    def read(self, timeout: float) -> Frame | None:
        picture = next(self._pictures, None)
        if picture is None:
            self.over = True
            self._allow(inf)
            return None
        self._at += self._step
        self._allow(self._at)
        return make_frame(picture, self._at)

    def close(self) -> None:
        """A simulated camera holds no device."""

    def _film(self) -> Iterator[Picture]:
        for number, act in enumerate(self._table.acts(), 1):
            picture = self._draw(act.scene)
            if act.entry:
                self._tell(act.entry)
            yield from show_act(act, picture, 1 / self._step, lambda: self._has_seen(self._table))
            if number == self._most:
                return


def show_act(act: SimulatedAct, picture: Picture, fps: float, has_seen: Callable[[], bool]) -> Iterator[Picture]:
    """The picture, once for each frame of the act; after a legal move also until the box has seen it, or a timeout."""
    for _ in range(max(1, round(act.seconds * fps))):
        yield picture
    if act.wrong or act.reaching:
        return
    for _ in range(round(SIGHT_TIMEOUT_S * fps)):
        if has_seen():
            return
        yield picture
