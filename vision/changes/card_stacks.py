"""Overlapping cards: which lies on which, and where a card must be that was not read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_edges import (
    PX_MM,
    RIM_MM,
    SIDE_MM,
    CardPlace,
    Edges,
    Mask,
    Points,
    Segment,
    find_crossing_edge,
    find_edges,
    measure_noise,
    measure_side_strength,
    patch_size,
    rectify_card,
    refine_place,
)
from vision.frame import Grey

OUTSIDE_MM, INSIDE_MM = 3.0, 5.0
"""An edge this near to the outline of a card that was read, outside it or inside, belongs to that card: its shadow, its
thickness, a frame printed along its sides."""
STICKER_FACTOR = 25 / 21 + 0.1
"""A sticker with its white border and a little more is this much wider than its code."""
CLEAR_STRENGTH = 0.3
"""By how much the edges of one card must be clearer than those of another, as a share of their length, before it counts
as the upper one."""
LONE_EDGE_MM = 68.0
"""How long an unexplained edge must be on a card that overlaps no other one that was read."""
LEAST_BANDS, LEAST_SIDE_BANDS = 3, 8
"""Fewer bands of one side tell nothing, nor do fewer of all sides: a number or a picture may look like a short edge."""
COVERED_CODE = 1 / 3
"""A code whose middle is within another card by this share of its width would be hidden nearly whole: its card is on
top if it was read. Codes that are covered by half are read too."""
AREA_MM = 1.0
"""Half the width of the area that is unseen along an edge which no card explains."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadCard:
    """A card where its sticker claims to be, and the corners of its code, all in mm of the table."""

    name: str
    place: CardPlace
    code: Points


@dataclass(frozen=True, slots=True, eq=False)
class ExaminedCard:
    """A card in its picture: its place by its own edges, how clear its sides are, and the unexplained place on it."""

    card: ReadCard
    place: CardPlace
    around: tuple[tuple[str, float, float], ...]
    """The cards around it when it was examined, and their places."""
    down: Edges
    across: Edges
    sure: bool = False
    """Do its own edges tell its place?"""
    doubt: Area | None = None
    stale: bool = False
    """Has something changed there since?"""


@dataclass(frozen=True, slots=True, eq=False)
class CardStacks:
    """What overlapping cards show. ``covers`` are pairs of names, the upper card first."""

    examined: Mapping[str, ExaminedCard] = field(default_factory=dict)
    covers: frozenset[tuple[str, str]] = frozenset()
    waiting: tuple[CardPlace, ...] = ()
    """Cards that have not been examined since they were laid there, or since something changed there."""

    @property
    def doubtful(self) -> tuple[Area, ...]:
        """Where a card must be that was not read."""
        return tuple(card.doubt for card in self.examined.values() if card.doubt is not None)


def examine_cards(
    grey: Grey,
    calibration: TableCalibration,
    cards: Sequence[ReadCard],
    before: CardStacks | None = None,
    changed: Collection[Area] = (),
    most: int | None = None,
) -> CardStacks:
    """Examine the cards that were read. Those that are where they were ``before`` are examined again only if something
    changed there, none where something is ``changed`` right now, and at most this many; the others wait.
    """
    known = {} if before is None else before.examined
    placed: dict[str, ExaminedCard] = {}
    fresh: list[str] = []
    unknown: list[CardPlace] = []
    for card in cards:
        old, busy = known.get(card.name), _is_changed(card.place, changed)
        if old is not None and not _is_near(old.card.place, card.place):
            old = None
        if old is not None and not old.stale and not busy:
            placed[card.name] = old
        elif busy or (most is not None and len(fresh) >= most):
            if old is None:
                unknown.append(card.place)
            else:
                placed[card.name] = old if old.stale else replace(old, stale=True)
        else:
            placed[card.name] = _place(grey, calibration, card)
            fresh.append(card.name)
    covers = frozenset(_order(placed))
    found: dict[str, ExaminedCard] = {}
    for name, here in placed.items():
        near = [other for other in placed.values() if other is not here and _may_overlap(here.place, other.place)]
        around = tuple(sorted((other.card.name, round(other.place.x), round(other.place.y)) for other in near))
        if any(_may_overlap(here.place, place) for place in unknown):
            found[name] = replace(here, around=()) if name in fresh else here
        elif name in fresh or (around != here.around and not here.stale):
            edge = _find_edge(here, near, covers)
            doubt = None if edge is None else _bound(here.place.to_table(np.array([edge.start, edge.end])), AREA_MM)
            found[name] = replace(here, around=around, doubt=doubt)
        else:
            found[name] = here
    stale = [card.place for card in found.values() if card.stale]
    return CardStacks(found, covers, (*unknown, *stale))


