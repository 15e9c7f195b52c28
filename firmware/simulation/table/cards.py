"""Cards on the simulated table; a card keeps its position until a hand moves it."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from engine.log import Log
from engine.table import BACK, Area, Layout
from firmware.simulation.players.piece_handling import habits_of
from firmware.simulation.table.free_space import LaidPiece, Room, Spot
from firmware.simulation.table.placing_accuracy import SimulatedHand
from firmware.simulation.table.rows import SimulatedRows
from vision.tags.codebook import list_printed


class SimulatedPieces:
    """All cards of one game that are on the table."""

    def __init__(self, log: Log[Any, Any], rng: random.Random, hand: SimulatedHand) -> None:
        plan = log.game.plan(log.options)
        self._whole = Area(0, 0, plan.width, plan.height)
        self._room = Room(log.game.name, plan.zones, self._whole, rng)
        self._rows = SimulatedRows(self._room, rng, hand)
        self._rng = rng
        self._hand = hand
        self._put_now: set[str] = set()
        self._habits = habits_of(log.game.name)
        self._shares_seats = self._habits.shares_seats(log.options)

    @property
    def pieces(self) -> Mapping[str, LaidPiece]:
        return self._room.pieces

    @property
    def cramped(self) -> int:
        return self._room.cramped

    def lay_out(self, layout: Layout, spread: Mapping[str, Spot]) -> tuple[Spot, ...]:
        """Move cards until the table matches the layout; return the spots that hands touched.

        ``spread`` gives the positions of an open spread.
        """
        before = dict(self.pieces)
        wanted = self._once_each(layout)
        self._put_now = set()
        for zone in self._room.pieces_by_zone():
            self._lift(zone, wanted.get(zone, ()))
        for zone in sorted(wanted, key=_specials_last):
            self._lay(zone, tuple(wanted[zone]), spread)
        return list_changed_spots(before, self.pieces)

    def restore(self, before: Mapping[str, LaidPiece]) -> tuple[Spot, ...]:
        """Put every card back to where it was; return the spots that hands touched."""
        now, self._room.pieces = self._room.pieces, dict(before)
        return list_changed_spots(now, before)

    def _once_each(self, layout: Layout) -> dict[str, list[str]]:
        """Pieces by zone. Each card exists once: a card that is new in one zone is removed from its old zone."""
        wanted = {zone: list(pieces) for zone, pieces in layout.zones.items()}
        for zone, start in self._habits.start_cards.items():
            wanted[zone] = [start, *wanted.get(zone, ())]
        held = self._room.pieces_by_zone()
        for zone, pieces in list(wanted.items()):
            old = [lies.piece for lies in held.get(zone, ())]
            for piece in pieces:
                if piece in old:
                    old.remove(piece)
                    continue
                lies = self.pieces.get(self._name(piece, zone))
                if lies and lies.zone != zone and piece in wanted.get(lies.zone, ()):
                    wanted[lies.zone].remove(piece)
        return wanted

    def _lift(self, zone: str, wanted: Iterable[str]) -> None:
        rest = list(wanted)
        for lies in self._room.pieces_by_zone()[zone]:
            if lies.piece in rest:
                rest.remove(lies.piece)
            else:
                del self._room.pieces[lies.name]

    def _lay(self, zone: str, wanted: tuple[str, ...], spread: Mapping[str, Spot]) -> None:
        held = self._room.pieces_by_zone().get(zone, [])
        kind = zone.partition(":")[0]
        if kind != "row" and kind not in self._habits.stacks:  # zones without an order
            rest = list(wanted)
            for lies in held:
                rest.remove(lies.piece)
            for piece in rest:
                self._put(zone, piece, spread)
            return
        same = 0
        while same < len(held) and held[same].piece == wanted[same]:
            same += 1
        for lies in held[same:]:
            del self._room.pieces[lies.name]
        for nth, piece in enumerate(wanted[same:]):
            self._put(zone, piece, spread)
            if nth and not zone.startswith("row"):
                self._hide(wanted[same + nth - 1], piece, zone)

    def _hide(self, lower: str, upper: str, zone: str) -> None:
        """Two cards placed on a pile together: the upper card hides the lower one completely."""
        below, above = (self.pieces[self._name(piece, zone)] for piece in (lower, upper))
        self._room.pieces[below.name] = replace(below, x=above.x, y=above.y, angle=above.angle)

    def _put(self, zone: str, piece: str, spread: Mapping[str, Spot]) -> None:
        name = self._name(piece, zone)
        if name in self._put_now:  # a second copy
            name = f"{name} 2"
        self._put_now.add(name)
        self._room.pieces.pop(name, None)  # each card exists once
        slip = self._hand.draw_slip(self._rng)
        match zone.partition(":")[0]:
            case "row":
                self._rows.lay(zone, name, piece, slip)
            case "mark":
                self._rows.mark(zone, name, piece, slip)
            case kind if kind in self._habits.stacks:
                self._room.lay_near(zone, name, piece, _middle(self._room.area_of(zone)), slip, on_others=True)
            case "seat" | "special":
                self._room.lay_near(zone, name, piece, self._seat(zone), slip)
            case _ if name == piece:
                self._room.lay_near(zone, name, piece, spread.get(piece, _middle(self._whole)), slip)
            case _:
                self._room.lay_anywhere(zone, name, piece, slip)

    def _name(self, piece: str, zone: str) -> str:
        """The name of the sticker; start cards and specials have several copies."""
        if piece == BACK:
            return f"{BACK} {zone}"
        kind = piece.partition(".")[0]
        if copies := self._habits.copies.get(kind, 0):
            return next((n for c in range(1, copies + 1) if (n := f"{kind}.{c}") not in self.pieces), f"{kind}.1")
        if piece in self._habits.start_cards.values():
            return f"{piece} {zone.partition(':')[2]}" if f"{piece} 1" in self.pieces else f"{piece} 1"
        return piece

    def _seat(self, zone: str) -> Spot:
        """Number card and special side by side where specials are played; else in the middle, a second card half on the
        first.
        """
        place = self._room.area_of(zone)
        x, y = _middle(place)
        if self._shares_seats:
            x += (place.right - place.left) * (0.16 if zone.startswith("special") else -0.2)
            return x + 30 * sum(lies.zone == zone for lies in self.pieces.values()), y
        lying = [lies for lies in self.pieces.values() if self._room.area_of(lies.zone) == place]
        return (lying[-1].x + 34, y) if lying else (x, y)


def list_changed_spots(before: Mapping[str, LaidPiece], now: Mapping[str, LaidPiece]) -> tuple[Spot, ...]:
    """Spots that hands have touched: old and new positions of every piece that differs."""
    fresh = [lies.spot for name, lies in now.items() if before.get(name) != lies]
    gone = [lies.spot for name, lies in before.items() if now.get(name) != lies]
    return tuple(dict.fromkeys((*gone, *fresh)))


@cache
def find_payload(game: str, name: str) -> str:
    """The code of this card."""
    piece, _, copy = name.partition(" ")
    found = [code for code in list_printed() if (code.game, code.piece) == (game, piece)]
    return found[(int(copy or 1) - 1) % len(found)].payload


def _specials_last(zone: str) -> tuple[bool, str]:
    return zone.startswith(("mark", "special")), zone


def _middle(area: Area) -> Spot:
    return (area.left + area.right) / 2, (area.top + area.bottom) / 2
