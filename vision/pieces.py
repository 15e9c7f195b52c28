"""What perception must know of each game's pieces: their size, the names on their stickers, how they are found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

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
"""Kind of special card -> its two letters in a payload."""
SPECIAL_COPIES = 4
"""Copies of each special card."""
TILES_PER_COLOUR = 21
"""Tiles of each colour."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one game. ``size``: width and height of one upright piece in mm.

    ``names`` are pairs: the four characters that stand for a piece in its code, and the engine's name of the piece.
    ``checks`` are the five check characters of each name, by version of the codes; empty for the games whose check
    characters are in ``vision.tags.check_characters``.

    A ``card`` has its sticker at the bottom left of its face, a ``tile`` and a ``back`` in the middle. Tiles are found
    by their colour as well, so that their pictures are needed in colour. ``stacked``: cards lie on piles, and what
    sticks out below the top card hides nothing.
    """

    game: str
    size: tuple[float, float]
    names: tuple[tuple[str, str], ...]
    checks: Mapping[int, str] = field(default_factory=dict)
    kind: Literal["card", "tile", "back"] = "card"
    stacked: bool = False


NIMMT = Pieces(
    "nimmt",
    (57.0, 87.0),
    (
        *((f"N{n:03}", str(n)) for n in range(1, 105)),
        *(
            (f"N{letters}{n}", f"{kind}.{n}")
            for kind, letters in SPECIALS.items()
            for n in range(1, SPECIAL_COPIES + 1)
        ),
    ),
)
THE_GAME = Pieces(
    "thegame",
    (62.0, 92.0),
    (
        *((f"T{n:03}", str(n)) for n in range(2, 100)),
        ("TUP1", "1"),
        ("TUP2", "1"),
        ("TDN1", "100"),
        ("TDN2", "100"),
    ),
    stacked=True,
)
SIX = Pieces(
    "six",
    (44.0, 44.0),
    tuple(
        (f"S{colour[0].upper()}{n:02}", colour) for colour in ("red", "black") for n in range(1, TILES_PER_COLOUR + 1)
    ),
    kind="tile",
)
BACK = Pieces("any", THE_GAME.size, (("BACK", "back"),), kind="back")
"""The tag on the back of a card, the same in every game: the card may be as large as the largest."""

PIECES: dict[str, Pieces] = {pieces.game: pieces for pieces in (NIMMT, THE_GAME, SIX, BACK)}
"""By name of the game. ``vision.tags.codebook.register_pieces`` adds the pieces of another game."""


def has_tiles(game: str | None) -> bool:
    """Are the pieces of this game tiles, so that colour pictures are needed to find them?"""
    return game in PIECES and PIECES[game].kind == "tile"
