"""What is in a picture, computed from the scene and its index pass.

Millimetres are of the area: x right and y down from its top left corner. Pixels are continuous and of the distorted
picture: (0, 0) is the outer corner of the top left pixel. Angles are degrees clockwise as the camera sees them.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.studio import ranges
from tests.studio.camera import find_plane_homography, to_world
from tests.studio.scene import FIRST_CARD, FIRST_MARKER, FIRST_TILE, HAND, PlacedCard, StudioScene
from vision.tags.codebook import CODE_MODULES, EDGE_MM, QUIET_MODULES

Points = NDArray[np.float64]
Index = NDArray[np.uint16]
CORNERS = ("TL", "TR", "BR", "BL")
CLASSES = ("bare", "marker", "card", "tile", "hand", "object")
"""What owns a pixel of the grid: ``hand`` is the skin and the sleeve."""


def describe(scene: StudioScene, index: Index, shown: Index) -> dict[str, Any]:
    """``index``: the index pass as rendered, without distortion; ``shown``: the same in the pixels of the picture."""
    camera, area = scene.camera, scene.area
    return {
        "area": list(area),
        "table": scene.table,
        "camera": {
            "size": [camera.width, camera.height], "focal_px": camera.focal_px, "position_m": list(camera.position),
            "axes": [list(row) for row in camera.axes], "k": camera.k,
            "homography": find_plane_homography(camera, area).tolist(),
        },
        "markers": {corner: _marker(scene, n).tolist() for n, corner in enumerate(CORNERS)},
        "markers_visible": {corner: _marker_visible(scene, n, shown) for n, corner in enumerate(CORNERS)},
        "cards": [_card(scene, n, card, index) for n, card in enumerate(scene.cards)],
        "tiles": [_tile(scene, n, shown) for n in range(len(scene.tiles))],
        "tile_mm": list(scene.tile_mm),
        "things": {str(n): name for n, name in scene.things.items() if (shown == n).any()},
        "cell_mm": ranges.CELL_MM,
        "cells": grid_cells(scene, index).tolist(),
    }  # fmt: skip


def _marker(scene: StudioScene, n: int) -> Points:
    """The black square's corners in pixels: TL, TR, BR, BL."""
    side = ranges.MARKER_MM
    x = (-side, scene.area[0])[n in (1, 2)]
    y = (-side, scene.area[1])[n in (2, 3)]
    corners = np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float64)
    return np.round(scene.camera.project(to_world(scene.area, corners)), 2)


def _marker_visible(scene: StudioScene, n: int, shown: Index) -> float:
    inside = fill((shown.shape[0], shown.shape[1]), _marker(scene, n))
    return round(float((shown[inside] == FIRST_MARKER + n).mean()), 3)


def sticker_corners(card: PlacedCard, *, quiet: bool = True) -> Points:
    """Of the paper (or of the code without its quiet zone) in mm from the card's middle: TL, TR, BR, BL."""
    side = ranges.STICKER_MM
    inset = 0.0 if quiet else side * QUIET_MODULES / (CODE_MODULES + 2 * QUIET_MODULES)
    left = -card.size[0] / 2 + EDGE_MM + inset
    low = card.size[1] / 2 - EDGE_MM - inset
    side -= 2 * inset
    return np.array([[left, low - side], [left + side, low - side], [left + side, low], [left, low]])


def outline(card: PlacedCard) -> Points:
    """Sixteen points on a card's edge, in mm from its middle."""
    w, h = card.size[0] / 2, card.size[1] / 2
    cut = 2.0
    corners = [(-w, -h + cut), (-w + cut, -h), (w - cut, -h), (w, -h + cut), (w, h - cut), (w - cut, h), (-w + cut, h),
               (-w, h - cut)]  # fmt: skip
    points = np.array(corners)
    return np.stack([points, (points + np.roll(points, -1, 0)) / 2], axis=1).reshape(-1, 2)


