"""From frames to tables: looks that cost what has changed, kept until they lie still."""

import cmath
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.log import Log
from engine.referee import Refused, judge
from engine.table import Area, Piece, Table
from engine.text import Text
from vision.calibration.marker_pose import update_calibration
from vision.calibration.table_calibration import MARKER_MM, TableCalibration
from vision.changes import card_backs
from vision.changes.occlusion import Polygon
from vision.frame import CameraFrame, Grey, to_grey
from vision.live import steady_table
from vision.live.board_tracker import BoardTracker, Picture, Untagged, halve_picture
from vision.live.frame_reading import FrameReading, ReadingSetup, add_occlusion, read_frame, view_empty_table
from vision.live.steady_table import SteadyTable
from vision.pieces import PIECES, has_tiles
from vision.tags.placement import PlacedTag, outline_piece

ReloadPicture = Callable[[], Picture]
HIDDEN_LONG_S = 15.0
PILE_MM = 60.0
"""A card whose middle is so near (mm) to another's lies on it, or under it."""


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTable:
    """The table with nothing on it, and how the camera stood then. Its colours are the heaviest thing of the box: of a
    large camera they are kept at half the size, ``halved``, of which no game wants more."""

    grey: Grey
    calibration: TableCalibration
    colours: ReloadPicture
    halved: Picture | None = None


def measure_empty(
    picture: Picture, sticker_mm: float, marker_mm: float = MARKER_MM, again: ReloadPicture | None = None
) -> EmptyTable | None:
    """None if its markers do not tell where anything lies. ``again`` has the colours whenever they are needed."""
    grey = to_grey(picture)
    calibration, _ = update_calibration(grey, marker_mm=marker_mm, sticker_mm=sticker_mm)
    return (
        None
        if calibration is None
        else EmptyTable(grey, calibration, again or (lambda: picture), halve_picture(picture, calibration))
    )


