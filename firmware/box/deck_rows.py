"""Cards laid in rows, in the order in which a person reads them, however crooked they lie."""

import cmath
import math
from collections.abc import Iterable

from engine.table import Piece

ROW_GAP_MM = 35.0
"""From the lowest card of a row to the highest of the next, in mm; between neighbours in height within a row less."""


def sort_by_rows(cards: Iterable[Piece]) -> tuple[str, ...]:
    """Row by row from left to right, along the way most cards stand. Which end is up no card can tell."""
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
    """The middle of the cards' angles in radians, a card upside down counted as upright; within a quarter turn."""
    total = sum(cmath.rect(1, 2 * math.radians(card.angle)) for card in cards)
    return cmath.phase(total) / 2 if total else 0.0