def fill(shape: tuple[int, int], pixels: Points) -> NDArray[np.bool_]:
    """The pixels whose centre is in a polygon, to an eighth of a pixel."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round((pixels - 0.5) * 256).astype(np.int32)], 1, shift=8)
    return mask.astype(np.bool_)


def _rendered(scene: StudioScene, world: Points) -> Points:
    """Pixels of the index pass."""
    return scene.camera.pinhole(world) + round(ranges.OVERSCAN * scene.camera.width)


def _card(scene: StudioScene, n: int, card: PlacedCard, index: Index) -> dict[str, Any]:
    number = FIRST_CARD + n
    shape = (index.shape[0], index.shape[1])
    whole = fill(shape, _rendered(scene, card.surface(scene.area, outline(card))))
    inside = max(1, int(whole.sum()))
    own = int((index[whole] == number).sum())
    owners, counts = np.unique(index[whole], return_counts=True)
    mm2 = card.size[0] * card.size[1]
    cover = {
        int(owner): round(mm2 * int(count) / inside, 1)
        for owner, count in zip(owners, counts, strict=True)
        if owner != number and owner >= FIRST_CARD and mm2 * count / inside >= 10
    }
    middle = scene.camera.project(card.surface(scene.area, np.zeros((1, 2))))[0]
    out: dict[str, Any] = {
        "index": number, "game": card.game, "piece": card.piece, "payload": card.payload, "zone": card.zone,
        "order": card.order, "centre_mm": [round(v, 2) for v in card.centre], "angle": round(card.angle % 360, 2),
        "centre_px": [round(float(v), 2) for v in middle], "size_mm": list(card.size),
        "outline_px": np.round(scene.camera.project(card.surface(scene.area, outline(card))), 2).tolist(),
        "visible_mm2": round(mm2 * own / inside, 1), "covered_by_mm2": cover,
    }  # fmt: skip
    if card.piece:
        tag = fill(shape, _rendered(scene, card.surface(scene.area, sticker_corners(card))))
        code = scene.camera.project(card.surface(scene.area, sticker_corners(card, quiet=False)))
        sides = np.linalg.norm(code - np.roll(code, -1, 0), axis=1)
        out["tag_visible"] = round(float((index[tag] == number).mean()), 4) if tag.any() else 0.0
        out["tag_px"] = np.round(code, 2).tolist()
        out["px_per_module"] = round(float(sides.min()) / CODE_MODULES, 3)
    else:
        out["back"], out["rim_mm"] = card.back, round(card.rim_mm, 2)
    return out


def _tile(scene: StudioScene, n: int, shown: Index) -> dict[str, Any]:
    tile = scene.tiles[n]
    top = scene.at(tile.centre, scene.tile_mm[1] / 1000)
    middle = scene.camera.project(np.array([top]))[0]
    return {
        "index": FIRST_TILE + n,
        "colour": tile.colour,
        "cell": list(tile.cell) if tile.cell is not None else None,
        "centre_mm": [round(v, 2) for v in tile.centre],
        "centre_px": [round(float(v), 2) for v in middle],
        "visible_px": int((shown == FIRST_TILE + n).sum()),
    }


def grid_cells(scene: StudioScene, index: Index) -> NDArray[np.uint8]:
    """Per cent of each cell of the area that each of ``CLASSES`` owns: rows, columns, class.

    A thing owns what it hides from the camera, projected on the table.
    """
    wide, high = (int(side) for side in scene.area)
    owner = np.zeros(index.shape, np.uint8)
    owner[(index > 0) & (index < FIRST_CARD)] = 1
    owner[(index >= FIRST_CARD) & (index < FIRST_TILE)] = 2
    owner[(index >= FIRST_TILE) & (index < HAND)] = 3
    owner[(index >= HAND) & (index < HAND + 10)] = 4
    owner[index >= HAND + 10] = 5
    margin = round(ranges.OVERSCAN * scene.camera.width)
    shift = np.array([[1, 0, margin - 0.5], [0, 1, margin - 0.5], [0, 0, 1.0]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    matrix = shift @ find_plane_homography(scene.camera, scene.area) @ half
    flat = cv2.warpPerspective(owner, matrix, (wide, high), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    side = int(ranges.CELL_MM)
    rows, columns = -(-high // side), -(-wide // side)
    cells = np.zeros((rows, columns, len(CLASSES)), np.uint8)
    for row in range(rows):
        for column in range(columns):
            part = flat[row * side : (row + 1) * side, column * side : (column + 1) * side]
            cells[row, column] = np.round(100 * np.bincount(part.ravel(), minlength=len(CLASSES)) / part.size)
    return cells
