"""Whether the table looks like the pieces that were found on it, so that a covered one may go unnoticed."""

from collections.abc import Sequence
from dataclasses import replace

from vision.changes.occlusion import Polygon
from vision.changes.table_likeness import count_overlooked
from vision.frame import Grey
from vision.live.frame_reading import FrameReading, ReadingSetup, add_occlusion
from vision.tags.placement import outline_piece

LEAST_PIECES = 4
"""Fewer may all lie in the reflection of a lamp."""


def outline_shown(reading: FrameReading) -> list[Polygon]:
    """The outlines of the pieces that were read and are beyond doubt."""
    return [outline_piece(piece) for piece in reading.pieces if piece.mm is not None and not piece.doubtful]


def count_alike(reading: FrameReading, setup: ReadingSetup, grey: Grey, shown: Sequence[Polygon]) -> int:
    """How many of these pieces would not be noticed if they were unknown; 0 if it is only a few."""
    if setup.empty is None or reading.calibration is None or reading.blind or not shown:
        return 0
    area = reading.calibration.area
    unknown = add_occlusion(replace(reading, pieces=()), setup, grey)
    return count_overlooked(shown, unknown.table.unseen, (area.right, area.bottom))


class LikenessCheck:
    """Checks a table in a game: when the first few pieces lie on it, and whenever there are twice as many."""

    def __init__(self, setup: ReadingSetup) -> None:
        self._setup = setup
        self._next = LEAST_PIECES
        self.alike = False

    def update(self, grey: Grey, reading: FrameReading, untagged: Sequence[Polygon]) -> None:
        """``untagged`` are the outlines of pieces that were found without a code."""
        at_rest = not reading.moving and not reading.pending and reading.sway.total is None
        if not at_rest or len(reading.pieces) + len(untagged) < self._next:
            return
        shown = [*outline_shown(reading), *untagged]
        if len(shown) >= self._next:
            self._next = 2 * len(shown)
            self.alike = count_alike(reading, self._setup, grey, shown) > 0
