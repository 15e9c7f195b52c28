"""The calibration of a camera over a table, from four markers of known size: pixels to millimetres and back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np

from engine.table import Area
from vision.calibration.markers import CORNERS, Marker, Points, Quad
from vision.sticker_and_marker_sizes import MARKER_MM

FOCAL_PER_WIDTH = 0.85
"""Focal length over picture width of the usual cameras (0.77 to 0.95): exact enough to measure a tilt."""
STILL_MARKER_MM = 1.0
"""Markers found within this distance are where they were; a knock moves them farther."""
MOST_BARREL = 0.08
"""A lens bends straight lines by less than this at the corner of the picture."""


@dataclass(frozen=True, slots=True)
class TableCalibration:
    """From pixels to mm of the table. Origin: innermost corner of the top left marker; x to the right, y down."""

    plane: tuple[float, ...]
    """Homography by rows from undistorted pixels, relative to ``middle`` in units of ``reach``, to millimetres."""
    middle: tuple[float, float]
    reach: float
    barrel: float
    markers: Mapping[str, Quad]
    """The markers' corners in millimetres."""
    marker_mm: float
    error_mm: float
    """Root mean square distance of marker corners from where they should be."""
    guessed: str | None = None
    """The corner whose marker was not seen: its place is guessed."""

    @property
    def corners(self) -> Quad:
        """The corners TL TR BR BL of the area in mm: of each marker the corner nearest to the middle of all four."""
        middle = np.mean([self.markers[name] for name in CORNERS], (0, 1))
        tl, tr, br, bl = (
            min(self.markers[name], key=lambda p: hypot(p[0] - middle[0], p[1] - middle[1])) for name in CORNERS
        )
        return tl, tr, br, bl

    @property
    def area(self) -> Area:
        """The largest upright rectangle from the origin within the four corners."""
        _, tr, br, bl = self.corners
        return Area(0.0, 0.0, min(tr[0], br[0]), min(br[1], bl[1]))

    def has_shape(self, shape: tuple[int, ...]) -> bool:
        """Was it measured in a picture of this shape (height, width)?"""
        return self.middle == ((shape[1] - 1) / 2, (shape[0] - 1) / 2)

    def to_mm(self, px: Points) -> Points:
        """Pixels (n, 2) to millimetres."""
        return _project(_to_matrix(self.plane), _straighten((px - self.middle) / self.reach, self.barrel))

    def to_px(self, mm: Points) -> Points:
        """Millimetres (n, 2) to pixels."""
        want = _project(np.asarray(np.linalg.inv(_to_matrix(self.plane)), np.float64), mm)
        bent = want
        for _ in range(8):
            bent = want / (1 + self.barrel * (bent**2).sum(-1, keepdims=True))
        return bent * self.reach + self.middle

    @property
    def homography(self) -> Points:
        """Pixels to millimetres as one matrix without the lens: exact at the corners, nearly exact inside."""
        px = self.to_px(np.array(self.corners))
        return np.asarray(cv2.findHomography(px, np.array(self.corners))[0], np.float64)

    def px_per_mm(self, mm: tuple[float, float]) -> Points:
        """A millimetre to the right and one down at a place of the table, in pixels, as the columns of a matrix."""
        x, y = mm
        around = self.to_px(np.array([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]))
        return np.stack([around[1] - around[0], around[3] - around[2]], 1) / 2

    def px_module(self, sticker_mm: float) -> tuple[float, float]:
        """Pixels per module of a sticker at the worst and the best corner of the area."""
        steps = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
        around = self.to_px((np.array(self.corners)[:, None] + steps).reshape(-1, 2)).reshape(-1, 4, 2)
        right, down = (around[:, 1] - around[:, 0]) / 2, (around[:, 3] - around[:, 2]) / 2
        sizes = np.sqrt(abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])) * sticker_mm / 25
        return float(sizes.min()), float(sizes.max())

    def measure_tilts(self, quads: Points) -> Points:
        """Degrees by which squares seen at ``quads`` (n, 4, 2; px) lean out of the table, least and most.

        A small square looks the same leaning towards the camera and away from it.
        """
        mm = self.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        # two sides of each square, as if they were in the plane of the table
        sides = np.stack([mm[:, 1] - mm[:, 0] + mm[:, 2] - mm[:, 3], mm[:, 3] - mm[:, 0] + mm[:, 2] - mm[:, 1]], 1)
        ray = np.pad(mm.mean(1), ((0, 0), (0, 1))) - self.eye
        ray = (ray / np.linalg.norm(ray, axis=1, keepdims=True))[:, None]
        flat = np.pad(sides, ((0, 0), (0, 0), (0, 1)))
        flat = flat - (flat * ray).sum(-1, keepdims=True) * ray
        values, ways = np.linalg.eigh(flat @ flat.transpose(0, 2, 1))
        seen = ways.transpose(0, 2, 1) @ flat
        # a foreshortened direction leans towards the camera or away from it
        deep = np.sqrt(np.maximum(0.0, values[:, 1] - values[:, 0]))[:, None] * ray[:, 0]
        up = np.cross(seen[:, None, 1], np.stack([seen[:, 0] - deep, seen[:, 0] + deep], 1))
        height = abs(up[..., 2]) / np.maximum(np.linalg.norm(up, axis=-1), 1e-9)
        return np.sort(np.degrees(np.arccos(np.minimum(1.0, height))), axis=1).astype(np.float64)

    @property
    def eye(self) -> Points:
        """The position of the camera in mm (z up from the table)."""
        back = np.linalg.inv(_to_matrix(self.plane))
        wide = FOCAL_PER_WIDTH * 2 * max(self.middle) / self.reach
        first, second, shift = (np.diag([1 / wide, 1 / wide, 1.0]) @ back).T
        size = (np.linalg.norm(first) + np.linalg.norm(second)) / 2
        third = np.cross(first, second) / size
        turn = np.stack([first, second, third], 1) / size
        eye = -np.linalg.solve(turn, shift / size)
        return np.asarray(eye * np.array([1.0, 1.0, np.sign(eye[2]) or 1.0]), np.float64)


