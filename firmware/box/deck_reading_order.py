"""Sorts cards that lie in rows into reading order, even if the rows are crooked."""

import cmath
import math
from collections.abc import Iterable

from engine.table import Piece

ROW_GAP_MM = 35.0
"""Least distance in mm from the lowest card of a row to the highest of the next; neighbours in a row differ less."""


def sort_by_rows(cards: Iterable[Piece]) -> tuple[str, ...]:
    """Row by row from left to right, in the mean direction of the cards; the result may be upside down as a whole."""
    seen = tuple(cards)
    back = cmath.rect(1, -_mean_angle(seen))
    spots = [(complex(card.x, card.y) * back, card.piece) for card in seen]
    rows: list[list[tuple[float, str]]] = []
    last = -math.inf
    for spot, piece in sorted(spots, key=lambda at: (at[0].imag, at[0].real)):
        if spot.imag - last > ROW_GAP_MM:
            rows.append([])
        rows[-1].append((spot.real, piece))
        last = spot.imag
    return tuple(piece for row in rows for _, piece in sorted(row))


def _mean_angle(cards: tuple[Piece, ...]) -> float:
    """The mean angle of the cards in radians, modulo half a turn."""
    total = sum(cmath.rect(1, 2 * math.radians(card.angle)) for card in cards)
    return cmath.phase(total) / 2 if total else 0.0
