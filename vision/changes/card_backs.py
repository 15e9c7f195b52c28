"""Backs of face-down cards at seats: a change of a card's size against the empty table, with a card's four edges."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area, Piece
from vision.calibration.table_calibration import TableCalibration
from vision.changes.back_prints import choose_backs
from vision.changes.card_edges import CardPlace, rectify_card
from vision.changes.card_outlines import AROUND_MM, LEVEL_PX_MM, CardChange, confirm_card
from vision.changes.light_fit import DARK_LINEAR, LightFit, Linear, decode_gamma, fit_light
from vision.frame import Grey, Picture, average_down, to_grey

Mask = NDArray[np.bool_]
Raster = NDArray[np.float32]
Points = NDArray[np.float64]
Outline = NDArray[np.float64]

SEAT_MARGIN_MM = 30.0
"""Millimetres searched beyond a seat: a card may stick out."""
FIT_MM = 4.0
"""Cells in which the light is fitted, mm."""
LEAST_LOG, SPREADS = 0.12, 4.0
"""A change: its natural logarithm, and how many spreads of the bare table it must be."""
SHADOW_LOG, SHADOW_COLOUR = 1.5, 0.3
"""A shadow darkens all colours by up to the first, as a logarithm, and alike up to the second as a share of it."""
SHIFT_PX = 0.6
"""How far two pictures may be apart, in pixels of the rectified seats."""
SEARCH_PX_MM = 0.5
"""Pixels per mm in which cards are searched."""
TURN_STEP = 15.0
"""Degrees between the angles that are searched: the edges tell the rest."""
LEAST_LIKENESS = 0.45
"""The changed share of a card less that of the ring around it: at its place and angle it is near 1, half a step of the
search away still this."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatView:
    """The seats from straight above: in linear light, and in cells for the fit of the light."""

    area: Area
    linear: Linear
    cells: Linear


def bound_seats(seats: Iterable[Area], table: Area) -> Area:
    """The part of a table with all its seats, and some of the table around them."""
    places = [*seats]
    return Area(
        max(table.left, min(seat.left for seat in places) - SEAT_MARGIN_MM),
        max(table.top, min(seat.top for seat in places) - SEAT_MARGIN_MM),
        min(table.right, max(seat.right for seat in places) + SEAT_MARGIN_MM),
        min(table.bottom, max(seat.bottom for seat in places) + SEAT_MARGIN_MM),
    )


def view_seats(picture: Picture, calibration: TableCalibration, area: Area) -> SeatView:
    """A part of the table, from a picture in colour or grey, of the size of the calibration or smaller."""
    colour = picture[:, :, :3] if picture.ndim == 3 else np.repeat(picture[:, :, None], 3, 2)
    return _make_view(area, decode_gamma(_rectify(np.ascontiguousarray(colour), calibration, area)))


def _make_view(area: Area, linear: Linear) -> SeatView:
    high, wide = (max(2, round(side / LEVEL_PX_MM / FIT_MM)) for side in linear.shape[:2])
    cells = cv2.resize(linear, (wide, high), interpolation=cv2.INTER_AREA)
    return SeatView(area, linear, np.asarray(cells, np.float32))


def _crop_view(view: SeatView, area: Area) -> SeatView:
    """The part of a view that holds an area, in whole pixels."""
    whole, (high, wide) = view.area, view.linear.shape[:2]
    left, top = (max(0, math.floor(side * LEVEL_PX_MM)) for side in (area.left - whole.left, area.top - whole.top))
    right = min(wide, math.ceil((area.right - whole.left) * LEVEL_PX_MM))
    bottom = min(high, math.ceil((area.bottom - whole.top) * LEVEL_PX_MM))
    part = Area(
        whole.left + left / LEVEL_PX_MM,
        whole.top + top / LEVEL_PX_MM,
        whole.left + right / LEVEL_PX_MM,
        whole.top + bottom / LEVEL_PX_MM,
    )
    return _make_view(part, view.linear[top:bottom, left:right])


