"""A table that lives: every piece of one game has a place, and hands, a lamp and a knock change it while it runs.

Any thread may call any method: people's thread and the page move pieces while the camera draws. Every act returns at
once and is whole: the camera never sees half of it. ``version`` grows with every act.

Pieces are named by ``id``: ``33``, ``block.2``, ``red 7``, ``1 2`` (the second card with a 1). Players are numbers from
1. Millimetres and degrees are those of ``engine.table``: x to the right, y away from the first row, clockwise; an
upright card has angle 0. Stocks: ``cards``, ``specials``, ``start`` (cards that lie there from the start), ``discard``,
``red`` and ``black`` for tiles; any other name makes a new one, for example ``box``.

An act that cannot be done raises ``ImpossibleAct`` and changes nothing.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import RLock
from typing import Literal, get_args

from engine.errors import InputError
from engine.table import Area, Table
from firmware.simulation.players.piece_handling import habits_of
from firmware.simulation.table.arm_positions import make_arm
from firmware.simulation.table.camera_position import PX_MODULE, TILT_DEG, place_camera, place_markers
from firmware.simulation.table.cards import find_payload
from firmware.simulation.table.perfect_reading import read_perfectly
from firmware.simulation.table.piece_places import InHand, InPile, InStock, OnTable, PhysicalPiece, Place
from firmware.simulation.table.shapes import Spot
from firmware.simulation.table.table_light import TABLE_LIGHTS, LampSetting, light_scene
from vision.pieces import PIECES, has_tiles
from vision.render import Arm, DrawnCard, DrawnTile, Scene, SceneLight, Sensor, StrayObject

RIM_MM = 60.0
"""How far beyond the area the centre of a piece may lie, in mm; farther away the table ends."""
TILE_MM = 38.0
"""Width of a tile across its flats, in mm."""
TILE_PITCH_MM = 38.6
"""Distance of two tiles that lie side by side, in mm."""
ObjectKind = Literal["mug", "phone", "paper"]
OBJECTS: frozenset[ObjectKind] = frozenset(get_args(ObjectKind))


class ImpossibleAct(InputError):
    """Hands cannot do this: there is no such piece, or no table at that spot."""


class PhysicalTable:
    """All pieces of one game, with everything else that the camera sees. ``seed`` decides camera, wood and arms."""

    def __init__(self, game: str, area: Area, *, seed: int = 0, px_module: float = PX_MODULE) -> None:
        rng = random.Random(seed)
        self.area = area
        self.version = 0
        eye = place_camera(area, px_module, tilt=TILT_DEG, towards=rng.uniform(0, 360), turn=rng.uniform(-2, 2))
        self._empty = Scene(
            eye, "wood", 3, markers=place_markers(area), light=SceneLight(), sensor=Sensor(blur=0.6), seed=seed % 99
        )
        self._rng = rng
        self._lock = RLock()
        self._arms: dict[str, Arm] = {}
        self._objects: dict[str, StrayObject] = {}
        self._lamp: LampSetting = "daylight"
        self._over = 0
        self.bring_game(game)

    # what is there

    @property
    def game(self) -> str:
        """The game whose pieces are in use."""
        return self._game

    @property
    def lamp(self) -> LampSetting:
        return self._lamp

    @property
    def tile_pitch(self) -> float:
        """Distance of two tiles that lie side by side, in mm."""
        return TILE_PITCH_MM

    def pieces(self) -> tuple[PhysicalPiece, ...]:
        """Every piece of the game, wherever it is."""
        with self._lock:
            return tuple(PhysicalPiece(id, self._names[id], place) for id, place in self._places.items())

    def piece(self, id: str) -> PhysicalPiece:
        with self._lock:
            return PhysicalPiece(id, self._names[self._known(id)], self._places[id])

    def lying(self, area: Area | None = None) -> tuple[PhysicalPiece, ...]:
        """The pieces on the table, or those with their centre in this area, from the lowest to the highest."""
        with self._lock:
            places = self._places.items()
            there = [(at.over, id, at) for id, at in places if isinstance(at, OnTable) and _in(at, area)]
            return tuple(PhysicalPiece(id, self._names[id], at) for _, id, at in sorted(there))

    def hand(self, player: int) -> tuple[str, ...]:
        """The ids of the pieces in this hand, in the order in which they came there."""
        return self._held(InHand(player))

    def pile(self, player: int) -> tuple[str, ...]:
        """The ids of the cards that this player has won."""
        return self._held(InPile(player))

    def stock(self, name: str = "cards") -> tuple[str, ...]:
        """The ids of a stock from the bottom to the top."""
        return self._held(InStock(name))

    @property
    def arms(self) -> Mapping[str, Arm]:
        return dict(self._arms)

    @property
    def objects(self) -> Mapping[str, StrayObject]:
        return dict(self._objects)

    # hands

    def bring_game(self, game: str) -> None:
        """Put all pieces away and bring those of this game, all in their stocks; the light and objects stay."""
        names = [name for _, name in PIECES[game].names]
        seen: dict[str, int] = {}
        ids: dict[str, str] = {}
        for name in names:
            seen[name] = seen.get(name, 0) + 1
            ids[f"{name} {seen[name]}" if names.count(name) > 1 else name] = name
        with self._lock:
            self._game = game
            self._names = ids
            self._places: dict[str, Place] = {id: InStock(_stock_of(game, name)) for id, name in ids.items()}
            self._changed()

    def shuffle(self, name: str, rng: random.Random) -> None:
        """Shuffle a stock."""
        with self._lock:
            ids = list(self.stock(name))
            rng.shuffle(ids)
            self._move(ids, InStock(name))

    def take(self, ids: Iterable[str], player: int) -> None:
        """The player takes these pieces into the hand, from wherever they are."""
        self._move(ids, InHand(player))

    def win(self, ids: Iterable[str], player: int) -> None:
        """The player puts these cards on the pile of cards won, as when a row is taken."""
        self._move(ids, InPile(player))

    def put_back(self, ids: Iterable[str], stock: str = "cards") -> None:
        """Put these pieces on top of a stock."""
        self._move(ids, InStock(stock))

    def lay(
        self, id: str, x: float, y: float, angle: float = 0.0, *, face_down: bool = False, under: str | None = None
    ) -> None:
        """Lay a piece here from wherever it is: on top of all others, or right under the piece ``under``."""
        with self._lock:
            self._on_the_table((x, y))
            self._known(id)
            below = self._lying_place(under) if under is not None else None
            self._over += 1
            if below is None:
                place = OnTable(x, y, angle, self._over, face_down)
            else:
                self._raise(below.over)
                place = OnTable(x, y, angle, below.over, face_down)
            self._move([id], place)

    def slip_under(self, id: str, other: str) -> None:
        """Slip a piece that lies on the table under another one, where both are."""
        with self._lock:
            at = self._lying_place(id)
            self.lay(id, at.x, at.y, at.angle, face_down=at.face_down, under=other)

    def turn_over(self, id: str) -> None:
        """Turn a card on the table over, where it lies."""
        with self._lock:
            at = self._lying_place(id)
            self._move([id], replace(at, face_down=not at.face_down))

    def push(self, ids: Iterable[str], dx: float, dy: float, turn: float = 0.0) -> None:
        """Push pieces on the table together by this many mm, and turn each around its centre."""
        with self._lock:
            moved = {id: self._lying_place(id) for id in ids}
            for at in moved.values():
                self._on_the_table((at.x + dx, at.y + dy))
            for id, at in moved.items():
                self._places[id] = replace(at, x=at.x + dx, y=at.y + dy, angle=at.angle + turn)
            self._changed()

    def clear(self) -> None:
        """Put every piece on the table, in hands and in piles back into its stock."""
        with self._lock:
            for id, name in self._names.items():
                self._places[id] = InStock(_stock_of(self._game, name))
            self._changed()

    # what else the camera sees

    def reach(self, name: str, x: float, y: float, into: float = 1.0) -> None:
        """Hold the arm of this name over a spot, until ``withdraw``; ``into`` is the share of the way to the spot."""
        with self._lock:
            self._arms[name] = make_arm(self._rng, self.area, (x, y), into)
            self._changed()

    def withdraw(self, name: str) -> None:
        """Draw this arm back; an arm that is not there stays away."""
        with self._lock:
            self._arms.pop(name, None)
            self._changed()

    def put_object(self, name: str, kind: ObjectKind, x: float, y: float, angle: float = 0.0) -> None:
        """Put a mug, phone or paper here, under a name of its own; one with that name is moved."""
        with self._lock:
            if kind not in OBJECTS:
                raise ImpossibleAct(
                    f"There is no {kind!r} to put on the table: choose from {', '.join(sorted(OBJECTS))}."
                )
            self._on_the_table((x, y))
            self._objects[name] = StrayObject(kind, x, y, angle)
            self._changed()

    def remove_object(self, name: str) -> None:
        with self._lock:
            self._objects.pop(name, None)
            self._changed()

    def set_lamp(self, setting: LampSetting) -> None:
        if setting not in TABLE_LIGHTS:
            raise ImpossibleAct(f"There is no light {setting!r}: choose from {', '.join(TABLE_LIGHTS)}.")
        with self._lock:
            self._lamp = setting
            self._changed()

    def knock_camera(self, dx: float, dy: float, turn: float = 0.0) -> None:
        """Push the camera by this many mm and turn it by degrees; it stays there."""
        with self._lock:
            eye = self._empty.camera
            self._empty = replace(self._empty, camera=replace(eye, x=eye.x + dx, y=eye.y + dy, turn=eye.turn + turn))
            self._changed()

    # pictures

    def empty_scene(self) -> Scene:
        """The table without pieces, arms and objects, in daylight."""
        return self._empty

    def scene(self) -> Scene:
        """What the camera sees now, for ``vision.render``."""
        with self._lock:
            lying = self.lying()
            bare = light_scene(self._empty, self._lamp)
            bare = replace(bare, arms=tuple(self._arms.values()), objects=tuple(self._objects.values()))
        if has_tiles(self._game):
            return replace(bare, tiles=tuple(_draw_tile(it) for it in lying))
        return replace(bare, cards=tuple(_draw_card(self._game, it) for it in lying))

    def true_table(self) -> Table:
        """What perfect perception reads now: stickers in sight, backs, covers, and what arms and objects hide."""
        with self._lock:
            if TABLE_LIGHTS[self._lamp].dark:
                return Table(frozenset(), (self.area,))
            return read_perfectly(self._game, self.area, self.lying(), self._arms.values(), self._objects.values())

    # inside

    def _held(self, place: Place) -> tuple[str, ...]:
        with self._lock:
            return tuple(id for id, at in self._places.items() if at == place)

    def _move(self, ids: Iterable[str], place: Place) -> None:
        with self._lock:
            moved = [self._known(id) for id in ids]
            for id in moved:
                del self._places[id]  # the last one to come is the last in order
                self._places[id] = place
            self._changed()

    def _raise(self, over: int) -> None:
        """Make room below this height: all pieces from there on lie one higher."""
        for id, at in self._places.items():
            if isinstance(at, OnTable) and at.over >= over:
                self._places[id] = replace(at, over=at.over + 1)

    def _known(self, id: str) -> str:
        if id not in self._names:
            raise ImpossibleAct(f"There is no piece {id!r} at this table.")
        return id

    def _lying_place(self, id: str) -> OnTable:
        place = self._places[self._known(id)]
        if not isinstance(place, OnTable):
            raise ImpossibleAct(f"The piece {id!r} is not on the table.")
        return place

    def _on_the_table(self, spot: Spot) -> None:
        rim = Area(self.area.left - RIM_MM, self.area.top - RIM_MM, self.area.right + RIM_MM, self.area.bottom + RIM_MM)
        if not rim.contains(*spot):
            raise ImpossibleAct(f"The table ends before ({spot[0]:.0f}, {spot[1]:.0f}).")

    def _changed(self) -> None:
        self.version += 1


def _in(place: OnTable, area: Area | None) -> bool:
    return area is None or area.contains(place.x, place.y)


def _stock_of(game: str, name: str) -> str:
    if has_tiles(game):
        return name
    if name in habits_of(game).start_cards.values():
        return "start"
    return "specials" if "." in name else "cards"


def _draw_tile(it: PhysicalPiece) -> DrawnTile:
    assert isinstance(it.place, OnTable)
    return DrawnTile("red" if it.name == "red" else "black", *it.place.spot, it.place.angle, TILE_MM)


def _draw_card(game: str, it: PhysicalPiece) -> DrawnCard:
    assert isinstance(it.place, OnTable)
    at = it.place
    payload = "" if at.face_down else find_payload(game, it.id)
    return DrawnCard(game, "back" if at.face_down else it.name, *at.spot, at.angle, payload, face_down=at.face_down)
