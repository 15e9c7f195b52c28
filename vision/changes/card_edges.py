"""Straight edges in a card as seen from above: its own outline, and the edges of objects on it."""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from vision.calibration.table_calibration import TableCalibration
from vision.frame import Grey

Raster = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]
_Span = tuple[int, int]
"""The first, and the one after the last."""

PX_MM = 2.0
"""Pixels per mm of a rectified card."""
RIM_MM = 8.0
"""What is rectified around the outline that a sticker claims. In pixels it is a whole number of bands."""
BAND_PX = 8
"""Pixels along an edge that are averaged before it is judged, so that print and noise hit single bands."""
MOST_DEGREES, STEP_DEGREES = 12.0, 0.75
"""How far an edge may lean against the sides of a card, and the step of the search: half a pixel along half a card."""
PLAIN_SHARE, PLAIN_QUANTILE = 0.1, 0.1257
"""This share of a card is plain at least; and what share of the spread of noise stays below it."""
NOISE_FACTOR, PLAIN_FACTOR, LEAST_LEVELS = 3.5, 1.0, 1.5
"""A band shows an edge if its step is larger than the noise by this factor, and than this number of grey levels:
neighbouring blocks of a JPEG picture differ by one."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card on the table: centre in mm, degrees clockwise, width and height in mm."""

    x: float
    y: float
    angle: float
    size: tuple[float, float]

    def to_table(self, local: Points) -> Points:
        """Places in the frame of the upright card, relative to its centre, on the table."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        return np.asarray(local @ np.array([[c, s], [-s, c]]) + (self.x, self.y), np.float64)

    def to_local(self, table: Points) -> Points:
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        return np.asarray((table - (self.x, self.y)) @ np.array([[c, -s], [s, c]]), np.float64)

    def outline(self, grow: float = 0.0) -> Points:
        w, h = self.size[0] / 2 + grow, self.size[1] / 2 + grow
        return self.to_table(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]))

    def bound(self, grow: float = 0.0) -> Area:
        """The upright rectangle around the outline."""
        corners = self.outline(grow)
        (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
        return Area(left, top, right, bottom)

    def shift(self, x: float, y: float, degrees: float) -> "CardPlace":
        """The place moved in its own frame, and turned."""
        at = self.to_table(np.array([[x, y]]))[0]
        return CardPlace(float(at[0]), float(at[1]), self.angle + degrees, self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges of one direction in a rectified card: ``response`` is kind by band by position, in units at which a band
    counts; kinds are a step up, a step down and a dark line."""

    response: Raster
    middle: NDArray[np.float64]
    """The middles of the bands relative to the centre, in pixels."""


def rectify_card(picture: Grey, calibration: TableCalibration, place: CardPlace) -> Raster:
    """The card with its surroundings as seen from straight above, upright."""
    wide, high = patch_size(place.size)
    corners = place.outline(RIM_MM)
    px = calibration.to_px(corners)
    times = max(1.0, float(np.linalg.norm(px[1] - px[0])) / wide)
    left, top = np.maximum(np.floor(px.min(0)).astype(int) - 4, 0).tolist()
    right, bottom = (np.ceil(px.max(0)).astype(int) + 5).tolist()
    cut = picture[top:bottom, left:right]
    if min(cut.shape[:2]) < 2:
        return np.zeros((high, wide, *picture.shape[2:]), np.float32)
    if times > 1.3:  # a warp alone would skip pixels
        cut = np.asarray(cv2.GaussianBlur(cut, (0, 0), 0.4 * times), np.uint8)
    want = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform((px - (left, top)).astype(np.float32), want)
    return np.asarray(cv2.warpPerspective(cut, matrix, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.float32)


def patch_size(size: tuple[float, float]) -> tuple[int, int]:
    wide, high = (round((side + 2 * RIM_MM) * PX_MM) for side in size)
    return wide, high


def measure_noise(patch: Raster) -> float:
    """The spread of a pixel against its neighbours: half of a card's pixels are plain."""
    rough = cv2.filter2D(patch, -1, np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32) / 6)
    return float(1.48 * np.median(np.abs(rough)))


