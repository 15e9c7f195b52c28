"""How well a camera is set up over a table, measured on one frame."""

from dataclasses import dataclass, field
from math import ceil, degrees, hypot

import cv2
import numpy as np

from vision.calibration.calibration_from_markers import start_calibration
from vision.calibration.markers import CORNERS, Marker, find_duplicates, find_markers, find_swap, is_clockwise
from vision.calibration.table_calibration import TableCalibration
from vision.changes.changed_areas import find_changes
from vision.frame import Grey, shrink_frame
from vision.live.picture_notes import Note, measure_paper, note_brightness
from vision.sticker_and_marker_sizes import LARGEST_STICKER_MM, MARKER_MM, STICKER_MM
from vision.tags.codebook import BOOK
from vision.tags.reader import read_tags

LEAST_PX_MODULE, GOOD_PX_MODULE = 1.5, 2.0
"""Pixels per module of a sticker below which reading is not reliable, and from which it is."""
SHARP_BLUR_MODULES, USELESS_BLUR_MODULES = 0.25, 1.5
"""Blur in modules up to which a picture is sharp enough, and from which nothing is read."""
MARKER_RIM_FACTOR = 1.02
"""The span of all four markers grows by this for the white paper around them, which has to be in the picture too."""
STILL_LIGHT_SHARE = 0.03
"""A picture whose brightness changes by more than this share between two frames is not at rest."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraCheck:
    """``missing`` are markers not seen (TL TR BR BL), ``focus`` is 0 to 1, ``area`` is in mm between the markers.

    ``px_module`` is that of a sticker in the worst corner; None without a calibration. ``nearer_cm`` and ``larger_mm``
    are how far the camera must come down and how large a sticker must be for a good picture: either is enough; 0 if the
    picture is good, None where the measure does not help.
    """

    missing: tuple[str, ...]
    focus: float
    px_module: float | None = None
    area: tuple[int, int] | None = None
    notes: tuple[Note, ...] = ()
    twice: tuple[str, ...] = ()
    swapped: tuple[str, ...] = ()
    """Two markers that must be exchanged."""
    askew: bool = False
    """All four markers are seen, but cannot be the corners of one table."""
    nearer_cm: int | None = None
    larger_mm: int | None = None
    tilt: float | None = None
    """Degrees between the direction of the camera and straight down."""
    tags: tuple[str, ...] = ()
    """Pieces on the table now, or when the picture was last still."""
    tiles: tuple[tuple[float, float], ...] = ()
    """Middles in mm of tiles of SIX on the table, as far as an earlier picture of the empty table tells."""
    still: bool = False
    """Nothing has changed since the frame before."""
    small: Grey = field(default_factory=lambda: np.zeros((1, 1), np.uint8), repr=False)


def check_camera(
    grey: Grey,
    small: Grey | None = None,
    before: CameraCheck | None = None,
    *,
    sticker_mm: float = STICKER_MM,
    marker_mm: float = MARKER_MM,
) -> CameraCheck:
    """Check the camera by the markers in a frame; ``small`` is its low-resolution stream, ``before`` the last check."""
    small = shrink_frame(grey) if small is None else small
    shape = (grey.shape[0], grey.shape[1])
    markers = find_markers(grey)
    calibration, notes = start_calibration(markers, shape, marker_mm=marker_mm, sticker_mm=sticker_mm)
    still = before is not None and is_same_picture(small, before.small, shape)
    tags = () if before is None else before.tags
    if still and calibration is not None and not _was_at_rest(before):
        tags = _find_pieces(grey, calibration, sticker_mm)
    seen = {marker.corner for marker in markers}
    whole = not find_duplicates(markers) and len(seen) == len(CORNERS)
    px_module = None if calibration is None else calibration.px_module(sticker_mm)[0]
    return CameraCheck(
        missing=tuple(name for name in CORNERS if name not in seen),
        focus=min((_measure_focus(marker, sticker_mm / marker_mm) for marker in markers), default=0.0),
        px_module=px_module,
        area=None if calibration is None else (round(calibration.area.right), round(calibration.area.bottom)),
        notes=(*notes, *note_brightness(small, 0.0 if calibration is None else measure_paper(grey, calibration))),
        twice=find_duplicates(markers),
        swapped=find_swap(markers) if whole else (),
        askew=whole and not is_clockwise(markers),
        nearer_cm=None if calibration is None else _find_nearer(calibration, markers, shape, sticker_mm),
        larger_mm=None if px_module is None else _find_larger(px_module, sticker_mm),
        tilt=None if calibration is None else _measure_tilt(calibration),
        tags=tags,
        tiles=() if before is None else before.tiles,
        still=still,
        small=small,
    )


def has_come_to_rest(check: CameraCheck, before: CameraCheck | None) -> bool:
    """Is this the first check of a picture at rest? Then pieces that were left on the table are looked for."""
    return check.still and check.area is not None and not _was_at_rest(before)


def _was_at_rest(before: CameraCheck | None) -> bool:
    return before is not None and before.still and before.area is not None


def rate_focus(blur: float, px_module: float) -> float:
    """The focus, 0 to 1, of a picture whose edges are blurred by ``blur`` px (a standard deviation)."""
    return float(
        np.clip((USELESS_BLUR_MODULES - blur / px_module) / (USELESS_BLUR_MODULES - SHARP_BLUR_MODULES), 0.0, 1.0)
    )


def _measure_focus(marker: Marker, sticker: float) -> float:
    """The focus at a marker: its size gives that of a module of a sticker ``sticker`` times as large as the marker."""
    side = cv2.contourArea(np.asarray(marker.quad, np.float32)) ** 0.5
    return rate_focus(marker.blur, max(side, 1.0) * sticker / 25)


def is_same_picture(small: Grey, before: Grey, shape: tuple[int, int]) -> bool:
    """Do two shrunken pictures, of full size ``shape`` (height, width), show the same in the same light?"""
    if small.shape != before.shape or find_changes(small, before, shape):
        return False
    return abs((cv2.mean(small)[0] + 1) / (cv2.mean(before)[0] + 1) - 1) < STILL_LIGHT_SHARE


def _find_nearer(
    calibration: TableCalibration, markers: tuple[Marker, ...], shape: tuple[int, int], sticker_mm: float
) -> int | None:
    """Centimetres by which the camera must come down; None if the markers would no longer fit into the picture."""
    times = GOOD_PX_MODULE / calibration.px_module(sticker_mm)[0]
    if times <= 1:
        return 0
    span = np.ptp(np.array([marker.quad for marker in markers]).reshape(-1, 2), axis=0) * MARKER_RIM_FACTOR
    if times > min(shape[1] / span[0], shape[0] / span[1]):
        return None
    return ceil(float(calibration.eye[2]) * (1 - 1 / times) / 10)


def _find_larger(px_module: float, sticker_mm: float) -> int | None:
    if px_module >= GOOD_PX_MODULE:
        return 0
    wanted = ceil(sticker_mm * GOOD_PX_MODULE / px_module)
    return wanted if wanted <= LARGEST_STICKER_MM else None


def _measure_tilt(calibration: TableCalibration) -> float:
    x, y, z = calibration.eye.tolist()
    ahead = calibration.to_mm(np.array([calibration.middle]))[0]
    return degrees(float(np.arctan2(hypot(ahead[0] - x, ahead[1] - y), z)))


def _find_pieces(grey: Grey, calibration: TableCalibration, sticker_mm: float) -> tuple[str, ...]:
    """Pieces that were left on the table."""
    corners = calibration.to_px(np.array(calibration.corners))
    left, top = np.maximum(np.floor(corners.min(0)), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(corners.max(0)), (grey.shape[1], grey.shape[0])).astype(int).tolist()
    least, most = calibration.px_module(sticker_mm)
    found = read_tags(grey, boxes=[(left, top, right, bottom)], px_module=(least * 0.93, most * 1.07))
    return tuple(sorted({BOOK[tag.payload].piece for tag in found}))
