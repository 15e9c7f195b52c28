"""Where a piece of the game is: in a hand, in a pile that was won, in a stock, or on the table."""

from dataclasses import dataclass

from firmware.simulation.table.shapes import Spot


@dataclass(frozen=True, slots=True)
class InHand:
    """In the hand of a player, or before that player where the camera does not look, as the tiles of SIX are."""

    player: int


@dataclass(frozen=True, slots=True)
class InPile:
    """In the pile of cards that a player has won."""

    player: int


@dataclass(frozen=True, slots=True)
class InStock:
    """Beside the table, in the stock of this name; the last piece of a stock is its top."""

    name: str


@dataclass(frozen=True, slots=True)
class OnTable:
    """On the table: the centre in mm, degrees clockwise. ``over`` is greater than that of any piece below."""

    x: float
    y: float
    angle: float
    over: int
    face_down: bool = False

    @property
    def spot(self) -> Spot:
        return self.x, self.y


Place = InHand | InPile | InStock | OnTable


@dataclass(frozen=True, slots=True)
class PhysicalPiece:
    """One piece. ``id`` is unique at the table, ``name`` is what its sticker or colour says: ``red 7`` is a ``red``."""

    id: str
    name: str
    place: Place