def find_edges(patch: Raster, noise: float) -> Edges:
    """Edges that run down the patch, a few degrees to either side."""
    bands = patch.shape[0] // BAND_PX
    rows = patch[: bands * BAND_PX].reshape(bands, BAND_PX, -1).mean(1)
    two = cv2.blur(rows, (2, 1), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)  # x and x + 1
    ahead, behind = np.roll(two, -1, 1), np.roll(two, 2, 1)
    step = (ahead - behind).astype(np.float32)
    near = (np.roll(rows, 1, 1) + rows + np.roll(rows, -1, 1)) / 3
    dark = np.minimum(np.roll(near, 4, 1), np.roll(near, -4, 1)) - np.minimum(near, rows)
    # neighbouring pixels of an enlarged picture are noisy together; some of every card is plain, and shows how noisy
    plain = float(np.quantile(np.abs(step[:, 5:-5]), PLAIN_SHARE)) / PLAIN_QUANTILE
    unit = max(LEAST_LEVELS, NOISE_FACTOR * noise / BAND_PX**0.5, PLAIN_FACTOR * plain)
    response = np.stack([step, -step, dark]).astype(np.float32) / np.float32(unit)
    response[..., :5] = response[..., -5:] = 0
    middle = (np.arange(bands) + 0.5) * BAND_PX - patch.shape[0] / 2
    return Edges(response, middle)


@lru_cache(maxsize=1)
def _list_leans() -> NDArray[np.float64]:
    """The leans that are searched. A line leans by dx / dy and crosses its position half-way down."""
    return np.asarray(np.radians(np.arange(-MOST_DEGREES, MOST_DEGREES + 0.1, STEP_DEGREES)))


@lru_cache(maxsize=8)
def _trace_lines(high: int, width: int, rows: _Span, columns: tuple[_Span, ...]) -> NDArray[np.intp]:
    """Where each band (the first axis) is crossed by the line of each lean through each column half-way down: an index
    into the bands, one after the other. ``columns`` and the bands, ``rows``, are spans.
    """
    bands = np.arange(*rows)[:, None, None]
    middle = (bands + 0.5) * BAND_PX - high / 2
    across = np.concatenate([np.arange(*span) for span in columns]) + np.round(np.tan(_list_leans())[:, None] * middle)
    return np.asarray(bands * width + np.clip(across, 0, width - 1).astype(np.intp), np.intp)


SLIP_MM, SLIP_DEGREES = 6.0, 9.0
"""How far a card may be from where its sticker claims: the sticker is out of place."""
FULL_RESPONSE = 3.0
"""No response counts for more: a strong edge of the print does not outweigh a faint one of the card."""
PEAK_RESPONSE, PEAK_SHARE = 12.0, 0.2
"""But a small share of the response counts up to here, so that the sharpest line within an edge is found."""
SLIP_COST, TURN_COST = 0.07, 0.002
"""What a square millimetre and a square degree cost against the squared share of a side that shows an edge."""
WHOLE_COST = 0.008
"""What a square millimetre costs where no sticker tells the place."""
FRAME_MM = 2.2
"""A frame is printed this near to the edge of a card, at most, and as clear: the outermost of two lines is the edge."""
MIDDLE_PX, MIDDLE_SHARE = 2, 0.8
"""The middle of an edge has the greatest response within this number of pixels, or this share of the greatest."""
SEEN_SIDE = 0.7
"""A side of which this share shows an edge is seen."""


