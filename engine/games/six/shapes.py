"""The circle, the triangle and the line of six, as masks around a tile just laid."""

from engine.axial import NEIGHBOURS

STRIDE = 128
"""Cell (q, r) is bit ``q + STRIDE * r`` from some corner; a group of 42 spans at most 42, so rows never mix."""

STEPS = tuple(q + STRIDE * r for q, r in NEIGHBOURS)
"""From the bit of a cell to those of its six neighbours, in order around it."""

REACH = 5 * STRIDE + 5
"""No cell of a shape lies further from another one."""

_FORMS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("circle", STEPS),
    ("triangle", (0, 1, 2, STRIDE, STRIDE + 1, 2 * STRIDE)),
    ("triangle", (0, -1, -2, -STRIDE, -STRIDE - 1, -2 * STRIDE)),
    *(("line", tuple(step * n for n in range(6))) for step in STEPS[:3]),
)


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


MASKS: tuple[tuple[int, str], ...] = tuple(
    (_bits(tuple(REACH + place - pivot for place in form)), kind) for kind, form in _FORMS for pivot in form
)
"""All 36 ways a shape can run through the middle of a window."""

_WINDOW = 0
for _mask, _ in MASKS:
    _WINDOW |= _mask
_CLOSE = _bits(tuple(REACH + step for step in STEPS))


def find_shape_through(own: int, spot: int) -> str:
    """The kind of shape that this tile is part of, or nothing."""
    window = own >> (spot - REACH) & _WINDOW
    if not window & _CLOSE:  # in every shape each tile has a neighbour
        return ""
    for mask, kind in MASKS:
        if window & mask == mask:
            return kind
    return ""


def find_shape(own: int) -> str:
    """The kind of a shape anywhere among these tiles, or nothing."""
    left = own
    while left:
        low = left & -left
        kind = find_shape_through(own, low.bit_length() - 1)
        if kind:
            return kind
        left ^= low
    return ""