def _rectify(picture: Picture, calibration: TableCalibration, area: Area) -> Picture:
    """An area of the table from straight above."""
    full = 2 * calibration.middle[0] + 1
    middle = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    px_mm = abs(float(np.linalg.det(calibration.px_per_mm(middle)))) ** 0.5 * picture.shape[1] / full
    times = max(1, round(px_mm / LEVEL_PX_MM))
    at = (_project(calibration, area) + 0.5) * (picture.shape[1] / full) - 0.5
    if times > 1:  # average first: a warp alone would skip pixels
        picture, at = _average_around(picture, at, times)
    across, down = (np.ascontiguousarray(at[..., axis]) for axis in (0, 1))
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _average_around(picture: Picture, at: Raster, times: int) -> tuple[Picture, Raster]:
    """The part of the picture that holds these places, ``times`` smaller, and the places in it."""
    first, last = np.floor(at.min((0, 1)) / times) - 1, np.ceil(at.max((0, 1)) / times) + 2
    high, wide = picture.shape[:2]
    left = min(max(0, int(first[0])), wide // times - 1) * times
    top = min(max(0, int(first[1])), high // times - 1) * times
    right, bottom = (max(1, int(side)) * times for side in last)
    part = average_down(picture[top : max(bottom, top + times), left : max(right, left + times)], times)
    return part, np.asarray((at - (left, top) + 0.5) / times - 0.5, np.float32)


def _project(calibration: TableCalibration, area: Area) -> Raster:
    """Where each pixel of a rectified area is in the picture: exact every few mm, and interpolated between."""
    high, wide = round((area.bottom - area.top) * LEVEL_PX_MM), round((area.right - area.left) * LEVEL_PX_MM)
    rows, columns = max(2, high // 16), max(2, wide // 16)
    xs, ys = np.meshgrid(np.linspace(0.5, wide - 0.5, columns), np.linspace(0.5, high - 0.5, rows))
    mm = np.stack([xs.ravel(), ys.ravel()], 1) / LEVEL_PX_MM + (area.left, area.top)
    px = calibration.to_px(mm).reshape(rows, columns, 2).astype(np.float32)
    across = np.linspace(0, columns - 1, wide, dtype=np.float32)
    down = np.linspace(0, rows - 1, high, dtype=np.float32)
    between = cv2.remap(px, *np.meshgrid(across, down), cv2.INTER_LINEAR)
    return np.asarray(between, np.float32)


def find_backs(
    picture: Picture,
    empty: SeatView,
    calibration: TableCalibration,
    seats: Mapping[str, Area],
    size: tuple[float, float],
    read: Iterable[Outline] = (),
    grey: Grey | None = None,
    known: Sequence[Raster] = (),
) -> dict[str, Piece]:
    """The ``back`` at each seat that has one: the only thing of a card's size there, and no card that was read.

    ``size`` is the card's in mm, ``read`` are outlines in mm. The angle is that of the long side. The
    edges are searched in ``grey``, the same picture in more pixels. ``known`` are prints of backs of the same deck.
    """
    if not seats:
        return {}
    empty = _crop_view(empty, bound_seats(seats.values(), empty.area))
    now = view_seats(picture, calibration, empty.area)
    taken = [np.asarray(outline, np.float64) for outline in read]
    grey = to_grey(picture) if grey is None else grey
    cards: list[tuple[str, CardPlace, Raster]] = []
    for changed in _find_changed(now, empty):
        for outline in taken:
            at = np.round(((outline - (empty.area.left, empty.area.top)) * LEVEL_PX_MM - 0.5) * 16).astype(np.int32)
            cv2.fillPoly(changed, [at], 0, cv2.LINE_8, 4)
        for place in _search(changed, empty.area, size):
            known_already = any(math.dist((place.x, place.y), (card.x, card.y)) < min(size) / 2 for _, card, _ in cards)
            if known_already or not any(_is_within(place, seat, SEAT_MARGIN_MM) for seat in seats.values()):
                continue
            card = confirm_card(grey, calibration, CardChange(changed, empty.area), place)
            zone = next((zone for zone, seat in seats.items() if card is not None and _is_within(card, seat)), None)
            if card is not None and zone is not None:
                cards.append((zone, card, rectify_card(grey, calibration, card)))
    at_seats: dict[str, list[CardPlace]] = {}
    for (zone, card, _), is_back in zip(cards, choose_backs([patch for *_, patch in cards], known), strict=True):
        if is_back:
            at_seats.setdefault(zone, []).append(card)
    read_at = [outline.mean(0).tolist() for outline in taken]
    return {
        zone: _name_back(backs[0])
        for zone, backs in at_seats.items()
        if len(backs) == 1 and not any(seats[zone].contains(*card) for card in read_at)
    }


def _is_within(card: CardPlace, seat: Area, margin: float = 0.0) -> bool:
    return seat.left - margin <= card.x < seat.right + margin and seat.top - margin <= card.y < seat.bottom + margin


def _name_back(card: CardPlace) -> Piece:
    # the long side of an upright card runs down
    return Piece("back", round(card.x, 1), round(card.y, 1), round((card.angle + 180) % 180 - 90, 1))


def _find_changed(now: SeatView, empty: SeatView) -> Iterator[NDArray[np.uint8]]:
    """Where the table is not bare: its light may have changed. First with shadows, then without what may be one."""
    shape = empty.cells.shape[:2]
    light: LightFit = fit_light(now.cells, empty.cells, np.ones(shape, np.bool_), empty.area)
    then = empty.linear + DARK_LINEAR
    change = np.log(now.linear + DARK_LINEAR) - light.relight(np.log(then), empty.area)
    # an edge of the table itself is a little out of place
    near = np.ones((3, 3), np.uint8)
    rough = np.log(cv2.dilate(then, near) / cv2.erode(then, near)) * SHIFT_PX / 2
    limit = np.maximum(LEAST_LOG, SPREADS * np.array(light.spread, np.float32)) + rough
    over = (np.abs(change) > limit).any(2)
    yield _fill(over)
    darker = change.mean(2)
    uneven = np.abs(change - darker[..., None]) - limit > SHADOW_COLOUR * np.abs(darker[..., None])
    shadow = (darker < 0) & (darker > -SHADOW_LOG) & ~uneven.any(2)
    if (over & shadow).any():
        yield _fill(over & ~shadow)


def _fill(over: Mask) -> NDArray[np.uint8]:
    """The map without specks and holes."""
    whole = cv2.morphologyEx(over.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(over.shape, np.uint8)
    cv2.drawContours(filled, [line for line in outlines if cv2.contourArea(line) > 60], -1, 1, -1)
    return filled


@lru_cache(maxsize=64)
def _draw_card(size: tuple[float, float], turn: float) -> Raster:
    """A card with the ring around it: its sum over a changed area is its likeness."""
    reach = math.hypot(*size) / 2 + AROUND_MM[-1]
    side = 2 * round(reach * SEARCH_PX_MM) + 1
    masks = []
    for grow in (0.0, AROUND_MM[-1]):
        drawn = np.zeros((side, side), np.uint8)
        corners = CardPlace(0, 0, turn, size).outline(grow) * SEARCH_PX_MM + side // 2
        cv2.fillPoly(drawn, [np.round(corners * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        masks.append(drawn.astype(np.float32))
    ring = masks[1] - masks[0]
    return np.asarray(masks[0] / masks[0].sum() - ring / ring.sum(), np.float32)


def _search(changed: NDArray[np.uint8], area: Area, size: tuple[float, float]) -> list[CardPlace]:
    """Where a change may be a card."""
    if cv2.countNonZero(changed) < 0.4 * size[0] * size[1] * LEVEL_PX_MM**2:
        return []
    shrink = SEARCH_PX_MM / LEVEL_PX_MM
    small = cv2.resize(changed.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    turns = np.arange(0, 180, TURN_STEP)
    like = np.stack(
        [cv2.filter2D(small, -1, _draw_card(size, float(turn)), borderType=cv2.BORDER_CONSTANT) for turn in turns]
    )
    found: list[CardPlace] = []
    best = like.max(0)
    while best.size and best.max() > LEAST_LIKENESS:
        y, x = np.unravel_index(int(best.argmax()), best.shape)
        turn = float(turns[int(like[:, y, x].argmax())])
        mm = (x + 0.5) / SEARCH_PX_MM + area.left, (y + 0.5) / SEARCH_PX_MM + area.top
        found.append(CardPlace(float(mm[0]), float(mm[1]), turn, size))
        cv2.circle(best, (int(x), int(y)), round(min(size) * 0.6 * SEARCH_PX_MM), 0, -1)
    return found
