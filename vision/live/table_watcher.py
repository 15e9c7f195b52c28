"""The table as one camera watches it: reads what has changed in each frame, and keeps what has rested."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engine.log import Log
from engine.table import Area, Table
from engine.text import Text, say
from vision.changes.card_edges import CardPlace
from vision.frame import CameraFrame, find_small_colour
from vision.live import steady_table
from vision.live.back_tracker import BackTracker, choose_picture, outline_back, place_back
from vision.live.board_tracker import BoardTracker, Untagged
from vision.live.doubted_zones import find_doubted_zones
from vision.live.empty_table import EmptyTable
from vision.live.frame_reading import FrameReading, ReadingSetup, add_occlusion, read_frame
from vision.live.hidden_cards import HiddenCards, HiddenCardTracker, place_by_sticker
from vision.live.likeness_check import LikenessCheck
from vision.live.picture_faults import HIDDEN_LONG_S
from vision.live.steady_table import SteadyTable
from vision.pieces import PIECES, has_tiles
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.placement import PlacedTag, outline_piece

PILE_MM = 60.0
"""A card whose centre is this near to another's lies on it or under it."""


class TableWatcher:
    """One camera over one table: the last reading, and the pieces at rest so far."""

    def __init__(
        self, game: str, zones: Mapping[str, Area], empty: EmptyTable, *, sticker_mm: float = STICKER_MM
    ) -> None:
        self._pieces = PIECES.get(game)
        self._seats = {zone: area for zone, area in zones.items() if zone.startswith("seat:")}
        self._empty = empty
        self._setup = ReadingSetup(
            plan=zones,
            sticker_mm=sticker_mm,
            marker_mm=empty.calibration.marker_mm,
            empty=empty.view,
            calibration=empty.calibration,
            game=game or None,
        )
        self._steady: SteadyTable = steady_table.start_steady(_split_free_area(zones))
        self._reading: FrameReading | None = None
        self._table = Table(frozenset())
        self._board = _track_board(empty) if has_tiles(game) else None
        self._backs: BackTracker | None = None
        self._cards: dict[str, PlacedTag] = {}
        self._alone: tuple[CardPlace, ...] = ()
        """Cards without a code in view: face down, or known to be below others."""
        self._likeness = LikenessCheck(self._setup)
        self._hidden: HiddenCardTracker | None = None
        if self._pieces is not None and self._pieces.kind == "card" and not _is_free_area(zones):
            self._hidden = HiddenCardTracker(self._steady.plan, self._setup.search, empty.view, game)

    @property
    def reading(self) -> FrameReading | None:
        """What the last frame showed by itself, at rest or not."""
        return self._reading

    @property
    def hidden_share(self) -> float:
        """The share of the zones that have not been seen as a whole for longer than ``HIDDEN_LONG_S``."""
        long = sum(seconds > HIDDEN_LONG_S for seconds in self._steady.measure_hidden().values())
        return long / max(1, len(self._steady.plan))

    @property
    def unclear(self) -> Text | None:
        """What to do when tiles cannot be told apart although nothing moves."""
        still = self._reading is not None and not self._reading.moving
        return self._board.unclear if self._board is not None and still else None

    @property
    def alike(self) -> Text | None:
        """What to do about a table that looks like the pieces on it."""
        if not self._likeness.alike:
            return None
        return say("table_like_cards") if self._board is None else say("table_like_tiles")

    def update(self, frame: CameraFrame, log: Log[Any, Any] | None) -> Table:
        """The table at rest after one more frame; what ``log`` would refuse has to rest for longer."""
        before, now = self._reading, self._read(frame)
        if before is None or now.table is not before.table or now.moving != before.moving:
            seen, outlines, unsure = self._find_untagged(frame, now)
            tiles = self._board is not None
            shown = add_occlusion(now, self._setup, frame.grey, outlines, thick=tiles) if outlines else now
            unseen = (*shown.table.unseen, *unsure)
            cut_off = self._board.cover_cut_off(unseen) if self._board is not None else ()
            self._table = Table(now.table.seen | seen, (*unseen, *cut_off))
            self._likeness.update(frame.grey, now, outlines)
        hidden = self._find_hidden_cards(frame, now)
        read_again = before is not None and bool(before.pending) and not now.pending and not now.moving
        self._reading = now
        self._steady = steady_table.advance(
            self._steady,
            frame.at,
            replace(self._table, unseen=(*self._table.unseen, *hidden.unseen), covers=hidden.covers)
            if now.calibration
            else None,
            now.moving,
            lambda table: find_doubted_zones(log, table),
            searched=self._steady.plan if read_again else hidden.searched,
            waiting=hidden.waiting,
        )
        return self._steady.table

    def _read(self, frame: CameraFrame) -> FrameReading:
        return read_frame(frame.grey, self._setup, self._reading, frame.small, find_small_colour(frame))

    def _find_untagged(self, frame: CameraFrame, now: FrameReading) -> Untagged:
        """Face-down cards, buried cards and wooden tiles."""
        if now.calibration is None or now.blind:
            return frozenset(), (), ()
        if self._board is not None:
            return self._board.update(frame, now)
        if self._pieces is None:
            return frozenset(), (), ()
        if self._pieces.stacked:
            buried = self._find_buried(now)
            self._alone = tuple(place_by_sticker(card) for card in buried)
            return frozenset(), tuple(outline_piece(card) for card in buried), ()
        if not self._seats:
            return frozenset(), (), ()
        size = self._pieces.size
        if self._backs is None:
            self._backs = BackTracker(self._empty, self._seats, size)
        backs = self._backs.update(frame, now.calibration, now.pieces, now.moving)
        self._alone = tuple(place_back(back, size) for back in backs)
        return backs, tuple(outline_back(back, size) for back in backs), ()

    def _find_hidden_cards(self, frame: CameraFrame, now: FrameReading) -> HiddenCards:
        if self._hidden is None:
            return HiddenCards()
        return self._hidden.update(frame.grey, now, partial(choose_picture, frame), self._alone)

    def _find_buried(self, now: FrameReading) -> list[PlacedTag]:
        """The cards of a pile below its top: what sticks out of them hides nothing."""
        here = {piece.tag.payload: piece for piece in now.pieces if piece.mm}
        self._cards |= here
        for payload, card in list(self._cards.items()):
            x, y = card.mm or (0.0, 0.0)
            on_it = any(math.dist((x, y), piece.mm) < PILE_MM for piece in here.values() if piece.mm)
            if not on_it and not any(area.contains(x, y) for area in now.table.unseen):
                del self._cards[payload]
        return [card for payload, card in self._cards.items() if payload not in here]


def _track_board(empty: EmptyTable) -> BoardTracker:
    if empty.halved is not None:
        return BoardTracker(empty.halved, empty.calibration, half=True)
    return BoardTracker(empty.colours(), empty.calibration)


def _is_free_area(zones: Mapping[str, Area]) -> bool:
    """Cards lie anywhere, as in the check of a deck: a hidden one is missed by its number."""
    return set(zones) == {"table"}


def _split_free_area(zones: Mapping[str, Area]) -> dict[str, Area]:
    """A free area is split into patches, so that a hand hides only those below it."""
    if _is_free_area(zones):
        return steady_table.split_into_patches(zones["table"])
    return dict(zones)
