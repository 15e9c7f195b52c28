"""The table as the record has it, as values that a screen draws: public facts only."""

import msgspec


class CardState(msgspec.Struct, frozen=True):
    """``litter``: the rules have removed the card, and it is still on the table."""

    piece: str
    heads: int
    litter: bool = False


class RowState(msgspec.Struct, frozen=True):
    row: int
    cards: list[CardState]
    marks: list[str]
    heads: int


class SeatState(msgspec.Struct, frozen=True):
    """``card`` is a number, or ``back`` for a card that was chosen and is not revealed."""

    player: int
    seat: int
    card: str | None
    special: str | None


class DueState(msgspec.Struct, frozen=True):
    """The next act: this card goes to one of these rows, which is taken first if ``take``."""

    player: int | None
    card: str
    rows: list[int]
    take: bool


class PileState(msgspec.Struct, frozen=True):
    """The cards that a player has taken, when they are public."""

    player: int
    cards: list[CardState]


class RowsState(msgspec.Struct, frozen=True, tag="rows", tag_field="kind"):
    """6 nimmt!: ``phase`` is draft, deal, choose, lay, half, over (a round) or end (the match)."""

    round: int
    phase: str
    rows: list[RowState]
    seats: list[SeatState]
    spread: list[CardState]
    piles: list[PileState]
    due: DueState | None


class StackState(msgspec.Struct, frozen=True):
    """``name`` is up:1, up:2, down:1 or down:2; ``fresh`` is how many cards came in this turn."""

    name: str
    top: str
    count: int
    fresh: int


class HandState(msgspec.Struct, frozen=True):
    player: int
    count: int


class PilesState(msgspec.Struct, frozen=True, tag="piles", tag_field="kind"):
    """The Game: ``need`` is how many more cards this turn requires."""

    piles: list[StackState]
    deck: int
    hands: list[HandState]
    need: int


class TileState(msgspec.Struct, frozen=True):
    q: int
    r: int
    colour: str
    litter: bool = False


class TilesState(msgspec.Struct, frozen=True, tag="tiles", tag_field="kind"):
    """SIX in axial coordinates: neighbours are (±1,0), (0,±1), (1,-1) and (-1,1); ``left`` is the stock."""

    tiles: list[TileState]
    turn: str | None
    left: dict[str, int]


class ZoneState(msgspec.Struct, frozen=True):
    """The pieces of one zone in their order; ``zone`` is its name in the plan of the game."""

    zone: str
    pieces: list[str]


class ZonesState(msgspec.Struct, frozen=True, tag="zones", tag_field="kind"):
    """Any other game: every zone with a piece, in the order of the plan."""

    zones: list[ZoneState]


TableState = RowsState | PilesState | TilesState | ZonesState
