"""What a person should know about a picture before anything else: that it is dark, burnt out, or lit otherwise."""

from dataclasses import dataclass

import numpy as np

from vision.frame import Grey

DARK_LEVEL, BURNT_LEVEL = 45, 250
# so many times brighter or darker the picture of the empty table is of little use
DIMMER_FACTOR, BRIGHTER_FACTOR = 0.6, 1.6
# so much of the table burnt out is no lamp's reflection
DROWNED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know about a picture: a stable code, and what to say."""

    why: str
    text: str

    def __str__(self) -> str:
        return self.text


def note_light(gain: float, drowned: float = 0.0) -> list[Note]:
    """``gain`` is how many times as bright as when empty the table is, ``drowned`` how much of it is burnt out."""
    if drowned > DROWNED_SHARE:
        return [Note("light", "much of the table is burnt out: less light, or a shorter exposure")]
    if DIMMER_FACTOR < gain < BRIGHTER_FACTOR:
        return []
    return [Note("light", f"the light is {gain:.1f} times that of the empty table: take its picture again")]


def note_brightness(small: Grey) -> list[Note]:
    some = small[::4, ::4]
    bright = float(np.percentile(some, 98))
    if bright < DARK_LEVEL:
        return [Note("dark", "the picture is too dark to read: more light, or a longer exposure")]
    if float(np.percentile(some, 2)) > BURNT_LEVEL:
        return [Note("bright", "the picture is burnt out: less light, or a shorter exposure")]
    return []
