"""Real pieces at real places of a table: sloppy places in millimetres, hands over it, and what a camera sees."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from random import Random

from engine.table import Area, Piece, Table

CARD_MM = 57
LEAST_STEP_MM = 14
"""Of two cards of a row: the sticker of the lower one stays in sight."""
MARGIN_MM = 6
"""The middle of a card that lies at a place is this far from its edge, at least."""


@dataclass
class Thing:
    """One piece that lies in a zone. ``face`` is what is up: a number, a special with its copy, or ``back``."""

    face: str
    zone: str
    x: float
    y: float
    angle: float
    under: str = ""
    """The face that is down, for a back."""


class Felt:
    """The pieces on the table, each row from left to right."""

    def __init__(self, zones: Mapping[str, Area], rng: Random) -> None:
        self.zones, self.rng = zones, rng
        self.things: list[Thing] = []
        self.off: list[Thing] = []
        """What was on the table and has been lifted, the latest last."""

    def snapshot(self) -> list[Thing]:
        return [copy(thing) for thing in self.things]

    def restore(self, things: Iterable[Thing]) -> None:
        self.things = [copy(thing) for thing in things]

    def at(self, zone: str) -> list[Thing]:
        return sorted((t for t in self.things if t.zone == zone), key=lambda t: t.x)

    def faces(self, zone: str) -> list[str]:
        return [thing.face for thing in self.at(zone)]

    def find(self, face: str) -> Thing | None:
        return next((t for t in self.things if t.face == face), None)

    def require(self, face: str) -> Thing:
        return next(t for t in self.things if t.face == face)

    def put(self, face: str, zone: str, place: int | None = None, under: str = "") -> Thing:
        """Lay a piece down: at a seat anywhere, in a row at this place of the order (default: at its right end)."""
        area = self.zones[zone]
        thing = Thing(face, zone, 0, self._sloppy(area.top, area.bottom), self._angle(), under)
        if zone.startswith("row"):
            thing.x = self._find_place_in_row(area, self.at(zone), place)
        else:
            thing.x = self._sloppy(area.left, area.right)
        self.things.append(thing)
        return thing

    def put_anywhere(self, face: str, area: Area) -> None:
        """In an open spread cards lie anywhere."""
        x, y = (
            self.rng.uniform(low + MARGIN_MM, high - MARGIN_MM)
            for low, high in ((area.left, area.right), (area.top, area.bottom))
        )
        self.things.append(Thing(face, "", x, y, self._angle()))

    def lift(self, thing: Thing) -> str:
        self.things.remove(thing)
        self.off.append(thing)
        return thing.face

    def turn(self, thing: Thing) -> None:
        thing.face, thing.under = thing.under, thing.face

    def move(self, thing: Thing, zone: str, place: int | None = None) -> None:
        self.things.remove(thing)
        self.put(thing.face, zone, place, thing.under)

    def straighten(self, row: str) -> None:
        """Somebody pushes the cards of a row together, or to the left."""
        things, area = self.at(row), self.zones[row]
        step = min(CARD_MM + 4.0, (area.right - area.left - CARD_MM) / max(1, len(things)))
        for n, thing in enumerate(things):
            thing.x = area.left + CARD_MM / 2 + step * n + self.rng.uniform(-3, 3)
            thing.y = self._sloppy(area.top, area.bottom)

    def look(self, unseen: Iterable[Area] = ()) -> Table:
        """What lies under a hand is not seen, whatever it is."""
        unseen = tuple(unseen)
        seen = (t for t in self.things if not any(area.contains(t.x, t.y) for area in unseen))
        return Table(frozenset(Piece(t.face, round(t.x, 1), round(t.y, 1), t.angle) for t in seen), unseen)

    def hand_over(self, zone: str) -> Area:
        """A hand with its forearm over a part of a zone, or over all of it, and over what is beside it."""
        area = self.zones[zone]
        x, y = self.rng.uniform(area.left, area.right), self.rng.uniform(area.top, area.bottom)
        wide, high = self.rng.uniform(40, 200), self.rng.uniform(40, 140)
        if self.rng.random() < 0.3:
            return Area(area.left - 5, area.top - 5, area.right + 5, area.bottom + 5)
        if self.rng.random() < 0.4:  # the arm comes from below the table
            return Area(x - wide / 2, y - high / 2, x + wide / 2, 2000)
        return Area(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)

    def in_words(self) -> str:
        zones = sorted({t.zone for t in self.things})
        return "; ".join(f"{zone or 'spread'} = {' '.join(self.faces(zone))}" for zone in zones)

    def _find_place_in_row(self, area: Area, lying: list[Thing], place: int | None) -> float:
        place = len(lying) if place is None else place
        left, right = area.left + MARGIN_MM, area.right - MARGIN_MM
        if not lying:
            return area.left + self.rng.uniform(MARGIN_MM, 2 * CARD_MM)
        step = self.rng.uniform(LEAST_STEP_MM + 20, CARD_MM + 15)
        if place >= len(lying):
            x = lying[-1].x + step
        elif place == 0:
            x = lying[0].x - step
        else:
            x = (lying[place - 1].x + lying[place].x) / 2
            if lying[place].x - x < LEAST_STEP_MM:
                x = right + 1  # no room: make some
        if left <= x <= right:
            return x
        step = (right - left) / (len(lying) + 1)
        for n, thing in enumerate(lying):
            thing.x = left + step * (n + (n >= place)) + 1
        return left + step * place + 1

    def _sloppy(self, low: float, high: float) -> float:
        middle = self.rng.gauss((low + high) / 2, (high - low) / 7)
        return min(max(middle, low + MARGIN_MM), high - MARGIN_MM)

    def _angle(self) -> float:
        return round(self.rng.choice((0, 0, 0, 180, 90)) + self.rng.gauss(0, 5), 1)
