"""What the table page draws, as JSON: pieces in millimetres, the person's hand, light, time and the small screen."""

import msgspec


class DrawnPiece(msgspec.Struct, frozen=True):
    """One physical piece on the table; ``over`` is greater than that of any piece below.

    ``label`` is its name in the reader's language, ``picture`` that of its picture.
    """

    name: str
    label: str
    picture: str
    x: float
    y: float
    angle: float
    face_down: bool
    over: int


class HeldPiece(msgspec.Struct, frozen=True):
    """A piece in the hand of the person."""

    name: str
    label: str
    picture: str


class NamedZone(msgspec.Struct, frozen=True):
    """A place that players must know to lay their pieces, with its name in the reader's language."""

    zone: str
    label: str
    left: float
    top: float
    right: float
    bottom: float


class TableMessage(msgspec.Struct, frozen=True):
    """The table and what the person can change about it.

    ``to_picture`` are the nine numbers, row by row, that map millimetres to the picture, whose sides are 1; ``ratio``
    is its width by its height. ``size`` is that of a piece, ``pitch`` the distance of two tiles side by side, in mm.
    ``you`` says which player the person is, ``screen`` is the small screen as a ``data`` address.
    """

    version: int
    game: str
    tiles: bool
    area: tuple[float, float]
    to_picture: tuple[float, ...]
    ratio: float
    size: tuple[float, float]
    pitch: float
    zones: list[NamedZone]
    pieces: list[DrawnPiece]
    hand: list[HeldPiece]
    you: str
    taken: int
    mug: tuple[float, float] | None
    arm: tuple[float, float] | None
    lamp: str
    pace: str
    mistakes: str
    deck: int
    scenario: str
    advice: str
    screen: str
