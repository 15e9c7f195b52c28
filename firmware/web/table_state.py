"""What lies on the table as the referee believes it, for a screen to draw: public facts alone."""

from typing import Any

import msgspec

from engine.games.nimmt.cards import HEADS, heads, is_number, kind_of
from engine.games.nimmt.state import ROWS
from engine.games.nimmt.state import State as Nimmt
from engine.games.six.board import COLOURS
from engine.games.six.state import State as Six
from engine.games.the_game.state import PILES
from engine.games.the_game.state import State as TheGame
from engine.log import Log
from engine.table import BACK


class CardState(msgspec.Struct, frozen=True):
    """``litter`` was removed by the rules and is still to be taken away by somebody's hand."""

    piece: str
    heads: int
    litter: bool = False


class RowState(msgspec.Struct, frozen=True):
    row: int
    cards: list[CardState]
    marks: list[str]
    heads: int


class SeatState(msgspec.Struct, frozen=True):
    """``card`` is a number, or ``back`` for one that was chosen and not yet shown."""

    player: int
    seat: int
    card: str | None
    special: str | None


class DueState(msgspec.Struct, frozen=True):
    """What the rules want next: this card in one of these rows, which is taken first if ``take``."""

    player: int | None
    card: str
    rows: list[int]
    take: bool


class PileState(msgspec.Struct, frozen=True):
    """What a player has taken, once it is public."""

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
    """``name`` is up:1, up:2, down:1 or down:2; ``fresh`` of its cards were laid in this turn."""

    name: str
    top: str
    count: int
    fresh: int


class HandState(msgspec.Struct, frozen=True):
    player: int
    count: int


class PilesState(msgspec.Struct, frozen=True, tag="piles", tag_field="kind"):
    """The Game: ``need`` is how many cards this turn still asks for."""

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
    """SIX in axial coordinates: neighbours are (±1,0), (0,±1), (1,-1) and (-1,1); ``left`` is not yet laid."""

    tiles: list[TileState]
    turn: str | None
    left: dict[str, int]


def table_state(log: Log[Any, Any]) -> RowsState | PilesState | TilesState | None:
    match log.state:
        case Nimmt() as state:
            return _rows(state, log.game.layout(state).zones)
        case TheGame() as state:
            return _piles(state)
        case Six() as state:
            return _tiles(state)
        case _:
            return None


def _rows(state: Nimmt, zones: Any) -> RowsState:
    done = state.phase in ("over", "end")
    rows = [r for r in ROWS if r < 5 or state.five_rows() or zones.get(f"row:{r}")]
    return RowsState(
        state.round,
        state.phase,
        [_row(state, r, zones) for r in rows],
        [_seat(state, player, zones) for player in state.players()] if state.rules.seats == "on" else [],
        [_card(number) for number in state.spread],
        [PileState(player, [_card(c) for c in pile]) for player, pile in enumerate(state.piles, 1) if pile and done],
        _due(state),
    )


def _row(state: Nimmt, number: int, zones: Any) -> RowState:
    cards = state.row(number)
    lie = [int(piece) for piece in zones.get(f"row:{number}", ()) if is_number(piece)]
    marks = {*state.marks[number - 1], *filter(None, map(kind_of, zones.get(f"mark:{number}", ())))}
    return RowState(number, [_card(c, litter=c not in cards) for c in lie], sorted(marks), heads(cards))


def _seat(state: Nimmt, player: int, zones: Any) -> SeatState:
    spot = state.seats[player - 1]
    shown = state.shown[player - 1]
    card = str(shown) if shown else BACK if player in state.chosen else None
    special = next(iter(zones.get(f"special:{spot}", ())), None)
    return SeatState(player, spot, card, kind_of(special) if special else None)


def _due(state: Nimmt) -> DueState | None:
    due = state.expected()
    if due is None:
        return None
    return DueState(due.player or None, str(due.card), [due.row] if due.row else list(due.choices), due.take)


def _card(number: int, *, litter: bool = False) -> CardState:
    return CardState(str(number), HEADS[number], litter)


def _piles(state: TheGame) -> PilesState:
    stacks = zip(PILES, range(4), state.piles, state.fresh, strict=True)
    return PilesState(
        [StackState(name, str(state.top(n)), len(pile), fresh) for name, n, pile, fresh in stacks],
        state.deck,
        [HandState(player, state.hands[player - 1]) for player in state.playing],
        0 if state.over else state.need,
    )


def _tiles(state: Six) -> TilesState:
    tiles = [TileState(q, r, colour, litter=False) for (q, r), colour in sorted(state.tiles)]
    tiles += [TileState(q, r, colour, litter=True) for (q, r), colour in sorted(state.litter - state.tiles)]
    game = state.game
    left = dict(zip(COLOURS, game.hands, strict=True)) if game else {}
    return TilesState(tiles, game.turn if game and game.end is None else None, left)
