"""Hands that change a board of SIX, drawn at random: table, light, finish, arm and act, and what then lies where.

Every number follows from the ranges and the seed below. The truth is the drawn scene of each moment.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from engine.axial import Cell, find_centre, list_neighbours, surround
from engine.game import Illegal
from engine.games import GAMES
from engine.log import Adopt, Log
from engine.table import Area
from firmware.simulation.table.camera_position import place_camera, place_markers
from tests.studio.boards import grow_board, is_connected
from vision.render import Arm, DrawnTile, Glare, Scene, SceneLight, Sensor
from vision.render.scene import Ground
from vision.render.sensor import Wobble

Rng = np.random.Generator
Colour = Literal["red", "black"]
Point = tuple[float, float]

SEED = 20261119
"""With the number of a sequence the seed of all that is drawn in it."""
AREA = Area(0, 0, 600, 450)
GROUNDS: tuple[Ground, ...] = ("wood", "white", "felt", "darkwood", "clutter")
ACTS = ("place", "move", "exchange", "take", "slide a part", "slide a cell", "two acts", "at the edge", "reserve")
LIGHTS = ("even", "lamp", "sun", "cast", "window")
SEQUENCES = len(GROUNDS) * len(ACTS) * len(LIGHTS)
"""Every act on every table in every light."""

TILE_MM = 38.0
GAPS_MM, NUDGE_MM, TURN_DEG = (0.3, 1.4), 0.5, 2.5
"""The gap between two tiles; how far a tile lies off its cell, and how far it is turned: standard deviations."""
PAIRS, RESERVE = (3, 15), (2, 8)
"""Red and black tiles of the board, as many of each; tiles beside it."""
PART_PITCHES = (0.25, 0.75)
"""A tile slid by a part of a cell."""
APART_PITCHES = 0.97
"""The centres of two tiles are never nearer."""
TOUCH_PITCHES = 1.6
"""A tile this near to one of the board belongs to it or has been pushed off it; reserve tiles lie further away."""
RESERVE_PITCHES = 2.3
"""The least distance of reserve tiles from the board when a sequence begins."""
GAIN, DRIFT, MUCH_DRIFT, MUCH_DRIFT_SHARE = (0.6, 0.95), (0.93, 1.07), (0.75, 1.3), 0.2
"""Light, and how much brighter it is than on the empty table."""
FLICKER = 0.02
"""In half of the sequences the light varies from frame to frame by this share at most."""
SLOPE, LAMP_RADIUS_MM, LAMP_LIGHT = (-0.25, 0.25), (50.0, 120.0), (0.04, 0.2)
SUN_SHADOW, SUN_RIM, SUN_THROW = (0.5, 0.8), (0.1, 0.3), (0.7, 2.5)
CAST, CAST_DRIFT = (0.12, 0.35), 0.08
SATIN, MATT = (0.03, 0.14), 0.01
"""Light of a window mirrored in satin tiles; half of the tiles in other light are satin too, and mirror little."""
WOBBLE_PX, WOBBLE_SHARE = (0.1, 0.6), 0.5
PACE_S = 0.2
BEFORE_S, AFTER_S, STATION_S = 1.0, 1.8, (0.1, 0.6)
"""Seconds of the board at rest before the hand and after it, and for each place where the hand stays."""
PX_MODULE = 1.35
"""Pixels per module of a sticker in the worst corner: 1.9 px/mm."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: its time, what it shows, and the tiles that lie on the table; a tile in the hand does not."""

    at: float
    scene: Scene
    board: tuple[DrawnTile, ...]
    """Tiles of the board, and tiles that were pushed off it but touch it."""
    reserve: tuple[DrawnTile, ...]


