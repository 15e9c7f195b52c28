"""The pieces of a scene in the order in which they lie on each other, each as the layers it is drawn with."""

import math
from dataclasses import dataclass

import numpy as np

from vision.pieces import BACK, PIECES
from vision.render import faces, things, wood
from vision.render.canvas import Layer, PixelBox
from vision.render.laying import Shade, cast, lay, lay_bent
from vision.render.project import Points, card_points, flat_on, project, rectangle
from vision.render.scene import Arm, DrawnCard, DrawnMarker, DrawnTile, Foreign, Scene, Scrap, Thing
from vision.tags.codebook import QUIET, card_centre_from_sticker


@dataclass(frozen=True, slots=True)
class Cast:
    """A tile's shadow alone."""

    tile: DrawnTile


RenderedPiece = DrawnMarker | Cast | DrawnTile | DrawnCard | Foreign | Scrap | Thing | Arm


def pieces(scene: Scene) -> tuple[RenderedPiece, ...]:
    """From the table upwards."""
    casts = [Cast(tile) for tile in scene.tiles]  # all shadows first: no tile darkens the top of its neighbour
    above: tuple[RenderedPiece, ...] = (*scene.foreign, *scene.scraps, *scene.things, *scene.arms)
    return (*scene.markers, *casts, *scene.tiles, *scene.cards, *above)


def layers(scene: Scene, piece: RenderedPiece) -> tuple[Layer, ...]:
    """How a piece changes the light that comes from what lies below it: its camera and its light have a say."""
    match piece:
        case DrawnMarker():
            return _marker(scene, piece)
        case Cast():
            return _cast(scene, piece.tile)
        case DrawnTile():
            return _tile(scene, piece)
        case DrawnCard():
            return _card(scene, piece)
        case Foreign():
            return _foreign(scene, piece)
        case Scrap():
            return _scrap(scene, piece)
        case Thing():
            return _thing(scene, piece)
        case Arm():
            return _arm(scene, piece)


def frame_of(scene: Scene) -> PixelBox:
    return PixelBox(0, 0, scene.camera.width, scene.camera.height)


def card_size(card: DrawnCard) -> tuple[float, float]:
    return PIECES.get(card.game, BACK).size


def sticker_points(card: DrawnCard, local: Points) -> Points:
    """Points of the sticker's own frame (mm from its centre) in space."""
    dx, dy = card_centre_from_sticker(card.game, card.sticker)
    c, s = math.cos(math.radians(card.slip[2])), math.sin(math.radians(card.slip[2]))
    turned = local @ np.array([[c, s], [-s, c]])
    return card_points(card, card_size(card), turned + np.array([card.slip[0] - dx, card.slip[1] - dy]))


def tile_sticker_points(tile: DrawnTile, local: Points) -> Points:
    return flat_on(tile.x, tile.y, tile.angle + 7 * round(tile.x) % 360, local)


def _shade(scene: Scene, high: float, strength: float = 1.0) -> Shade:
    """The shadow of a thing that stands ``high`` mm above the table."""
    px = scene.camera.focal / scene.camera.distance
    way = math.radians(scene.light.sun)
    throw = 0.7 * high * px
    return Shade(throw * math.cos(way), throw * math.sin(way), (0.4 + 0.45 * high) * px, scene.light.shadow * strength)


def _marker(scene: Scene, marker: DrawnMarker) -> tuple[Layer, ...]:
    side = marker.size * 1.5
    at = project(scene.camera, flat_on(marker.x, marker.y, marker.angle, rectangle(side, side)))
    return lay(frame_of(scene), faces.marker(marker.name), None, at, fine=3, shade=_shade(scene, 0.2, 0.5))


