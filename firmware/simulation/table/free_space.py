"""Free space on the simulated table: a card is placed near its target without covering a sticker or another zone."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.table import BACK, Area
from firmware.simulation.table import shapes
from firmware.simulation.table.placing_accuracy import Slip

INSIDE_MM = 5.0
"""Least distance from the centre of a card to the edge of its zone, in mm: players avoid the line."""
PLACE_TRIES = 48
"""Directions that are tried before a place counts as too narrow."""
FALLBACK_OFFSETS_MM = (6.0, 12.0, 20.0, 30.0, 45.0)
"""Distances from the target at which free space is searched last, in mm."""
ROW_STEP_MM = 15.0
"""Least distance from one card of a row to the next, in mm."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """One piece on the table: ``name`` is the piece in its code; ``over`` is greater than that of any piece below."""

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
    """All cards and their positions; ``cramped`` counts those for which the drawn error had no room."""

    def __init__(self, game: str, zones: Mapping[str, Area], whole: Area, rng: random.Random) -> None:
        self.game = game
        self.pieces: dict[str, LaidPiece] = {}
        self.cramped = 0
        self._zones = zones
        self._whole = whole
        self._rng = rng
        self._over = 0

    def pieces_by_zone(self) -> dict[str, list[LaidPiece]]:
        """Pieces of each zone: rows from left to right, others in the order of placement."""
        held: dict[str, list[LaidPiece]] = {}
        for lies in sorted(self.pieces.values(), key=lambda lies: lies.over):
            held.setdefault(lies.zone, []).append(lies)
        for zone, some in held.items():
            if zone.startswith("row"):
                some.sort(key=lambda lies: lies.x)
        return held

    def area_of(self, zone: str) -> Area:
        """The area of a zone; specials share the rows and seats of number cards."""
        at = zone.replace("mark", "row").replace("special", "seat")
        return self._zones.get(at, self._whole)

    def lay_near(self, zone: str, name: str, piece: str, at: Spot, slip: Slip, *, on_others: bool = False) -> None:
        """Place it with the drawn error if a direction has room, else with a smaller one, else where there is room."""
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
        """Place it at this distance in a random direction; False if none has room."""
        for _ in range(PLACE_TRIES):
            dx, dy = slip.draw_offset(self._rng)
            pose = (at[0] + dx, at[1] + dy, slip.angle)
            if self._free(zone, piece, pose, on_others):
                self._lay(zone, name, piece, pose)
                return True
        return False

    def lay_anywhere(self, zone: str, name: str, piece: str, slip: Slip) -> None:
        """Place it anywhere in its zone where there is room."""
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