def calibrate(markers: tuple[Marker, ...], shape: tuple[int, int], marker_mm: float = MARKER_MM) -> TableCalibration:
    """The calibration from markers of known size at unknown places.

    It is fitted so that every marker becomes a square of its size; this gives camera tilt and lens distortion.
    Of three markers the fourth is guessed, as in a parallelogram.
    """
    height, width = shape
    middle, reach = ((width - 1) / 2, (height - 1) / 2), hypot(width, height) / 2
    px = {marker.corner: (np.asarray(marker.quad) - middle) / reach for marker in markers}
    names = [name for name in CORNERS if name in px]
    quads = np.stack([px[name] for name in names])
    side = np.mean(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2))
    scale = marker_mm / side
    guess = np.array([scale, 0.0, scale, 0.0, 0.0, 0.0])
    tame = np.array([0, 0, 0, 0, 0, 1 / MOST_BARREL])

    def miss(values: Points) -> Points:
        return np.append(
            (_flatten(values, quads) - _fit_squares(_flatten(values, quads), marker_mm)).ravel(), tame * values
        )

    found = _least_squares(miss, guess, np.array([scale, scale, scale, 1.0, 1.0, 1.0]))
    plane = _make_plane(found)
    flat = _flatten(found, quads)
    error = float(np.sqrt(((flat - _fit_squares(flat, marker_mm)) ** 2).sum(-1).mean()))
    guessed = next((name for name in CORNERS if name not in px), None)
    if guessed is not None:
        flat = _complete(dict(zip(names, flat, strict=True)), guessed)
    rough = TableCalibration(
        tuple(plane.ravel()), middle, reach, float(found[5]), _name_quads(flat), marker_mm, error, guessed
    )
    (ox, oy), (tx, ty), _, _ = rough.corners
    long = hypot(tx - ox, ty - oy)
    c, s = (tx - ox) / long, (ty - oy) / long
    turn = np.array([[c, s, -(c * ox + s * oy)], [-s, c, s * ox - c * oy], [0, 0, 1]])
    return replace(rough, plane=tuple((turn @ plane).ravel().tolist()), markers=_name_quads(_project(turn, flat)))


