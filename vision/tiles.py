"""Plain red and black hexagons on a bare table: which lie there, which hang together, and on which cells."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area, Seen
from vision.hexgrid import Cell, Laid, Spot, joined, renamed
from vision.tiles_dots import direction, spacing, stamped, white_dots
from vision.tiles_fit import outline_angle
from vision.tiles_group import Group, filled_holes, heaps_of, measured_pitch, peeled
from vision.tiles_paint import Colour, Paint, paint, too_dark

Matrix = NDArray[np.float64]

FINE = 1.6
"""Pixels a millimetre of the levelled picture."""
SIZES = (24.5, 47.0)
"""The pitches tried, mm: tiles of 25 to 45 mm and the gaps people leave."""
TOO_DARK = "the table is too dark for black tiles: lay a light cloth or put a white dot on the black tiles"
NO_EMPTY = "no picture of the empty table: tiles told by their colour alone"
NO_SCALE = "no markers: tile places are in pixels only"


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile; ``cell`` only on the board. ``angle`` is where one of its flats faces, modulo 60 degrees."""

    colour: str
    px: Spot
    mm: Spot | None
    angle: float
    board: bool
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Tiles:
    """All tiles of one look. ``size`` is flat to flat in mm, in px of the picture if there is no scale."""

    tiles: tuple[Tile, ...]
    size: float | None = None
    unsure: tuple[Area, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.board)


@dataclass(frozen=True, slots=True)
class _Level:
    """From the picture's pixels to the levelled picture's and to mm."""

    matrix: Matrix
    size: tuple[int, int]
    fine: float
    origin: Spot = (0.0, 0.0)
    scaled: bool = True

    def mm(self, spot: Spot) -> Spot:
        return (spot[0] + 0.5) / self.fine + self.origin[0], (spot[1] + 0.5) / self.fine + self.origin[1]

    def fine_px(self, x: float, y: float) -> Spot:
        """From mm into the levelled picture."""
        return (x - self.origin[0]) * self.fine - 0.5, (y - self.origin[1]) * self.fine - 0.5

    def px(self, spot: Spot) -> Spot:
        at = np.linalg.inv(self.matrix) @ [spot[0], spot[1], 1.0]
        return float(at[0] / at[2]), float(at[1] / at[2])


def find(
    picture: Colour,
    empty: Colour | None = None,
    *,
    to_mm: Matrix | None = None,
    area: Area | None = None,
    known: Sequence[Tile] = (),
    tagged: Sequence[tuple[str, float, float]] = (),
) -> Tiles:
    """The tiles in a BGR picture, held against the empty table.

    ``to_mm`` takes pixels to table mm, ``area`` is what to look at. ``known`` are the board's tiles of the
    look before: they name the cells. ``tagged`` are (colour, x, y) in mm of tiles whose codes were read.
    """
    level = _levelled(picture, to_mm, area)
    flat = _warped(picture, level)
    bare = None if empty is None else _warped(empty, level)
    notes = [] if bare is not None else [NO_EMPTY]
    notes += [] if level.scaled else [NO_SCALE]
    dark = too_dark(flat if bare is None else bare)
    pixels = paint(flat, bare)
    dots = [level.fine_px(x, y) for colour, x, y in tagged if colour == "black"]
    if dark:
        dots += white_dots(flat, bare, level.fine)
        if not dots:
            return Tiles((), notes=(TOO_DARK, *notes))
        pixels = replace(pixels, black=np.zeros_like(pixels.black), mute=np.zeros_like(pixels.mute))
    return _found(pixels, dots, level, known, tuple(notes))


def _found(
    pixels: Paint, dots: Sequence[Spot], level: _Level, known: Sequence[Tile], notes: tuple[str, ...]
) -> Tiles:
    least = (SIZES[0] * level.fine) ** 2 * 0.5
    near = 2.5 * level.fine
    pixels = filled_holes(pixels, least * 1.05)
    heaps = heaps_of(pixels.red | pixels.black, near, least)
    pitch = measured_pitch(pixels, heaps, np.geomspace(*SIZES, 28) * level.fine) if heaps else None
    if dots:
        pitch = pitch or spacing(dots, SIZES[0] * level.fine, SIZES[1] * level.fine)
        if pitch is None:
            return Tiles((), notes=notes)
        way = direction(dots, pitch)
        turn = outline_angle(pixels.red.astype(np.float32)) if way is None else way
        black = stamped(pixels.black, dots, pitch, turn)
        pixels = replace(pixels, red=pixels.red & (1 - black), black=black)
    if pitch is None:
        return Tiles((), notes=notes)
    found = tuple(peeled(pixels, pitch, near))
    laid = [
        (Laid(*spot, group.grid.angle), group.colours[cell])
        for group in found
        for cell, spot in group.spots.items()
    ]
    tiles = _boarded([one for one, _ in laid], [colour for _, colour in laid], pitch, level, known)
    return Tiles(tiles, round(pitch / level.fine, 1), _unsure(found, pitch, level), notes)


