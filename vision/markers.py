"""The four corner markers in a picture, and whether they can be the corners of one table."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codebook import MARKERS
from vision.frames import Grey

Points = NDArray[np.float64]
Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
CELLS, FINE = 6, 16
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * CELLS
CORNERS = ("TL", "TR", "BR", "BL")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in a picture: the corner it names, and its own corners clockwise from its top left, in px."""

    corner: str
    quad: Quad
    blur: float = 0.0
    """How far its edges are smeared: a standard deviation, in px."""


def find_markers(grey: Grey) -> tuple[Marker, ...]:
    """The corner markers in a picture, searched small and settled at full size."""
    times = max(1, round(max(grey.shape) / 1600))
    found: list[Marker] = []
    # at any one size the detector may overlook one; the full size of a large picture costs too much memory
    for shrink in dict.fromkeys((times, max(1, times - 1), times + 1)):
        for marker in _detect(grey, shrink):
            if not any(_same(marker, other) for other in found):
                found.append(marker)
        if {marker.corner for marker in found} >= set(CORNERS):
            break
    return tuple(found)


def _same(one: Marker, other: Marker) -> bool:
    gap = np.abs(np.subtract(one.quad, other.quad)).max()
    return one.corner == other.corner and bool(gap < _side(np.array(one.quad, np.float32)) / 2)


def find_near(grey: Grey, places: list[Points]) -> tuple[Marker, ...]:
    """The markers that still lie about where they lay (quads in px), at little cost."""
    found: list[Marker] = []
    for quad in places:
        reach = int(np.ptp(quad, axis=0).max() / 3)
        left, top = np.maximum(np.floor(quad.min(0)).astype(int) - reach, 0).tolist()
        right, bottom = (np.ceil(quad.max(0)).astype(int) + reach).tolist()
        part = np.ascontiguousarray(grey[top:bottom, left:right])
        if min(part.shape) > 3 * CELLS:
            for marker in _detect(part, 1, (23, 23)):
                a, b, c, d = ((x + left, y + top) for x, y in marker.quad)
                found.append(replace(marker, quad=(a, b, c, d)))
    return tuple(found)


def _detect(grey: Grey, shrink: int, windows: tuple[int, int] = (3, 23)) -> tuple[Marker, ...]:
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = 0.03 if max(grey.shape) < 400 else 0.008
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows
    detector = cv2.aruco.ArucoDetector(DICTIONARY, settings)
    small = (
        cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        if shrink > 1
        else grey
    )
    quads, ids, _ = detector.detectMarkers(small)
    names = {number: corner for corner, number in MARKERS.items()}
    ours: list[tuple[str, NDArray[np.float32], tuple[float, float]]] = []
    for quad, number in zip(quads, () if ids is None else [int(n) for n in ids.ravel()], strict=False):
        if number not in names:
            continue
        rough = ((quad.reshape(4, 2) + 0.5) * shrink - 0.5).astype(np.float32)
        window = int(np.clip(_side(rough) / 14, 2, 10))
        fine = _settled(grey, rough, window)
        if abs(fine - rough).max() > window + shrink:
            fine = rough
        ours.append((names[number], fine, _edges(grey, fine, number)))
    bleed = float(np.median([edges[0] for _, _, edges in ours])) if ours else 0.0
    found = []
    for corner, fine, (_, blur) in ours:
        tl, tr, br, bl = ((float(x), float(y)) for x, y in _regrown(fine, bleed).tolist())
        found.append(Marker(corner, (tl, tr, br, bl), blur))
    return tuple(found)


def _side(quad: NDArray[np.float32]) -> float:
    return float(cv2.contourArea(quad) ** 0.5)


def _settled(grey: Grey, rough: NDArray[np.float32], window: int) -> NDArray[np.float32]:
    around = window + 3
    left, top = np.maximum(np.floor(rough.min(0)).astype(int) - around, 0)
    right, bottom = np.ceil(rough.max(0)).astype(int) + around + 1
    offset = np.array([left, top], np.float32)
    ready = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    part = np.ascontiguousarray(grey[top:bottom, left:right])
    fine = cv2.cornerSubPix(part, (rough - offset).reshape(4, 1, 2), (window, window), (-1, -1), ready)
    return np.asarray(fine.reshape(4, 2) + offset, np.float32)


def _edges(grey: Grey, quad: NDArray[np.float32], number: int) -> tuple[float, float]:
    """By how many pixels white runs into black, and how far edges are smeared.

    Blurred through a camera's tone curve black shrinks by up to half a pixel, and the white inside the
    marker, whose share is known, grows by as much.
    """
    drawn = cv2.aruco.generateImageMarker(DICTIONARY, number, CELLS) > 127
    rim = int((drawn[1:] != drawn[:-1]).sum() + (drawn[:, 1:] != drawn[:, :-1]).sum())
    map_in = cv2.getPerspectiveTransform(SQUARE * FINE - 0.5, quad)
    upright = cv2.warpPerspective(
        grey, map_in, (CELLS * FINE, CELLS * FINE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    cells = np.kron(drawn, np.ones((FINE, FINE), np.bool_))
    black, paper = np.percentile(upright[~cells], 20), np.percentile(upright[cells], 80)
    seen = float((upright > (black + paper) / 2).sum()) / FINE**2
    white = int(drawn.sum())
    cell = _side(quad) / CELLS
    bleed = float(np.clip((seen - white) / (rim + 2 * white / 3) * cell, -1.0, 1.0))
    # half of a smeared edge lies within 0.67 standard deviations to either side
    inner = upright[FINE // 2 : -FINE // 2, FINE // 2 : -FINE // 2]
    between = (inner > black + (paper - black) / 4) & (inner < paper - (paper - black) / 4)
    return bleed, float(between.sum()) / FINE**2 / rim * cell / 1.35


def _regrown(quad: NDArray[np.float32], bleed: float) -> NDArray[np.float32]:
    """The quad as printed, whose sides moved inwards by ``bleed`` pixels."""
    cell = _side(quad) / CELLS
    larger = (SQUARE - CELLS / 2) * (CELLS / (CELLS - 2 * bleed / cell)) + CELLS / 2
    out = cv2.getPerspectiveTransform(SQUARE, quad)
    return np.asarray(cv2.perspectiveTransform(larger[None].astype(np.float32), out)[0], np.float32)


def twins(markers: tuple[Marker, ...]) -> tuple[str, ...]:
    """Corners that more than one marker names."""
    names = [marker.corner for marker in markers]
    return tuple(name for name in CORNERS if names.count(name) > 1)


def in_order(markers: tuple[Marker, ...]) -> bool:
    """Do the four lie clockwise, as their names say?"""
    at = {marker.corner: np.mean(marker.quad, 0) for marker in markers}
    ring = [at[name] for name in CORNERS]
    sides = [b - a for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    return all(a[0] * b[1] - a[1] * b[0] > 0 for a, b in zip(sides, sides[1:] + sides[:1], strict=True))
