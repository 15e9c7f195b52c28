"""Room on the simulated table: a piece is let go near its mark, on nothing of another zone, hiding no sticker."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.table import BACK, Area
from firmware.simulation.table import shapes
from firmware.simulation.table.hand import Slip

INSIDE_MM = 5.0
"""A card's middle lies at least so many mm inside its zone: nobody lays it on the line."""
PLACE_TRIES = 48
"""So many directions are thought of before a place counts as too narrow."""
FALLBACK_OFFSETS_MM = (6.0, 12.0, 20.0, 30.0, 45.0)
"""So many mm from where it should lie people look for room in the end."""
ROW_STEP_MM = 15.0
"""The middle of a row's next card lies at least so many mm further to the right."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """One piece: ``name`` is its code's piece, ``over`` is larger than that of all it lies on."""

    name: str
    piece: str
    zone: str
    x: float
    y: float
    angle: float
    over: int

    @property
    def spot(self) -> Spot:
        return self.x, self.y


class Room:
    """Cards and where they lie; ``cramped`` counts those that could not be laid as far off as the hand would have."""

    def __init__(self, game: str, zones: Mapping[str, Area], whole: Area, rng: random.Random) -> None:
        self.game = game
        self.pieces: dict[str, LaidPiece] = {}
        self.cramped = 0
        self._zones = zones
        self._whole = whole
        self._rng = rng
        self._over = 0

    def pieces_by_zone(self) -> dict[str, list[LaidPiece]]:
        """Zones and what lies in them: rows from left to right, everything else as it was laid."""
        held: dict[str, list[LaidPiece]] = {}
        for lies in sorted(self.pieces.values(), key=lambda lies: lies.over):
            held.setdefault(lies.zone, []).append(lies)
        for zone, some in held.items():
            if zone.startswith("row"):
                some.sort(key=lambda lies: lies.x)
        return held

    def area_of(self, zone: str) -> Area:
        """Specials share the rows and seats of numbers."""
        at = zone.replace("mark", "row").replace("special", "seat")
        return self._zones.get(at, self._whole)

    def lay_near(self, zone: str, name: str, piece: str, at: Spot, slip: Slip, *, on_others: bool = False) -> None:
        """As far off as the hand has it, if there is room in any direction, else nearer, else where there is room."""
        for off in (
            slip.offset_mm,
            0.7 * slip.offset_mm,
            0.4 * slip.offset_mm,
            0.2 * slip.offset_mm,
            *FALLBACK_OFFSETS_MM,
        ):
            if self.try_near(zone, name, piece, at, replace(slip, offset_mm=off), on_others=on_others):
                self.cramped += off != slip.offset_mm
                return
        self.cramped += 1
        self._lay(zone, name, piece, (*at, slip.angle))

    def try_near(self, zone: str, name: str, piece: str, at: Spot, slip: Slip, *, on_others: bool = False) -> bool:
        """Is there a direction in which it can lie so far off?"""
        for _ in range(PLACE_TRIES):
            dx, dy = slip.draw_offset(self._rng)
            pose = (at[0] + dx, at[1] + dy, slip.angle)
            if self._free(zone, piece, pose, on_others):
                self._lay(zone, name, piece, pose)
                return True
        return False

    def lay_anywhere(self, zone: str, name: str, piece: str, slip: Slip) -> None:
        """Wherever there is room in a zone."""
        place = self.area_of(zone)
        for _ in range(PLACE_TRIES):
            spot = self._rng.uniform(place.left, place.right), self._rng.uniform(place.top, place.bottom)
            if self.try_near(zone, name, piece, spot, replace(slip, offset_mm=0.0)):
                return
        self.cramped += 1
        self._lay(zone, name, piece, (*spot, slip.angle))

    def _lay(self, zone: str, name: str, piece: str, pose: tuple[float, float, float]) -> None:
        self._over += 1
        self.pieces[name] = LaidPiece(name, piece, zone, *pose, self._over)

    def _free(self, zone: str, piece: str, pose: tuple[float, float, float], on_others: bool) -> bool:
        x, y, _ = pose
        place = self.area_of(zone)
        inside = Area(place.left + INSIDE_MM, place.top + INSIDE_MM, place.right - INSIDE_MM, place.bottom - INSIDE_MM)
        mine = shapes.outline_card(self.game, *pose)
        return inside.contains(x, y) and not any(
            self._in_the_way(lies, mine, x, zone, piece)
            for lies in self.pieces.values()
            if abs(lies.x - x) < 110 and abs(lies.y - y) < 110 and not (on_others and lies.zone == zone)
        )

    def _in_the_way(self, lies: LaidPiece, mine: shapes.Quad, x: float, zone: str, piece: str) -> bool:
        if self.area_of(lies.zone) != self.area_of(zone) or BACK in (lies.piece, piece):
            return shapes.overlap(mine, shapes.outline_card(self.game, lies.x, lies.y, lies.angle))
        if zone.startswith("row") and lies.zone == zone and x < lies.x + ROW_STEP_MM:
            return True
        return shapes.overlap(mine, shapes.outline_sticker(self.game, lies.x, lies.y, lies.angle, 20.0))
