"""Notes about a picture for a person: too dark, burnt out, or in another light than the empty table."""

from dataclasses import dataclass

import numpy as np

from vision.frame import Grey

DARK_LEVEL, BURNT_LEVEL = 45, 250
FEW_SHARE = 0.02
"""A picture is dark if fewer pixels than this share reach the first grey level, burnt out if so few are not above the
second."""
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


def note_light(gain: float, burnt: float = 0.0) -> list[Note]:
    """``gain`` is the brightness of the table relative to the empty table, ``burnt`` the share that is burnt out."""
    if burnt > DROWNED_SHARE:
        return [Note("light", "much of the table is burnt out: less light, or a shorter exposure")]
    if DIMMER_FACTOR < gain < BRIGHTER_FACTOR:
        return []
    return [Note("light", f"the light is {gain:.1f} times that of the empty table: take its picture again")]


def note_brightness(small: Grey) -> list[Note]:
    """What the brightness of a shrunken picture tells by itself."""
    some = small[::4, ::4]
    if np.count_nonzero(some >= DARK_LEVEL) < FEW_SHARE * some.size:
        return [Note("dark", "the picture is too dark to read: more light, or a longer exposure")]
    if np.count_nonzero(some <= BURNT_LEVEL) < FEW_SHARE * some.size:
        return [Note("bright", "the picture is burnt out: less light, or a shorter exposure")]
    return []