def _boarded(
    laid: Sequence[Laid], colours: Sequence[str], pitch: float, level: _Level, known: Sequence[Tile]
) -> tuple[Tile, ...]:
    """The group that holds most of the known tiles is the board; without any, the largest."""
    parts = joined(laid, pitch)
    before = [(tile.cell, level.fine_px(*tile.mm)) for tile in known if tile.cell and tile.mm]

    def held(part: Mapping[Cell, int]) -> int:
        spots = [(laid[i].x, laid[i].y) for i in part.values()]
        return sum(any(math.dist(spot, place) < pitch / 2 for spot in spots) for _, place in before)

    main = max(parts, key=held, default={})
    names = renamed({cell: (laid[i].x, laid[i].y) for cell, i in main.items()}, before, pitch / 2)
    cells = {i: cell if names is None else names[cell] for cell, i in main.items()}
    return tuple(
        Tile(
            colours[i],
            level.px((one.x, one.y)),
            level.mm((one.x, one.y)) if level.scaled else None,
            one.angle % 60,
            i in cells,
            cells.get(i),
        )
        for i, one in enumerate(laid)
    )


def _unsure(found: Sequence[Group], pitch: float, level: _Level) -> tuple[Area, ...]:
    half = 0.6 * pitch / level.fine
    spots = [level.mm(spot) for group in found for spot in group.mixed if level.scaled]
    return tuple(Area(x - half, y - half, x + half, y + half) for x, y in spots)


def _levelled(picture: Colour, to_mm: Matrix | None, area: Area | None) -> _Level:
    high, wide = picture.shape[:2]
    if to_mm is None:
        fine = max(1.0, max(wide, high) / 1400)
        matrix = np.diag([1 / fine, 1 / fine, 1.0])
        return _Level(matrix, (round(wide / fine), round(high / fine)), FINE, scaled=False)
    if area is None:
        rim = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
        at = cv2.perspectiveTransform(rim, to_mm)[0]
        area = Area(*at.min(0), *at.max(0))
    size = (round((area.right - area.left) * FINE), round((area.bottom - area.top) * FINE))
    shift = np.array([[FINE, 0, -area.left * FINE - 0.5], [0, FINE, -area.top * FINE - 0.5], [0, 0, 1.0]])
    return _Level(shift @ to_mm, size, FINE, (area.left, area.top))


def _warped(picture: Colour, level: _Level) -> Colour:
    """The picture seen from straight above."""
    middle = np.array(
        [[picture.shape[1] / 2, picture.shape[0] / 2], [picture.shape[1] / 2 + 10, picture.shape[0] / 2]]
    )
    at = cv2.perspectiveTransform(middle[None], level.matrix)[0]
    times = 10 / max(1e-6, math.dist(*at))
    matrix = level.matrix
    if times > 1.4:  # shrink by averaging first: a warp alone would skip pixels
        size = (round(picture.shape[1] / times), round(picture.shape[0] / times))
        sx, sy = picture.shape[1] / size[0], picture.shape[0] / size[1]
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        matrix = matrix @ np.array([[sx, 0, sx / 2 - 0.5], [0, sy, sy / 2 - 0.5], [0, 0, 1]])
    out = cv2.warpPerspective(
        picture, matrix, level.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(out, np.uint8)


def seen(tiles: Iterable[Tile]) -> frozenset[Seen]:
    """Tiles in the words of the engine."""
    return frozenset(
        Seen(tile.colour, round(tile.mm[0], 1), round(tile.mm[1], 1), round(tile.angle, 1))
        for tile in tiles
        if tile.mm is not None
    )