@dataclass(frozen=True, slots=True)
class TileSequence:
    """``empty`` is the scene of the empty table. ``cells`` is the board after the act, without tiles off the lattice.

    ``changed`` are the places in mm where a tile lay or lies now and did not before, or has another colour.
    """

    number: int
    ground: Ground
    act: str
    light: str
    pitch: float
    empty: Scene
    moments: tuple[Moment, ...]
    log: Log[Any, Any]
    cells: dict[Cell, Colour]
    lattice: "Lattice"
    changed: tuple[Point, ...]
    off_lattice: tuple[Point, ...]
    wobble: Wobble | None
    touched_s: float
    done_s: float


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cell (0, 0) lies at ``base``, cell (1, 0) at ``base + side``."""

    base: complex
    side: complex

    def find_spot(self, cell: Cell) -> Point:
        z = self.base + self.side * find_centre(cell)
        return z.real, z.imag

    @property
    def pitch(self) -> float:
        return abs(self.side)


@dataclass(slots=True)
class _Draft:
    """Tiles while the hand is at work: by cell, and those off the lattice; ``held`` is in the hand."""

    lattice: Lattice
    board: dict[Cell, DrawnTile]
    loose: list[DrawnTile]
    reserve: list[DrawnTile]
    held: DrawnTile | None = None
    stations: list[tuple[Point, "_Still"]] = field(default_factory=list)

    def stay(self, at: Point) -> None:
        self.stations.append(
            (at, _Still((*self.board.values(), *self.loose), tuple(self.reserve), self.held and _lift(self.held, at)))
        )


@dataclass(frozen=True, slots=True)
class _Still:
    board: tuple[DrawnTile, ...]
    reserve: tuple[DrawnTile, ...]
    held: DrawnTile | None = None


def _lift(tile: DrawnTile, at: Point) -> DrawnTile:
    return replace(tile, x=at[0], y=at[1], lift=22.0)


def make_sequence(number: int) -> TileSequence:
    rng = np.random.default_rng([SEED, number])
    ground = GROUNDS[number % len(GROUNDS)]
    act = ACTS[number // len(GROUNDS) % len(ACTS)]
    light = LIGHTS[number // (len(GROUNDS) * len(ACTS)) % len(LIGHTS)]
    while True:
        try:
            draft = _lay_board(rng, _draw(rng, SATIN) if light == "window" else _choose(rng, (0.0, MATT)), act)
            log = _record(draft)
            before = dict(draft.board)
            was = [*before.values(), *draft.reserve]
            _perform(rng, draft, act)
        except (Illegal, _Impossible):
            continue
        break
    empty, lit = _furnish(rng, ground, light, number)
    now = [*draft.board.values(), *draft.loose, *draft.reserve]
    changed = tuple((tile.x, tile.y) for tile in (*was, *now) if (tile in was) != (tile in now))
    moments, touched, done = _film(rng, draft, lit, _Still(tuple(before.values()), tuple(was[len(before) :])))
    wobble = None
    if rng.random() < WOBBLE_SHARE:
        wobble = Wobble(_draw(rng, WOBBLE_PX), _draw(rng, (4, 12)), _draw(rng, (0, 360)), _draw(rng, (0, 6.28)), 0.6)
    cells: dict[Cell, Colour] = {cell: tile.colour for cell, tile in draft.board.items()}
    return TileSequence(
        number, ground, act, light, draft.lattice.pitch, empty, tuple(moments), log, cells, draft.lattice, changed,
        tuple((tile.x, tile.y) for tile in draft.loose), wobble, touched, done,
    )  # fmt: skip


class _Impossible(Exception):
    """This board leaves no place for the act: another one is drawn."""


def _draw(rng: Rng, span: tuple[float, float]) -> float:
    return float(rng.uniform(*span))


def _choose(rng: Rng, some: Any) -> Any:
    return some[int(rng.integers(len(some)))]


def _lay_board(rng: Rng, satin: float, act: str) -> _Draft:
    cells = grow_board(rng, 2 * int(rng.integers(PAIRS[0], PAIRS[1] + 1)))
    colours = rng.permutation(len(cells)) % 2
    pitch, angle = TILE_MM + _draw(rng, GAPS_MM), math.radians(_draw(rng, (0, 60)))
    side = pitch * complex(math.cos(angle), math.sin(angle))
    spots = np.array([side * find_centre(cell) for cell in cells])
    reach = pitch * (0.6 if act == "at the edge" else 1.9)
    low, high = spots.real.min() - reach, spots.real.max() + reach
    top, bottom = spots.imag.min() - reach, spots.imag.max() + reach
    if high - low > AREA.right or bottom - top > AREA.bottom:
        raise _Impossible
    x, y = _draw(rng, (-low, AREA.right - high)), _draw(rng, (-top, AREA.bottom - bottom))
    if act == "at the edge":
        x, y = _choose(rng, ((-low, y), (AREA.right - high, y), (x, -top), (x, AREA.bottom - bottom)))
    lattice = Lattice(complex(x, y), side)
    draft = _Draft(lattice, {}, [], [])
    for cell, red in zip(cells, colours, strict=True):
        draft.board[cell] = _put(rng, draft, cell, "red" if red else "black", satin)
    taken = [*draft.board.values()]
    want = int(rng.integers(RESERVE[0], RESERVE[1] + 1))
    for _ in range(2000):
        if len(draft.reserve) == want:
            break
        at = _draw(rng, (25, AREA.right - 25)), _draw(rng, (25, AREA.bottom - 25))
        if _is_free(at, draft.reserve, 1.15 * pitch) and _is_free(at, taken, RESERVE_PITCHES * pitch):
            colour: Colour = _choose(rng, ("red", "black"))
            draft.reserve.append(DrawnTile(colour, *at, _draw(rng, (0, 60)), TILE_MM, satin=satin))
    return draft


def _put(rng: Rng, draft: _Draft, cell: Cell, colour: Colour, satin: float) -> DrawnTile:
    """A tile as a hand lays it: not quite on its cell."""
    x, y = draft.lattice.find_spot(cell)
    off = np.clip(rng.normal(0, NUDGE_MM, 2), -2 * NUDGE_MM, 2 * NUDGE_MM)
    turn = math.degrees(math.atan2(draft.lattice.side.imag, draft.lattice.side.real)) + float(rng.normal(0, TURN_DEG))
    return DrawnTile(colour, x + float(off[0]), y + float(off[1]), turn, TILE_MM, satin=satin)


def _is_free(at: Point, tiles: Any, least: float) -> bool:
    return all(math.dist(at, (tile.x, tile.y)) >= least for tile in tiles)


def _record(draft: _Draft) -> Log[Any, Any]:
    """The record of the game: the board as it lies."""
    side, base = draft.lattice.side, draft.lattice.base
    angle = round(math.degrees(math.atan2(side.imag, side.real)) * 10) % 3600
    anchor = f"{round(base.real)},{round(base.imag)},{angle},{round(abs(side) * 10)}"
    cells = [(f"cell:{q},{r}", (tile.colour,)) for (q, r), tile in sorted(draft.board.items())]
    options = {"width": int(AREA.right), "height": int(AREA.bottom)}
    return Log(GAMES["six"], options).add(Adopt((("anchor", (anchor,)), *cells), True))


def _perform(rng: Rng, draft: _Draft, act: str) -> None:
    """The stations of the hand, with what lies on the table at each; ``_Impossible`` if the board has no such place."""
    match act:
        case "two acts":
            first, second = _choose(rng, [(a, b) for a in ACTS[:6] for b in ACTS[:6]])
            _perform(rng, draft, first)
            _perform(rng, draft, second)
        case "at the edge":
            _perform_one(rng, draft, _choose(rng, ACTS[:6]), at_edge=True)
        case "reserve":
            _reach_for_reserve(rng, draft)
        case _:
            _perform_one(rng, draft, act, at_edge=False)


def _perform_one(rng: Rng, draft: _Draft, act: str, *, at_edge: bool) -> None:
    board, spot = draft.board, draft.lattice.find_spot
    satin = next(iter(board.values())).satin
    inner = act == "exchange" or (act == "take" and rng.random() < 0.5)
    cells = [cell for cell in sorted(board) if inner or is_connected(set(board) - {cell})]
    cell = min(cells, key=lambda one: _measure_edge(spot(one))) if at_edge else _choose(rng, cells)
    here = board[cell]
    free = [near for near in _list_free(board) if near != cell and _fits(draft, spot(near), here)]
    free.sort(key=lambda one: _measure_edge(spot(one)))
    free = free[:2] if at_edge else free
    match act:
        case "place":
            goal = _pick(rng, free)
            draft.held = _put(rng, draft, goal, _choose(rng, ("red", "black")), satin)
            draft.stay(_offset(spot(goal), rng, 60))
            board[goal], draft.held = draft.held, None
            draft.stay(spot(goal))
        case "take":
            draft.stay(spot(cell))
            draft.held = board.pop(cell)
            draft.stay(spot(cell))
            draft.held = None
        case "exchange":
            draft.stay(spot(cell))
            board.pop(cell)
            draft.stay(spot(cell))
            board[cell] = _put(rng, draft, cell, "red" if here.colour == "black" else "black", satin)
            draft.stay(spot(cell))
        case "move":
            goal = _pick(rng, [near for near in free if _touches(board, near, cell)])
            draft.stay(spot(cell))
            draft.held = board.pop(cell)
            draft.stay(_middle(spot(cell), spot(goal)))
            board[goal], draft.held = _put(rng, draft, goal, here.colour, satin), None
            draft.stay(spot(goal))
        case "slide a cell":
            goal = _pick(rng, [near for near in free if near in list_neighbours(cell) and _touches(board, near, cell)])
            draft.stay(spot(cell))
            board.pop(cell)
            for half in _list_halves((here.x, here.y), spot(goal)):
                if _fits(draft, half):
                    draft.loose.append(replace(here, x=half[0], y=half[1]))
                    draft.stay(half)
                    draft.loose.pop()
                    break
            board[goal] = _put(rng, draft, goal, here.colour, satin)
            draft.stay(spot(goal))
        case "slide a part":
            ways = [step * math.pi / 12 for step in range(24)]
            far = _draw(rng, PART_PITCHES) * draft.lattice.pitch
            goals = [(here.x + far * math.cos(way), here.y + far * math.sin(way)) for way in ways]
            to = _pick(rng, [goal for goal in goals if _fits(draft, goal, here)])
            draft.stay(spot(cell))
            board.pop(cell)
            draft.loose.append(replace(here, x=to[0], y=to[1], angle=here.angle + float(rng.normal(0, 6))))
            draft.stay(to)


def _reach_for_reserve(rng: Rng, draft: _Draft) -> None:
    """A tile of the reserve is laid on the board, pushed about or taken away, or one of the board is put there."""
    tile = _pick(rng, draft.reserve)
    at = (tile.x, tile.y)
    draft.stay(at)
    match int(rng.integers(4)):
        case 0:
            goal = _pick(rng, [c for c in _list_free(draft.board) if _fits(draft, draft.lattice.find_spot(c))])
            draft.reserve.remove(tile)
            draft.held = tile
            draft.stay(_middle(at, draft.lattice.find_spot(goal)))
            draft.board[goal], draft.held = _put(rng, draft, goal, tile.colour, tile.satin), None
            draft.stay(draft.lattice.find_spot(goal))
        case 1:
            draft.reserve.remove(tile)
            to = _offset(at, rng, 20)
            if not _fits(draft, to, tile) or not _is_free(to, draft.board.values(), RESERVE_PITCHES * TILE_MM):
                raise _Impossible
            draft.reserve.append(replace(tile, x=to[0], y=to[1]))
            draft.stay(to)
        case 2:
            draft.reserve.remove(tile)
            draft.stay(at)
        case _:
            cell = _choose(rng, [c for c in sorted(draft.board) if is_connected(set(draft.board) - {c})])
            gone = draft.board.pop(cell)
            to = _offset(at, rng, 50)
            if not _fits(draft, to) or not _is_free(to, draft.board.values(), RESERVE_PITCHES * TILE_MM):
                raise _Impossible
            draft.held = gone
            draft.stay(_middle(draft.lattice.find_spot(cell), to))
            draft.held = None
            draft.reserve.append(replace(gone, x=to[0], y=to[1]))
            draft.stay(to)


def _list_halves(one: Point, other: Point) -> list[Point]:
    """Halfway between two cells: straight, or in a bow around the tile beside both."""
    x, y = _middle(one, other)
    across = -(other[1] - one[1]) / 6, (other[0] - one[0]) / 6
    return [(x + side * across[0], y + side * across[1]) for side in (0, 1, -1)]


def _list_free(board: dict[Cell, DrawnTile]) -> list[Cell]:
    return sorted(surround(board) - board.keys())


def _pick(rng: Rng, some: Any) -> Any:
    if not some:
        raise _Impossible
    return _choose(rng, some)


def _touches(board: dict[Cell, DrawnTile], goal: Cell, source: Cell) -> bool:
    return bool(surround([goal]) & (board.keys() - {source}))


def _fits(draft: _Draft, at: Point, without: DrawnTile | None = None) -> bool:
    """Is there room for a tile, in the area and beside all others?"""
    inside = min(at[0], at[1], AREA.right - at[0], AREA.bottom - at[1]) > TILE_MM * 0.56
    others = [tile for tile in (*draft.board.values(), *draft.loose, *draft.reserve) if tile is not without]
    return inside and _is_free(at, others, APART_PITCHES * TILE_MM)


def _measure_edge(at: Point) -> float:
    return min(at[0], at[1], AREA.right - at[0], AREA.bottom - at[1])


def _offset(at: Point, rng: Rng, most: float) -> Point:
    way, far = _draw(rng, (0, 2 * math.pi)), _draw(rng, (0.5 * most, most))
    return at[0] + far * math.cos(way), at[1] + far * math.sin(way)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _furnish(rng: Rng, ground: Ground, light: str, number: int) -> tuple[Scene, Scene]:
    """The empty table, and the same table in the light of the game."""
    camera = place_camera(
        AREA, PX_MODULE, tilt=_draw(rng, (0, 8)), towards=_draw(rng, (0, 360)), turn=_draw(rng, (-4, 4))
    )
    lamp = SceneLight(
        gain=_draw(rng, GAIN), slope=(_draw(rng, SLOPE) / 2, _draw(rng, SLOPE) / 2), patches=0.06,
        warmth=_draw(rng, (-0.06, 0.1)), sun=_draw(rng, (0, 360)), shadow=_draw(rng, (0.25, 0.6)),
    )  # fmt: skip
    match light:
        case "lamp":
            x, y = _draw(rng, (80, AREA.right - 80)), _draw(rng, (80, AREA.bottom - 80))
            glare = (Glare(x, y, _draw(rng, LAMP_RADIUS_MM), _draw(rng, LAMP_LIGHT)),)
            lamp = replace(lamp, slope=(_draw(rng, SLOPE), _draw(rng, SLOPE)), glare=glare)
        case "sun":
            lamp = replace(
                lamp, shadow=_draw(rng, SUN_SHADOW), penumbra=_draw(rng, SUN_RIM), throw=_draw(rng, SUN_THROW)
            )
        case "cast":
            lamp = replace(lamp, warmth=_draw(rng, CAST) * float(_choose(rng, (-1, 1))))
        case "window":
            lamp = replace(lamp, slope=(_draw(rng, SLOPE), _draw(rng, SLOPE)))
    scene = Scene(camera, ground, number, markers=place_markers(AREA), light=lamp, sensor=Sensor(jpeg=0), seed=number)
    drift = _draw(rng, MUCH_DRIFT if rng.random() < MUCH_DRIFT_SHARE else DRIFT)
    warmer = CAST_DRIFT * _draw(rng, (-1, 1)) if light == "cast" else 0.0
    then = replace(lamp, gain=lamp.gain / drift, warmth=lamp.warmth + warmer)
    return replace(scene, light=then), scene


def _film(rng: Rng, draft: _Draft, scene: Scene, before: _Still) -> tuple[list[Moment], float, float]:
    """The moments, the time at which the hand first touches the board, and that at which it has left."""
    flicker = FLICKER * float(_choose(rng, (0, 1)))
    sleeve, lift, width = int(rng.integers(5)), _draw(rng, (25, 60)), _draw(rng, (60, 85))
    side = _choose(rng, ((0.5, 1.4), (0.5, 1.4), (0.5, -0.4), (-0.4, 0.5), (1.4, 0.5)))
    start = AREA.right * side[0] + _draw(rng, (-150, 150)), AREA.bottom * side[1] + _draw(rng, (-100, 100))
    after = _Still((*draft.board.values(), *draft.loose), tuple(draft.reserve))
    first, last = draft.stations[0][0], draft.stations[-1][0]
    reaches: list[tuple[Point | None, _Still]] = [(None, before)]
    reaches += [(_go(start, first, share), before) for share in (0.55, 0.8)]
    reaches += [(at, still) for at, still in draft.stations]
    reaches += [(_go(start, last, share), after) for share in (0.8, 0.55)]
    reaches += [(None, after)]
    moments: list[Moment] = []
    at = touched = done = 0.0
    for n, (tip, still) in enumerate(reaches):
        lasts = BEFORE_S if n == 0 else AFTER_S if n == len(reaches) - 1 else _draw(rng, STATION_S)
        touched = at if n == 3 else touched
        done = at if n == len(reaches) - 1 else done
        trembles = rng.random() < 0.7
        for _ in range(max(1, round(lasts / PACE_S))):
            arms: tuple[Arm, ...] = ()
            if tip is not None:
                to = _offset(_go(start, tip, 1.06), rng, 4) if trembles else _go(start, tip, 1.06)
                arms = (Arm(start, to, width, lift, sleeve),)
            shown = (*still.reserve, *still.board, *([still.held] if still.held else []))
            sensor = replace(scene.sensor, exposure=1 + flicker * _draw(rng, (-1, 1)))
            moments.append(
                Moment(at, replace(scene, tiles=shown, arms=arms, sensor=sensor), still.board, still.reserve)
            )
            at += PACE_S
    return moments, touched, done


def _go(start: Point, goal: Point, share: float) -> Point:
    return start[0] + (goal[0] - start[0]) * share, start[1] + (goal[1] - start[1]) * share


def list_sequences(every: int = 1) -> Iterator[TileSequence]:
    """All sequences, or each ``every``-th of them."""
    for number in range(0, SEQUENCES, every):
        yield make_sequence(number)
