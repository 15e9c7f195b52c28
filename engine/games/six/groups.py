"""Groups of connected tiles, and whether lifting a tile splits one."""

from engine.games.six.shapes import STEPS, STRIDE

_RING = tuple(step + STRIDE for step in STEPS)
_MASK = sum(1 << place for place in _RING)


def _runs(around: tuple[bool, ...]) -> int:
    return sum(here and not before for here, before in zip(around, (around[-1], *around[:-1]), strict=True))


_ONE_RUN = frozenset(
    sum(1 << place for n, place in enumerate(_RING) if pattern >> n & 1)
    for pattern in range(64)
    if _runs(tuple(bool(pattern >> n & 1) for n in range(6))) < 2
)
"""Patterns of neighbours in one connected run: lifting the tile between them splits nothing."""


def add_neighbours(bits: int) -> int:
    """The cells and all their neighbours."""
    wide = bits | bits << 1 | bits >> 1
    return wide | (bits | bits >> 1) << STRIDE | (bits | bits << 1) >> STRIDE


def touches(bits: int, spot: int) -> bool:
    """Does this cell share a side with one of these?"""
    return bool(bits >> (spot - STRIDE) & _MASK)


def may_split(rest: int, spot: int) -> bool:
    """Can lifting this tile split the rest? A quick check of its neighbours alone."""
    return rest >> (spot - STRIDE) & _MASK not in _ONE_RUN


def split_groups(bits: int) -> tuple[int, ...]:
    """The groups, each a set of cells; the one with the lowest cell first."""
    groups: list[int] = []
    while bits:
        group = edge = bits & -bits
        while edge:
            edge = add_neighbours(edge) & bits & ~group
            group |= edge
        groups.append(group)
        bits ^= group
    return tuple(groups)