class TableWatcher:
    """One camera over one table: the last look, and what has lain still so far."""

    def __init__(self, game: str, zones: Mapping[str, Area], empty: EmptyTable, *, sticker_mm: float = 18.0) -> None:
        self._pieces = PIECES.get(game)
        self._seats = {zone: area for zone, area in zones.items() if zone.startswith("seat:")}
        self._empty = empty
        bare = view_empty_table(empty.grey, empty.calibration)
        self._setup = ReadingSetup(
            plan=zones,
            sticker_mm=sticker_mm,
            marker_mm=empty.calibration.marker_mm,
            empty=bare,
            calibration=empty.calibration,
            game=game or None,
        )
        self._steady: SteadyTable = steady_table.start_steady(_cut(zones))
        self._look: FrameReading | None = None
        self._shown = Table(frozenset())
        self._board = _board(empty) if has_tiles(game) else None
        self._backs: frozenset[Piece] = frozenset()
        self._cards: dict[str, PlacedTag] = {}

    @property
    def look(self) -> FrameReading | None:
        """The last frame by itself, whether it was steady or not."""
        return self._look

    @property
    def hidden(self) -> float:
        """The share of the zones that cannot be vouched for, of those so for longer than ``HIDDEN_LONG_S`` seconds."""
        long = sum(seconds > HIDDEN_LONG_S for seconds in self._steady.hidden().values())
        return long / max(1, len(self._steady.plan))

    @property
    def unclear(self) -> Text | None:
        """What helps when tiles lie so, with nothing moving, that they cannot be told apart."""
        still = self._look is not None and not self._look.moving
        return self._board.unclear if self._board is not None and still else None

    def update(self, frame: CameraFrame, log: Log[Any, Any] | None) -> Table:
        """The table at rest after one more frame; what the rules would refuse has to lie still for longer."""
        before, now = self._look, read_frame(frame.grey, self._setup, self._look, frame.small)
        again = before is not None and bool(before.owed) and not now.owed and not now.moving
        if now is not self._look:
            seen, outlines, unsure = self._without_tags(frame, now)
            shown = add_occlusion(now, self._setup, lying=outlines) if outlines else now
            self._shown = Table(now.table.seen | seen, (*shown.table.unseen, *unsure))
        self._look = now

        def doubt(table: Table) -> frozenset[str]:
            if log is None:
                return frozenset()
            verdict = judge(log, table)
            return frozenset(zone for _, zone in verdict.wrong) if isinstance(verdict, Refused) else frozenset()

        told = self._shown if now.calibration else None
        self._steady = steady_table.advance(self._steady, frame.at, told, now.moving, doubt, again=again)
        return self._steady.table

    def _without_tags(self, frame: CameraFrame, now: FrameReading) -> Untagged:
        """Cards that lie face down, and tiles of wood."""
        if now.calibration is None or now.blind:
            return frozenset(), (), ()
        if self._board is not None:
            return self._board.update(frame, now)
        if self._pieces is None:
            return frozenset(), (), ()
        if self._pieces.stacked:
            return frozenset(), self._buried(now), ()
        if not self._seats:
            return frozenset(), (), ()
        size = self._pieces.size
        lying = self._face_down(frame, now, now.calibration, size)
        return lying, tuple(_outline(seen, size) for seen in lying), ()

    def _face_down(
        self, frame: CameraFrame, now: FrameReading, calibration: TableCalibration, size: tuple[float, float]
    ) -> frozenset[Piece]:
        """Backs at the seats: looked for where something has changed, remembered elsewhere."""
        first = self._look is None or self._look.calibration is not calibration
        stirred = {
            zone: seat for zone, seat in self._seats.items() if first or any(seat.meets(area) for area in now.moving)
        }
        fresh = card_backs.find_backs(
            frame.grey,
            self._empty.grey,
            calibration.homography,
            stirred,
            size,
            now.table.seen,
            self._empty.calibration.homography,
        )
        old = (seen for seen in self._backs if not any(seat.holds(seen.x, seen.y) for seat in stirred.values()))
        read = [(card.x, card.y) for card in now.table.seen]
        self._backs = frozenset(
            seen
            for seen in (*fresh, *old)
            if not any(
                seat.holds(seen.x, seen.y) and seat.holds(*card) for seat in self._seats.values() for card in read
            )
        )
        return self._backs

    def _buried(self, now: FrameReading) -> tuple[Polygon, ...]:
        """Cards of a pile under its top: what sticks out of them hides nothing."""
        here = {piece.tag.payload: piece for piece in now.pieces if piece.mm}
        self._cards |= here
        for payload, card in list(self._cards.items()):
            x, y = card.mm or (0.0, 0.0)
            on_it = any(math.dist((x, y), piece.mm) < PILE_MM for piece in here.values() if piece.mm)
            if not on_it and not any(area.holds(x, y) for area in now.table.unseen):
                del self._cards[payload]
        return tuple(outline_piece(card) for payload, card in self._cards.items() if payload not in here)


def _board(empty: EmptyTable) -> BoardTracker:
    if empty.halved is not None:
        return BoardTracker(empty.halved, empty.calibration, half=True)
    return BoardTracker(empty.colours(), empty.calibration)


def _outline(seen: Piece, size: tuple[float, float]) -> Polygon:
    """The corners of a card; its angle is where the long side points."""
    turn = cmath.rect(1, math.radians(seen.angle))
    half = complex(max(size) / 2, min(size) / 2)
    corners = (half, half.conjugate(), -half, -half.conjugate())
    spots = (complex(seen.x, seen.y) + corner * turn for corner in corners)
    return tuple((spot.real, spot.imag) for spot in spots)


def _cut(zones: Mapping[str, Area]) -> dict[str, Area]:
    """A free area is cut into patches, so that a hand hides no more than it must."""
    if set(zones) == {"table"}:
        return steady_table.split_into_patches(zones["table"])
    return dict(zones)
