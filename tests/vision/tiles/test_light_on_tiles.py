"""Boards in other light than the empty table: casts, hard shadows, satin that mirrors a window, hands."""

import math
from dataclasses import replace
from functools import cache, lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.tiles import judge_tiles, make_case
from vision.changes.light_fit import decode_gamma
from vision.changes.top_view import CELL_MM
from vision.render import Arm, DrawnTile, Scene, render_scene
from vision.render.projection import project_points
from vision.render.tile_scenes import BOARD_AREA, DrawnBoard, find_homography
from vision.tiles.finder import FoundTiles, find_tiles

Picture = NDArray[np.uint8]
Light = NDArray[np.float32]


@cache
def list_levels() -> Picture:
    """The level of each of 65,536 steps of linear light."""
    light = np.linspace(0, 1, 1 << 16)
    level = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(level * 255 + 0.5, np.uint8)


def encode_gamma(light: Light) -> Picture:
    return list_levels()[(np.clip(light, 0, 1) * np.float32(65_535)).astype(np.uint16)]


def draw_covered(posed: DrawnBoard, across: float = 0.0, down: float = 0.0, share: float = 1.0) -> NDArray[np.uint8]:
    """How much of each pixel the tiles cover, of 255, or a share of their width, shifted by some mm."""
    camera = posed.scene.camera
    mask = np.zeros((camera.height, camera.width), np.uint8)
    for tile in posed.scene.tiles:
        at = np.radians(tile.angle + 30 + 60 * np.arange(6))
        ring = np.stack([np.cos(at), np.sin(at)], 1) * tile.size * share / math.sqrt(3)
        ring += [tile.x + across, tile.y + down]
        px = project_points(camera, np.column_stack([ring, np.zeros(6)]))
        cv2.fillPoly(mask, [np.round(px * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def cover_tiles(posed: DrawnBoard, share: float = 1.0) -> Light:
    """The share of each pixel that the tiles cover."""
    return draw_covered(posed, share=share).astype(np.float32)[..., None] / 255


def cast_sun(posed: DrawnBoard, picture: Picture, left: float, long: float) -> Picture:
    """Hard, bluish shadows of the tiles, ``long`` mm, in which a share of the light is ``left``."""
    places = [draw_covered(posed, long * step * 0.8, long * step * 0.6) for step in np.linspace(0, 1, 8)]
    shade = np.max(places, 0).astype(np.float32)[..., None] / 255 * (1 - cover_tiles(posed))
    tint = np.array([1.15, 1.0, 0.92], np.float32)
    return encode_gamma(decode_gamma(picture) * (1 - (1 - left * tint) * shade))


def mirror_window(posed: DrawnBoard, picture: Picture, light: float) -> Picture:
    """Tiles of satin paint that mirror the bluish light of a window."""
    tint = np.array([1.25, 1.0, 0.85], np.float32)
    return encode_gamma(decode_gamma(picture) + cover_tiles(posed) * tint * light)


pose = lru_cache(maxsize=12)(make_case)
"""Many cases share a board."""


@lru_cache(maxsize=6)
def draw(scene: Scene) -> Picture:
    """The picture of a scene, drawn once for the cases that follow one another."""
    picture = render_scene(scene)
    picture.flags.writeable = False
    return picture


def read(posed: DrawnBoard, picture: Picture) -> FoundTiles:
    return find_tiles(picture, draw(posed.empty), to_mm=find_homography(posed.scene.camera), area=BOARD_AREA)


CASES = [(1, "white"), (2, "wood"), (3, "felt")]


@pytest.mark.parametrize(("number", "ground"), CASES)
@pytest.mark.parametrize("gain", [(1.5, 1.0, 0.7), (0.6, 0.8, 1.1), (0.8, 1.3, 1.5)])
def test_a_board_is_exact_in_light_of_another_colour(number: int, ground: str, gain: tuple[float, ...]) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    lit = encode_gamma(decode_gamma(draw(posed.scene)) * np.array(gain, np.float32) * np.float32(0.8))
    assert judge_tiles(posed, read(posed, lit), 0).exact


@pytest.mark.parametrize(("number", "ground"), [*CASES, (4, "darkwood"), (5, "clutter")])
@pytest.mark.parametrize("gain", [(1.5, 1.0, 0.7), (0.7, 1.0, 1.5), (0.6, 0.6, 0.6)])
def test_a_bare_table_has_no_tiles_in_light_of_another_colour(
    number: int, ground: str, gain: tuple[float, ...]
) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    lit = encode_gamma(decode_gamma(draw(posed.empty)) * np.array(gain, np.float32))
    found = read(posed, lit)
    assert (found.tiles, found.unsure) == ((), ())


@pytest.mark.parametrize(("number", "ground"), CASES)
@pytest.mark.parametrize("left", [0.18, 0.35])
def test_hard_shadows_are_no_tiles(number: int, ground: str, left: float) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    found = read(posed, cast_sun(posed, draw(posed.scene), left, 16.0))
    assert (judge_tiles(posed, found, 0).exact, found.unsure) == (True, ())


@pytest.mark.parametrize(("number", "ground"), CASES)
@pytest.mark.parametrize("left", [0.18, 0.35])
def test_hard_shadows_as_long_as_a_tile_are_none(number: int, ground: str, left: float) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    found = read(posed, cast_sun(posed, draw(posed.scene), left, 24.0))
    assert judge_tiles(posed, found, 0).exact


@pytest.mark.parametrize(("number", "ground"), CASES)
def test_a_tile_that_mirrors_a_window_is_read_or_reported_unclear(number: int, ground: str) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    found = read(posed, mirror_window(posed, draw(posed.scene), 0.06))
    for tile in posed.cells.values():
        there = [t.colour for t in found.board if t.mm and math.dist(t.mm, (tile.x, tile.y)) < 12]
        assert there == [tile.colour] or any(area.contains(tile.x, tile.y) for area in found.unsure)
    assert len(found.board) >= 0.9 * len(posed.cells)


@pytest.mark.parametrize(("number", "light"), [(1, 0.12), (7, 0.15), (9, 0.2)])
def test_black_tiles_as_light_as_shadows_are_told_where_the_seams_between_them_are_seen(
    number: int, light: float
) -> None:
    posed = pose(number, "white")
    lit = decode_gamma(draw(posed.scene)) + cover_tiles(posed, share=0.92) * np.float32(light)
    found = read(posed, encode_gamma(lit))
    assert judge_tiles(posed, found, 0).wrong == 0
    assert len(found.board) >= 0.95 * len(posed.cells)


@pytest.mark.parametrize("ground", ["white", "wood", "darkwood"])
@pytest.mark.parametrize("sleeve", [0, 1])
def test_a_hand_on_the_board_hides_what_is_below_it_and_nothing_is_invented(ground: str, sleeve: int) -> None:
    posed = pose(4, ground)  # type: ignore[arg-type]
    tiles = posed.cells.values()
    middle = (sum(tile.x for tile in tiles) / len(tiles), sum(tile.y for tile in tiles) / len(tiles))
    found = read(posed, render_scene(replace(posed.scene, arms=(Arm((300.0, 700.0), middle, sleeve=sleeve),))))
    score = judge_tiles(posed, found, 0)
    assert (score.invented, score.wrong) == (0, 0)
    assert len(found.board) > len(tiles) / 2


@pytest.mark.parametrize("ground", ["white", "wood", "darkwood"])
def test_a_hand_alone_is_no_tile(ground: str) -> None:
    posed = pose(1, ground)  # type: ignore[arg-type]
    hand = replace(posed.empty, arms=(Arm((300.0, 700.0), (310.0, 260.0), sleeve=1),))
    assert read(posed, render_scene(hand)).tiles == ()


def cast_wide_shadow(posed: DrawnBoard, picture: Picture, left: float, soft: float) -> Picture:
    """The shadow of an arm above the table: a band 110 mm wide with a rim that is ``soft`` mm wide, not on tiles."""
    camera = posed.scene.camera
    y, x = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float32)
    scale = camera.width / (BOARD_AREA.right - BOARD_AREA.left + 50)
    across = np.abs((x - camera.width * 0.5) * 0.5 + (y - camera.height * 0.45) * 0.87) / scale
    shade = np.clip(0.5 - (across - 55) / soft, 0, 1)[..., None]
    return encode_gamma(decode_gamma(picture) * (1 - (1 - left) * shade * (1 - cover_tiles(posed))))


@pytest.mark.parametrize("ground", ["white", "wood", "darkwood"])
@pytest.mark.parametrize("left", [0.15, 0.3, 0.55])
@pytest.mark.parametrize("soft", [4.0, 30.0], ids=["hard", "soft"])
def test_the_shadow_of_an_arm_is_no_tile(ground: str, left: float, soft: float) -> None:
    posed = pose(6, ground)  # type: ignore[arg-type]
    bare = cast_wide_shadow(replace(posed, scene=posed.empty), draw(posed.empty), left, soft)
    assert read(posed, bare).tiles == ()


@pytest.mark.parametrize("ground", ["white", "wood", "darkwood"])
@pytest.mark.parametrize(("left", "soft"), [(0.15, 30.0), (0.3, 4.0), (0.55, 30.0)])
def test_the_shadow_of_an_arm_invents_no_tile_beside_a_board(ground: str, left: float, soft: float) -> None:
    posed = pose(6, ground)  # type: ignore[arg-type]
    score = judge_tiles(posed, read(posed, cast_wide_shadow(posed, draw(posed.scene), left, soft)), 0)
    assert (score.invented, score.wrong) == (0, 0)


@pytest.mark.parametrize("ground", ["white", "wood", "felt"])
@pytest.mark.parametrize("left", [0.3, 0.5])
def test_tiles_in_the_sun_and_in_the_shade_of_a_house_are_all_told_or_unclear(ground: str, left: float) -> None:
    posed = pose(4, ground)  # type: ignore[arg-type]
    picture = cast_sun(posed, draw(posed.scene), 0.25, 20.0)
    tiles = posed.cells.values()
    camera = posed.scene.camera
    middle = project_points(camera, np.array([[np.mean([t.x for t in tiles]), np.mean([t.y for t in tiles]), 0.0]]))[0]
    shade = np.arange(camera.width)[None, :, None] < middle[0]
    lit = encode_gamma(decode_gamma(picture) * np.where(shade, np.float32(left), np.float32(1)))
    found = read(posed, lit)
    for tile in tiles:
        there = [t.colour for t in found.tiles if t.mm and math.dist(t.mm, (tile.x, tile.y)) < 12]
        assert there == [tile.colour] or any(area.contains(tile.x, tile.y) for area in found.unsure)
    assert judge_tiles(posed, found, 0).invented == 0


@pytest.mark.parametrize("ground", ["white", "wood"])
def test_reserve_tiles_are_no_board_while_an_arm_lies_over_it(ground: str) -> None:
    posed = pose(2, ground)  # type: ignore[arg-type]
    reserve = [DrawnTile("red", 60.0, 60.0, 10.0), DrawnTile("black", 540.0, 70.0, 40.0)]
    arm = Arm((300.0, 700.0), (310.0, 200.0), width=150.0, sleeve=1)
    found = read(posed, render_scene(replace(posed.empty, tiles=tuple(reserve), arms=(arm,))))
    assert found.board == ()
    for tile in found.tiles:
        assert tile.mm is not None
        assert any(area.contains(*tile.mm) for area in found.unsure)


def cast_arm(posed: DrawnBoard, picture: Picture) -> tuple[Picture, NDArray[np.bool_]]:
    """A wide shadow over bare table, as dark as a black tile, and its cells."""
    rows, columns = (round(side / CELL_MM) for side in (BOARD_AREA.bottom, BOARD_AREA.right))
    ys, xs = (np.mgrid[0:rows, 0:columns] + 0.5) * CELL_MM
    away = np.min([np.hypot(xs - tile.x, ys - tile.y) for tile in posed.scene.tiles], 0)
    shade = away > np.quantile(away, 0.85)
    cells = np.linalg.inv(find_homography(posed.scene.camera)) @ np.array([[CELL_MM, 0, 2], [0, CELL_MM, 2], [0, 0, 1]])
    size = picture.shape[1::-1]
    dark = cv2.warpPerspective(shade.astype(np.float32), cells, size, borderMode=cv2.BORDER_REPLICATE)[..., None]
    return encode_gamma(decode_gamma(picture) * (1 - 0.7 * dark)), shade


@pytest.mark.parametrize(("number", "ground"), [(1, "white"), (5, "white"), (7, "white")])
def test_a_shadow_that_is_known_puts_no_place_in_doubt(number: int, ground: str) -> None:
    posed = pose(number, ground)  # type: ignore[arg-type]
    picture, shade = cast_arm(posed, draw(posed.scene))
    places = {"to_mm": find_homography(posed.scene.camera), "area": BOARD_AREA}
    empty = draw(posed.empty)
    unknown = find_tiles(picture, empty, **places)  # type: ignore[arg-type]
    known = find_tiles(picture, empty, **places, shade=shade)  # type: ignore[arg-type]
    assert len(unknown.unsure) > 20
    assert known.unsure == ()
    assert judge_tiles(posed, known, 0).exact