def refine_place(
    place: CardPlace,
    down: Edges,
    across: Edges,
    pivot: tuple[float, float] = (0.0, 0.0),
    *,
    whole: bool = False,
) -> tuple[CardPlace, bool]:
    """The place of a card by its own edges, near where its sticker claims, and whether they are sure.

    ``pivot`` is the middle of the sticker in the frame of the card: a sticker is stuck on a little turned rather than
    far from its place. A ``whole`` card without a sticker must show all its sides, and may be farther away.
    """
    wide, high = patch_size(place.size)
    w, h = (round(side * PX_MM) for side in place.size)
    reach = round(SLIP_MM * PX_MM)
    left, right = (side[::-1] for side in _measure_both_sides(down, high, h, (wide - w) // 2, w, sharp=not whole))
    top, bottom = _measure_both_sides(across, wide, w, (high - h) // 2, h, sharp=not whole)
    leans = _list_leans()
    cos_, sin_, (px, py) = np.cos(leans), np.sin(leans), pivot
    by = np.arange(-reach, reach + 1) / PX_MM
    expected_x, expected_y = px - px * cos_ + py * sin_, py - px * sin_ - py * cos_
    cost = WHOLE_COST if whole else SLIP_COST
    sideways = _join_sides(left, right, whole) - cost * (by - expected_x[:, None]) ** 2
    lengthways = _join_sides(top, bottom, whole) - cost * (by - expected_y[:, None]) ** 2
    turn = np.degrees(leans)
    score = sideways.max(1) + lengthways.max(1) - TURN_COST * turn**2
    score[np.abs(turn) > SLIP_DEGREES] = -9
    best = int(score.argmax())
    dx, first = _step_out(left[best], right[best], int(sideways[best].argmax()))
    dy, second = _step_out(top[best], bottom[best], int(lengthways[best].argmax()))
    if min(first, second) < SEEN_SIDE:
        return place, False
    return place.shift((dx - reach) / PX_MM, (dy - reach) / PX_MM, float(turn[best])), True


def _join_sides(first: Raster, second: Raster, whole: bool) -> Raster:
    """How well two opposite sides fit: one of them may be hidden, unless the card is seen as a whole."""
    return 2 * first * second if whole else first**2 + second**2


def _step_out(first: Raster, second: Raster, at: int) -> tuple[int, float]:
    """The place of two opposite sides, not of the frame printed along one of them; and how clear they are."""
    reach = round(FRAME_MM * PX_MM)
    sides = float(first[at]), float(second[at])
    if min(sides) < SEEN_SIDE <= max(sides):
        clear, way = (first, -1) if sides[0] > sides[1] else (second, 1)
        beyond = [at + way * step for step in range(reach, 1, -1) if 0 <= at + way * step < len(clear)]
        outer = next((there for there in beyond if clear[there] >= 0.95 * clear[at] and _is_peak(clear, there)), at)
        return outer, max(sides)
    return at, max(sides)


def _is_peak(values: Raster, at: int) -> bool:
    return bool(values[at] >= values[max(0, at - 1) : at + 2].max())


def _measure_both_sides(
    edges: Edges, high: int, side: int, first: int, apart: int, *, sharp: bool
) -> tuple[Raster, Raster]:
    """By lean and position the share of two sides of a card that shows an edge; where it is ``sharp``, only its middle.

    The one side is ``first`` pixels from the border of the patch if the card is where its sticker claims, the other so
    far ``apart`` from it; positions are within ``SLIP_MM`` of that.
    """
    inner = np.flatnonzero(np.abs(edges.middle) < side / 2 - 3 * PX_MM)
    found = edges.response
    if sharp:
        brush = np.ones((1, 2 * MIDDLE_PX + 1), np.uint8)
        found = found * np.stack([one >= MIDDLE_SHARE * cv2.dilate(one, brush) for one in found])
        found = np.stack([cv2.dilate(one, np.ones((1, 3), np.uint8)) for one in found])
    response = (
        (1 - PEAK_SHARE) * np.clip(found, 0, FULL_RESPONSE) / FULL_RESPONSE
        + PEAK_SHARE * np.clip(found, 0, PEAK_RESPONSE) / PEAK_RESPONSE
    ).astype(np.float32)
    reach = round(SLIP_MM * PX_MM) + 1
    spans = tuple((at - reach, at + reach + 1) for at in (first, first + apart))
    lines = _trace_lines(high, response.shape[2], (int(inner[0]), int(inner[-1]) + 1), spans)
    share = response.reshape(len(response), -1).take(lines, 1).mean(1).max(0)
    # a sharp edge is a pixel or two wide, and so is its place
    one, other = (cv2.GaussianBlur(part, (3, 1), 0.7)[:, 1:-1] for part in np.split(share, 2, 1))
    return np.asarray(one, np.float32), np.asarray(other, np.float32)


SIDE_MM = 6.0
"""Frames are printed this near to the sides of a card."""
STRONG, STRONG_SHARE, STRONG_MM = 1.0, 0.92, 56.0
"""An edge that leaves this response in this share of the bands is no print if it is so long."""
SHARP_SHARE, SHARP_MM, SHARP_PX, SHARP_PEAK = 0.85, 46.0, 2, 0.6
"""The same of an edge without anything like it within this number of pixels: the share of the greatest response
there."""
EITHER_SHARE, EITHER_MM = 0.88, 52.0
"""The same of an edge that is a step up in places and a step down in others, as print below makes it."""
END_BANDS = 2
"""An edge of a card on top begins or ends beyond the card below, so that it shows in its first bands: no print does."""

SIDE_PX = 2
"""A side is this near to where the outline of its card has it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight edge: two places in the frame of a card, in mm."""

    start: tuple[float, float]
    end: tuple[float, float]


def find_crossing_edge(edges: Edges, visible: Mask, least_mm: float = 0.0) -> Segment | None:
    """The longest straight edge that runs down a card from its top or up from its bottom and is none of its print.

    ``visible`` are the pixels of the rectified card where an edge may be, those near known edges excluded.
    The edge is at least so long.
    """
    high, wide = visible.shape
    bands = edges.response.shape[1]
    seen = visible[: bands * BAND_PX].reshape(bands, BAND_PX, wide).mean(1) > 0.5
    peak = np.stack([cv2.dilate(one, np.ones((1, 2 * SHARP_PX + 1), np.uint8)) for one in edges.response])
    strong = (edges.response > STRONG) & seen
    sharp = (edges.response > 1) & (edges.response >= SHARP_PEAK * peak) & seen
    step = np.maximum(edges.response[0], edges.response[1])[None]
    peak = cv2.dilate(step[0], np.ones((1, 2 * SHARP_PX + 1), np.uint8))
    either = (step > 1) & (step >= SHARP_PEAK * peak) & seen
    first, last = round(RIM_MM * PX_MM) // BAND_PX, (high - round(RIM_MM * PX_MM)) // BAND_PX
    there = _trace_lines(high, wide, (first, last), ((0, wide),))
    # what each pixel shows of eight things in one word, a byte for each: one sum counts them all along every line
    shown = np.ascontiguousarray(np.moveaxis(np.concatenate([strong, sharp, either, seen[None]]), 0, 2), np.uint8)
    words = shown.view(np.uint64).reshape(-1)
    counts = words.take(there).sum(0).view(np.uint8).reshape(*there.shape[1:], 8)
    best: tuple[int, Segment] | None = None
    tests = (
        (slice(0, 3), STRONG_SHARE, STRONG_MM),
        (slice(3, 6), SHARP_SHARE, SHARP_MM),
        (slice(6, 7), EITHER_SHARE, EITHER_MM),
    )
    for kinds, share, least in tests:
        # few lines have enough bands at all
        least = max(least, least_mm)
        kind, lean, at = np.nonzero(np.moveaxis(counts[..., kinds], 2, 0) * np.intp(BAND_PX) >= least * PX_MM)
        cells = there[:, lean, at].T
        seen_there, hits = (shown.reshape(-1, 8)[cells, which] for which in (7, (kind + kinds.start)[:, None]))
        for order in (1, -1):
            v, h = seen_there[:, ::order], hits[:, ::order]
            ends = (h[:, :END_BANDS].sum(1) >= v[:, :END_BANDS].sum(1)) & v[:, :END_BANDS].any(1)
            long, hit = v.cumsum(1, dtype=np.int16), h.cumsum(1, dtype=np.int16)
            good = np.where((hit >= share * long) & (hit * BAND_PX >= least * PX_MM) & ends[:, None], hit, 0)
            top = int(good.max(initial=0))
            if top and (best is None or top > best[0]):
                line, run = (int(n) for n in np.unravel_index(int(good.argmax()), good.shape))
                ys = np.array([first, first + run + 1] if order == 1 else [last - run - 1, last]) * BAND_PX - high / 2
                xs = at[line] + 0.5 - wide / 2 + np.tan(_list_leans()[lean[line]]) * ys
                ends_mm = np.stack([xs, ys], 1) / PX_MM
                best = top, Segment(*((float(x), float(y)) for x, y in ends_mm))
    return None if best is None else best[1]


def measure_side_strength(edges: Edges, at: float, along: Points) -> float:
    """The share of places along a side of the card, ``at`` mm from its centre, that show the same straight edge."""
    bands, wide = edges.response.shape[1:]
    column = round(at * PX_MM + wide / 2)
    rows = np.clip(np.round((along * PX_MM - edges.middle[0]) / BAND_PX), 0, bands - 1).astype(np.intp)
    hits = edges.response[:, rows, column - SIDE_PX : column + SIDE_PX + 1] > STRONG
    return float(hits.mean(1).max())
