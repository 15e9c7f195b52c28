"""Rows on the simulated table: each grows at its own pitch and is closed up when its band is full."""

import random

from firmware.simulation.table.free_space import LaidPiece, Room
from firmware.simulation.table.placing_accuracy import SimulatedHand, Slip
from vision.pieces import PIECES

SHOWN_MM = 25.0
"""Part of the left side of a card that must stay visible, in mm."""
ROW_PITCH_MM = 62.0
"""Pitch of cards side by side, in mm."""
MAX_ROW_PITCH_MM = 80.0


class SimulatedRows:
    """Number cards and markers in the bands of the rows."""

    def __init__(self, room: Room, rng: random.Random, hand: SimulatedHand) -> None:
        self._room = room
        self._half = PIECES[room.game].size[0] / 2
        self._rng = rng
        self._hand = hand
        self._pitches: dict[str, float] = {}

    def lay(self, zone: str, name: str, piece: str, slip: Slip) -> None:
        """Place a card behind the others; the first card may be anywhere in the left part."""
        first, last = self._ends(zone)
        held = self._room.pieces_by_zone().get(zone, [])
        if not held:
            self._pitches[zone] = self._rng.choice(self._hand.pitches_mm)
            slack = max(0.0, min(80.0, last - first - 5 * ROW_PITCH_MM))
            self._room.lay_near(zone, name, piece, (first + self._rng.uniform(0, slack), self._middle(zone)), slip)
            return
        pitch = self._pitches.get(zone, ROW_PITCH_MM)
        while pitch < MAX_ROW_PITCH_MM and held[-1].x + pitch <= last:
            if self._room.try_near(zone, name, piece, (held[-1].x + pitch, self._middle(zone)), slip):
                return
            pitch += 6
        self._close_up(zone, last - 30)
        end = self._room.pieces_by_zone()[zone][-1].x
        x = min(last, end + 58)
        angle = (
            slip.angle if x >= end + 50 else slip.angle % 90
        )  # too near: a sticker on the right would cover the card before
        self._room.lay_near(zone, name, piece, (x, self._middle(zone)), Slip(min(slip.offset_mm, 6.0), angle))

    def mark(self, zone: str, name: str, piece: str, slip: Slip) -> None:
        """Place a special at its row: that of a new fifth row at its left end, every other one at the right end."""
        row = zone.replace("mark", "row")
        place, held = self._room.area_of(zone), self._room.pieces_by_zone().get(row, [])
        ends = [lies.x for lies in self._marks(row) if lies.x > place.left + 2 * self._half]
        first = piece == "fifth" and not held
        x = place.left + self._half + 8 if first else min([*ends, place.right + self._half]) - 2 * self._half - 4
        if any(abs(lies.x - x) < 2 * self._half + 6 for lies in held):
            self._close_up(row, x - self._half - 8)
        self._room.lay_near(zone, name, piece, (x, self._middle(zone)), Slip(min(slip.offset_mm, 8.0), slip.angle))

    def _close_up(self, zone: str, last: float) -> None:
        """Close up a row that has no room left, with all cards upright."""
        held = self._room.pieces_by_zone().get(zone, [])
        first, _ = self._ends(zone)
        pitch = min(40.0, max(SHOWN_MM, (last - first) / max(1, len(held))))
        for lies in held:
            del self._room.pieces[lies.name]
        for n, lies in enumerate(held):
            slip = Slip(1.0, self._rng.gauss(0, 1.5))
            self._room.lay_near(zone, lies.name, lies.piece, (first + n * pitch, self._middle(zone)), slip)

    def _ends(self, zone: str) -> tuple[float, float]:
        """Limits for the centres of the first and the last card."""
        place = self._room.area_of(zone)
        marks = self._marks(zone)
        at_left = [lies.x for lies in marks if lies.x <= place.left + 2 * self._half]
        first = max([place.left, *(x + self._half for x in at_left)])
        last = min([place.right, *(lies.x - self._half for lies in marks if lies.x not in at_left)])
        return first + self._half + 4, last - self._half - 4

    def _marks(self, row: str) -> list[LaidPiece]:
        return self._room.pieces_by_zone().get(row.replace("row", "mark"), [])

    def _middle(self, zone: str) -> float:
        place = self._room.area_of(zone)
        return (place.top + place.bottom) / 2
