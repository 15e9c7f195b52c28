"""Finds plain red and black hexagons on a bare table: which form the board, and on which cells."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.axial import Cell, list_neighbours
from engine.table import Area, Piece
from vision.calibration.rectification import Matrix, make_rectification, rectify
from vision.changes.top_view import CELL_MM
from vision.tiles.board_part import choose_board, find_cut_off
from vision.tiles.colour_masks import Colour, ColourMasks, Mask, sort_colours
from vision.tiles.groups import FoundGroups, draw_unclear, group_tiles, measure_agreement
from vision.tiles.heaps import Heap, fill_holes, find_heaps
from vision.tiles.hex_grid import Spot, rename_cells
from vision.tiles.hex_grid_fit import measure_outline_angle
from vision.tiles.pitch_estimate import PITCHES_MM, PITCHES_PER_MILLE, LikelyPitch, find_likely_pitches
from vision.tiles.rim_search import find_by_rims
from vision.tiles.table_light import fit_table_light
from vision.tiles.tile_rims import RimView
from vision.tiles.touching_tiles import LaidTile, join_tiles
from vision.tiles.unclear_places import cover_pixels, draw_unclear_places
from vision.tiles.white_dots import find_white_dots, is_too_dark, measure_direction, measure_spacing, stamp_tiles

LEVEL_PX_MM = 1.6
"""Pixels per mm of the rectified picture."""
LEAST_MOVE_PX, MOST_ERROR_PX = 0.3, 12.0
"""Pixels by which the corners of the rectified picture differ at most if nothing has moved, and at least if the camera
has moved for sure: 8 mm, more than light that blooms over the markers does."""
AS_GOOD_SHARE = 0.95
"""A pitch whose tiles agree with this share of the pixels of the best one is as good."""
MOST_TILES = 60
"""The game has 42 tiles, and people mix two boxes; more means a table mistaken for tiles."""
DOUBTFUL_PITCHES = 0.3
"""Half the side, in pitches, of the unclear square at a tile of which it is not known whether it is part of the board.
"""
LEAST_APART, BLACK_SHARE = 2, 1 / 3
"""If so many black tiles with their rims are seen on a dark table, as this share of all, and nothing is in doubt, black
tiles can be told from this table: about half of the tiles are black."""
USUAL_SIZE_MM = 38.0
"""Flat to flat of the usual tiles."""
TOO_DARK = "the table is too dark for black tiles: lay a light cloth or put a white dot on the black tiles"
NO_EMPTY = "no picture of the empty table: tiles are not read; take one with --empty, from the same place"
TOO_MANY = "more tiles than the game has: take a picture of the empty table, or lay a plain cloth"
NO_SCALE = "no markers: tile places are in pixels only"


@dataclass(frozen=True, slots=True)
class FoundTile:
    """One tile; ``cell`` only on the board. ``angle`` is where one of its flats faces, modulo 60 degrees."""

    colour: str
    px: Spot
    mm: Spot | None
    angle: float
    board: bool
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class FoundTiles:
    """All tiles of one picture. ``size`` is flat to flat in mm, in px of the picture if there is no scale."""

    tiles: tuple[FoundTile, ...]
    size: float | None = None
    unsure: tuple[Area, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[FoundTile, ...]:
        return tuple(tile for tile in self.tiles if tile.board)


@dataclass(frozen=True, slots=True)
class _Level:
    """From pixels of the picture to those of the rectified one and to mm. Without an area there are no mm."""

    matrix: Matrix
    size: tuple[int, int]
    fine: float
    area: Area | None = None

    def mm(self, spot: Spot) -> Spot | None:
        if self.area is None:
            return None
        return (spot[0] + 0.5) / self.fine + self.area.left, (spot[1] + 0.5) / self.fine + self.area.top

    def from_mm(self, spot: Spot) -> Spot:
        """From mm into the rectified picture."""
        assert self.area is not None
        return (spot[0] - self.area.left) * self.fine - 0.5, (spot[1] - self.area.top) * self.fine - 0.5

    def px(self, spot: Spot) -> Spot:
        at = np.linalg.inv(self.matrix) @ [spot[0], spot[1], 1.0]
        return float(at[0] / at[2]), float(at[1] / at[2])


def find_tiles(
    picture: Colour,
    empty: Colour | None = None,
    *,
    to_mm: Matrix | None = None,
    area: Area | None = None,
    known: Sequence[FoundTile] = (),
    tagged: Sequence[tuple[str, float, float]] = (),
    empty_to_mm: Matrix | None = None,
    shade: NDArray[np.bool_] | None = None,
) -> FoundTiles:
    """Find the tiles in a BGR picture, compared with the empty table.

    ``to_mm`` is the homography from pixels to table mm, ``area`` is searched. ``known`` are the tiles of the board
    before: they name the cells; those without a cell were cut off from it. ``tagged`` are (colour, x, y) in mm of tiles
    whose codes were read. ``empty_to_mm`` is for a camera that has moved since the table was empty. ``shade`` are the
    cells of the table, of ``CELL_MM``, that are known to be bare and in other light.
    """
    level = _make_level(picture, to_mm, area)
    if empty is None or (level.area is None and empty.shape != picture.shape):
        return FoundTiles((), notes=(NO_EMPTY,))
    flat = rectify(picture, level.matrix, level.size)
    bare, empty_to_mm = _rectify_empty(empty, flat, level, (to_mm, empty_to_mm), empty.shape == picture.shape)
    notes = [NO_SCALE] * (level.area is None)
    light = fit_table_light(picture, empty, level.matrix, level.size, to_mm, empty_to_mm)
    del picture  # that of a large camera takes as much memory as all that follows
    pixels = sort_colours(flat, bare, light)
    if shade is not None and level.area is not None and shade.any():
        _clear_shade(pixels, _enlarge_cells(shade, level))
    if not is_too_dark(bare):
        return _find_in_masks(pixels, (), level, known, tuple(notes), RimView(flat, bare, light.gain))
    dots = [level.from_mm((x, y)) for colour, x, y in tagged if colour == "black" and level.area]
    dots += find_white_dots(flat, bare, level.fine)
    if not dots:
        found = _find_in_masks(pixels, (), level, known, tuple(notes), RimView(flat, bare, light.gain))
        black = sum(tile.colour == "black" for tile in found.tiles)
        apart = not found.unsure and black >= max(LEAST_APART, BLACK_SHARE * len(found.tiles))
        return found if apart else FoundTiles((), notes=(TOO_DARK, *notes))
    nothing = np.zeros_like(pixels.black)
    return _find_in_masks(replace(pixels, black=nothing, mute=nothing, other=nothing), dots, level, known, tuple(notes))


def _rectify_empty(
    empty: Colour, flat: Colour, level: _Level, both: tuple[Matrix | None, Matrix | None], same_size: bool
) -> tuple[Colour, Matrix | None]:
    """The empty table, rectified like the picture, and the homography used for it.

    ``both`` are the homographies of the picture and of the empty table. Where they differ, either the camera has moved
    or the markers were measured a little differently: the one that makes the two pictures agree better is right.
    """
    to_mm, empty_to_mm = both
    if to_mm is None or empty_to_mm is None or level.area is None:
        return rectify(empty, level.matrix, level.size), empty_to_mm
    matrix = make_rectification(empty_to_mm, level.area, LEVEL_PX_MM)[0]
    if same_size and _measure_move(level, matrix) < LEAST_MOVE_PX:
        return rectify(empty, level.matrix, level.size), to_mm
    moved = rectify(empty, matrix, level.size)
    if not same_size or _measure_move(level, matrix) > MOST_ERROR_PX:
        return moved, empty_to_mm
    still = rectify(empty, level.matrix, level.size)
    return (still, to_mm) if _compare_detail(flat, still) <= _compare_detail(flat, moved) else (moved, empty_to_mm)


def _enlarge_cells(cells: NDArray[np.bool_], level: _Level) -> Mask:
    """A mask of cells of the table as a mask of the rectified picture."""
    assert level.area is not None
    times = CELL_MM * level.fine
    move = np.array([[times, 0, 0.0], [0, times, 0.0]])
    move[:, 2] = level.from_mm((CELL_MM / 2, CELL_MM / 2))
    # the area may end within a cell
    large = cv2.warpAffine(
        cells.astype(np.uint8), move, level.size, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(large, np.uint8)


def _clear_shade(pixels: ColourMasks, shade: Mask) -> None:
    """Clear in the masks, in place, what is bare table in other light: as dark as a black tile, or as red as a red
    one.
    """
    for mask in (pixels.red, pixels.black, pixels.other, pixels.shade):
        mask[shade > 0] = 0


def _measure_move(level: _Level, matrix: Matrix) -> float:
    """By how many pixels another rectification moves the corners of the rectified picture, at most."""
    wide, high = level.size
    corners = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
    return float(np.abs(cv2.perspectiveTransform(corners, matrix @ np.linalg.inv(level.matrix)) - corners).max())


def _compare_detail(picture: Colour, empty: Colour) -> float:
    """How much the detail of two rectified pictures differs where they agree best: on the bare table."""
    now, then = (plane[::2, :, 1].astype(np.float32) for plane in (picture, empty))
    off = cv2.absdiff(now - cv2.blur(now, (15, 7)), then - cv2.blur(then, (15, 7)))
    return float(np.median(off))


def _find_in_masks(
    pixels: ColourMasks,
    dots: Sequence[Spot],
    level: _Level,
    known: Sequence[FoundTile],
    notes: tuple[str, ...],
    view: RimView | None = None,
) -> FoundTiles:
    """``view`` shows the rims of tiles, where the table is lighter than a black tile."""
    pitches = (PITCHES_PER_MILLE if level.area is None else PITCHES_MM) * level.fine
    least, near = float(pitches[0]) ** 2 * 0.5, float(pitches[0]) * 0.1
    pixels = fill_holes(pixels, least * 1.05)
    likely = _known_pitch(known, level) or find_likely_pitches(pixels, near, least, pitches)
    likely = likely or [LikelyPitch(px) for px in measure_spacing(dots, float(pitches[0]), float(pitches[-1]))]
    if not likely:
        heaps = find_heaps(pixels.red | pixels.black, near, least)
        return FoundTiles((), unsure=_cover_pixels(_draw_heaps(heaps, pixels.red.shape), level), notes=notes)
    if dots:
        way = measure_direction(dots, likely[0].px)
        turn = measure_outline_angle(pixels.red.astype(np.float32)) if way is None else way
        black = stamp_tiles(pixels.black, dots, likely[0].px, turn)
        pixels = replace(pixels, red=pixels.red & (1 - black), black=black)
    pitch, found = _choose_pitch(
        pixels, ((one.px, group_tiles(pixels, one.px, near, view, whole_rims=one.of_one_colour)) for one in likely)
    )
    found = found if view is None else find_by_rims(found, pixels, view, pitches)
    pitch = max((len(group.spots), group.grid.pitch) for group in found.groups)[1] if found.groups else pitch
    laid = [
        (LaidTile(*spot, group.grid.angle), group.colours[cell])
        for group in found.groups
        for cell, spot in group.spots.items()
    ]
    if len(laid) > MOST_TILES:
        return FoundTiles((), unsure=_cover_pixels(pixels.red | pixels.black, level), notes=(TOO_MANY, *notes))
    parts = join_tiles([one for one, _ in laid], pitch)
    if known and level.area:
        main, doubtful = _find_known(parts, laid, pitch, level, known), list[LaidTile]()
    else:
        ways = [[laid[i][0] for i in part.values()] for part in parts]
        choice = choose_board(ways, pitch, draw_unclear(found))
        main = {} if choice.board is None else parts[choice.board]
        doubtful = [tile for i in sorted(choice.doubtful) for tile in ways[i]]
    tiles = _assign_cells(main, laid, pitch, level, known)
    size = _size(pixels, len(tiles), pitch) / (level.fine if level.area else float(level.matrix[0, 0]))
    unsure = (
        *_cover_pixels(draw_unclear_places(found, pixels, pitch, None if view is None else view.picture), level),
        *_square_areas([(tile.x, tile.y) for tile in doubtful], DOUBTFUL_PITCHES * pitch, level),
    )
    return FoundTiles(tiles, round(size, 1), unsure, notes)


def cover_cut_off(found: FoundTiles, hidden: Iterable[Area]) -> tuple[Area, ...]:
    """The places of the tiles beside the board that what is hidden may connect with it, and which are not certain."""
    stock, board = ([tile.mm for tile in found.tiles if tile.mm and tile.board == own] for own in (False, True))
    half = (found.size or 0) / 2
    return tuple(Area(x - half, y - half, x + half, y + half) for x, y in find_cut_off(stock, board, hidden, 2 * half))


def _choose_pitch(pixels: ColourMasks, tried: Iterable[tuple[float, FoundGroups]]) -> tuple[float, FoundGroups]:
    """The pitch whose tiles agree with the pixels; of some that agree as well, the one with the fewest groups."""
    rivals: list[tuple[int, float, FoundGroups]] = []
    for pitch, found in tried:
        agreed, groups = measure_agreement(pixels, found), len(found.groups)
        # what another outdoes in both respects is dropped at once: each has a mask of the whole picture
        if not any(count >= agreed and len(one.groups) <= groups for count, _, one in rivals):
            rivals = [rival for rival in rivals if rival[0] > agreed or len(rival[2].groups) < groups]
            rivals.append((agreed, pitch, found))
    least = AS_GOOD_SHARE * max(agreed for agreed, _, _ in rivals)
    good = [rival for rival in rivals if rival[0] >= least] or rivals
    _, pitch, found = min(good, key=lambda rival: (len(rival[2].groups), -rival[0]))
    return pitch, found


def _known_pitch(known: Sequence[FoundTile], level: _Level) -> list[LikelyPitch]:
    """The distance of neighbours on the known board, in px."""
    places = {tile.cell: tile.mm for tile in known if tile.cell and tile.mm and level.area}
    apart = [
        math.dist(place, places[cell]) for at, place in places.items() for cell in list_neighbours(at) if cell in places
    ]
    return [LikelyPitch(float(np.median(apart)) * level.fine)] if apart else []


def _size(pixels: ColourMasks, count: int, pitch: float) -> float:
    """Flat to flat, from the area that all tiles cover; the pitch includes the gaps."""
    side = math.sqrt(2 * int((pixels.red | pixels.black).sum()) / math.sqrt(3) / max(1, count))
    return side if 0.93 * pitch < side < pitch else pitch


def _find_known(
    parts: Sequence[Mapping[Cell, int]],
    laid: Sequence[tuple[LaidTile, str]],
    pitch: float,
    level: _Level,
    known: Sequence[FoundTile],
) -> Mapping[Cell, int]:
    """The group that holds most of the known board, else most of the tiles cut off from it."""
    places = [(tile.cell, level.from_mm(tile.mm)) for tile in known if tile.mm]

    def held(part: Mapping[Cell, int]) -> tuple[int, int]:
        spots = [(laid[i][0].x, laid[i][0].y) for i in part.values()]
        mine, parted = (
            sum(any(math.dist(spot, place) < pitch / 2 for spot in spots) for place in some)
            for some in ([place for cell, place in places if cell], [place for cell, place in places if not cell])
        )
        return mine, parted

    main = max(parts, key=held, default={})
    return main if any(held(main)) else {}


def _assign_cells(
    main: Mapping[Cell, int],
    laid: Sequence[tuple[LaidTile, str]],
    pitch: float,
    level: _Level,
    known: Sequence[FoundTile],
) -> tuple[FoundTile, ...]:
    """The tiles, with cells for the board, named as the known tiles were."""
    before = [(tile.cell, level.from_mm(tile.mm)) for tile in known if tile.cell and tile.mm and level.area]
    names = rename_cells({cell: (laid[i][0].x, laid[i][0].y) for cell, i in main.items()}, before, pitch / 2)
    cells = {i: cell if names is None else names[cell] for cell, i in main.items()}
    return tuple(
        FoundTile(
            colour,
            level.px((one.x, one.y)),
            level.mm((one.x, one.y)),
            one.angle % 60,
            i in cells,
            cells.get(i),
        )
        for i, (one, colour) in enumerate(laid)
    )


def _square_areas(spots: Sequence[Spot], reach: float, level: _Level) -> tuple[Area, ...]:
    """Squares around doubtful places; ``reach`` is in px."""
    half = reach / level.fine
    places = [level.mm(spot) for spot in spots]
    return tuple(Area(at[0] - half, at[1] - half, at[0] + half, at[1] + half) for at in places if at is not None)


def _draw_heaps(heaps: Iterable[Heap], shape: tuple[int, ...]) -> Mask:
    drawn = np.zeros(shape, np.uint8)
    for heap in heaps:
        high, wide = heap.mask.shape
        drawn[heap.top : heap.top + high, heap.left : heap.left + wide] |= heap.mask
    return drawn


def _cover_pixels(mask: Mask, level: _Level) -> tuple[Area, ...]:
    """The set pixels as areas of the table; none where it is not known where the table is."""
    return () if level.area is None else cover_pixels(mask, level.fine, level.area)


def _make_level(picture: Colour, to_mm: Matrix | None, area: Area | None) -> _Level:
    high, wide = picture.shape[:2]
    if to_mm is None:
        scale = min(1.0, 1000 * LEVEL_PX_MM / max(wide, high))
        size = (max(1, round(wide * scale)), max(1, round(high * scale)))
        return _Level(np.diag([scale, scale, 1.0]), size, max(wide, high) * scale / 1000)
    if area is None:
        rim = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
        at = cv2.perspectiveTransform(rim, to_mm)[0]
        area = Area(*(float(v) for v in (*at.min(0), *at.max(0))))
    return _Level(*make_rectification(to_mm, area, LEVEL_PX_MM), LEVEL_PX_MM, area)


def to_engine(tiles: Iterable[FoundTile]) -> frozenset[Piece]:
    """The tiles as pieces of the engine."""
    return frozenset(
        Piece(tile.colour, round(tile.mm[0], 1), round(tile.mm[1], 1), round(tile.angle, 1))
        for tile in tiles
        if tile.mm is not None
    )


def outline_tile(tile: FoundTile, size: float | None) -> tuple[Spot, ...]:
    """The six corners of a tile in mm; ``size`` is flat to flat, 38 mm where it was not measured."""
    assert tile.mm is not None
    reach = (size or USUAL_SIZE_MM) / math.sqrt(3)
    turns = [math.radians(tile.angle + 30 + 60 * k) for k in range(6)]
    return tuple((tile.mm[0] + reach * math.cos(turn), tile.mm[1] + reach * math.sin(turn)) for turn in turns)