def mark_changed(stacks: CardStacks, changed: Collection[Area]) -> CardStacks:
    """The same cards, of which those where something has changed are to be examined again."""
    examined = {
        name: replace(card, stale=True) if not card.stale and _is_changed(card.card.place, changed) else card
        for name, card in stacks.examined.items()
    }
    stale = [card.place for name, card in examined.items() if card is not stacks.examined[name]]
    return replace(stacks, examined=examined, waiting=(*stacks.waiting, *stale))


def _is_changed(place: CardPlace, changed: Collection[Area]) -> bool:
    spot = place.bound(RIM_MM)
    return any(area.overlaps(spot) for area in changed)


def _place(grey: Grey, calibration: TableCalibration, card: ReadCard) -> ExaminedCard:
    patch = rectify_card(grey, calibration, card.place)
    noise = measure_noise(patch)
    down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    pivot = card.place.to_local(card.code.mean(0)[None])[0].tolist()
    place, sure = refine_place(card.place, down, across, (pivot[0], pivot[1]))
    if sure:
        patch = rectify_card(grey, calibration, place)
        down, across = find_edges(patch, noise), find_edges(np.ascontiguousarray(patch.T), noise)
    return ExaminedCard(card, place, (), down, across, sure)


def _is_near(one: CardPlace, other: CardPlace) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < 1 and abs((one.angle - other.angle + 180) % 360 - 180) < 1


def _may_overlap(one: CardPlace, other: CardPlace) -> bool:
    reach = hypot(*one.size) / 2 + hypot(*other.size) / 2 + OUTSIDE_MM
    return hypot(one.x - other.x, one.y - other.y) < reach


