"""A table that is watched as in a game: empty at first, then with all its cards at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from engine.table import Area, Cover, find_hidden_zones
from hw.cameras.images import make_frame
from vision.frame import Picture
from vision.live.empty_table import measure_empty
from vision.live.table_watcher import TableWatcher
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.placement import PlacedTag

PACE_S = 0.1
"""Seconds from frame to frame: that of the ribbon camera."""
EMPTY_FRAMES, LAID_FRAMES = 7, 14


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """What was told of a table: ``waits`` are the seconds after which zones with cards counted as seen, ``unseen`` the
    zones that do not at the end.
    """

    pieces: tuple[PlacedTag, ...]
    unseen: frozenset[str]
    covers: frozenset[Cover]
    waits: Mapping[str, float]


def watch_table(
    game: str, zones: Mapping[str, Area], empty: Picture, pictures: Sequence[Picture], marker_mm: float
) -> WatchedTable | None:
    """``pictures`` of the same cards follow one another; None if the empty table gives no calibration."""
    known = measure_empty(empty, STICKER_MM, marker_mm)
    if known is None:
        return None
    watcher = TableWatcher(game, zones, known)
    for n in range(EMPTY_FRAMES):
        watcher.update(make_frame(empty, (n - EMPTY_FRAMES) * PACE_S), None)
    waits: dict[str, float] = {}
    unseen: frozenset[str] = frozenset(zones)
    covers: frozenset[Cover] = frozenset()
    for n, picture in enumerate(islice(cycle(pictures), LAID_FRAMES)):
        table = watcher.update(make_frame(picture, n * PACE_S), None)
        unseen, covers = find_hidden_zones(zones, table.unseen), table.covers
        for zone in zones.keys() - unseen:
            if any(zones[zone].contains(piece.x, piece.y) for piece in table.seen):
                waits.setdefault(zone, n * PACE_S)
    assert watcher.reading is not None
    return WatchedTable(watcher.reading.pieces, unseen, covers, waits)
