"""One evening: people at the physical table and a box that reads it, from perfect tables or from rendered frames."""

from collections.abc import Callable, Iterator
from typing import cast

from engine.games import GAMES
from engine.table import Area, Piece, Table
from firmware.box.effects import KeepEmpty
from firmware.box.events import BoxEvent, Ticked
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.deck_check import list_decks
from firmware.box.flows.home_menu import Home
from firmware.runtime.companion import Companion, Happened
from firmware.simulation.people.people import People
from firmware.simulation.people.screen_reading import ScreenReader, read_texts
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table_camera import TableCamera
from vision.calibration.camera_check import CameraCheck
from vision.live.left_tiles import Spots, leave_out_fixed
from vision.live.perception import Perception
from vision.live.perception_events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest
from vision.pieces import has_tiles
from vision.render.incremental_rendering import SceneRenderer

AREA = Area(0, 0, 841, 594)
STEP_S = 0.2
REST_S = 0.5
"""Seconds for which a table must lie still before perfect perception reports it."""
FIXED_MM = 20.0
"""Half the side of the square around what belongs to the table by mistake, of which nothing is told once it is gone."""
LIGHT_S = 1.0
"""Seconds for which a camera measures the light before it takes the picture of the empty table."""


class Evening:
    """``run`` lets time pass until something is so. ``happened`` is everything that the box did."""

    def __init__(self, seed: int, *, frames: bool = False, reader: ScreenReader = read_texts, **more: object) -> None:
        self.table = PhysicalTable(next(iter(GAMES)), AREA, seed=seed)
        self.people = People(self.table, seed=seed, reader=reader, **more)  # type: ignore[arg-type]
        self.now = 0.0
        renderer = SceneRenderer(seed)
        eyes = Perception(renderer.render(self.table.empty_scene())) if frames else cast(Perception, None)
        self.camera = TableCamera(self.table) if frames else None
        known = Context(area=(841, 594), decks=frozenset(list_decks()))
        self.companion = Companion(
            Box(known, (Home(),)),
            eyes,
            observers=[self.people.watch, self._note],
            actions=None if frames else {KeepEmpty: lambda _: self._wish_empty()},
        )
        self._wanted_at: float | None = None
        self._kept = False
        self._fixed: Spots = ()
        self.happened: list[Happened] = []
        self._version, self._since = -1, 0.0
        self._read_version, self._true_table = -2, Table(frozenset())

    def _wish_empty(self) -> None:
        self._wanted_at, self._kept = self.now, False

    def _note(self, happened: Happened) -> None:
        if happened.effects:
            self.happened.append(happened)

    def step(self, more: Callable[["Evening"], Iterator[BoxEvent]] | None = None) -> None:
        self.now = round(self.now + STEP_S, 3)
        events = self.people.step(self.companion.view, self.companion.box.known.names, self.now)
        for event in (*events, *(more(self) if more else ())):
            self.companion.handle(event)
        self._look()
        self.companion.handle(Ticked(self.now))

    def run(self, seconds: float, until: Callable[[], bool]) -> bool:
        """Let so much time pass at most; did it become so?"""
        end = self.now + seconds
        while self.now < end:
            if until():
                return True
            self.step()
        return until()

    def _look(self) -> None:
        if self.camera is not None:
            frame = self.camera.read(1.0)
            assert frame is not None
            self.companion.read_frame(frame)
            return
        if self.table.version != self._version:
            self._version, self._since = self.table.version, self.now
        asked = self.companion.read_request
        if asked is None or self.now - self._since < REST_S:
            return
        if asked.purpose != "read":
            there = self.table.lying()
            known, spots = (*self._fixed, *asked.fixed), tuple(it.place.spot for it in there)
            with_tiles = has_tiles(self.table.game)
            tags = () if with_tiles else tuple(it.name for it in there)
            tiles = leave_out_fixed(spots, known) if with_tiles else ()
            waited = self._wanted_at is not None and self.now - self._wanted_at >= LIGHT_S
            if waited and not (tags or tiles):
                self._kept, self._fixed = True, leave_out_fixed(spots, tiles) if with_tiles else ()
            check = CameraCheck((), 1.0, 2.5, (841, 594), tags=tags, tiles=tiles, still=True)
            self.companion.handle(CameraMeasured(check, self.now, self._kept))
            return
        self._wanted_at, self._kept = None, False
        if self._version != self._read_version:
            self._read_version, self._true_table = self._version, self.table.true_table()
        table = restrict(self._true_table, asked) if asked.game in ("", self.table.game) else Table(frozenset())
        self.companion.handle(TableSeen(hide_fixed(table, self._fixed), self.now))


def hide_fixed(table: Table, fixed: Spots) -> Table:
    """What perception reports where things belong to the table: they are not told, and where one is gone nothing is."""
    if not fixed:
        return table
    seen = [piece for piece in table.seen if leave_out_fixed(((piece.x, piece.y),), fixed)]
    there = tuple((piece.x, piece.y) for piece in table.seen)
    gone = (Area(x - FIXED_MM, y - FIXED_MM, x + FIXED_MM, y + FIXED_MM) for x, y in leave_out_fixed(fixed, there))
    return Table(frozenset(seen), (*table.unseen, *gone), table.covers)


def restrict(table: Table, asked: ReadRequest) -> Table:
    """What perception reports of this table: only what lies in the zones that the box asks for."""
    zones = asked.zones.values()

    def inside(piece: Piece) -> bool:
        return any(zone.contains(piece.x, piece.y) for zone in zones)

    unseen = tuple(area for area in table.unseen if any(area.overlaps(zone) for zone in zones))
    return Table(frozenset(piece for piece in table.seen if inside(piece)), unseen, table.covers)
