"""Room on the simulated table: a piece is let go near its mark, on nothing of another zone, hiding no sticker."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.table import BACK, Area
from firmware.simulation.table import shapes
from firmware.simulation.table.hand import Slip

INSIDE = 5.0
"""A card's middle lies at least so many mm inside its zone: nobody lays it on the line."""
TRIES = 48
"""So many directions are thought of before a place counts as too narrow."""
ELSEWHERE = (6.0, 12.0, 20.0, 30.0, 45.0)
"""So many mm from where it should lie people look for room in the end."""
BEHIND = 15.0
"""The middle of a row's next card lies at least so many mm further to the right."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lies:
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
        self.pieces: dict[str, Lies] = {}
        self.cramped = 0
        self._zones = zones
        self._whole = whole
        self._rng = rng
        self._over = 0

    def held(self) -> dict[str, list[Lies]]:
        """Zones and what lies in them: rows from left to right, everything else as it was laid."""
        held: dict[str, list[Lies]] = {}
        for lies in sorted(self.pieces.values(), key=lambda lies: lies.over):
            held.setdefault(lies.zone, []).append(lies)
        for zone, some in held.items():
            if zone.startswith("row"):
                some.sort(key=lambda lies: lies.x)
        return held

    def place(self, zone: str) -> Area:
        """Specials share the rows and seats of numbers."""
        at = zone.replace("mark", "row").replace("special", "seat")
        return self._zones.get(at, self._whole)

    def settle(self, zone: str, name: str, piece: str, at: Spot, slip: Slip, *, on_others: bool = False) -> None:
        """As far off as the hand has it, if there is room in any direction, else nearer, else where there is room."""
        for off in (slip.off, 0.7 * slip.off, 0.4 * slip.off, 0.2 * slip.off, *ELSEWHERE):
            if self.tried(zone, name, piece, at, replace(slip, off=off), on_others=on_others):
                self.cramped += off != slip.off
                return
        self.cramped += 1
        self._let_go(zone, name, piece, (*at, slip.angle))

    def tried(self, zone: str, name: str, piece: str, at: Spot, slip: Slip, *, on_others: bool = False) -> bool:
        """Is there a direction in which it can lie so far off?"""
        for _ in range(TRIES):
            dx, dy = slip.towards(self._rng)
            pose = (at[0] + dx, at[1] + dy, slip.angle)
            if self._free(zone, piece, pose, on_others):
                self._let_go(zone, name, piece, pose)
                return True
        return False

    def anywhere(self, zone: str, name: str, piece: str, slip: Slip) -> None:
        """Wherever there is room in a zone."""
        place = self.place(zone)
        for _ in range(TRIES):
            spot = self._rng.uniform(place.left, place.right), self._rng.uniform(place.top, place.bottom)
            if self.tried(zone, name, piece, spot, replace(slip, off=0.0)):
                return
        self.cramped += 1
        self._let_go(zone, name, piece, (*spot, slip.angle))

    def _let_go(self, zone: str, name: str, piece: str, pose: tuple[float, float, float]) -> None:
        self._over += 1
        self.pieces[name] = Lies(name, piece, zone, *pose, self._over)

    def _free(self, zone: str, piece: str, pose: tuple[float, float, float], on_others: bool) -> bool:
        x, y, _ = pose
        place = self.place(zone)
        inside = Area(place.left + INSIDE, place.top + INSIDE, place.right - INSIDE, place.bottom - INSIDE)
        mine = shapes.card(self.game, *pose)
        return inside.contains(x, y) and not any(
            self._in_the_way(lies, mine, x, zone, piece)
            for lies in self.pieces.values()
            if abs(lies.x - x) < 110 and abs(lies.y - y) < 110 and not (on_others and lies.zone == zone)
        )

    def _in_the_way(self, lies: Lies, mine: shapes.Quad, x: float, zone: str, piece: str) -> bool:
        if self.place(lies.zone) != self.place(zone) or BACK in (lies.piece, piece):
            return shapes.overlap(mine, shapes.card(self.game, lies.x, lies.y, lies.angle))
        if zone.startswith("row") and lies.zone == zone and x < lies.x + BEHIND:
            return True
        return shapes.overlap(mine, shapes.sticker(self.game, lies.x, lies.y, lies.angle, 20.0))
