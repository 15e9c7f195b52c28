"""The four corner markers in a picture, and whether they can be the corners of one table."""

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Grey
from vision.tags.codebook import MARKERS

Points = NDArray[np.float64]
Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKER_CELLS = 6
CORNER_BY_ID = {number: corner for corner, number in MARKERS.items()}
MARKER_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * MARKER_CELLS
CORNERS = ("TL", "TR", "BR", "BL")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in a picture: the corner it names, and its own four corners clockwise from its top left, in px."""

    corner: str
    quad: Quad
    blur: float = 0.0
    """Blur of its edges: a standard deviation, in px."""


def find_markers(grey: Grey) -> tuple[Marker, ...]:
    """The corner markers in a picture: searched in a shrunken one, refined at full size."""
    times = max(1, round(max(grey.shape) / 1600))
    found: list[Marker] = []
    # at any single size the detector may miss one; the full size of a large picture costs too much memory
    for shrink in dict.fromkeys((times, max(1, times - 1), times + 1)):
        for marker in _detect(grey, shrink) if min(grey.shape) > 3 * MARKER_CELLS * shrink else ():
            if not any(_is_same(marker, other) for other in found):
                found.append(marker)
        if {marker.corner for marker in found} >= set(CORNERS):
            break
    return tuple(found)


def _is_same(one: Marker, other: Marker) -> bool:
    gap = np.abs(np.subtract(one.quad, other.quad)).max()
    return one.corner == other.corner and bool(gap < _measure_side(np.array(one.quad, np.float32)) / 2)


def find_markers_near(grey: Grey, places: list[Points], *, smears: bool = False) -> tuple[Marker, ...]:
    """The markers near known places (quads in px): quick, exact to half a pixel; measures ``blur`` if asked."""
    found: list[Marker] = []
    for quad in places:
        reach = int(np.ptp(quad, axis=0).max() / 3)
        left, top = np.maximum(np.floor(quad.min(0)).astype(int) - reach, 0).tolist()
        right, bottom = (np.ceil(quad.max(0)).astype(int) + reach).tolist()
        part = np.ascontiguousarray(grey[top:bottom, left:right])
        if min(part.shape) > 3 * MARKER_CELLS:
            # about forty pixels across are enough to identify a marker
            for number, fine in _refine_quads(part, max(1, 3 * reach // 40), (13, 13)):
                blur = _measure_edges(part, fine, number)[1] if smears else 0.0
                found.append(Marker(CORNER_BY_ID[number], _to_quad(fine + np.array([left, top], np.float32)), blur))
    return tuple(found)


def _detect(grey: Grey, shrink: int) -> tuple[Marker, ...]:
    ours = _refine_quads(grey, shrink, (3, 23))
    edges = [_measure_edges(grey, fine, number) for number, fine in ours]
    bleed = float(np.median([share for share, _ in edges])) if edges else 0.0
    return tuple(
        Marker(CORNER_BY_ID[number], _to_quad(_regrow(fine, bleed)), blur)
        for (number, fine), (_, blur) in zip(ours, edges, strict=True)
    )


def _refine_quads(grey: Grey, shrink: int, windows: tuple[int, int]) -> list[tuple[int, NDArray[np.float32]]]:
    """Number and corners of every marker of ours, found in the shrunken picture and settled in the full one."""
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = 0.03 if max(grey.shape) < 400 else 0.008
    # the black square and the rim of the paper it is printed on must not be taken for one
    settings.minMarkerDistanceRate = 0.05
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows
    detector = cv2.aruco.ArucoDetector(DICTIONARY, settings)
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA) if shrink > 1 else grey
    quads, ids, _ = detector.detectMarkers(small)
    found: list[tuple[int, NDArray[np.float32]]] = []
    for quad, number in zip(quads, () if ids is None else [int(n) for n in ids.ravel()], strict=False):
        if number in CORNER_BY_ID:
            rough = ((quad.reshape(4, 2) + 0.5) * shrink - 0.5).astype(np.float32)
            window = int(np.clip(_measure_side(rough) / 14, 2, 10))
            fine = _refine(grey, rough, window)
            found.append((number, fine if abs(fine - rough).max() <= window + shrink else rough))
    return found


def _to_quad(corners: NDArray[np.float32]) -> Quad:
    tl, tr, br, bl = ((float(x), float(y)) for x, y in corners.tolist())
    return tl, tr, br, bl


def _measure_side(quad: NDArray[np.float32]) -> float:
    return float(cv2.contourArea(quad) ** 0.5)


def _refine(grey: Grey, rough: NDArray[np.float32], window: int) -> NDArray[np.float32]:
    around = window + 3
    left, top = np.maximum(np.floor(rough.min(0)).astype(int) - around, 0)
    right, bottom = np.ceil(rough.max(0)).astype(int) + around + 1
    offset = np.array([left, top], np.float32)
    ready = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    part = np.ascontiguousarray(grey[top:bottom, left:right])
    fine = cv2.cornerSubPix(part, (rough - offset).reshape(4, 1, 2), (window, window), (-1, -1), ready)
    return np.asarray(fine.reshape(4, 2) + offset, np.float32)


def _measure_edges(grey: Grey, quad: NDArray[np.float32], number: int) -> tuple[float, float]:
    """By how many pixels white grows into black, and the blur of the edges.

    Blur and the camera's tone curve shrink black by up to half a pixel; the white inside the marker, whose share is
    known, grows by as much.
    """
    drawn = cv2.aruco.generateImageMarker(DICTIONARY, number, MARKER_CELLS) > 127
    rim = int((drawn[1:] != drawn[:-1]).sum() + (drawn[:, 1:] != drawn[:, :-1]).sum())
    cell = _measure_side(quad) / MARKER_CELLS
    fine = int(np.clip(round(4 * cell), 16, 160))  # a blur of a fraction of a pixel must show in whole samples
    map_in = cv2.getPerspectiveTransform(MARKER_SQUARE * fine - 0.5, quad)
    upright = cv2.warpPerspective(
        grey, map_in, (MARKER_CELLS * fine, MARKER_CELLS * fine), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    cells = np.kron(drawn, np.ones((fine, fine), np.bool_))
    black, paper = np.percentile(upright[~cells], 20), np.percentile(upright[cells], 80)
    seen = float((upright > (black + paper) / 2).sum()) / fine**2
    white = int(drawn.sum())
    bleed = float(np.clip((seen - white) / (rim + 2 * white / 3) * cell, -1.0, 1.0))
    # half of a blurred edge lies within 0.67 standard deviations to either side
    inner = upright[fine // 2 : -fine // 2, fine // 2 : -fine // 2]
    between = (inner > black + (paper - black) / 4) & (inner < paper - (paper - black) / 4)
    return bleed, float(between.sum()) / fine**2 / rim * cell / 1.35


def _regrow(quad: NDArray[np.float32], bleed: float) -> NDArray[np.float32]:
    """The quad as printed, before its sides moved inwards by ``bleed`` pixels."""
    cell = _measure_side(quad) / MARKER_CELLS
    larger = (MARKER_SQUARE - MARKER_CELLS / 2) * (MARKER_CELLS / (MARKER_CELLS - 2 * bleed / cell)) + MARKER_CELLS / 2
    out = cv2.getPerspectiveTransform(MARKER_SQUARE, quad)
    return np.asarray(cv2.perspectiveTransform(larger[None].astype(np.float32), out)[0], np.float32)


def find_duplicates(markers: tuple[Marker, ...]) -> tuple[str, ...]:
    """Corners named by more than one marker."""
    names = [marker.corner for marker in markers]
    return tuple(name for name in CORNERS if names.count(name) > 1)


def find_swap(markers: tuple[Marker, ...]) -> tuple[str, ...]:
    """The two of four markers that must be exchanged; none if their order is right or no exchange makes it so."""
    if is_clockwise(markers):
        return ()
    for one, other in combinations(CORNERS, 2):
        names = {one: other, other: one}
        if is_clockwise(tuple(replace(marker, corner=names.get(marker.corner, marker.corner)) for marker in markers)):
            return one, other
    return ()


def is_clockwise(markers: tuple[Marker, ...]) -> bool:
    """Are three or four markers in clockwise order, as their names say?"""
    at = {marker.corner: np.mean(marker.quad, 0) for marker in markers}
    ring = [at[name] for name in CORNERS if name in at]
    sides = [b - a for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    return all(a[0] * b[1] - a[1] * b[0] > 0 for a, b in zip(sides, sides[1:] + sides[:1], strict=True))
