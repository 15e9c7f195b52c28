"""Reads every card of the book that a picture shows, and nothing else: a quick decoder first, the matcher last."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal

import cv2
import numpy as np

from vision.frame import Grey
from vision.tags.candidates import Box
from vision.tags.codebook import BOOK
from vision.tags.covered_codes import find_partly_in_view, search_covered
from vision.tags.decoders import LEAST_PX, Claim, decode_by_histogram, decode_enlarged, decode_zbar, decode_zxing
from vision.tags.matcher import make_stencils, search_tags
from vision.tags.verification import (
    Corners,
    confirm_claims,
    find_middle,
    find_unmoved,
    is_near,
    measure_side,
    scale_corners,
)

Decoder = Literal["auto", "zxing", "zbar"]
ReadBy = Literal["zxing", "zoom", "match", "covered", "zbar"]
Sizes = tuple[float, float]
"""Smallest and largest pixels per module that may occur."""

ANY_SIZE: Sizes = (1.4, 8.5)
SIZE_STEP = 1.25
"""One search finds tags of sizes this factor apart."""
SIZE_SPREAD = 2.2
"""Once some stickers are read the others differ by at most this factor: the largest printed are twice the smallest."""
ZOOM_FROM_PX = 1.9
"""Pixels per module below which zxing reads nothing even in an enlarged picture."""
LEAST_PX_MODULE = 1.1
"""The matcher reads nothing smaller."""
ENOUGH_PX_MODULE = 3.0
"""The matcher needs no more."""
SAME_SIZE = 1.12
"""The stickers of one deck differ by this factor at most where they lie: one has been printed for all, and the table is
tilted."""


@dataclass(frozen=True, slots=True)
class DecodedTag:
    """One tag: its text, the corners of its code (TL TR BR BL, px), what read it, and how alike it is (at most 1)."""

    payload: str
    corners: Corners
    by: ReadBy
    score: float = 1.0

    @property
    def centre(self) -> tuple[float, float]:
        return find_middle(self.corners)

    @property
    def px_module(self) -> float:
        return measure_side(self.corners) / 21


Leftover = Callable[[tuple[DecodedTag, ...]], Sequence[Box]]
"""Boxes where more tags may be, once these are read."""


def read_tags(
    grey: Grey,
    *,
    known: Iterable[DecodedTag] = (),
    boxes: Sequence[Box] | None = None,
    px_module: Sizes | None = None,
    decoder: Decoder = "auto",
    leftover: Leftover | None = None,
    covered: int = 0,
    covered_in: Leftover | None = None,
) -> tuple[DecodedTag, ...]:
    """The tags in ``boxes`` of a picture (by default all of it), and those ``known`` that are where they were.

    The quick decoder reads all boxes; the matcher searches them too, or only what is ``leftover`` then, once the quick
    decoder has tried that part in its other way. Codes of which as little as half is in view are searched last, around
    at most ``covered`` places that resemble a finder pattern, where the matcher has searched or only in ``covered_in``.
    """
    if min(grey.shape) < LEAST_PX:
        return ()
    before = list(known)
    stay = find_unmoved(grey, [(tag.payload, tag.corners) for tag in before])
    lost = [i for i, there in enumerate(stay) if not there]
    for i, there in zip(
        lost, find_partly_in_view(grey, [(before[i].payload, before[i].corners) for i in lost]), strict=True
    ):
        stay[i] = there
    found = [tag for tag, there in zip(before, stay, strict=True) if there]
    # a tag that is no longer where it was may have been nudged
    gone = [_box_around(tag, grey.shape) for tag, there in zip(before, stay, strict=True) if not there]
    places = [*boxes, *gone] if boxes is not None else [(0, 0, grey.shape[1], grey.shape[0])]
    quick = decode_zbar if decoder == "zbar" else decode_zxing
    claims = _list_claims(grey, places, quick)
    found += _confirm(grey, claims, "zbar" if decoder == "zbar" else "zxing", found)
    if decoder == "auto":
        rest = [*leftover(tuple(found)), *gone] if leftover else places
        if leftover and rest and (px_module is None or px_module[1] >= ZOOM_FROM_PX):
            # the matcher takes ten times as long to read these
            more = _list_claims(grey, rest, decode_by_histogram)
            claims += more
            if fresh := _confirm(grey, more, "zxing", found):
                found += fresh
                rest = [*leftover(tuple(found)), *gone]
        # a code with another text is foreign, however much it may resemble one of ours
        strangers = [at for text, at in claims if text not in BOOK]
        found += _search(grey, rest, px_module, found, strangers)
        if covered and rest:
            where = covered_in(tuple(found)) if covered_in else rest
            found += _search_covered(grey, where, px_module, found, strangers, covered) if where else []
    return tuple(found)


def _list_claims(grey: Grey, places: Sequence[Box], decode: Callable[[Grey], list[Claim]]) -> list[Claim]:
    """What a decoder claims to read in parts of a picture, with the corners in the whole one."""
    return [
        (text, scale_corners(at, 1, place[0], place[1])) for place in places for text, at in decode(_cut(grey, place))
    ]


def _cut(grey: Grey, box: Box) -> Grey:
    left, top, right, bottom = box
    part = grey[top:bottom, left:right]
    return part if min(part.shape) >= LEAST_PX else np.zeros((LEAST_PX, LEAST_PX), np.uint8)


def _box_around(tag: DecodedTag, shape: tuple[int, ...]) -> Box:
    (x, y), reach = tag.centre, 26 * tag.px_module
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return left, top, min(shape[1], int(x + reach) + 1), min(shape[0], int(y + reach) + 1)


def _search(
    grey: Grey, boxes: Sequence[Box], sizes: Sizes | None, found: list[DecodedTag], strangers: list[Corners]
) -> list[DecodedTag]:
    """What the matcher finds in boxes, size by size, and what zxing reads where the matcher is in doubt."""
    new: list[DecodedTag] = []
    for size in _list_sizes(sizes or ANY_SIZE) if boxes else []:
        alike = [tag.px_module for tag in found + new]
        if len(alike) > 2 and not min(alike) / SIZE_SPREAD < size < max(alike) * SIZE_SPREAD:
            continue
        image, small, times = _shrink(grey, boxes, size)
        before = strangers + [tag.corners for tag in found + new]
        matches, doubtful = search_tags(
            image, small, size / times, [scale_corners(at, 1 / times, 0, 0) for at in before]
        )
        for payload, at, score in matches:
            new.append(DecodedTag(payload, scale_corners(at, times, 0, 0), "match", round(score, 3)))
        if size >= ZOOM_FROM_PX:
            claims = [claim for at in doubtful for claim in decode_enlarged(grey, scale_corners(at, times, 0, 0))]
            new += _confirm(grey, claims, "zoom", found + new)
    return new


def _search_covered(
    grey: Grey, boxes: Sequence[Box], sizes: Sizes | None, found: list[DecodedTag], strangers: list[Corners], most: int
) -> list[DecodedTag]:
    """Partly covered tags, of the sizes of those that were read, if any."""
    alike = [tag.px_module for tag in found]
    if alike:
        sizes = min(alike) / SAME_SIZE, max(alike) * SAME_SIZE
    new: list[DecodedTag] = []
    for size in _list_sizes(sizes or ANY_SIZE):
        image, small, times = _shrink(grey, boxes, size)
        before = strangers + [tag.corners for tag in found + new]
        read = [scale_corners(at, 1 / times, 0, 0) for at in before]
        for payload, at, score in search_covered(image, small, size / times, read, most):
            new.append(DecodedTag(payload, scale_corners(at, times, 0, 0), "covered", round(score, 3)))
    return new


def _shrink(grey: Grey, boxes: Sequence[Box], size: float) -> tuple[Grey, list[Box], int]:
    """The picture with boxes, shrunk so that modules of this size have just enough pixels, and how many times."""
    times = 2 ** max(0, ceil(log2(size / ENOUGH_PX_MODULE)))
    small = [(a // times, b // times, -(-c // times), -(-d // times)) for a, b, c, d in boxes]
    return _halve(grey, times), small, times


def _list_sizes(sizes: Sizes) -> list[float]:
    """The sizes to search, a step apart that the finder template still bridges, the likeliest first."""
    least, most = max(sizes[0], LEAST_PX_MODULE), max(sizes[1], LEAST_PX_MODULE)
    steps = max(1, ceil(log2(most / least) / log2(SIZE_STEP)))
    found = [least * (most / least) ** ((i + 0.5) / steps) for i in range(steps)]
    middle = (least * most) ** 0.5
    return sorted(found, key=lambda size: abs(log2(size / middle)))


def _halve(grey: Grey, times: int) -> Grey:
    while times > 1:
        grey = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        times //= 2
    return grey


def _confirm(grey: Grey, claims: list[Claim], by: ReadBy, found: list[DecodedTag]) -> list[DecodedTag]:
    taken = [tag.corners for tag in found]
    fresh: list[DecodedTag] = []
    ours = [claim for claim in claims if claim[0] in BOOK and not is_near(claim[1], taken)]
    for text, at, score in confirm_claims(grey, ours, make_stencils()[1]):
        if not is_near(at, taken):
            fresh.append(DecodedTag(text, at, by, round(score, 3)))
            taken.append(at)
    return fresh
