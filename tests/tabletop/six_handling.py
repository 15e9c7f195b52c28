"""What hands do with the tiles of SIX besides playing: nothing else is recorded, and afterwards all agrees."""

import math
from collections.abc import Callable

from engine.referee import Follows, Refused
from tests.tabletop.docket import ACCUSATION, WRONG_RECORD
from tests.tabletop.six_rules import COLOURS, WAYS, find_shape, other
from tests.tabletop.six_session import TileSession


def handle_tiles(session: TileSession) -> None:
    """One of these, on a table that agrees with the record."""
    session.docket.count("handled")
    session.rng.choice(HANDLINGS)(session)
    session.settle()


def push_by_a_cell(session: TileSession) -> None:
    """The whole board comes to lie on the places beside its own."""
    frame = session.table.frame
    x, y = frame.spot(session.rng.choice(WAYS))
    session.table.push(x - frame.x, y - frame.y, session.rng.choice((0.0, session.rng.gauss(0, 3))))


def put_reserve_near(session: TileSession) -> None:
    """A tile of the reserve drifts to five places from the board, and is taken away."""
    frame, cells = session.table.frame, session.match.tiles
    spots = [frame.spot(cell) for cell in cells]
    x, y = max(spot[0] for spot in spots) + 5.2 * frame.pitch, session.rng.choice(spots)[1]
    tile = session.table.put_at(session.rng.choice(COLOURS), x, y)
    _require_no_move(session, "a tile lies five places from the board", accused=False)
    session.table.tiles.remove(tile)


def stack_tile(session: TileSession) -> None:
    """A tile of the board lies on another one for a moment: the camera sees the upper one alone."""
    match, rng = session.match, session.rng
    upper, lower = (session.table.find(rng.choice(sorted(match.own(colour)))) for colour in rng.sample(COLOURS, 2))
    if upper is None or lower is None:
        return
    x, y, upper.x, upper.y = upper.x, upper.y, lower.x, lower.y
    session.table.tiles.remove(lower)
    _require_no_move(session, "a tile lies on another one", accused=True)
    session.table.tiles.append(lower)
    upper.x, upper.y = x, y


def hold_two_tiles(session: TileSession) -> None:
    """Two tiles are in the hands, to be straightened."""
    tiles = session.rng.sample(session.table.tiles, 2)
    for tile in tiles:
        session.table.tiles.remove(tile)
    _require_no_move(session, "two tiles are in the hands", accused=False)
    session.table.tiles += tiles


def rest_arm_for_turns(session: TileSession) -> None:
    """An arm rests over part of the board while both players lay on."""
    match, rng, table = session.match, session.rng, session.table
    if match.phase == 2:
        return
    table.reach_over(*table.frame.spot(rng.choice(sorted(match.tiles))))
    for _ in range(rng.randint(2, 4)):
        cells = [c for c in sorted(match.free_cells(match.tiles)) if not find_shape(match.own(match.turn) | {c}, c)]
        if not cells or match.phase == 2 or len(match.tiles) < 4:
            break
        colour, cell = match.turn, rng.choice(cells)
        match.lay(colour, cell)
        table.put(colour, cell)
        session.said.append(f"lay {colour} {cell[0]} {cell[1]}")
        seen, verdict = session.judge()
        if isinstance(verdict, Refused):
            session.docket.fail(ACCUSATION, session.log.moves, seen, verdict, f"all was legal: {session.words()}")
        elif isinstance(verdict, Follows):
            session.log = session.log.add(*verdict.moves)


def lay_colour_on_hand(session: TileSession) -> None:
    """A tile of the player who is not next is put down beside the board, far off any place, and picked up again."""
    frame = session.table.frame
    lowest = max(session.match.tiles, key=lambda cell: frame.spot(cell)[1])
    x, y = frame.spot(lowest)
    tile = session.table.put_at(other(session.match.turn), x, y + 1.45 * frame.pitch * math.sqrt(3) / 2)
    _require_no_move(session, "a tile of the other player lies beside the board", accused=True)
    session.table.tiles.remove(tile)


HANDLINGS: tuple[Callable[[TileSession], None], ...] = (
    push_by_a_cell,
    put_reserve_near,
    stack_tile,
    hold_two_tiles,
    rest_arm_for_turns,
    lay_colour_on_hand,
)


def _require_no_move(session: TileSession, what: str, *, accused: bool) -> None:
    """A look in between: nothing is recorded, and what is no fault is not refused."""
    table, verdict = session.judge()
    if any(not str(move).startswith("slide") for move in getattr(verdict, "moves", ())):
        session.docket.fail(WRONG_RECORD, session.log.moves, table, verdict, f"{what}: nothing was laid")
    elif isinstance(verdict, Refused) and not accused:
        session.docket.fail(ACCUSATION, session.log.moves, table, verdict, f"{what}: that is legal")
