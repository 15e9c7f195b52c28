"""Every card of the book that a picture shows, and nothing else: quick readers first, the matcher last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, dist, log2
from typing import Literal

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray
from pyzbar import pyzbar

from vision.codebook import BOOK
from vision.locate import REACH, Box, Grey, Points, around, busy, corners, finders, pairs, tiles
from vision.match import compare
from vision.match_grid import Maps, Stencil, fit, names, outline
from vision.verify import Corners, agree, corners_of, map_of, still_there

Decoder = Literal["auto", "zxing", "zbar"]
By = Literal["zxing", "zoom", "match", "zbar"]
Claim = tuple[str, Corners]
Sizes = tuple[float, float]
"""Smallest and largest pixels per module that may occur."""

ANY_SIZE: Sizes = (1.4, 8.5)
# one search finds tags of sizes this factor apart
STEP = 1.35
# below this zxing reads nothing even when enlarged
ZOOM_FROM = 1.9
# finders are searched at this many pixels a module
SEARCHED = 1.7
# what a first guess and a settled grid must have of the fixed modules to be worth the next step
GLANCE, FITS = 0.35, 0.42
# a finder that nothing covers
INTACT = 0.55
BATCH = 256
LEAST = 12


@dataclass(frozen=True, slots=True)
class Sighting:
    """One tag: what it says, its code's corners (TL TR BR BL, px), who read it, how alike (at most 1)."""

    payload: str
    corners: Corners
    by: By
    score: float = 1.0

    @property
    def centre(self) -> tuple[float, float]:
        return _middle(self.corners)

    @property
    def px_module(self) -> float:
        return size_of(self.corners) / 21


def size_of(corners: Corners) -> float:
    """The side of a square of the same area."""
    return float(cv2.contourArea(np.asarray(corners, np.float32)) ** 0.5)


def read(
    grey: Grey,
    *,
    known: Iterable[Sighting] = (),
    boxes: Sequence[Box] | None = None,
    px_module: Sizes | None = None,
    decoder: Decoder = "auto",
) -> tuple[Sighting, ...]:
    """The tags in ``boxes`` of a picture (by default all of it), and those ``known`` that lie as they lay."""
    before = list(known)
    stay = still_there(grey, [(tag.payload, tag.corners) for tag in before])
    found = [tag for tag, there in zip(before, stay, strict=True) if there]
    # what is no longer where it lay may have been nudged
    gone = [tag for tag, there in zip(before, stay, strict=True) if not there]
    places = [*boxes, *(_around(tag, grey.shape) for tag in gone)] if boxes is not None else [_all(grey)]
    for left, top, right, bottom in places:
        part = grey[top:bottom, left:right]
        if min(part.shape) >= LEAST:
            here = [_moved(tag, 1, -left, -top) for tag in found]
            fresh = _read_part(part, here, px_module, decoder)
            found += [tag for tag in (_moved(tag, 1, left, top) for tag in fresh) if not _taken(tag, found)]
    return tuple(found)


def _all(grey: Grey) -> Box:
    return 0, 0, grey.shape[1], grey.shape[0]


def _around(tag: Sighting, shape: tuple[int, ...]) -> Box:
    (x, y), reach = tag.centre, 26 * tag.px_module
    return (
        max(0, int(x - reach)),
        max(0, int(y - reach)),
        min(shape[1], int(x + reach) + 1),
        min(shape[0], int(y + reach) + 1),
    )


def _read_part(grey: Grey, taken: list[Sighting], sizes: Sizes | None, decoder: Decoder) -> list[Sighting]:
    if decoder == "zbar":
        return _confirmed(grey, _zbar(grey), "zbar", taken)
    claims = _zxing(grey)
    found = _confirmed(grey, claims, "zxing", taken)
    if decoder == "zxing":
        return found
    # a code that reads as something else is a stranger, however much it may resemble one of ours
    blocked = [corners for text, corners in claims if text not in BOOK] + [
        tag.corners for tag in taken + found
    ]
    for size in _sizes(sizes, found):
        halvings = max(0, ceil(log2(size / 3)))
        image = _halved(grey, halvings)
        scale = 2**halvings
        fresh, doubtful = _match(image, size / scale, [_move(c, 1 / scale, 0, 0) for c in blocked])
        new = [tag for tag in (_moved(tag, scale, 0, 0) for tag in fresh) if not _taken(tag, taken + found)]
        if size >= ZOOM_FROM:
            claims = [claim for corners in doubtful for claim in _zoom(grey, _move(corners, scale, 0, 0))]
            new += _confirmed(grey, claims, "zoom", taken + found + new)
        found += new
        blocked += [tag.corners for tag in new]
    return found


