"""The cells of SIX that the camera cannot see now, as far as tiles of the game may lie there."""

from collections.abc import Iterable, Set
from math import ceil, floor

from engine.axial import SIXTH_TURN, Cell, join_cells
from engine.games.six.lattice import LatticeFrame
from engine.table import Area

TILE_RADIUS_PITCHES = 0.45
MARGIN_CELLS = 3
"""Beyond all tiles by this much: from further out, hidden tiles lead back to one in sight only by a detour."""


def find_hidden_cells(
    unseen: tuple[Area, ...], lies: LatticeFrame, board: Set[Cell], new: Set[Cell]
) -> frozenset[Cell]:
    """The hidden cells of the board, and those that hidden tiles would join to it, from cell to cell.

    ``new`` are tiles in sight: those beyond a hidden place may belong to the board, with hidden cells of their own.
    """
    covered = find_covered_cells(unseen, lies, board | new)
    return frozenset((board | join_cells(board, covered | new)) & covered)


def find_covered_cells(unseen: tuple[Area, ...], lies: LatticeFrame, around: Iterable[Cell]) -> set[Cell]:
    """The cells near these of which some part cannot be seen."""
    if not unseen:
        return set()
    some = list(around)
    low_q, high_q = min(q for q, _ in some) - MARGIN_CELLS, max(q for q, _ in some) + MARGIN_CELLS
    low_r, high_r = min(r for _, r in some) - MARGIN_CELLS, max(r for _, r in some) + MARGIN_CELLS
    side, body = lies.side, TILE_RADIUS_PITCHES * abs(lies.side)
    found: set[Cell] = set()
    for area in unseen:
        spans = ((area.left - body, area.right + body), (area.top - body, area.bottom + body))
        corners = [(complex(x, y) - lies.base) / side for x in spans[0] for y in spans[1]]
        rows = [corner.imag / SIXTH_TURN.imag for corner in corners]
        for r in range(max(low_r, ceil(min(rows))), min(high_r, floor(max(rows))) + 1):
            start = lies.at((0, r))
            low, high = float(low_q), float(high_q)
            for at, step, span in ((start.real, side.real, spans[0]), (start.imag, side.imag, spans[1])):
                if abs(step) < 1e-9:  # the row runs along this edge of the area
                    low = low if span[0] < at < span[1] else high + 1
                else:
                    ends = sorted((edge - at) / step for edge in span)
                    low, high = max(low, ends[0]), min(high, ends[1])
            found.update((q, r) for q in range(ceil(low), floor(high) + 1))
    return found