def _card(scene: Scene, card: DrawnCard) -> tuple[Layer, ...]:
    size = card_size(card)
    px_mm = scene.camera.focal / scene.camera.distance
    times = faces.level(faces.DPMM, px_mm)
    paint = faces.card(card.game, card.piece, "back" if card.face_down else card.style, size, times)
    if card.gloss:
        paint = faces.shone(paint, card)
    mask = faces.outline(size, times)
    shade = _shade(scene, 0.8 + card.lift + abs(card.bend))
    if card.bend:
        laid = lay_bent(
            frame_of(scene),
            paint,
            mask,
            lambda at: project(scene.camera, card_points(card, size, (at - 0.5) * [*size])),
            fine=1,
            shade=shade,
        )
    else:
        at = project(scene.camera, card_points(card, size, rectangle(*size)))
        laid = lay(frame_of(scene), paint, mask, at, fine=1, shade=shade)
    return laid if card.face_down or not card.payload else (*laid, *_sticker(scene, card))


def _sticker(scene: Scene, card: DrawnCard) -> tuple[Layer, ...]:
    side = card.sticker
    paint = faces.sticker(card.payload, _tag_level(scene, side))
    if card.bend:
        return lay_bent(
            frame_of(scene),
            paint,
            None,
            lambda at: project(scene.camera, sticker_points(card, (at - 0.5) * side)),
            fine=4,
        )
    at = project(scene.camera, sticker_points(card, rectangle(side, side)))
    return lay(frame_of(scene), paint, None, at, fine=4, shade=Shade(0, 0, 0.8, 0.15))


def _tag_level(scene: Scene, side: float) -> int:
    px_module = scene.camera.focal / scene.camera.distance * side / (21 + 2 * QUIET)
    return faces.level(faces.MODULE, px_module * 4)


def _cast(scene: Scene, tile: DrawnTile) -> tuple[Layer, ...]:
    at = project(scene.camera, flat_on(tile.x, tile.y, tile.angle, wood.hexagon(tile.size)))
    return cast(frame_of(scene), at, _shade(scene, tile.size / 8))


def _tile(scene: Scene, tile: DrawnTile) -> tuple[Layer, ...]:
    side = wood.box(tile)
    at = project(scene.camera, flat_on(tile.x, tile.y, tile.angle, rectangle(side, side), tile.lift))
    laid = lay(frame_of(scene), wood.painted(tile, scene.light.sun), wood.mask(), at, fine=2)
    if not tile.payload:
        return laid
    side = tile.sticker
    at = project(scene.camera, tile_sticker_points(tile, rectangle(side, side)))
    return (*laid, *lay(frame_of(scene), faces.sticker(tile.payload, _tag_level(scene, side)), None, at, fine=4))


def _foreign(scene: Scene, code: Foreign) -> tuple[Layer, ...]:
    paint = faces.foreign(code)
    modules = paint.shape[0] // 12
    side = code.size * modules / (modules - 2 * QUIET)
    at = project(scene.camera, flat_on(code.x, code.y, code.angle, rectangle(side, side)))
    return lay(frame_of(scene), paint, None, at, fine=4, shade=_shade(scene, 0.2, 0.5))


def _scrap(scene: Scene, scrap: Scrap) -> tuple[Layer, ...]:
    colour = {"skin": (128, 162, 208), "dark": (38, 38, 40), "paper": (220, 226, 228)}[scrap.tone]
    paint = np.full((16, 16, 3), colour, np.uint8)
    at = project(scene.camera, flat_on(scrap.x, scrap.y, scrap.angle, rectangle(scrap.width, scrap.height)))
    return lay(frame_of(scene), paint, None, at, fine=2, shade=_shade(scene, 1.0))


def _thing(scene: Scene, piece: Thing) -> tuple[Layer, ...]:
    paint, mask = things.thing(piece.kind)
    high = {"mug": 40.0, "phone": 6.0, "paper": 0.3}[piece.kind]
    at = project(scene.camera, flat_on(piece.x, piece.y, piece.angle, rectangle(*things.box(piece)), high))
    return lay(frame_of(scene), paint, mask, at, fine=1, shade=_shade(scene, min(high, 25.0)))


def _arm(scene: Scene, arm: Arm) -> tuple[Layer, ...]:
    found: list[Layer] = []
    for paint, mask, at in (things.hand(arm), things.sleeve(arm)):
        shade = _shade(scene, arm.lift / 3)
        found += lay(frame_of(scene), paint, mask, project(scene.camera, at), fine=1, shade=shade)
    return tuple(found)