def _sizes(sizes: Sizes | None, found: list[Sighting]) -> list[float]:
    """The sizes to search, a step apart that the finder's template still bridges."""
    if sizes is None and len(found) > 2:
        # stickers of one table come from one sheet: what is left is as big, or farther away
        seen = [tag.px_module for tag in found]
        sizes = max(ANY_SIZE[0], min(seen) * 0.6), max(seen) * 1.25
    least, most = sizes or ANY_SIZE
    steps = max(1, ceil(log2(most / least) / log2(STEP)))
    return [least * (most / least) ** ((i + 0.5) / steps) for i in range(steps)]


def _halved(grey: Grey, times: int) -> Grey:
    for _ in range(times):
        grey = _resized(grey, 0.5, cv2.INTER_AREA)
    return grey


def _resized(grey: Grey, scale: float, how: int) -> Grey:
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how), np.uint8)


@cache
def _stencils() -> tuple[Stencil, Stencil, Stencil]:
    """Soft to catch a grid half a module off, sharp to settle it, and one that may lean as well."""
    return Stencil(outline(), 0.8, False), Stencil(outline(), 0.5, False), Stencil(outline(), 0.5, True)


def _match(image: Grey, size: float, blocked: list[Corners]) -> tuple[list[Sighting], list[Corners]]:
    """Tags of one size by the matcher, and grids that look like a code but like none of ours."""
    _, sharp, _ = _stencils()
    shrink = min(1.0, SEARCHED / size)
    overlap = int(2 * REACH * size)
    closed = _middles(blocked)
    starts: list[Maps] = []
    alone: list[Points] = []
    for box in busy(image, size, closed):
        for left, top, right, bottom in tiles(box, overlap):
            part = image[top:bottom, left:right]
            if shrink < 1:
                part = _resized(part, shrink, cv2.INTER_AREA)
            at, likeness = finders(part, size * shrink)
            at = (at + 0.5) / shrink - 0.5 + (left, top)
            # finders of a tag that is read already lead nowhere
            apart = _apart(at, closed, 10 * size)
            at, likeness = at[apart], likeness[apart]
            starts += [corners(at, likeness, size), pairs(at, likeness, size)]
            alone.append(at[likeness > INTACT])
    found, doubtful = _decide(image, starts)
    # a sleeve over two finders leaves one: turn a code around it, foreshortened as its neighbours are
    known = blocked + [tag.corners for tag in found]
    rest = np.concatenate([np.empty((0, 2)), *alone])
    rest = rest[_apart(rest, _middles([tag.corners for tag in found]), 10 * size)]
    turned: list[Maps] = []
    for place in rest:
        guess = around(place, _lean(place, size, known))
        best = np.argsort(-sharp.trust(image, guess))[:3]
        turned.append(guess[best])
    more, unclear = _decide(image, turned)
    found += [tag for tag in more if not _taken(tag, found)]
    return found, [place for place in doubtful + unclear if not any(_near(place, t.corners) for t in found)]


def _middles(places: list[Corners]) -> Points:
    return np.array([_middle(corners_px) for corners_px in places]).reshape(-1, 2)


def _apart(places: Points, others: Points, reach: float) -> NDArray[np.bool_]:
    """Which places lie farther than ``reach`` from all others, along x or y."""
    if not len(others) or not len(places):
        return np.ones(len(places), np.bool_)
    return np.asarray(np.abs(places[:, None] - others[None]).max(-1).min(1) > reach)


def _lean(place: Points, size: float, known: list[Corners]) -> Points:
    """How a module is foreshortened at a place: as the nearest known tags of about that size are."""
    shapes = [
        map_of(corners_px)[:2, :2] for corners_px in known if 0.7 < size_of(corners_px) / 21 / size < 1.4
    ]
    if not shapes:
        return np.eye(2) * size
    away = [dist(_middle(c), place) for c in known if 0.7 < size_of(c) / 21 / size < 1.4]
    near = np.argsort(away)[:5]
    spread = np.mean([shapes[i] @ shapes[i].T for i in near], 0)
    values, vectors = np.linalg.eigh(spread)
    return np.asarray(vectors * np.sqrt(values) @ vectors.T)


