"""Ready-made scenes of wooden hexagons: a random board, reserve tiles beside it, and the empty table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from engine.table import Area
from vision.render.projection import project_points
from vision.render.scene import DrawnTile, Ground, RenderCamera, Scene, SceneLight, Sensor

Cell = tuple[int, int]
NEIGHBOURS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
BOARD_AREA = Area(0, 0, 600, 450)


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A scene, the scene of its empty table, and the tile on each cell; the other tiles are reserve."""

    scene: Scene
    empty: Scene
    cells: Mapping[Cell, DrawnTile]


def grow_cells(rng: np.random.Generator, count: int, span: int) -> list[Cell]:
    """Connected cells, grown at random from one within a hexagon of ``span`` rings."""
    cells: list[Cell] = [(0, 0)]
    while len(cells) < count:
        q, r = cells[int(rng.integers(0, len(cells)))]
        dq, dr = NEIGHBOURS[int(rng.integers(0, 6))]
        cell = (q + dq, r + dr)
        if cell not in cells and max(abs(cell[0]), abs(cell[1]), abs(sum(cell))) <= span:
            cells.append(cell)
    return cells


def make_board(
    seed: int,
    ground: Ground,
    count: int,
    *,
    size: float = 38.0,
    reserve: int = 0,
    nudge: float = 0.9,
    turn: float = 2.5,
    drift: float = 0.0,
    dot: float = 0.0,
    px_mm: float = 2.0,
    tilt: float = 8.0,
    sensor: Sensor | None = None,
) -> DrawnBoard:
    """Tiles ``nudge`` mm and ``turn`` degrees off their cells; ``drift`` bends the lattice by degrees per cell."""
    rng = np.random.default_rng([seed, 606])
    cells = grow_cells(rng, count, 4 if size > 34 else 5)
    angle = float(rng.uniform(0, 60))
    pitch = size + float(rng.uniform(0.2, 1.2))
    spots = np.array([_find_spot(cell, pitch, angle, drift) for cell in cells])
    middle = (spots.min(0) + spots.max(0)) / 2
    low, high = spots.min(0) - middle - size * 0.6, spots.max(0) - middle + size * 0.6
    left = float(rng.uniform(-low[0], max(-low[0] + 1, BOARD_AREA.right - high[0] - 1)))
    top = float(rng.uniform(-low[1], max(-low[1] + 1, BOARD_AREA.bottom - high[1] - 1)))
    spots = spots - middle + [left, top] + np.clip(rng.normal(0, nudge, spots.shape), -2.2 * nudge, 2.2 * nudge)
    colours = rng.permutation(count) % 2
    tiles = [
        _make_tile(float(x), float(y), angle + float(rng.normal(0, turn)), size, bool(colour), dot)
        for (x, y), colour in zip(spots, colours, strict=True)
    ]
    others = _scatter_reserve(rng, tiles, reserve, size, dot)
    camera = RenderCamera.over(
        Area(-25, -25, 625, 475),
        px_mm,
        distance=620.0,
        tilt=float(rng.uniform(0, tilt)),
        towards=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-4, 4)),
        barrel=float(rng.uniform(0, 0.015)),
    )
    light = SceneLight(
        gain=float(rng.uniform(0.6, 0.95)),
        slope=(float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-0.2, 0.2))),
        patches=0.06,
        warmth=float(rng.uniform(-0.06, 0.1)),
        sun=float(rng.uniform(0, 360)),
        shadow=float(rng.uniform(0.25, 0.6)),
    )
    scene = Scene(
        camera,
        ground,
        seed,
        tiles=(*tiles, *others),
        light=light,
        sensor=sensor or Sensor(jpeg=92),
        seed=seed,
    )
    then = replace(light, gain=light.gain * float(rng.uniform(0.93, 1.07)))
    return DrawnBoard(
        scene, replace(scene, tiles=(), light=then, seed=seed + 9999), dict(zip(cells, tiles, strict=True))
    )


def _find_spot(cell: Cell, pitch: float, angle: float, drift: float) -> tuple[float, float]:
    way = math.radians(angle + drift * cell[0])
    along, down = pitch * (cell[0] + cell[1] / 2), pitch * cell[1] * math.sqrt(3) / 2
    return along * math.cos(way) - down * math.sin(way), along * math.sin(way) + down * math.cos(way)


def _make_tile(x: float, y: float, angle: float, size: float, red: bool, dot: float) -> DrawnTile:
    colour: Literal["red", "black"] = "red" if red else "black"
    return DrawnTile(colour, x, y, angle, size, dot=0.0 if red else dot)


def _scatter_reserve(
    rng: np.random.Generator, tiles: list[DrawnTile], count: int, size: float, dot: float
) -> list[DrawnTile]:
    """Tiles at random places and angles, a finger's width from the board and beside each other."""
    found: list[DrawnTile] = []
    for _ in range(4000):
        if len(found) == count:
            break
        x = float(rng.uniform(size * 0.7, BOARD_AREA.right - size * 0.7))
        y = float(rng.uniform(size * 0.7, BOARD_AREA.bottom - size * 0.7))
        from_board = min(math.hypot(x - tile.x, y - tile.y) for tile in tiles)
        from_others = min((math.hypot(x - tile.x, y - tile.y) for tile in found), default=1e9)
        if from_board > size * 1.16 + 14 and from_others > size * 1.16:
            found.append(_make_tile(x, y, float(rng.uniform(0, 60)), size, bool(rng.integers(0, 2)), dot))
    return found


def find_homography(camera: RenderCamera) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Pixels to table mm, as four markers at the corners of the area would give; the distortion of the lens stays."""
    left, top, right, bottom = BOARD_AREA.left, BOARD_AREA.top, BOARD_AREA.right, BOARD_AREA.bottom
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    px = project_points(camera, np.column_stack([corners, np.zeros(4)]))
    return np.asarray(cv2.getPerspectiveTransform(px.astype(np.float32), corners.astype(np.float32)), np.float64)
