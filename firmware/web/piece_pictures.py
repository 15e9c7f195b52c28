"""Pictures of single pieces, for a page that draws the piece in the fingers of a person itself."""

from functools import lru_cache

import cv2
import numpy as np

from engine.table import BACK
from hw.frame import Picture
from vision.pieces import PIECES, has_tiles
from vision.render import printed_textures
from vision.render.scene import DrawnTile
from vision.render.wooden_tiles import draw_tile, draw_tile_mask
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import list_printed

CARD_HEIGHT_PX = 360
"""Of a card in the picture: sharp in a hand on any screen."""
STICKER_MARGIN_MM = 3.0
SUN_DEG = 220.0
"""Direction of the shadow on a tile, as in the light of the simulated table."""


@lru_cache(maxsize=256)
def draw_piece_picture(game: str, piece: str) -> bytes | None:
    """A PNG with transparent corners; None if the game has no such piece."""
    if game not in PIECES:
        return None
    if has_tiles(game):
        return _draw_tile(piece) if piece in {name for _, name in PIECES[game].names} else None
    size = PIECES[game].size
    if piece == BACK:
        return _encode(printed_textures.paint_card(game, piece, "back", size, 0), size)
    payload = next((code.payload for code in list_printed() if (code.game, code.piece) == (game, piece)), None)
    if payload is None:
        return None
    return _encode(_stick(printed_textures.paint_card(game, piece, "busy", size, 0), payload), size)


def _stick(paint: Picture, payload: str) -> Picture:
    """The face of a card with its sticker at the bottom left."""
    side, margin = (round(mm * printed_textures.TEXTURE_PX_MM) for mm in (STICKER_MM, STICKER_MARGIN_MM))
    code = cv2.resize(printed_textures.paint_sticker(payload), (side, side), interpolation=cv2.INTER_AREA)
    face = paint.copy()
    face[-margin - side : -margin, margin : margin + side] = code[..., None]
    return face


def _draw_tile(piece: str) -> bytes:
    """A hexagon that fills its box: its flat sides are at the left and at the right."""
    paint, mask = draw_tile(DrawnTile("red" if piece == "red" else "black", 0.0, 0.0), SUN_DEG), draw_tile_mask()
    ys, xs = np.nonzero(mask)
    box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return _png(paint[box], mask[box])


def _encode(paint: Picture, size: tuple[float, float]) -> bytes:
    return _png(paint, printed_textures.paint_card_mask(size, 0))


def _png(paint: Picture, mask: Picture) -> bytes:
    alpha = cv2.resize(mask, (paint.shape[1], paint.shape[0]), interpolation=cv2.INTER_AREA)
    scale = CARD_HEIGHT_PX / paint.shape[0]
    picture = np.dstack([paint, alpha])
    small = cv2.resize(picture, (round(paint.shape[1] * scale), CARD_HEIGHT_PX), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".png", small)
    assert done
    return data.tobytes()
