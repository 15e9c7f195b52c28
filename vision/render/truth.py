"""The truth about a scene: the tags and tiles that its picture really shows."""

from dataclasses import dataclass

import numpy as np

from vision.render import stray_objects, wooden_tiles
from vision.render.projection import Points, make_rectangle, place_card, place_flat, project_points
from vision.render.scene import RenderCamera, Scene
from vision.render.scene_pieces import find_card_size, place_sticker, place_tile_sticker
from vision.tags.codebook import QUIET_MODULES

MODULES = 21
_GRID = (np.arange(MODULES) + 0.5) / MODULES - 0.5
PROBES = np.stack(np.meshgrid(_GRID, _GRID), -1).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class TrueTag:
    """One code: the corners TL TR BR BL of its modules in px, its covered share, its size."""

    payload: str
    corners: tuple[tuple[float, float], ...]
    covered: float
    px_module: float
    tilt: float = 0.0


@dataclass(frozen=True, slots=True)
class TrueTile:
    """One tile: its colour, its centre in px and mm, its covered share."""

    colour: str
    px: tuple[float, float]
    mm: tuple[float, float]
    covered: float


@dataclass(frozen=True, slots=True)
class SceneTruth:
    tags: tuple[TrueTag, ...]
    tiles: tuple[TrueTile, ...]


def find_truth(scene: Scene) -> SceneTruth:
    """Tags and tiles at their places in the picture. ``covered`` includes what is outside the frame."""
    camera = scene.camera
    tiles = _find_tiles(scene)
    above = [*_outline_cards(scene), *_outline_above(scene)]
    first = len(scene.cards)
    tags = []
    for order, card in enumerate(scene.cards):
        if card.payload and not card.face_down:
            side = card.sticker * MODULES / (MODULES + 2 * QUIET_MODULES)
            corners = project_points(camera, place_sticker(card, make_rectangle(side, side)))
            probes = project_points(camera, place_sticker(card, PROBES * side))
            tags.append(_make_tag(card.payload, corners, _covered_share(probes, above[order + 1 :], camera), card.tilt))
    everything = above[first:] + above[:first]
    for tile in scene.tiles:
        if tile.payload:
            side = tile.sticker * MODULES / (MODULES + 2 * QUIET_MODULES)
            corners = project_points(camera, place_tile_sticker(tile, make_rectangle(side, side)))
            probes = project_points(camera, place_tile_sticker(tile, PROBES * side))
            tags.append(_make_tag(tile.payload, corners, _covered_share(probes, everything, camera), 0.0))
    return SceneTruth(tuple(tags), tiles)


def _make_tag(payload: str, corners: Points, covered: float, tilt: float) -> TrueTag:
    x, y = corners[:, 0], corners[:, 1]
    area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
    at = tuple((float(px), float(py)) for px, py in corners)
    return TrueTag(payload, at, covered, area**0.5 / MODULES, tilt)


def _outline_cards(scene: Scene) -> list[Points]:
    return [
        project_points(scene.camera, place_card(card, find_card_size(card), make_rectangle(*find_card_size(card))))
        for card in scene.cards
    ]


def _outline_above(scene: Scene) -> list[Points]:
    """Outlines of everything above the cards."""
    camera, found = scene.camera, []
    for code in scene.foreign:
        side = code.size * 1.2
        found.append(project_points(camera, place_flat(code.x, code.y, code.angle, make_rectangle(side, side))))
    for scrap in scene.scraps:
        found.append(
            project_points(camera, place_flat(scrap.x, scrap.y, scrap.angle, make_rectangle(scrap.width, scrap.height)))
        )
    for piece in scene.objects:
        at = place_flat(piece.x, piece.y, piece.angle, make_rectangle(*stray_objects.find_object_size(piece)), 10)
        found.append(project_points(camera, at))
    for arm in scene.arms:
        found += [
            project_points(camera, part[2]) for part in (stray_objects.draw_hand(arm), stray_objects.draw_sleeve(arm))
        ]
    return found


def _find_tiles(scene: Scene) -> tuple[TrueTile, ...]:
    above = [*_outline_cards(scene), *_outline_above(scene)]
    found = []
    for tile in scene.tiles:
        local = np.concatenate(
            [np.zeros((1, 2)), wooden_tiles.make_hexagon(tile.size) * 0.5, wooden_tiles.make_hexagon(tile.size) * 0.9]
        )
        at = project_points(scene.camera, place_flat(tile.x, tile.y, tile.angle, local))
        covered = _covered_share(at, above, scene.camera)
        found.append(TrueTile(tile.colour, (float(at[0, 0]), float(at[0, 1])), (tile.x, tile.y), covered))
    return tuple(found)


def _covered_share(probes: Points, outlines: list[Points], camera: RenderCamera) -> float:
    """The share of the probes outside the frame or inside one of the outlines."""
    high = np.array([camera.width - 0.5, camera.height - 0.5])
    lost = (probes < -0.5).any(1) | (probes > high).any(1)
    low, top = probes.min(0), probes.max(0)
    for outline in outlines:
        if (outline.max(0) > low).all() and (outline.min(0) < top).all():
            lost |= _find_inside(outline, probes)
    return float(lost.mean())


def _find_inside(outline: Points, probes: Points) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    inside = np.zeros(len(probes), np.bool_)
    x, y = probes[:, 0], probes[:, 1]
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, 0), strict=True):
        crosses = (ay > y) != (by > y)
        if crosses.any():
            inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay + 1e-12) + ax)
    return inside
