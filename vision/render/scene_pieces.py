"""The pieces of a scene from the table upwards, and the layers that draw each of them."""

import math
from dataclasses import dataclass

import numpy as np

from vision.pieces import BACK, PIECES
from vision.render import printed_textures, stray_objects, wooden_tiles
from vision.render.layer_compositing import Layer, PixelBox
from vision.render.perspective_layers import ShadowShape, cast_shadow, paint_bent, paint_flat
from vision.render.projection import Points, make_rectangle, place_card, place_flat, project_points
from vision.render.scene import Arm, DrawnCard, DrawnMarker, DrawnTile, ForeignCode, Scene, Scrap, StrayObject
from vision.tags.codebook import QUIET_MODULES, offset_to_card_centre


@dataclass(frozen=True, slots=True)
class TileShadow:
    """Only the shadow of a tile."""

    tile: DrawnTile


RenderedPiece = DrawnMarker | TileShadow | DrawnTile | DrawnCard | ForeignCode | Scrap | StrayObject | Arm


def stack_pieces(scene: Scene) -> tuple[RenderedPiece, ...]:
    """All pieces from the table upwards."""
    casts = [TileShadow(tile) for tile in scene.tiles]  # all shadows first: no tile darkens the top of its neighbour
    above: tuple[RenderedPiece, ...] = (*scene.foreign, *scene.scraps, *scene.objects, *scene.arms)
    return (*scene.markers, *casts, *scene.tiles, *scene.cards, *above)


def draw_layers(scene: Scene, piece: RenderedPiece) -> tuple[Layer, ...]:
    """The layers of a piece: they change the light from below it, depending on camera and light of the scene."""
    match piece:
        case DrawnMarker():
            return _marker(scene, piece)
        case TileShadow():
            return _cast(scene, piece.tile)
        case DrawnTile():
            return _tile(scene, piece)
        case DrawnCard():
            return _card(scene, piece)
        case ForeignCode():
            return _foreign(scene, piece)
        case Scrap():
            return _scrap(scene, piece)
        case StrayObject():
            return _thing(scene, piece)
        case Arm():
            return _arm(scene, piece)


def frame_scene(scene: Scene) -> PixelBox:
    return PixelBox(0, 0, scene.camera.width, scene.camera.height)


def find_card_size(card: DrawnCard) -> tuple[float, float]:
    return PIECES.get(card.game, BACK).size


def place_sticker(card: DrawnCard, local: Points) -> Points:
    """Points of the sticker (mm from its centre) in space."""
    dx, dy = offset_to_card_centre(card.game, card.sticker)
    c, s = math.cos(math.radians(card.slip[2])), math.sin(math.radians(card.slip[2]))
    turned = local @ np.array([[c, s], [-s, c]])
    return place_card(card, find_card_size(card), turned + np.array([card.slip[0] - dx, card.slip[1] - dy]))


def place_tile_sticker(tile: DrawnTile, local: Points) -> Points:
    return place_flat(tile.x, tile.y, tile.angle + 7 * round(tile.x) % 360, local)


def _shade(scene: Scene, high: float, strength: float = 1.0) -> ShadowShape:
    """The shadow of an object that stands ``high`` mm above the table."""
    px = scene.camera.focal / scene.camera.distance
    way = math.radians(scene.light.sun)
    throw = scene.light.throw * high * px
    return ShadowShape(
        throw * math.cos(way),
        throw * math.sin(way),
        (0.4 + 0.45 * high * scene.light.penumbra) * px,
        scene.light.shadow * strength,
    )


def _marker(scene: Scene, marker: DrawnMarker) -> tuple[Layer, ...]:
    side = marker.size * 1.5
    at = project_points(scene.camera, place_flat(marker.x, marker.y, marker.angle, make_rectangle(side, side)))
    return paint_flat(
        frame_scene(scene), printed_textures.paint_marker(marker.name), None, at, fine=3, shade=_shade(scene, 0.2, 0.5)
    )


def _card(scene: Scene, card: DrawnCard) -> tuple[Layer, ...]:
    size = find_card_size(card)
    px_mm = scene.camera.focal / scene.camera.distance
    times = printed_textures.choose_level(printed_textures.TEXTURE_PX_MM, px_mm)
    paint = printed_textures.paint_card(card.game, card.piece, "back" if card.face_down else card.style, size, times)
    if card.gloss:
        paint = printed_textures.add_gloss(paint, card)
    mask = printed_textures.paint_card_mask(size, times)
    shade = _shade(scene, 0.8 + card.lift + abs(card.bend))
    if card.bend:
        laid = paint_bent(
            frame_scene(scene),
            paint,
            mask,
            lambda at: project_points(scene.camera, place_card(card, size, (at - 0.5) * [*size])),
            fine=1,
            shade=shade,
        )
    else:
        at = project_points(scene.camera, place_card(card, size, make_rectangle(*size)))
        laid = paint_flat(frame_scene(scene), paint, mask, at, fine=1, shade=shade)
    return laid if card.face_down or not card.payload else (*laid, *_sticker(scene, card))


