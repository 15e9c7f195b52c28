"""What perfect perception reads of the simulated table: each piece whose sticker is in sight, and what is hidden."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot

from engine.table import BACK, Area, Cover, Piece, Table
from firmware.simulation.table.arm_positions import ARM_STEPS
from firmware.simulation.table.piece_places import OnTable, PhysicalPiece
from firmware.simulation.table.shapes import Quad, Spot, outline_card, outline_sticker, overlap
from vision.pieces import PIECES, has_tiles
from vision.render import Arm, StrayObject
from vision.render.stray_objects import find_object_size

ARM_HALF_MM = 55.0
"""Half the width of the strip that an arm hides, in mm: includes its shadow."""
SHOWN_CORNER_MM = 12.0
"""Side of the square around a visible corner of a card that cannot be read, in mm."""
INSIDE_SHARE = 0.9
"""The corners of a card that are looked for, as a share of the way from its centre."""


def read_perfectly(
    game: str, area: Area, lying: Iterable[PhysicalPiece], arms: Iterable[Arm], objects: Iterable[StrayObject]
) -> Table:
    """``lying`` are the pieces on the table from the lowest to the highest."""
    hidden = [*(part for arm in arms for part in _below_arm(arm)), *map(_below_object, objects)]
    unseen = [part for part in hidden if part.overlaps(area)]
    places = [(it.name, it.place) for it in lying if isinstance(it.place, OnTable)]
    seen = [Piece(BACK if at.face_down else name, at.x, at.y, at.angle) for name, at in places]
    if has_tiles(game):
        return Table(frozenset(piece for piece in seen if not _within(piece, hidden)), tuple(unseen))
    outlines = [outline_card(game, piece.x, piece.y, piece.angle) for piece in seen]
    found: list[Piece] = []
    covers: set[Cover] = set()
    for n, piece in enumerate(seen):
        above = [m for m in range(n + 1, len(seen)) if overlap(outlines[n], outlines[m])]
        if _is_free(game, piece, [outlines[m] for m in above]):
            covers |= {(seen[m].piece, piece.piece) for m in above}
            found += [] if _within(piece, hidden) else [piece]
        elif not PIECES[game].stacked and piece.piece != BACK:
            unseen += _shown_corners(outlines[n], [outlines[m] for m in above])
    names = {piece.piece for piece in found} - {BACK}
    return Table(frozenset(found), tuple(unseen), frozenset(pair for pair in covers if names.issuperset(pair)))


def _is_free(game: str, piece: Piece, above: Iterable[Quad]) -> bool:
    """Can this card be read: is its sticker in sight, or of a card face down its middle?"""
    if piece.piece == BACK:
        return not any(_covers_spot(card, (piece.x, piece.y)) for card in above)
    sticker = outline_sticker(game, piece.x, piece.y, piece.angle)
    return not any(overlap(sticker, card) for card in above)


def _within(seen: Piece, hidden: Iterable[Area]) -> bool:
    return any(part.contains(seen.x, seen.y) for part in hidden)


def _shown_corners(card: Quad, above: Sequence[Quad]) -> Iterator[Area]:
    """Where a card whose sticker is covered sticks out: something is there that cannot be read."""
    x, y = sum(c[0] for c in card) / 4, sum(c[1] for c in card) / 4
    half = SHOWN_CORNER_MM / 2
    for cx, cy in card:
        at = x + (cx - x) * INSIDE_SHARE, y + (cy - y) * INSIDE_SHARE
        if not any(_covers_spot(other, at) for other in above):
            yield Area(at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def _covers_spot(quad: Quad, spot: Spot) -> bool:
    """Is the spot inside this rectangle?"""
    around = [*quad, quad[0]]
    sides = [(b[0] - a[0]) * (spot[1] - a[1]) - (b[1] - a[1]) * (spot[0] - a[0]) for a, b in pairwise(around)]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def _below_arm(arm: Arm) -> Iterator[Area]:
    (x, y), (hx, hy) = arm.start, arm.hand
    steps = max(1, min(ARM_STEPS, round(hypot(hx - x, hy - y) / ARM_HALF_MM)))
    for n in range(steps + 1):
        cx, cy = x + (hx - x) * n / steps, y + (hy - y) * n / steps
        yield Area(cx - ARM_HALF_MM, cy - ARM_HALF_MM, cx + ARM_HALF_MM, cy + ARM_HALF_MM)


def _below_object(thing: StrayObject) -> Area:
    half = max(find_object_size(thing)) / 2
    return Area(thing.x - half, thing.y - half, thing.x + half, thing.y + half)
