"""Every sticker Oxeye has ever printed: the text of its code, its pattern and its place on the card."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TypeVar

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from vision.pieces import PIECES, Pieces
from vision.tags.check_characters import CHECKS

T = TypeVar("T")

CODE_MODULES, QUIET_MODULES = 21, 2
CODE_MASK = 3
"""One mask for all: two codes then differ by their text alone."""

EDGE_MM = 3.0
"""From the sticker to the card's left and bottom edge, in mm."""

MARKERS: Mapping[str, int] = MappingProxyType({"TL": 0, "TR": 1, "BR": 2, "BL": 3})
"""Corner of the area -> id in OpenCV's DICT_4X4_50."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its text, the game it belongs to and the engine's name of the piece that carries it."""

    payload: str
    game: str
    piece: str


def list_codes(pieces: Iterable[Pieces], version: int, checks: str) -> tuple[Code, ...]:
    """The codes of these pieces. A payload reads version, name, check characters, as in ``1N044P8GPX``."""
    names = [(name, some.game, piece) for some in pieces for name, piece in some.names]
    return tuple(
        Code(f"{version}{name}{check}", game, piece)
        for (name, game, piece), check in zip(names, checks.split(), strict=True)
    )


def list_edition(version: int) -> tuple[Code, ...]:
    """The codes of one version, of all pieces that the project itself has."""
    return list_codes(_OWN, version, CHECKS[version])


_OWN = tuple(PIECES.values())
_EDITIONS = {version: list_edition(version) for version in CHECKS}
_BOOK = {code.payload: code for codes in _EDITIONS.values() for code in codes}
_DERIVED: list[Callable[[], None]] = []

CODES: tuple[Code, ...] = _EDITIONS[max(_EDITIONS)]
"""What is printed today for the games of the project itself."""

BOOK: Mapping[str, Code] = MappingProxyType(_BOOK)
"""What is read: payload -> code, for every version ever printed and every registered game."""


def list_printed() -> tuple[Code, ...]:
    """What is printed today, registered games included."""
    registered = (pieces for pieces in PIECES.values() if pieces.checks)
    return (*CODES, *(code for pieces in registered for code in _editions(pieces)[max(pieces.checks)]))


def _editions(pieces: Pieces) -> dict[int, tuple[Code, ...]]:
    return {version: list_codes([pieces], version, checks) for version, checks in pieces.checks.items()}


def register_pieces(pieces: Pieces) -> None:
    """Add the pieces of a game, before the first picture is read; ``ValueError`` if one of its codes exists already."""
    fresh = [code for codes in _editions(pieces).values() for code in codes]
    taken = [code.payload for code in fresh if code.payload in _BOOK]
    if taken or pieces.game in PIECES:
        raise ValueError(f"{pieces.game}: registered already, or a code of it: {' '.join(taken)}")
    PIECES[pieces.game] = pieces
    _BOOK.update((code.payload, code) for code in fresh)
    _forget()


def unregister_pieces(game: str) -> None:
    """Remove a game that ``register_pieces`` has added."""
    pieces = PIECES.pop(game)
    for codes in _editions(pieces).values():
        for code in codes:
            del _BOOK[code.payload]
    _forget()


def cache_by_book(function: Callable[[], T]) -> Callable[[], T]:
    """Cache what is derived from the whole book, until the book changes."""
    cached = cache(function)
    _DERIVED.append(cached.cache_clear)
    return cached


def _forget() -> None:
    for clear in _DERIVED:
        clear()


@cache
def draw_pattern(payload: str) -> NDArray[np.bool_]:
    """The 21 x 21 modules as printed, dark ones true, without the quiet zone; read-only."""
    dark = draw_code(payload)
    dark.setflags(write=False)
    return dark


def draw_code(payload: str) -> NDArray[np.bool_]:
    """The pattern of a payload that is not, or not yet, in the book."""
    code = segno.make(
        payload, version=1, error="h", mode="alphanumeric", mask=CODE_MASK, boost_error=False, micro=False
    )
    return np.array([list(row) for row in code.matrix], dtype=np.bool_)


def find_data_modules() -> NDArray[np.bool_]:
    """The 208 modules that differ from code to code; the others look the same on every sticker."""
    data = np.ones((CODE_MODULES, CODE_MODULES), dtype=np.bool_)
    data[:9, :9] = data[:9, 13:] = data[13:, :9] = False
    data[6, :] = data[:, 6] = False
    return data


def draw_marker_modules(corner: str) -> NDArray[np.bool_]:
    """The 6 x 6 modules of a corner's marker, dark ones true, its black border included."""
    drawn = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50).generateImageMarker(MARKERS[corner], 6)
    return np.array(drawn == 0, dtype=np.bool_)


def offset_to_card_centre(game: str, sticker_mm: float) -> tuple[float, float]:
    """From the tag's centre to the card's, in the upright card's own mm: x right, y down."""
    pieces = PIECES.get(game)
    if pieces is None or pieces.kind != "card":  # a tile or a card's back carries its tag in the middle
        return 0.0, 0.0
    width, height = pieces.size
    inset = EDGE_MM + sticker_mm / 2
    return width / 2 - inset, inset - height / 2