def _sticker(scene: Scene, card: DrawnCard) -> tuple[Layer, ...]:
    side = card.sticker
    paint = printed_textures.paint_sticker(card.payload, _tag_level(scene, side))
    if card.bend:
        return paint_bent(
            frame_scene(scene),
            paint,
            None,
            lambda at: project_points(scene.camera, place_sticker(card, (at - 0.5) * side)),
            fine=4,
        )
    at = project_points(scene.camera, place_sticker(card, make_rectangle(side, side)))
    return paint_flat(frame_scene(scene), paint, None, at, fine=4, shade=ShadowShape(0, 0, 0.8, 0.15))


def _tag_level(scene: Scene, side: float) -> int:
    px_module = scene.camera.focal / scene.camera.distance * side / (21 + 2 * QUIET_MODULES)
    return printed_textures.choose_level(printed_textures.TEXTURE_PX_MODULE, px_module * 4)


def _cast(scene: Scene, tile: DrawnTile) -> tuple[Layer, ...]:
    at = project_points(scene.camera, place_flat(tile.x, tile.y, tile.angle, wooden_tiles.make_hexagon(tile.size)))
    return cast_shadow(frame_scene(scene), at, _shade(scene, tile.size / 8))


def _tile(scene: Scene, tile: DrawnTile) -> tuple[Layer, ...]:
    side = wooden_tiles.find_texture_side(tile)
    at = project_points(scene.camera, place_flat(tile.x, tile.y, tile.angle, make_rectangle(side, side), tile.lift))
    laid = paint_flat(
        frame_scene(scene), wooden_tiles.draw_tile(tile, scene.light.sun), wooden_tiles.draw_tile_mask(), at, fine=2
    )
    if not tile.payload:
        return laid
    side = tile.sticker
    at = project_points(scene.camera, place_tile_sticker(tile, make_rectangle(side, side)))
    return (
        *laid,
        *paint_flat(
            frame_scene(scene), printed_textures.paint_sticker(tile.payload, _tag_level(scene, side)), None, at, fine=4
        ),
    )


def _foreign(scene: Scene, code: ForeignCode) -> tuple[Layer, ...]:
    paint = printed_textures.paint_foreign_code(code)
    modules = paint.shape[0] // 12
    side = code.size * modules / (modules - 2 * QUIET_MODULES)
    at = project_points(scene.camera, place_flat(code.x, code.y, code.angle, make_rectangle(side, side)))
    return paint_flat(frame_scene(scene), paint, None, at, fine=4, shade=_shade(scene, 0.2, 0.5))


def _scrap(scene: Scene, scrap: Scrap) -> tuple[Layer, ...]:
    colour = {"skin": (128, 162, 208), "dark": (38, 38, 40), "paper": (220, 226, 228)}[scrap.tone]
    paint = np.full((16, 16, 3), colour, np.uint8)
    at = project_points(
        scene.camera, place_flat(scrap.x, scrap.y, scrap.angle, make_rectangle(scrap.width, scrap.height))
    )
    return paint_flat(frame_scene(scene), paint, None, at, fine=2, shade=_shade(scene, 1.0))


def _thing(scene: Scene, piece: StrayObject) -> tuple[Layer, ...]:
    paint, mask = stray_objects.draw_object(piece.kind)
    high = {"mug": 40.0, "phone": 6.0, "paper": 0.3}[piece.kind]
    at = project_points(
        scene.camera,
        place_flat(piece.x, piece.y, piece.angle, make_rectangle(*stray_objects.find_object_size(piece)), high),
    )
    return paint_flat(frame_scene(scene), paint, mask, at, fine=1, shade=_shade(scene, min(high, 25.0)))


def _arm(scene: Scene, arm: Arm) -> tuple[Layer, ...]:
    found: list[Layer] = []
    for paint, mask, at in (stray_objects.draw_hand(arm), stray_objects.draw_sleeve(arm)):
        shade = _shade(scene, arm.lift / 3)
        found += paint_flat(frame_scene(scene), paint, mask, project_points(scene.camera, at), fine=1, shade=shade)
    return tuple(found)