def _bound(points: Points, grow: float = 0.0) -> Area:
    (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
    return Area(left - grow, top - grow, right + grow, bottom + grow)


def _order(cards: Mapping[str, ExaminedCard]) -> Iterator[tuple[str, str]]:
    """The pairs of overlapping cards, the upper one first."""
    names = sorted(cards)
    for n, first in enumerate(names):
        for second in names[n + 1 :]:
            one, other = cards[first], cards[second]
            if not _may_overlap(one.place, other.place):
                continue
            shared, _ = cv2.intersectConvexConvex(
                one.place.outline(-1).astype(np.float32), other.place.outline(-1).astype(np.float32)
            )
            if shared <= 0:
                continue
            upper = _has_code_on(one, other) - _has_code_on(other, one)
            if upper == 0:
                clear = _measure_sides(one, other) - _measure_sides(other, one)
                upper = int(clear > CLEAR_STRENGTH) - int(clear < -CLEAR_STRENGTH)
            if upper:
                yield (first, second) if upper > 0 else (second, first)


def _find_edge(card: ExaminedCard, near: Sequence[ExaminedCard], covers: Collection[tuple[str, str]]) -> Segment | None:
    """An edge on a card that none of those which were read explains.

    On a card that overlaps none the edge shows in its full length.
    """
    stacked = any(_overlap(card.place.outline(), other.place) for other in near)
    least = 0.0 if stacked else LONE_EDGE_MM
    return find_crossing_edge(card.down, _find_visible(card, near, covers), least)


def _overlap(outline: Points, other: CardPlace) -> bool:
    shared, _ = cv2.intersectConvexConvex(outline.astype(np.float32), other.outline().astype(np.float32))
    return shared > 0


def _has_code_on(one: ExaminedCard, other: ExaminedCard) -> int:
    """Is the code of one card read within the outline of the other, which would hide it if it were the upper one?"""
    code = one.card.code
    inside = COVERED_CODE * float(np.linalg.norm(code[1] - code[0]))
    x, y = abs(other.place.to_local(code.mean(0)[None])[0])
    return int(x < other.place.size[0] / 2 - inside and y < other.place.size[1] / 2 - inside)


def _measure_sides(one: ExaminedCard, other: ExaminedCard) -> float:
    """The share of the sides of a card within the outline of another that can be seen.

    Near to the sides of the other one its own frame or edge may look like them, and a sticker has edges too.
    """
    wide, high = one.place.size
    found, length = 0.0, 0
    for edges, side, reach, turned in ((one.down, wide, high, False), (one.across, high, wide, True)):
        for at in (-side / 2, side / 2):
            along = np.arange(-reach / 2 + 4, reach / 2 - 3, 4.0)
            local = np.stack([np.full_like(along, at), along], 1)
            table = one.place.to_table(local[:, ::-1] if turned else local)
            inside = np.abs(other.place.to_local(table)) < np.array(other.place.size) / 2 - SIDE_MM
            along = along[inside.all(1) & ~_is_at_sticker(table, one.card) & ~_is_at_sticker(table, other.card)]
            if len(along) >= LEAST_BANDS:
                found, length = found + measure_side_strength(edges, at, along) * len(along), length + len(along)
    return found / length if length >= LEAST_SIDE_BANDS else 0.5


def _is_at_sticker(table: Points, card: ReadCard) -> Mask:
    """Which places are on the sticker of a card, or so near to its sides that these look like an edge there."""
    middle, across = card.code.mean(0), (card.code[1] - card.code[0]) / np.linalg.norm(card.code[1] - card.code[0])
    reach = float(np.linalg.norm(card.code[1] - card.code[0])) * STICKER_FACTOR / 2 + 1 / PX_MM
    local = (table - middle) @ np.array([[across[0], -across[1]], [across[1], across[0]]])
    return np.asarray((np.abs(local) < reach).all(1))


def _find_visible(card: ExaminedCard, near: Sequence[ExaminedCard], covers: Collection[tuple[str, str]]) -> Mask:
    """The pixels of a rectified card where its face shows, without what is near to an edge that is known."""
    wide, high = card.place.size
    shape = patch_size(card.place.size)[::-1]
    mask = np.zeros(shape, np.uint8)
    x, y = wide / 2 - SIDE_MM, high / 2
    _fill(mask, card, np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), 1)
    for other in (card, *near):
        code = card.place.to_local(other.card.code)
        _fill(mask, card, code.mean(0) + (code - code.mean(0)) * STICKER_FACTOR, 0)
        # the edges of a card below cannot be seen here
        if other is not card and (card.card.name, other.card.name) not in covers:
            ring = np.zeros(shape, np.uint8)
            _fill(ring, card, card.place.to_local(other.place.outline(OUTSIDE_MM)), 1)
            if (other.card.name, card.card.name) not in covers:
                _fill(ring, card, card.place.to_local(other.place.outline(-INSIDE_MM)), 0)
            mask[ring > 0] = 0
    return np.asarray(mask > 0)


def _fill(mask: NDArray[np.uint8], card: ExaminedCard, local: Points, value: int) -> None:
    at = (local + np.array(card.place.size) / 2 + RIM_MM) * PX_MM - 0.5
    cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], value, cv2.LINE_8, 4)
