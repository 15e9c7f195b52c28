"""Groups of tiles from the pixels of tiles: each group is connected on a grid of its own."""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.axial import Cell
from vision.tiles.colour_masks import ColourMasks, Mask
from vision.tiles.heaps import Heap, cut_pixels, find_heaps
from vision.tiles.hex_grid import HexGrid, Spot, mask_hexagon, offset_cell, outline_hexagon
from vision.tiles.hex_grid_fit import (
    HALF_SHARE,
    ColourMaps,
    Map,
    fit_grid,
    grow_tiles,
    measure_fill,
    measure_outline_angle,
    rate_fill,
    shift_to_fullest,
)
from vision.tiles.tile_faces import find_uneven
from vision.tiles.tile_rims import RimView, find_bare, find_outlined, find_rimless, find_seamed

TRUSTED_SCORE = 0.62
"""A grid that explains less than this share of its pixels is rejected."""
LOOSE_SHARE, HIDDEN_SHARE = 0.02, 0.12
"""Shares of the pitch squared from which unexplained pixels put the place of a tile of their colour in doubt, and from
which they may be a tile that another one covers."""
SEED_SHARE = 0.85
"""Least fill of the tile that a group is grown from."""
SURE_SCORE = 0.8
"""A grid that explains this share of a few tiles explains all of them."""
ALONE_TILES, FEW_TILES = 1.4, 4.6
"""A heap between these numbers of tiles is small: one tile turned otherwise spoils the grid of all."""
WHOLE_SHARE = 0.9
"""Least fill of the place of a tile whose direction was searched."""
SHADOW_PITCHES = 0.9
"""The shadow of a tile is narrower than this, in pitches: tiles are a quarter as high as wide."""
BODY_SHARE = 0.94
"""Share of the pitch that is tile for sure, whatever the gaps."""
SEEN_SHARE, EXPLAINED_SHARE = 0.15, 0.88
"""Least shares of a place that are sure, and that are sure or mute, for a tile."""
BESIDE_PITCHES, LEFT_SHARE = 0.9, 0.25
"""A tile this near to a doubtful place, in pitches, explains it if less than this share of the place is left."""
AROUND_SHARE, MUTE_SHARE = 1.4, 0.5
"""The surroundings of a place, as a share of the pitch, and how much of the table there may be mute."""
NEARLY_NOTHING = 0.1
"""A place shows no tile if less than this share of it has changed: the rims of its neighbours."""
PURE_SHARE = 0.8
"""A tile has one colour: this share of its middle must agree."""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles that touch: cell -> centre in px and cell -> colour. Places that are ``mixed`` are doubtful."""

    grid: HexGrid
    spots: Mapping[Cell, Spot]
    colours: Mapping[Cell, str]
    mixed: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundGroups:
    """The groups of a picture, and a mask of the heaps that fit no grid."""

    groups: tuple[TileGroup, ...]
    lost: Mask


def _peel_groups(seen: ColourMasks, pitch: float, near: float) -> FoundGroups:
    """The groups of a picture, one after the other, each removed before the next is searched."""
    groups: list[TileGroup] = []
    cell = pitch * pitch * math.sqrt(3) / 2
    brush = max(3, round(pitch * 0.12) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush))
    left = seen
    hopeless = np.zeros_like(seen.red)
    while True:
        heaps = find_heaps((left.red | left.black) & (1 - hopeless), near, cell * 0.5)
        if not heaps:
            return FoundGroups(tuple(groups), hopeless)
        taken = np.zeros_like(seen.red)
        for heap in heaps:
            if heap.count_left(left.red | left.black) < heap.count:  # an earlier group took some of it: next round
                continue
            lone, small = heap.count <= ALONE_TILES * cell, ALONE_TILES * cell < heap.count < FEW_TILES * cell
            group = _fit_group(left, heap, pitch, SURE_SCORE if small else TRUSTED_SCORE)
            if small and (group is None or group.mixed or _leaves_rest(left, group, pitch)):
                group = _fit_turned(left, heap, pitch) or _fit_group(left, heap, pitch)
            elif lone and (group is None or _leaves_rest(left, group, pitch)):  # a neighbour has cut into its outline
                group = _fit_turned(left, heap, pitch) or group
            if group is None:
                high, wide = heap.mask.shape
                hopeless[heap.top : heap.top + high, heap.left : heap.left + wide] |= heap.mask
                continue
            groups.append(group)
            # doubtful places stay: there may be a tile beside the grid
            for x, y in group.spots.values() or group.mixed:
                cv2.fillPoly(taken, [outline_hexagon(x, y, group.grid)], 1)
            left = _without(left, taken)
        red, black = (np.asarray(cv2.morphologyEx(m, cv2.MORPH_OPEN, kernel), np.uint8) for m in (left.red, left.black))
        left = replace(left, red=red, black=black)


def _leaves_rest(seen: ColourMasks, group: TileGroup, pitch: float) -> bool:
    """Are there more pixels within half a tile of the group than the rims of tiles?"""
    spots = np.array(list(group.spots.values()))
    if not len(spots):
        return False
    (left, top), (right, bottom) = (np.rint(at).astype(int) for at in (spots.min(0) - pitch, spots.max(0) + pitch))
    cut = (slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right)))
    rest, near = seen.red[cut] | seen.black[cut], np.zeros_like(seen.red[cut])
    for x, y in spots - [max(0, left), max(0, top)]:
        cv2.fillPoly(near, [outline_hexagon(x, y, group.grid, 1.5)], 1)
    for x, y in spots - [max(0, left), max(0, top)]:
        cv2.fillPoly(near, [outline_hexagon(x, y, group.grid)], 0)
    return bool(find_loose(np.asarray(rest & near, np.uint8), pitch, LOOSE_SHARE).any())


def group_tiles(
    seen: ColourMasks, pitch: float, near: float, view: RimView | None = None, *, whole_rims: bool = False
) -> FoundGroups:
    """The groups without the tiles beside unexplained pixels of their colour, and without those whose rim is not seen:
    hexagons fit inside a sleeve or a shadow, but not at its rim. Pixels of the other colour beside a tile do not put
    its place in doubt. Without a ``view`` every rim counts as seen. ``whole_rims`` asks for more of each rim: hexagons
    of a wrong pitch fit in a hand.
    """
    found = _peel_groups(seen, pitch, near)
    tiles = np.zeros_like(seen.red)
    for group in found.groups:
        for x, y in group.spots.values():
            cv2.fillPoly(tiles, [outline_hexagon(x, y, group.grid)], 1)
    rest = np.asarray((seen.red | seen.black) & (1 - tiles), np.uint8)
    groups = [_without_explained(group, found.groups, rest) for group in found.groups]
    for group in groups:
        # one or two doubtful cells are a finger or a print; more are the rim of another object
        few = group.mixed if len(group.mixed) * 6 <= len(group.spots) else ()
        for x, y in few:
            cv2.fillPoly(rest, [outline_hexagon(x, y, group.grid)], 0)
    reach = 2 * round(pitch * 0.15) + 1
    around = np.ones((reach, reach), np.uint8)
    shadows = _find_shadows(seen.shade, pitch)
    beside, lost = {}, found.lost
    if cv2.countNonZero(lost & shadows):
        lost = find_loose(np.asarray(lost & (1 - shadows), np.uint8), pitch, HIDDEN_SHARE)
    for colour, mine in (("red", rest & seen.red), ("black", rest & seen.black & (1 - shadows))):
        beside[colour] = np.asarray(cv2.dilate(find_loose(mine, pitch, LOOSE_SHARE), around), np.uint8)
        lost = lost | find_loose(mine, pitch, HIDDEN_SHARE)
    lost = lost | find_loose(seen.other & (1 - tiles) & (1 - shadows), pitch, HIDDEN_SHARE)
    groups = [_without_shadows(_without_beside(group, beside, view), seen, shadows) for group in groups]
    groups = [doubt_shaded(group, seen.shade, view) for group in groups]
    if view is not None:
        groups = [
            _doubt_cells(group, find_rimless(group.spots, group.grid, view, whole=whole_rims)) for group in groups
        ]
        groups = [_without_bare(group, groups, seen, view) for group in groups]
    told = FoundGroups(tuple(groups), np.asarray(lost, np.uint8))
    return told if view is None else doubt_uneven(told, view)


def doubt_shaded(group: TileGroup, shade: Mask, view: RimView | None) -> TileGroup:
    """The group without the tiles that may be shadows of others."""
    shaded = _find_shaded(group, shade)
    clear = find_seamed(group.spots, shaded, group.grid, view) if view is not None else frozenset[Cell]()
    return _doubt_cells(group, shaded - clear)


def doubt_uneven(found: FoundGroups, view: RimView) -> FoundGroups:
    """The groups without the tiles on which something may lie that hides what is beside them."""
    unclear = draw_unclear(found)
    uneven = [find_uneven(group.spots, unclear, group.grid, view.picture) for group in found.groups]
    groups = tuple(_doubt_cells(group, cells) for group, cells in zip(found.groups, uneven, strict=True))
    return replace(found, groups=groups)


def find_loose(rest: Mask, pitch: float, share: float) -> Mask:
    """Unexplained pixels that are more than the rim of a tile: at least a share of the pitch squared."""
    least = share * pitch * pitch
    if cv2.countNonZero(rest) <= least:
        return np.zeros_like(rest)
    brush = max(3, round(pitch * 0.16) | 1)
    loose = cv2.morphologyEx(rest, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (brush, brush)))
    if cv2.countNonZero(loose) <= least:
        return np.zeros_like(rest)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(loose)
    large = np.asarray(stats)[:, cv2.CC_STAT_AREA] > least
    large[0] = False
    return np.asarray(large[labels], np.uint8)


def _without_explained(group: TileGroup, all_of_them: Sequence[TileGroup], rest: Mask) -> TileGroup:
    """The group without doubtful places that a tile beside the grid explains."""
    others = [spot for other in all_of_them if other is not group for spot in other.spots.values()]
    cell = group.grid.pitch**2 * math.sqrt(3) / 2

    def explained(spot: Spot) -> bool:
        if not any(math.dist(spot, other) < BESIDE_PITCHES * group.grid.pitch for other in others):
            return False
        return _count_inside(rest, spot, group.grid) < LEFT_SHARE * cell

    return replace(group, mixed=tuple(spot for spot in group.mixed if not explained(spot)))


def _without_beside(group: TileGroup, near: Mapping[str, Mask], view: RimView | None) -> TileGroup:
    beside = {cell for cell, spot in group.spots.items() if _count_inside(near[group.colours[cell]], spot, group.grid)}
    # where so little is clear there is no board, and what looks whole is not; a sleeve has one colour, a board two
    times, most = (4, len(group.spots) // 3 + 1) if len(set(group.colours.values())) < 2 else (2, len(group.spots) + 1)
    if len(beside) * times > len(group.spots) or len(group.mixed) > most:
        beside = set(group.spots)
    elif view is not None:
        # the shadow of a black tile is lighter than it, and another one that it covers is not
        black = {cell for cell in beside if group.colours[cell] == "black"}
        beside -= find_outlined(group.spots, black, group.spots.keys() - beside, group.grid, view)
    return _doubt_cells(group, beside)


def _doubt_cells(group: TileGroup, cells: Set[Cell]) -> TileGroup:
    """The group without the tiles on some cells, whose places are doubtful."""
    return TileGroup(
        group.grid,
        {cell: spot for cell, spot in group.spots.items() if cell not in cells},
        {cell: colour for cell, colour in group.colours.items() if cell not in cells},
        (*group.mixed, *(group.spots[cell] for cell in sorted(cells))),
    )


def _without_bare(group: TileGroup, groups: Sequence[TileGroup], seen: ColourMasks, view: RimView) -> TileGroup:
    """The group without doubtful places that are bare: the table is as dark as black tiles, but there is no rim."""
    most = NEARLY_NOTHING * group.grid.pitch**2 * math.sqrt(3) / 2
    things = seen.red | seen.black | seen.other
    mute = [spot for spot in group.mixed if _count_inside(things, spot, group.grid) < most]
    black = [spot for cell, spot in group.spots.items() if group.colours[cell] == "black"]
    bare = find_bare(mute, black, [spot for one in groups for spot in one.spots.values()], group.grid, view)
    return replace(group, mixed=tuple(spot for spot in group.mixed if spot not in bare))


def _find_shadows(shade: Mask, pitch: float) -> Mask:
    """The shade that is narrower than a tile: an arm, and its shadow, are wider."""
    side = max(3, round(SHADOW_PITCHES * pitch / 4))
    small = cv2.resize(shade, (max(1, shade.shape[1] // 4), max(1, shade.shape[0] // 4)), interpolation=cv2.INTER_AREA)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    opened = cv2.dilate(cv2.morphologyEx(small, cv2.MORPH_OPEN, brush), brush)
    wide = np.asarray(cv2.resize(opened, shade.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
    return shade & (1 - wide)


def _find_shaded(group: TileGroup, shade: Mask) -> frozenset[Cell]:
    """The tiles that may be shadows of others: the hard shadow of a tile has the outline of one."""
    least = HALF_SHARE * group.grid.pitch**2 * math.sqrt(3) / 2
    if not cv2.countNonZero(shade):
        return frozenset()
    return frozenset(cell for cell, spot in group.spots.items() if _count_inside(shade, spot, group.grid) >= least)


def _without_shadows(group: TileGroup, seen: ColourMasks, shadows: Mask) -> TileGroup:
    """The group without doubtful places that hold nothing but the shadow of a tile."""
    if not group.mixed or not cv2.countNonZero(shadows):
        return group
    things = np.asarray((seen.red | seen.black | seen.other) & (1 - shadows), np.uint8)
    least = HALF_SHARE * group.grid.pitch**2 * math.sqrt(3) / 2
    mixed = tuple(spot for spot in group.mixed if _count_inside(things, spot, group.grid) >= least)
    return replace(group, mixed=mixed)


def _count_inside(plane: Mask, spot: Spot, grid: HexGrid) -> int:
    """How many pixels of the mask are set where a tile would be."""
    cut, place = mask_hexagon(plane.shape, spot, grid)
    return int((plane[cut] & place).sum())


def _without(seen: ColourMasks, taken: Mask) -> ColourMasks:
    bare = 1 - taken
    return replace(seen, red=seen.red & bare, black=seen.black & bare, mute=seen.mute & bare, other=seen.other & bare)


def measure_agreement(seen: ColourMasks, found: FoundGroups) -> int:
    """How many pixels of tiles the found tiles cover, less the bare pixels that they cover."""
    tiles = np.zeros_like(seen.red)
    for group in found.groups:
        for x, y in group.spots.values():
            cv2.fillPoly(tiles, [outline_hexagon(x, y, group.grid, 1.0)], 1)
    both = seen.red | seen.black
    return cv2.countNonZero(tiles & both) - cv2.countNonZero(tiles & (1 - (both | seen.mute)))


def draw_unclear(found: FoundGroups) -> Mask:
    """The pixels that may hide tiles: heaps that fit no grid, and doubtful places."""
    unclear = found.lost.copy()
    for group in found.groups:
        for x, y in group.mixed:
            cv2.fillPoly(unclear, [outline_hexagon(x, y, group.grid)], 1)
    return unclear


def _fit_group(seen: ColourMasks, heap: Heap, pitch: float, trust: float = TRUSTED_SCORE) -> TileGroup | None:
    margin = round(1.3 * pitch)
    own = cut_pixels(seen, heap, margin, alone=True)
    found = fit_grid(own, pitch, measure_outline_angle(own.red + own.black))
    if found is None or found.score < trust:
        return None
    del own  # the planes of a board under an arm are as large as the picture, and four times as heavy
    # tiles that a gap or a dark print separates from the heap may still belong to it
    pixels = cut_pixels(seen, heap, margin, alone=False)
    full = rate_fill(*measure_fill(pixels, found.grid.pitch * 0.98, found.grid.angle))
    seed = _find_seed(full, found.grid)
    if seed is None:
        return None
    grown = shift_to_fullest(full, *grow_tiles(full, found.grid, seed), found.grid.pitch)
    return _colour_group(pixels, heap, margin, found.grid, *grown)


def _fit_turned(seen: ColourMasks, heap: Heap, pitch: float) -> TileGroup | None:
    """The clearest tile of a small heap, whatever its direction, and the tiles on one grid with it.

    Doubtful places beside them are left for another attempt: there may be a tile of another direction.
    """
    margin = round(1.3 * pitch)
    pixels = cut_pixels(seen, heap, margin, alone=True)
    shrink = max(1.0, pitch / 16)
    small = pixels.shrink(shrink)
    about = max(
        range(0, 60, 5),
        key=lambda way: _find_best(rate_fill(*measure_fill(small, pitch / shrink * BODY_SHARE, way)))[0],
    )
    tried = [
        (rate_fill(*measure_fill(pixels, pitch * BODY_SHARE, about + turn)), about + turn) for turn in (-2.5, 0.0, 2.5)
    ]
    full, way = max(tried, key=lambda one: _find_best(one[0])[0])
    share, (x, y) = _find_best(full)
    if share < WHOLE_SHARE:
        return None
    grid = HexGrid(x, y, pitch, way)
    group = _colour_group(pixels, heap, margin, grid, *grow_tiles(full, grid, (0, 0), WHOLE_SHARE))
    return TileGroup(group.grid, group.spots, group.colours) if group.spots else None


def _find_best(full: Map) -> tuple[float, Spot]:
    """The fullest place of all, and how full it and its surroundings are."""
    soft = cv2.blur(full, (3, 3))
    _, share, _, (x, y) = cv2.minMaxLoc(soft)
    return float(share), (float(x), float(y))


def _colour_group(
    pixels: ColourMaps,
    heap: Heap,
    margin: int,
    at: HexGrid,
    whole: Mapping[Cell, Spot],
    doubtful: Mapping[Cell, Spot],
) -> TileGroup:
    """The tiles connected with a first one and their colours, in px of the picture that the heap was cut from."""
    core = (round(at.pitch * 0.5), round(at.pitch * 0.5))
    red, black = cv2.blur(pixels.red, core), cv2.blur(pixels.black, core)
    left, top = heap.left - margin, heap.top - margin
    grid = HexGrid(at.x + left, at.y + top, at.pitch, at.angle)
    spots: dict[Cell, Spot] = {}
    colours: dict[Cell, str] = {}
    mixed: list[Spot] = []
    there = dict(whole)
    for cell, (x, y) in doubtful.items():
        if _looks_whole(pixels, (x, y), at):
            there[cell] = (x, y)
        else:
            mixed.append((x + left, y + top))
    for cell, (x, y) in there.items():
        px = (min(red.shape[0] - 1, max(0, round(y))), min(red.shape[1] - 1, max(0, round(x))))
        share = float(red[px]) / max(1e-6, float(red[px] + black[px]))
        if 1 - PURE_SHARE < share < PURE_SHARE or _may_be_table(pixels, (x, y), at):
            mixed.append((x + left, y + top))
        else:
            spots[cell] = (x + left, y + top)
            colours[cell] = "red" if share >= PURE_SHARE else "black"
    return TileGroup(grid, spots, colours, tuple(mixed))


def _looks_whole(pixels: ColourMaps, spot: Spot, grid: HexGrid) -> bool:
    """Does a place that is mute in part show nothing but a tile: a lamp mirrored in black, or ink beneath it?"""
    place = np.zeros(pixels.red.shape, np.uint8)
    cv2.fillPoly(place, [outline_hexagon(*spot, grid, BODY_SHARE)], 1)
    red, black, mute = (float(cv2.mean(plane, place)[0]) for plane in (pixels.red, pixels.black, pixels.mute))
    return max(red, black) > SEEN_SHARE and max(red, black) + mute > EXPLAINED_SHARE


def _may_be_table(pixels: ColourMaps, spot: Spot, grid: HexGrid) -> bool:
    """Is less than half of a place tile for sure, and the table around it as mute as the rest of it?"""
    reach = math.ceil(AROUND_SHARE * grid.pitch / math.sqrt(3)) + 1
    left, top = max(0, round(spot[0]) - reach), max(0, round(spot[1]) - reach)
    cut = slice(top, round(spot[1]) + reach + 1), slice(left, round(spot[0]) + reach + 1)
    red, black, mute = pixels.red[cut], pixels.black[cut], pixels.mute[cut]
    if not cv2.countNonZero(mute):
        return False
    x, y = spot[0] - left, spot[1] - top
    place, around = np.zeros(red.shape, np.uint8), np.zeros(red.shape, np.uint8)
    cv2.fillPoly(place, [outline_hexagon(x, y, grid, BODY_SHARE)], 1)
    if max(cv2.mean(red, place)[0], cv2.mean(black, place)[0]) >= HALF_SHARE:
        return False
    cv2.fillPoly(around, [outline_hexagon(x, y, grid, AROUND_SHARE)], 1)
    cv2.fillPoly(around, [outline_hexagon(x, y, grid)], 0)
    tiles = cv2.mean(red, around)[0] + cv2.mean(black, around)[0]
    return bool(cv2.mean(mute, around)[0] > MUTE_SHARE * (1 - tiles))


def _find_seed(full: Map, grid: HexGrid) -> Cell | None:
    """The cell to start with: the fullest of all."""
    high, wide = full.shape
    reach = math.ceil(math.hypot(high, wide) / grid.pitch) + 1
    q, r = (axis.ravel() for axis in np.mgrid[-reach : reach + 1, -reach : reach + 1])
    basis = np.array([offset_cell(grid.pitch, grid.angle, way) for way in ((1, 0), (0, 1))])
    x, y = (np.column_stack([q, r]) @ basis + [grid.x, grid.y]).T
    inside = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
    if not inside.any():
        return None
    shares = full[y[inside].astype(np.intp), x[inside].astype(np.intp)]
    best = int(shares.argmax())
    return (int(q[inside][best]), int(r[inside][best])) if shares[best] >= SEED_SHARE else None
