"""Every sticker Oxeye has ever printed: what its code says, how it looks and where it sits on its card."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from vision.tags.check_characters import CHECKS

SPECIALS: Mapping[str, str] = MappingProxyType(
    {
        "fifth": "FI",
        "seven": "SE",
        "insert": "IN",
        "block": "BL",
        "replace": "RE",
        "move": "MO",
        "negpos": "NP",
    }
)
"""Kind of special -> its two letters in a payload."""

COPIES = 4
TILES = 21
MODULES, QUIET = 21, 2
MASK = 3
"""One mask for all: two codes then differ by their text alone, wherever they lie."""

EDGE = 3.0
"""From the sticker to the card's left and bottom edge, in mm."""

CARD: Mapping[str, tuple[float, float]] = MappingProxyType({"nimmt": (57.0, 87.0), "thegame": (62.0, 92.0)})
"""Width and height of an upright card in mm."""

MARKERS: Mapping[str, int] = MappingProxyType({"TL": 0, "TR": 1, "BR": 2, "BL": 3})
"""Corner of the area -> id in OpenCV's DICT_4X4_50."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its text, the game it belongs to and the engine's name of the piece that carries it."""

    payload: str
    game: str
    piece: str


def edition(version: int) -> tuple[Code, ...]:
    """The codes of one version. A payload reads version, game, piece, check, as in ``1N044P8GPX``."""
    names = [(f"N{n:03}", "nimmt", str(n)) for n in range(1, 105)]
    names += [
        (f"N{letters}{copy}", "nimmt", f"{kind}.{copy}")
        for kind, letters in SPECIALS.items()
        for copy in range(1, COPIES + 1)
    ]
    names += [(f"T{n:03}", "thegame", str(n)) for n in range(2, 100)]
    names += [("TUP1", "thegame", "1"), ("TUP2", "thegame", "1")]
    names += [("TDN1", "thegame", "100"), ("TDN2", "thegame", "100")]
    names += [
        (f"S{colour[0].upper()}{n:02}", "six", colour) for colour in ("red", "black") for n in range(1, TILES + 1)
    ]
    names += [("BACK", "any", "back")]
    checks = CHECKS[version].split()
    return tuple(
        Code(f"{version}{name}{check}", game, piece) for (name, game, piece), check in zip(names, checks, strict=True)
    )


_EDITIONS = {version: edition(version) for version in CHECKS}

CODES: tuple[Code, ...] = _EDITIONS[max(_EDITIONS)]
"""What is printed today."""

BOOK: Mapping[str, Code] = MappingProxyType({code.payload: code for codes in _EDITIONS.values() for code in codes})
"""What is read: payload -> code, for every version ever printed."""


@cache
def pattern(payload: str) -> NDArray[np.bool_]:
    """The 21 x 21 modules as printed, dark ones true, without the quiet zone; not to be written to."""
    dark = draw(payload)
    dark.setflags(write=False)
    return dark


def draw(payload: str) -> NDArray[np.bool_]:
    """The same for a payload that is not, or not yet, in the book."""
    code = segno.make(payload, version=1, error="h", mode="alphanumeric", mask=MASK, boost_error=False, micro=False)
    return np.array([list(row) for row in code.matrix], dtype=np.bool_)


def data_modules() -> NDArray[np.bool_]:
    """The 208 modules that differ from code to code; the others look the same on every sticker."""
    data = np.ones((MODULES, MODULES), dtype=np.bool_)
    data[:9, :9] = data[:9, 13:] = data[13:, :9] = False
    data[6, :] = data[:, 6] = False
    return data


def marker(corner: str) -> NDArray[np.bool_]:
    """The 6 x 6 modules of a corner's marker, dark ones true, its black border included."""
    drawn = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50).generateImageMarker(MARKERS[corner], 6)
    return np.array(drawn == 0, dtype=np.bool_)


def card_centre_from_sticker(game: str, sticker_mm: float) -> tuple[float, float]:
    """From the tag's centre to the card's, in the upright card's own mm: x right, y down."""
    if game not in CARD:  # a tile or a card's back carries its tag in the middle
        return 0.0, 0.0
    width, height = CARD[game]
    inset = EDGE + sticker_mm / 2
    return width / 2 - inset, inset - height / 2
