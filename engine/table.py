"""The table as values: pieces in millimetres, zones, and the difference between two layouts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

BACK = "back"
"""A card face down."""

Placement = tuple[str, str]
"""One piece in one zone, e.g. ``("33", "row:2")``."""

Cover = tuple[str, str]
"""A piece, and one that it lies on in part."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece at rest: centre in table millimetres, degrees clockwise. Pieces may repeat: ``red``, ``back``."""

    piece: str
    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in table millimetres; x to the right, y away from the first row."""

    left: float
    top: float
    right: float
    bottom: float

    def contains(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom

    def overlaps(self, other: "Area") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A table at rest. In ``unseen`` areas it is not known whether a piece is there or not.

    ``covers`` are pairs of pieces that overlap, the upper one first, as far as that was seen.
    """

    seen: frozenset[Piece]
    unseen: tuple[Area, ...] = ()
    covers: frozenset[Cover] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """Zone name -> pieces in order; an empty zone is not listed. A hidden zone holds at least what is listed.

    ``orders`` has the zones that hold more, in an order that cannot be told, with all orders that are possible.
    """

    zones: Mapping[str, tuple[str, ...]]
    hidden: frozenset[str] = frozenset()
    orders: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gap:
    """How a seen layout differs from the wanted one; falsy if it does not.

    ``veiled`` pieces are wanted in a hidden zone: neither seen nor missing.
    """

    seen: Layout
    missing: tuple[Placement, ...]
    extra: tuple[Placement, ...]
    veiled: tuple[Placement, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra)

    def missing_in(self, zone: str) -> tuple[str, ...]:
        return tuple(piece for piece, at in self.missing if at == zone)

    def may_hide(self, zone: str, pieces: Iterable[object]) -> bool:
        """May all these pieces be hidden in this zone, so that it is not known whether they are gone?"""
        return {str(piece) for piece in pieces} <= {piece for piece, at in self.veiled if at == zone}

    def has_pieces_in_the_air(self) -> bool:
        """Is a wanted piece nowhere to be seen? Card backs do not count: they may just be turned up."""
        extra = Counter(piece for piece, _ in self.extra)
        return bool(Counter(piece for piece, _ in self.missing + self.veiled if piece != BACK) - extra)


def find_gap(want: Layout, seen: Layout) -> Gap:
    """Placements wanted but not seen, and seen but not wanted. Nothing is missing where hidden."""
    missing: list[Placement] = []
    extra: list[Placement] = []
    veiled: list[Placement] = []
    apart = [zone for zone, held in want.zones.items() if seen.zones.get(zone) != held]
    apart += [zone for zone in seen.zones if zone not in want.zones]
    for zone in sorted({*apart, *seen.orders} if seen.orders else apart):
        wanted = want.zones.get(zone, ())
        possible = seen.orders.get(zone) or (seen.zones.get(zone, ()),)
        if wanted in possible:
            continue
        got = possible[0]
        covered = zone in seen.hidden
        both = got and wanted
        more, less = (_minus(got, wanted), _minus(wanted, got)) if both else (got, wanted)
        if less:
            (veiled if covered else missing).extend([(piece, zone) for piece in less])
        if more:
            extra += [(piece, zone) for piece in more]
        elif both and not _in_order(got, wanted):
            extra += [(piece, zone) for piece in got]
    return Gap(seen, tuple(missing), tuple(extra), tuple(veiled))


def _minus(some: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    """The pieces of ``some`` beyond those of ``others``, as multisets. Zones are small: a list beats a Counter."""
    if len(some) == 1:
        return [] if some[0] in others else [*some]
    rest = list(others)
    more: list[str] = []
    for piece in some:
        if piece in rest:
            rest.remove(piece)
        else:
            more.append(piece)
    return more


def _in_order(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    rest = iter(whole)
    return all(piece in rest for piece in part)


def group_by_zone(plan: Mapping[str, Area], table: Table) -> tuple[dict[str, list[Piece]], frozenset[str]]:
    """Pieces by fixed zone, left to right, and the zones an unseen area touches."""
    held: dict[str, list[Piece]] = {}
    for seen in sorted(table.seen, key=lambda s: (s.x, s.y, s.piece)):
        for zone, area in plan.items():
            if area.contains(seen.x, seen.y):
                held.setdefault(zone, []).append(seen)
                break
    return held, find_hidden_zones(plan, table.unseen)


def find_hidden_zones(plan: Mapping[str, Area], unseen: Iterable[Area]) -> frozenset[str]:
    return frozenset(z for area in unseen for z, place in plan.items() if place.overlaps(area))
