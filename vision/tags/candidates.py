"""Candidates for tags in a picture: busy places, in them finder patterns, and three of these at right angles."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey

Points = NDArray[np.float64]
Grid = NDArray[np.float32]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

TAG_REACH_MODULES = 17.0
"""A tag turned by 45 degrees, with its border, reaches this far from its centre."""
FINDER_LIKENESS = 0.33
"""Least correlation of a finder pattern seen through blur, gloss or a sleeve with the drawn one."""
FLAT_LEVELS = 16.0
"""Grey levels from light to dark within two modules below which nothing is printed."""
TILE_PX, MANY_BOXES, MOST_FINDERS = 640, 8, 300
"""Pixels across a part of the picture searched at once, most boxes in it that are searched one by one, and most finders
in it."""
GUESSES = 2_000_000
"""Pairs of finders weighed at a time, about: a bound on memory."""


def find_busy_boxes(grey: Grey, px_module: float, read: Points) -> list[Box]:
    """Boxes around everything with as many steps across and down as a code has, on any background.

    ``read`` are the centres of tags that need no search.
    """
    shrink = min(1.0, 1.5 / px_module)
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
    if min(small.shape) < 9:
        return []
    side = 21 * px_module * shrink
    window = max(3, int(side * 0.7)) | 1
    # steps are measured relative to the contrast around them: a tag in deep shadow counts like one in the sun
    white = cv2.dilate(small, np.ones((5, 5), np.uint8))
    black = cv2.erode(small, np.ones((5, 5), np.uint8))
    span = cv2.boxFilter(cv2.subtract(white, black), cv2.CV_32F, (window, window))
    ahead = cv2.absdiff(small[:, 2:], small[:, :-2])
    below = cv2.absdiff(small[2:], small[:-2])
    across = cv2.boxFilter(cv2.copyMakeBorder(ahead, 0, 0, 1, 1, cv2.BORDER_REPLICATE), cv2.CV_32F, (window, window))
    down = cv2.boxFilter(cv2.copyMakeBorder(below, 1, 1, 0, 0, cv2.BORDER_REPLICATE), cv2.CV_32F, (window, window))
    mask = ((cv2.min(across, down) > 0.16 * span) & (span > FLAT_LEVELS)).astype(np.uint8)
    for x, y in _select_within((read + 0.5) * shrink - 0.5, small.shape, side):
        cv2.circle(mask, (round(x), round(y)), round(side * 0.85), 0, cv2.FILLED)
    core = max(1, int(side * 0.2))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((core, core), np.uint8)).astype(np.uint8)
    grown = int(TAG_REACH_MODULES / 2 * px_module * shrink) | 1
    spread = cv2.dilate(mask, np.ones((grown, grown), np.uint8))
    if max(small.shape) < 8 * side:
        # the box holds hardly more than one card
        left, top, wide, high = cv2.boundingRect(spread)
        return scale_boxes([(left, top, wide, high)] if wide else [], 1 / shrink, grey.shape)
    return _gather(box_parts(np.asarray(spread, np.uint8), 1 / shrink, grey.shape))


def _select_within(places: Points, shape: tuple[int, ...], reach: float) -> list[tuple[float, float]]:
    """The places within a picture of this shape, or near it."""
    near = ((places > -reach) & (places < (shape[1] + reach, shape[0] + reach))).all(1)
    return [(float(x), float(y)) for x, y in places[near]]


def _gather(boxes: list[Box]) -> list[Box]:
    """Join many small boxes side by side: a search costs by the call as well as by the pixel."""
    cells: dict[tuple[int, int], list[Box]] = {}
    for box in boxes:
        cells.setdefault((box[0] // TILE_PX, box[1] // TILE_PX), []).append(box)
    found: list[Box] = []
    for some in cells.values():
        around = (
            min(box[0] for box in some),
            min(box[1] for box in some),
            max(box[2] for box in some),
            max(box[3] for box in some),
        )
        dense = sum(map(_size, some)) > 0.4 * _size(around) or len(some) > MANY_BOXES
        found += [around] if dense else some
    return found


def _size(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def box_parts(mask: NDArray[np.uint8], scale: float, shape: tuple[int, ...]) -> list[Box]:
    """The boxes around the connected parts of a mask, in the pixels of a picture ``scale`` times its size."""
    left, top, wide, high = cv2.boundingRect(mask)
    if not wide:
        return []
    # 16-bit labels cost a third of 32-bit ones, and a mask of grown spots never has that many parts
    worth = np.ascontiguousarray(mask[top : top + high, left : left + wide])
    count, _, stats, _ = cv2.connectedComponentsWithStats(worth, ltype=cv2.CV_16U)
    return scale_boxes((stats[1:count, :4] + (left, top, 0, 0)).tolist(), scale, shape)


def scale_boxes(rectangles: list[tuple[int, int, int, int]], scale: float, shape: tuple[int, ...]) -> list[Box]:
    """Rectangles (left, top, width, height) of a small picture as boxes in one ``scale`` times its size."""
    found = []
    for left, top, width, height in rectangles:
        right, bottom = int((left + width) * scale + 1), int((top + height) * scale + 1)
        found.append((int(left * scale), int(top * scale), min(shape[1], right), min(shape[0], bottom)))
    return found


@cache
def draw_finder(px_module: float) -> NDArray[np.float32]:
    """A finder pattern with its white border, averaged over all rotations."""
    size = round(9 * px_module) | 1
    fine = 8
    ys, xs = (np.mgrid[0 : size * fine, 0 : size * fine] + 0.5) / fine - size / 2
    drawn = np.zeros(xs.shape)
    turns = np.radians(np.arange(0, 90, 5))
    for turn in turns:
        x, y = xs * np.cos(turn) + ys * np.sin(turn), ys * np.cos(turn) - xs * np.sin(turn)
        ring = np.maximum(abs(x), abs(y)) / px_module
        drawn += np.where((ring < 1.5) | ((ring > 2.5) & (ring < 3.5)), 0.0, np.where(ring < 4.5, 1.0, 0.75))
    drawn = drawn.reshape(size, fine, size, fine).mean((1, 3)) / len(turns)
    return np.asarray(drawn, np.float32)


def find_finders(image: Grey, px_module: float) -> tuple[Points, NDArray[np.float64]]:
    """Places that resemble a finder pattern, to a fraction of a pixel, and their likeness."""
    template = draw_finder(round(px_module, 2))
    reach = len(template) // 2
    # a tag cut by the picture's edge still shows two or three finders
    padded = cv2.copyMakeBorder(image, reach, reach, reach, reach, cv2.BORDER_REPLICATE).astype(np.float32)
    like = np.asarray(cv2.matchTemplate(padded, template, cv2.TM_CCOEFF_NORMED), np.float32)
    apart = max(3, int(3.5 * px_module)) | 1
    peaks = (like >= cv2.dilate(like, np.ones((apart, apart), np.uint8))) & (like > FINDER_LIKENESS)
    ys, xs = np.divmod(np.flatnonzero(peaks), like.shape[1])
    # a piece of the picture holds some twenty tags: of more finders than these, grain and print are the rest
    best = np.argsort(-like[ys, xs])[:MOST_FINDERS]
    ys, xs = ys[best], xs[best]
    inner: Grid = np.pad(like, 1, mode="edge")
    y, x = ys + 1, xs + 1
    here = inner[y, x]
    dx = _vertex(inner[y, x - 1], here, inner[y, x + 1])
    dy = _vertex(inner[y - 1, x], here, inner[y + 1, x])
    return np.stack([xs + dx, ys + dy], 1), here.astype(np.float64)


def _vertex(before: Grid, here: Grid, after: Grid) -> NDArray[np.float64]:
    bend = 2 * here - before - after
    return np.where(bend > 1e-6, (after - before) / (2 * np.maximum(bend, 1e-6)), 0.0).astype(np.float64)


def guess_from_triples(
    places: Points, likeness: NDArray[np.float64], px_module: float, each: int = 6
) -> NDArray[np.float64]:
    """Every three places that may be one tag's finders, as affine maps from the code's modules to pixels.

    Code coordinates have their origin in the code's middle. For each place as the top left finder only the
    ``each`` likeliest are kept.
    """
    if len(places) < 3:
        return np.empty((0, 3, 3))
    side = 14 * px_module
    found = []
    # some origins at a time: on newsprint a place has a hundred neighbours, and each two of them are a guess
    step = max(4, GUESSES // len(places) ** 2)
    for origins in np.split(np.arange(len(places)), range(step, len(places), step)):
        gap = places[None] - places[origins, None]
        far = np.hypot(gap[..., 0], gap[..., 1])
        origin, other = np.nonzero((far > side * 0.7) & (far < side * 1.35))
        group = np.bincount(origin, minlength=len(origins))
        start = np.cumsum(group) - group
        first = np.repeat(np.arange(len(origin)), group[origin])
        turn = np.arange(len(first)) - np.repeat(np.cumsum(group[origin]) - group[origin], group[origin])
        second = start[origin[first]] + turn
        step_x, step_y, away = gap[origin, other, 0], gap[origin, other, 1], far[origin, other]
        ahead = np.nonzero(step_x[first] * step_y[second] > step_y[first] * step_x[second])[0]
        first, second = first[ahead], second[ahead]
        lean = abs(step_x[first] * step_x[second] + step_y[first] * step_y[second]) / (away[first] * away[second])
        good = np.nonzero(lean < 0.4)[0]
        first, second, lean = first[good], second[good], lean[good]
        ratio = abs(np.log(away[first] / away[second]))
        good = np.nonzero(ratio < 0.38)[0]
        first, second = first[good], second[good]
        at = origin[first]
        score = likeness[other[first]] + likeness[other[second]] - (0.5 * lean[good] + 0.5 * ratio[good])
        order = np.lexsort((-score, at))
        sorted_at = at[order]
        rank = np.arange(len(order)) - np.searchsorted(sorted_at, sorted_at)
        kept = order[rank < each]
        u, v = gap[origin, other][first[kept]], gap[origin, other][second[kept]]
        middle = places[origins[at[kept]]] + (u + v) / 2
        found.append(_make_affine(middle, u / 14, v / 14))
    return np.concatenate(found)


def _make_affine(middle: Points, along: Points, down: Points) -> NDArray[np.float64]:
    maps = np.zeros((len(middle), 3, 3))
    maps[:, :2, 0], maps[:, :2, 1], maps[:, :2, 2], maps[:, 2, 2] = along, down, middle, 1
    return maps


def guess_from_pairs(places: Points, likeness: NDArray[np.float64], px_module: float) -> NDArray[np.float64]:
    """Every two places that may be finders of a tag whose third is covered, as maps like ``guess_from_triples``."""
    strong = np.nonzero(likeness > 0.42)[0]
    places = places[strong]
    if len(places) < 2:
        return np.empty((0, 3, 3))
    gap = places[None] - places[:, None]
    far = np.hypot(gap[..., 0], gap[..., 1])
    side = 14 * px_module
    first, second = np.nonzero((far > side * 0.8) & (far < side * 1.25))
    along = gap[first, second] / 14
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    top = _make_affine(places[first] + 7 * (along + across), along, across)
    left = _make_affine(places[first] + 7 * (along - across), -across, along)
    first, second = np.nonzero((far > side * 0.8 * 2**0.5) & (far < side * 1.25 * 2**0.5))
    # from top right to bottom left: half of it is down and left
    slant = gap[first, second] / 28
    turned = np.stack([slant[:, 1], -slant[:, 0]], 1)
    diagonal = _make_affine(places[first] + 14 * slant, turned - slant, turned + slant)
    return np.concatenate([top, left, diagonal])


def guess_around_finder(place: Points, lean: Points) -> NDArray[np.float64]:
    """Every tag with one of its three finders at a place, turned in steps that a fit can bridge."""
    turns = np.radians(np.arange(0, 360, 4))
    rotated = np.stack([np.cos(turns), -np.sin(turns), np.sin(turns), np.cos(turns)], 1).reshape(-1, 2, 2)
    shapes = lean @ rotated
    maps = [
        _make_affine(place - shapes @ np.array(finder_at), shapes[..., 0], shapes[..., 1])
        for finder_at in ((-7.0, -7.0), (7.0, -7.0), (-7.0, 7.0))
    ]
    return np.concatenate(maps)


def split_box(box: Box, overlap: int, step: int = TILE_PX) -> list[Box]:
    """A box split into overlapping parts, to bound memory."""
    left, top, right, bottom = box
    size = step + overlap
    xs = range(left, max(left + 1, right - overlap), step)
    ys = range(top, max(top + 1, bottom - overlap), step)
    return [(x, y, min(x + size, right), min(y + size, bottom)) for y in ys for x in xs]