def _complete(at: dict[str, Points], missing: str) -> Points:
    """All four of three markers: the missing one is its opposite, mirrored at the middle of its neighbours."""
    order = CORNERS.index(missing)
    beside = [at[CORNERS[(order + turn) % 4]].mean(0) for turn in (1, 3)]
    at = {**at, missing: beside[0] + beside[1] - at[CORNERS[(order + 2) % 4]]}
    return np.stack([at[name] for name in CORNERS])


def measure_shift(calibration: TableCalibration, markers: tuple[Marker, ...]) -> float:
    """The median distance in mm of the markers from where they were; a single displaced marker does not count."""
    known = [marker for marker in markers if marker.corner in calibration.markers]
    if not known:
        return 0.0
    gaps = [calibration.to_mm(np.asarray(m.quad)) - np.asarray(calibration.markers[m.corner]) for m in known]
    return float(np.median([np.linalg.norm(gap, axis=1).mean() for gap in gaps]))


def recalibrate(calibration: TableCalibration, markers: tuple[Marker, ...]) -> TableCalibration:
    """The calibration after the camera was bumped, from three markers whose places on the table are known."""
    seen = [marker for marker in markers if marker.corner in calibration.markers]
    px = np.concatenate([np.asarray(marker.quad) for marker in seen])
    mm = np.concatenate([np.asarray(calibration.markers[marker.corner]) for marker in seen])
    straight = _straighten((px - calibration.middle) / calibration.reach, calibration.barrel)
    plane, _ = cv2.findHomography(straight, mm)
    again = replace(calibration, plane=tuple(np.asarray(plane, np.float64).ravel().tolist()))
    error = float(np.sqrt(((again.to_mm(px) - mm) ** 2).sum(-1).mean()))
    return replace(again, error_mm=error)


def _least_squares(miss: Callable[[Points], Points], start: Points, steps: Points) -> Points:
    """Levenberg-Marquardt for half a dozen unknowns."""
    values, damp = start, 1e-3
    left = miss(values)
    for _ in range(60):
        slope = np.stack([(miss(values + e) - left) / e.sum() for e in np.diag(steps * 1e-6)], 1)
        square = slope.T @ slope
        step = np.linalg.solve(square + damp * np.diag(np.diag(square)), -slope.T @ left)
        trial = miss(values + step)
        if trial @ trial < left @ left:
            done = left @ left - trial @ trial < 1e-10
            values, left, damp = values + step, trial, damp / 5
            if done:
                break
        else:
            damp *= 5
    return values


def _to_matrix(plane: tuple[float, ...]) -> Points:
    return np.array(plane).reshape(3, 3)


def _project(matrix: Points, points: Points) -> Points:
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[..., :2] / flat[..., 2:], np.float64)


def _straighten(points: Points, barrel: float) -> Points:
    return np.asarray(points * (1 + barrel * (points**2).sum(-1, keepdims=True)), np.float64)


def _make_plane(values: Points) -> Points:
    a, b, d, g, h, _ = values
    return np.array([[a, b, 0], [b, d, 0], [g, h, 1]])


def _flatten(values: Points, quads: Points) -> Points:
    return _project(_make_plane(values), _straighten(quads, values[5]))


def _fit_squares(quads: Points, side: float) -> Points:
    """The squares of one size, at any angle, that are nearest to quads (n, 4, 2)."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    middle = quads.mean(1, keepdims=True)
    along = ((quads - middle) * unit).sum((1, 2))
    across = ((quads - middle) * (unit @ np.array([[0, 1], [-1, 0]]))).sum((1, 2))
    size = np.hypot(along, across)
    c, s = along / size, across / size
    turn = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], 1)
    return np.asarray(middle + unit @ turn, np.float64)


def _name_quads(quads: Points) -> dict[str, Quad]:
    named: dict[str, Quad] = {}
    for name, quad in zip(CORNERS, quads.tolist(), strict=True):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
        named[name] = ((ax, ay), (bx, by), (cx, cy), (dx, dy))
    return named
