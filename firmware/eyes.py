"""The eyes: frames in, and out comes what the box wants to know of the table just now."""

from firmware.box.flow import Aim
from firmware.box.items import Aimed, Item, Looked
from firmware.watching import Watching
from hw.frame import Frame, Picture
from vision.aiming import aiming


class Eyes:
    """``keep_empty`` takes the next frame for the picture of the empty table; without one nothing can be read."""

    def __init__(self, empty: Picture | None = None, *, sticker_mm: float = 18.0) -> None:
        self._empty = empty
        self._sticker_mm = sticker_mm
        self._wanted = False
        self._aim: Aim | None = None
        self._watching: Watching | None = None

    def keep_empty(self) -> None:
        self._wanted = True

    def see(self, frame: Frame, aim: Aim | None) -> tuple[Item, ...]:
        """What this frame tells of what is asked, and what is wrong with it."""
        if self._wanted:
            self._empty = frame.colour() if frame.colour else frame.grey
            self._wanted, self._watching = False, None
        if aim is None:
            return ()
        if aim.purpose == "aim" or self._empty is None:
            return (Aimed(aiming(frame.grey), frame.at),)
        if self._watching is None or aim != self._aim:
            self._watching = Watching(aim.game, aim.zones, self._empty, sticker_mm=self._sticker_mm)
            self._aim = aim
        return (Looked(self._watching.see(frame, aim.log), frame.at),)