def _decide(image: Grey, starts: list[Maps]) -> tuple[list[Sighting], list[Corners]]:
    """Guesses settled and compared with the book: the tags, and what looks like a code of somebody else's."""
    soft, sharp, _ = _stencils()
    guesses = np.concatenate([np.empty((0, 3, 3)), *starts])
    likely = [
        some[sharp.trust(image, some) > GLANCE]
        for some in np.array_split(guesses, range(1024, len(guesses), 1024))
    ]
    maps = np.concatenate(likely)
    found: list[Sighting] = []
    doubtful: list[Corners] = []
    for some in np.array_split(maps, range(BATCH, len(maps), BATCH)):
        fitted, _ = fit(image, some, soft, 3)
        fitted, fits = fit(image, fitted, sharp, 4)
        fitted = fitted[fits > FITS]
        verdict = compare(image, fitted)
        corners_px = corners_of(fitted)
        for i in np.argsort(-verdict.score).tolist():
            tag = Sighting(
                names()[verdict.best[i]], corners_px[i], "match", round(float(verdict.score[i]), 3)
            )
            if _taken(tag, found):
                continue
            if verdict.sure[i]:
                found.append(tag)
            else:
                doubtful.append(corners_px[i])
    return found, doubtful


def _confirmed(grey: Grey, claims: list[Claim], by: By, taken: list[Sighting]) -> list[Sighting]:
    fresh: list[Sighting] = []
    ours = [claim for claim in claims if claim[0] in BOOK]
    for text, corners_px, score in agree(grey, ours, _stencils()[2]):
        tag = Sighting(text, corners_px, by, round(score, 3))
        if not _taken(tag, taken + fresh):
            fresh.append(tag)
    return fresh


def _zxing(grey: Grey) -> list[Claim]:
    results = zxingcpp.read_barcodes(
        grey,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode),
        try_rotate=False,
        try_downscale=False,
        try_invert=False,
        binarizer=zxingcpp.Binarizer.LocalAverage,
    )
    claims: list[Claim] = []
    for result in results:
        place = result.position
        tl, tr, br, bl = place.top_left, place.top_right, place.bottom_right, place.bottom_left
        claims.append((result.text, ((tl.x, tl.y), (tr.x, tr.y), (br.x, br.y), (bl.x, bl.y))))
    return claims


def _zoom(grey: Grey, place: Corners) -> list[Claim]:
    """What zxing reads around a doubtful grid when it is drawn twice as large."""
    (x, y), reach = _middle(place), size_of(place) * 0.95
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = grey[top : int(y + reach) + 1, left : int(x + reach) + 1]
    if min(part.shape) < LEAST:
        return []
    large = _resized(part, 2, cv2.INTER_CUBIC)
    return [(text, _move(corners_px, 0.5, left, top)) for text, corners_px in _zxing(large)]


def _zbar(grey: Grey) -> list[Claim]:
    claims: list[Claim] = []
    for symbol in pyzbar.decode(np.ascontiguousarray(grey), symbols=[pyzbar.ZBarSymbol.QRCODE]):
        if len(symbol.polygon) == 4:
            # zbar lists top left, bottom left, bottom right, top right
            tl, bl, br, tr = ((float(p.x), float(p.y)) for p in symbol.polygon)
            claims.append((symbol.data.decode("ascii", "replace"), (tl, tr, br, bl)))
    return claims


def _middle(corners_px: Corners) -> tuple[float, float]:
    return sum(x for x, _ in corners_px) / 4, sum(y for _, y in corners_px) / 4


def _move(corners_px: Corners, scale: float, left: float, top: float) -> Corners:
    a, b, c, d = (((x + 0.5) * scale - 0.5 + left, (y + 0.5) * scale - 0.5 + top) for x, y in corners_px)
    return a, b, c, d


def _moved(tag: Sighting, scale: float, left: float, top: float) -> Sighting:
    return replace(tag, corners=_move(tag.corners, scale, left, top))


def _near(a: Corners, b: Corners) -> bool:
    return dist(_middle(a), _middle(b)) < size_of(b) * 0.5


def _taken(tag: Sighting, found: list[Sighting]) -> bool:
    return any(_near(tag.corners, other.corners) for other in found)
