"""Notes about a picture for a person: too dark, burnt out, or in another light than the empty table."""

from dataclasses import dataclass

import numpy as np

from vision.calibration.table_calibration import TableCalibration
from vision.frame import Grey
from vision.tags.placement import outline_paper

DARK_LEVEL, BURNT_LEVEL = 45, 250
FEW_SHARE = 0.02
"""A picture is dark if fewer pixels than this share reach the first grey level, burnt out if so few are not above the
second."""
PAPER_LEVEL = 90.0
"""White paper of this level can be read, however dark the table is: it is twice as light as ``DARK_LEVEL``."""
SHADED_TIMES = 2.0
"""One marker may be in the shadow of a person, by no more than this: its paper still reaches ``DARK_LEVEL``."""
PAPER_PERCENTILE = 90
"""More than a tenth of a marker and its rim is paper."""
DIMMER_FACTOR, BRIGHTER_FACTOR = 0.6, 1.6
"""Beyond these changes of brightness the picture of the empty table is of little use."""
DROWNED_SHARE = 0.3
"""More of the table burnt out than this is not the reflection of a lamp."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note about a picture: a stable code, and a text for people."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


def measure_paper(grey: Grey, calibration: TableCalibration) -> float:
    """The level of the paper that the markers are printed on, in the darkest of them but one that is in a shadow."""
    levels = []
    for quad in calibration.markers.values():
        px = calibration.to_px(np.array(outline_paper(quad)))
        (left, top), (right, bottom) = np.maximum(px.min(0), 0).astype(int), np.maximum(px.max(0), 0).astype(int) + 1
        part = grey[top:bottom, left:right]
        levels.append(float(np.percentile(part, PAPER_PERCENTILE)) if part.size else 0.0)
    darkest = sorted(levels)[:2]
    return min(SHADED_TIMES * darkest[0], darkest[-1]) if darkest else 0.0


def note_light(gain: float, burnt: float = 0.0) -> list[Note]:
    """``gain`` is the brightness of the table relative to the empty table, ``burnt`` the share that is burnt out."""
    if burnt > DROWNED_SHARE:
        return [Note("light", "much of the table is burnt out: less light, or a shorter exposure")]
    if DIMMER_FACTOR < gain < BRIGHTER_FACTOR:
        return []
    return [Note("light", f"the light is {gain:.1f} times that of the empty table: take its picture again")]


def note_brightness(small: Grey, paper: float = 0.0) -> list[Note]:
    """What the brightness of a shrunken picture tells by itself. ``paper`` is the level of the paper of the markers, if
    they are seen: a black cloth makes a picture dark that has light enough.
    """
    some = small[::4, ::4]
    if np.count_nonzero(some >= DARK_LEVEL) < FEW_SHARE * some.size and paper < PAPER_LEVEL:
        return [Note("dark", "the picture is too dark to read: more light, or a longer exposure")]
    if np.count_nonzero(some <= BURNT_LEVEL) < FEW_SHARE * some.size:
        return [Note("bright", "the picture is burnt out: less light, or a shorter exposure")]
    return []
