"""Rendered boards, and what is read from them."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache, partial

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.table import Area, Piece
from tests.benchmarks.tiles import judge_tiles
from vision.render import Arm, DrawnTile, Scene, render_scene
from vision.render.tile_scenes import BOARD_AREA, DrawnBoard, find_homography, make_board
from vision.tags.codebook import CODES
from vision.tiles.finder import NO_EMPTY, NO_SCALE, TOO_DARK, TOO_MANY, FoundTiles, find_tiles, to_engine
from vision.tiles.hex_grid import offset_cell

drawn = partial(make_board, px_mm=1.6)


def read(posed: DrawnBoard, **more: object) -> FoundTiles:
    return find_in(posed.scene, posed.empty, **more) if more else read_alone(posed.scene, posed.empty)


def find_in(scene: Scene, empty: Scene, **more: object) -> FoundTiles:
    given: dict[str, object] = {"to_mm": find_homography(scene.camera), "area": BOARD_AREA, **more}
    return find_tiles(draw(scene), draw(empty), **given)  # type: ignore[arg-type]


@cache
def read_alone(scene: Scene, empty: Scene) -> FoundTiles:
    """What is read without knowledge of the tiles: several cases start from the same board."""
    return find_in(scene, empty)


@lru_cache(maxsize=4)
def draw(scene: Scene) -> NDArray[np.uint8]:
    picture = render_scene(scene)
    picture.flags.writeable = False
    return picture


def changed(posed: DrawnBoard, *tiles: DrawnTile) -> DrawnBoard:
    return replace(posed, scene=replace(posed.scene, tiles=(*posed.scene.tiles, *tiles)))


BOARDS = {
    "two tiles on wood": drawn(1, "wood", 2),
    "all tiles on white": drawn(2, "white", 42),
    "felt, with reserve tiles": drawn(3, "felt", 20, reserve=8),
    "dark wood, with reserve tiles": drawn(4, "darkwood", 24, reserve=5),
    "a newspaper": drawn(5, "clutter", 25),
    "small tiles": drawn(6, "wood", 30, size=25.0, nudge=0.7),
    "large tiles": drawn(7, "felt", 18, size=45.0),
    "tiles nudged and turned": drawn(8, "wood", 25, nudge=1.5, turn=5.0),
    "a lattice that drifts": drawn(9, "white", 25, drift=1.2),
    "white dots on a light table": drawn(10, "wood", 15, dot=10.0),
    "white dots on a table as dark as the tiles": drawn(12, "dark", 15, dot=10.0),
    "a tilted camera": drawn(13, "felt", 20, tilt=20.0, reserve=3),
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_exact(name: str) -> None:
    found = read(BOARDS[name])
    score = judge_tiles(BOARDS[name], found, 0)
    assert (score.exact, score.missing, score.invented, score.wrong, found.notes) == (True, 0, 0, 0, ())


@pytest.mark.parametrize("name", ["small tiles", "large tiles", "two tiles on wood"])
def test_the_size_is_measured(name: str) -> None:
    posed = BOARDS[name]
    assert read(posed).size == pytest.approx(posed.scene.tiles[0].size, rel=0.04)


def test_reserve_tiles_are_seen_but_not_on_the_board() -> None:
    posed = BOARDS["felt, with reserve tiles"]
    found = read(posed)
    loose = [tile for tile in found.tiles if not tile.board]
    assert (len(found.board), len(loose), {tile.cell for tile in loose}) == (20, 8, {None})


def pair_and(colour: str, apart: float, way: float, turn: float) -> DrawnBoard:
    """Two tiles side by side, and one that touches them off the lattice."""
    posed = drawn(1, "wood", 2, nudge=0.0)
    first = posed.scene.tiles[0]
    x, y = first.x + apart * math.cos(math.radians(way)), first.y + apart * math.sin(math.radians(way))
    return changed(posed, DrawnTile("red" if colour == "red" else "black", x, y, turn, first.size))


@pytest.mark.parametrize("colour", ["red", "black"])
@pytest.mark.parametrize("turn", [0.0, 12.0, 24.0, 36.0, 48.0])
def test_a_loose_tile_that_touches_two_others_is_read_with_them(colour: str, turn: float) -> None:
    lone = drawn(1, "wood", 2, nudge=0.0)
    a, b = lone.scene.tiles
    away = math.degrees(math.atan2(a.y - b.y, a.x - b.x)) + 30
    posed = pair_and(colour, 42.0, away, turn)
    found = read(posed, known=read(lone).board)
    assert sorted(tile.colour for tile in found.tiles) == sorted(tile.colour for tile in posed.scene.tiles)
    for tile in posed.scene.tiles:
        assert any(t.mm and t.colour == tile.colour and math.dist(t.mm, (tile.x, tile.y)) < 4 for t in found.tiles)


@pytest.mark.parametrize("way", [50.0, 60.0, 70.0, 110.0, 130.0])
@pytest.mark.parametrize("turn", [10.0, 40.0])
def test_a_tile_off_the_grid_is_read_and_does_not_disturb_the_board(way: float, turn: float) -> None:
    lone = drawn(3, "felt", 9, nudge=0.5)
    tiles, before = lone.scene.tiles, read(lone)
    last = max(tiles, key=lambda tile: tile.y)
    across, down = 43 * math.cos(math.radians(way)), 43 * math.sin(math.radians(way))
    loose = DrawnTile("black", last.x + across, last.y + down, turn, last.size)
    found = read(changed(lone, loose), known=before.board)
    assert {tile.cell for tile in found.board} == {tile.cell for tile in before.board}
    beside = [tile.mm for tile in found.tiles if not tile.board and tile.mm]
    assert [math.dist(mm, (loose.x, loose.y)) < 2 for mm in beside] == [True]
    assert found.unsure == ()


@pytest.mark.parametrize("apart", [14.0, 20.0, 26.0, 32.0])
@pytest.mark.parametrize("way", [20.0, 140.0, 260.0])
@pytest.mark.parametrize("colour", ["red", "black"])
def test_every_tile_of_a_heap_is_read_or_reported_unclear(colour: str, apart: float, way: float) -> None:
    posed = pair_and(colour, apart, way, 25.0)
    found = read(posed)
    for tile in posed.scene.tiles:
        read_there = any(t.mm and math.dist(t.mm, (tile.x, tile.y)) < 8 for t in found.tiles)
        assert read_there or any(area.contains(tile.x, tile.y) for area in found.unsure)


def test_black_tiles_on_a_black_table_are_refused_with_advice() -> None:
    found = read(drawn(14, "dark", 12))
    assert (found.tiles, found.notes) == ((), (TOO_DARK,))


def test_tags_replace_dots() -> None:
    codes = {colour: [c.payload for c in CODES if c.piece == colour] for colour in ("red", "black")}
    posed = drawn(15, "dark", 10)
    tiles = tuple(
        replace(tile, payload=codes[tile.colour][i], sticker=14.0) for i, tile in enumerate(posed.scene.tiles)
    )
    tagged = replace(posed, scene=replace(posed.scene, tiles=tiles))
    found = read(tagged, tagged=[(tile.colour, tile.x, tile.y) for tile in tiles])
    assert judge_tiles(posed, found, 0).exact


def test_without_markers_tiles_are_found_in_pixels() -> None:
    posed = BOARDS["felt, with reserve tiles"]
    found = find_tiles(render_scene(posed.scene), render_scene(posed.empty))
    assert found.notes == (NO_SCALE,)
    assert len(found.board) == 20
    assert {tile.mm for tile in found.tiles} == {None}
    assert to_engine(found.tiles) == frozenset()


@pytest.mark.parametrize("scaled", [True, False], ids=["markers", "no markers"])
def test_without_the_empty_table_there_are_no_tiles_and_a_note_says_what_to_do(scaled: bool) -> None:
    posed = BOARDS["all tiles on white"]
    to_mm = find_homography(posed.scene.camera) if scaled else None
    found = find_tiles(render_scene(posed.scene), None, to_mm=to_mm, area=BOARD_AREA if scaled else None)
    assert (found.tiles, found.notes) == ((), (NO_EMPTY,))


def test_a_camera_that_has_moved_since_needs_its_own_scale() -> None:
    posed = BOARDS["a newspaper"]
    camera = replace(posed.empty.camera, x=posed.empty.camera.x + 5, turn=posed.empty.camera.turn + 1)
    moved = replace(posed, empty=replace(posed.empty, camera=camera))
    assert judge_tiles(posed, read(moved, empty_to_mm=find_homography(camera)), 0).exact


def test_the_group_at_the_known_tiles_is_the_board() -> None:
    """Even if more tiles are connected elsewhere by now."""
    posed = drawn(16, "wood", 3, nudge=0.0)
    before = read(posed)
    place = [(x, y) for x in (80, 520) for y in (80, 370)]
    far = max(place, key=lambda at: min(math.dist(at, (t.x, t.y)) for t in posed.scene.tiles))
    others = [DrawnTile("red", far[0] + 38.5 * i, far[1], 0.0) for i in (-1.5, -0.5, 0.5, 1.5)]
    found = read(changed(posed, *others), known=before.tiles)
    assert {tile.cell for tile in found.board} == {tile.cell for tile in before.board}


def test_once_the_board_is_gone_the_part_cut_off_is_the_board() -> None:
    """Even if more tiles are connected elsewhere; and if none of it is left, there is no board."""
    posed = drawn(16, "wood", 3, nudge=0.0)
    before = read(posed)
    parted = [replace(tile, board=False, cell=None) for tile in before.tiles[:2]]
    gone = replace(before.tiles[2], mm=(20.0, 20.0))
    found = read(posed, known=[gone, *parted])
    assert {tile.mm for tile in found.board} == {tile.mm for tile in before.board}
    assert read(posed, known=[gone, replace(parted[0], mm=(20.0, 60.0))]).board == ()


def test_cells_keep_their_names_while_tiles_are_added_and_the_board_is_pushed() -> None:
    posed = drawn(17, "felt", 12, nudge=0.3)
    before = read(posed)
    names = {tile.cell: tile.colour for tile in before.board}
    pushed = replace(
        posed, scene=replace(posed.scene, tiles=tuple(replace(t, x=t.x + 6, y=t.y - 5) for t in posed.scene.tiles))
    )
    after = read(pushed, known=before.board)
    assert {tile.cell: tile.colour for tile in after.board} == names


def test_a_lifted_tile_is_not_on_the_board() -> None:
    posed = BOARDS["tiles nudged and turned"]
    first, *rest = posed.scene.tiles
    lifted = replace(first, x=first.x + 17, y=first.y + 11, lift=60.0)
    found = read(replace(posed, scene=replace(posed.scene, tiles=(*rest, lifted))))
    assert not any(t.mm and math.dist(t.mm, (first.x, first.y)) < 8 for t in found.board)


def test_a_dark_sleeve_is_not_read_as_tiles() -> None:
    posed = drawn(18, "white", 2)
    arm = Arm((300.0, 700.0), (300.0, 200.0), sleeve=1)
    found = read(replace(posed, scene=replace(posed.scene, tiles=(), arms=(arm,))))
    assert found.tiles == ()


@pytest.mark.parametrize("ground", ["wood", "white", "felt", "darkwood", "dark", "clutter"])
def test_no_tile_is_found_on_an_empty_table(ground: str) -> None:
    posed = drawn(19, ground, 2)  # type: ignore[arg-type]
    assert read(replace(posed, scene=replace(posed.scene, tiles=()))).tiles == ()


def noise(shape: tuple[int, int]) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 255, (*shape, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    "picture",
    [noise((1, 1)), noise((300, 400)), np.zeros((300, 400, 3), np.uint8), np.full((300, 400, 3), 255, np.uint8)],
    ids=["one pixel", "static", "black", "white"],
)
@pytest.mark.parametrize("scaled", [True, False], ids=["markers", "no markers"])
def test_no_tile_is_found_in_a_picture_of_nothing(picture: NDArray[np.uint8], scaled: bool) -> None:
    to_mm = np.diag([1.5, 1.5, 1.0]) if scaled else None
    assert find_tiles(picture, None, to_mm=to_mm).tiles == ()


def test_more_tiles_than_the_game_has_are_a_misread() -> None:
    places = [offset_cell(32.5, 0, (q, r)) for q in range(8) for r in range(8)]
    tiles = tuple(DrawnTile("black", 80 + x, 90 + y, 0.0, 32.0) for x, y in places)
    posed = drawn(20, "white", 2)
    found = read(replace(posed, scene=replace(posed.scene, tiles=tiles)))
    assert (found.tiles, found.notes) == ((), (TOO_MANY,))


def test_tiles_are_converted_to_pieces_of_the_engine() -> None:
    posed = BOARDS["two tiles on wood"]
    words = to_engine(read(posed).board)
    assert Counter(word.piece for word in words) == Counter(tile.colour for tile in posed.scene.tiles)
    for tile in posed.scene.tiles:
        near = [w for w in words if math.dist((w.x, w.y), (tile.x, tile.y)) < 2.5]
        assert len(near) == 1
        assert isinstance(near[0], Piece)
        assert abs((near[0].angle - tile.angle + 30) % 60 - 30) < 6


def test_an_area_may_start_anywhere() -> None:
    posed = BOARDS["two tiles on wood"]
    whole = Area(-20, -20, 620, 470)
    assert judge_tiles(posed, read(posed, area=whole), 0).exact


def test_scenes_of_tiles_are_the_same_each_time() -> None:
    scene: Scene = BOARDS["two tiles on wood"].scene
    assert np.array_equal(render_scene(scene), render_scene(scene))


SLID = drawn(21, "wood", 13, nudge=0.3, turn=1.0)


def slide_tile(posed: DrawnBoard, pitches: float) -> tuple[DrawnBoard, DrawnTile]:
    """One tile at the rim of the board moved straight away from it."""
    middle = np.mean([(tile.x, tile.y) for tile in posed.scene.tiles], axis=0)
    tile = max(posed.scene.tiles, key=lambda one: math.dist((one.x, one.y), middle))
    way = np.array([tile.x, tile.y]) - middle
    x, y = np.array([tile.x, tile.y]) + way / np.hypot(*way) * pitches * tile.size
    slid = replace(tile, x=float(x), y=float(y))
    tiles = tuple(slid if one is tile else one for one in posed.scene.tiles)
    return replace(posed, scene=replace(posed.scene, tiles=tiles)), slid


@pytest.mark.parametrize("pitches", [0.15, 0.25, 0.35, 0.5, 0.7])
def test_a_tile_slid_off_its_cell_is_told_where_it_lies(pitches: float) -> None:
    posed, slid = slide_tile(SLID, pitches)
    found = read(posed, known=read(SLID).board)
    near = [tile for tile in found.tiles if tile.mm and math.dist(tile.mm, (slid.x, slid.y)) < 0.6 * slid.size]
    assert [tile.colour for tile in near] == [slid.colour]
    assert near[0].mm is not None
    assert math.dist(near[0].mm, (slid.x, slid.y)) < 3.0
    assert len(found.tiles) == len(posed.scene.tiles)
