"""A scene drawn from the table upwards, in the order in which things lie on each other."""

import math

import numpy as np

from vision.codebook import CARD, QUIET, card_centre_from_sticker
from vision.render import faces, things, wood
from vision.render.canvas import Linear, Paint, Shade, cast, lay, lay_bent
from vision.render.ground import table
from vision.render.project import Points, card_points, flat_on, project, rectangle
from vision.render.scene import Arm, Card, Foreign, Marker, Scene, Scrap, Thing, Tile
from vision.render.sensor import develop, lit, through_lens

BACK = (62.0, 92.0)


def render(scene: Scene) -> Paint:
    """The picture a camera would hand over: BGR bytes, the same for the same scene."""
    light = table(scene.camera, scene.ground, scene.ground_seed).copy()
    for marker in scene.markers:
        _marker(light, scene, marker)
    for tile in scene.tiles:  # all shadows first: no tile darkens the top of its neighbour
        _tile_shadow(light, scene, tile)
    for tile in scene.tiles:
        _tile(light, scene, tile)
    for card in scene.cards:
        _card(light, scene, card)
    for code in scene.foreign:
        _foreign(light, scene, code)
    for scrap in scene.scraps:
        _scrap(light, scene, scrap)
    for piece in scene.things:
        _thing(light, scene, piece)
    for arm in scene.arms:
        _arm(light, scene, arm)
    light = lit(light, scene.camera, scene.light, scene.ground_seed)
    return develop(through_lens(light, scene.sensor), scene.sensor, scene.seed)


def card_size(card: Card) -> tuple[float, float]:
    return CARD.get(card.game, BACK)


def sticker_points(card: Card, local: Points) -> Points:
    """Points of the sticker's own frame (mm from its centre) in space."""
    dx, dy = card_centre_from_sticker(card.game, card.sticker)
    c, s = math.cos(math.radians(card.slip[2])), math.sin(math.radians(card.slip[2]))
    turned = local @ np.array([[c, s], [-s, c]])
    return card_points(card, card_size(card), turned + np.array([card.slip[0] - dx, card.slip[1] - dy]))


def tile_sticker_points(tile: Tile, local: Points) -> Points:
    return flat_on(tile.x, tile.y, tile.angle + 7 * round(tile.x) % 360, local)


def _shade(scene: Scene, high: float, strength: float = 1.0) -> Shade:
    """The shadow of a thing that stands ``high`` mm above the table."""
    px = scene.camera.focal / scene.camera.distance
    way = math.radians(scene.light.sun)
    throw = 0.7 * high * px
    return Shade(throw * math.cos(way), throw * math.sin(way), (0.4 + 0.45 * high) * px, scene.light.shadow * strength)


def _marker(light: Linear, scene: Scene, marker: Marker) -> None:
    side = marker.size * 1.5
    at = flat_on(marker.x, marker.y, marker.angle, rectangle(side, side))
    lay(
        light,
        faces.marker(marker.name),
        None,
        project(scene.camera, at),
        fine=3,
        shade=_shade(scene, 0.2, 0.5),
    )


def _card(light: Linear, scene: Scene, card: Card) -> None:
    size = card_size(card)
    px_mm = scene.camera.focal / scene.camera.distance
    times = faces.level(faces.DPMM, px_mm)
    paint = faces.card(card.game, card.piece, "back" if card.face_down else card.style, size, times)
    if card.gloss:
        paint = faces.shone(paint, card)
    mask = faces.outline(size, times)
    shade = _shade(scene, 0.8 + card.lift + abs(card.bend))
    if card.bend:
        lay_bent(
            light,
            paint,
            mask,
            lambda at: project(scene.camera, card_points(card, size, (at - 0.5) * [*size])),
            fine=1,
            shade=shade,
        )
    else:
        lay(
            light,
            paint,
            mask,
            project(scene.camera, card_points(card, size, rectangle(*size))),
            fine=1,
            shade=shade,
        )
    if not card.face_down and card.payload:
        _sticker(light, scene, card)


def _sticker(light: Linear, scene: Scene, card: Card) -> None:
    side = card.sticker
    paint = faces.sticker(card.payload, _tag_level(scene, side))
    if card.bend:
        lay_bent(
            light,
            paint,
            None,
            lambda at: project(scene.camera, sticker_points(card, (at - 0.5) * side)),
            fine=4,
        )
    else:
        at = project(scene.camera, sticker_points(card, rectangle(side, side)))
        lay(light, paint, None, at, fine=4, shade=Shade(0, 0, 0.8, 0.15))


def _tag_level(scene: Scene, side: float) -> int:
    px_module = scene.camera.focal / scene.camera.distance * side / (21 + 2 * QUIET)
    return faces.level(faces.MODULE, px_module * 4)


def _tile_shadow(light: Linear, scene: Scene, tile: Tile) -> None:
    at = project(scene.camera, flat_on(tile.x, tile.y, tile.angle, wood.hexagon(tile.size)))
    cast(light, at, _shade(scene, tile.size / 8))


def _tile(light: Linear, scene: Scene, tile: Tile) -> None:
    side = wood.box(tile)
    at = project(scene.camera, flat_on(tile.x, tile.y, tile.angle, rectangle(side, side), tile.lift))
    lay(light, wood.painted(tile, scene.light.sun), wood.mask(), at, fine=2)
    if tile.payload:
        side = tile.sticker
        at = project(scene.camera, tile_sticker_points(tile, rectangle(side, side)))
        lay(light, faces.sticker(tile.payload, _tag_level(scene, side)), None, at, fine=4)


def _foreign(light: Linear, scene: Scene, code: Foreign) -> None:
    paint = faces.foreign(code)
    modules = paint.shape[0] // 12
    side = code.size * modules / (modules - 2 * QUIET)
    at = flat_on(code.x, code.y, code.angle, rectangle(side, side))
    lay(light, paint, None, project(scene.camera, at), fine=4, shade=_shade(scene, 0.2, 0.5))


def _scrap(light: Linear, scene: Scene, scrap: Scrap) -> None:
    colour = {"skin": (128, 162, 208), "dark": (38, 38, 40), "paper": (220, 226, 228)}[scrap.tone]
    paint = np.full((16, 16, 3), colour, np.uint8)
    at = flat_on(scrap.x, scrap.y, scrap.angle, rectangle(scrap.width, scrap.height))
    lay(light, paint, None, project(scene.camera, at), fine=2, shade=_shade(scene, 1.0))


def _thing(light: Linear, scene: Scene, piece: Thing) -> None:
    paint, mask = things.thing(piece.kind)
    high = {"mug": 40.0, "phone": 6.0, "paper": 0.3}[piece.kind]
    at = flat_on(piece.x, piece.y, piece.angle, rectangle(*things.box(piece)), high)
    lay(light, paint, mask, project(scene.camera, at), fine=1, shade=_shade(scene, min(high, 25.0)))


def _arm(light: Linear, scene: Scene, arm: Arm) -> None:
    for paint, mask, at in (things.hand(arm), things.sleeve(arm)):
        lay(light, paint, mask, project(scene.camera, at), fine=1, shade=_shade(scene, arm.lift / 3))
