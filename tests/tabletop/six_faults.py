"""What people do wrong with the tiles of SIX, each with the fewest tiles that put it right again."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.tabletop.six_rules import BLACK, RED, Cell, around, other
from tests.tabletop.six_session import TileSession
from tests.tabletop.six_table import Tile


@dataclass(slots=True)
class TileFault:
    """``moves`` tiles put it right, as ``restore`` does."""

    kind: str
    moves: int
    restore: Callable[[], object]


def plant(session: TileSession) -> TileFault | None:
    """Do something wrong, or nothing where this fault is not possible now."""
    return session.rng.choice(FAULTS)(session)


def lay_wrong_colour(session: TileSession) -> TileFault | None:
    """The tile of the other player (S-3)."""
    if session.match.phase == 2:
        return None
    cell = session.rng.choice(sorted(session.match.free_cells(session.match.tiles)))
    return _add(session, other(session.match.turn), cell, "a tile of the other colour is laid")


def lay_apart(session: TileSession) -> TileFault | None:
    """A corner, or nothing at all, instead of a side (S-3)."""
    match, rng = session.match, session.rng
    if match.phase == 2:
        return None
    near = match.free_cells(match.tiles)
    cells = sorted({far for cell in near for far in around(cell)} - near - match.tiles.keys())
    return _add(session, match.turn, rng.choice(cells), "a tile is laid without a common side")


def lay_between_cells(session: TileSession) -> TileFault | None:
    """Half a place beside its place (S-3): straightened, or taken back."""
    match, rng, table = session.match, session.rng, session.table
    if match.phase == 2:
        return None
    free = {cell: [near for near in around(cell) if near not in match.tiles] for cell in match.free_cells(match.tiles)}
    cell = rng.choice(sorted(cell for cell, outward in free.items() if outward))
    outward = free[cell]
    (x, y), (far_x, far_y) = table.frame.spot(cell), table.frame.spot(rng.choice(outward))
    tile = table.put_at(match.turn, (x + far_x) / 2, (y + far_y) / 2)
    return TileFault("a tile is laid between two places", 1, lambda: table.tiles.remove(tile))


def take_away(session: TileSession) -> TileFault | None:
    """A tile of the board is gone (S-10, S-11)."""
    tile = session.table.find(session.rng.choice(sorted(session.match.tiles)))
    return None if tile is None else _remove(session, tile, "a tile is gone")


def exchange(session: TileSession) -> TileFault | None:
    """A red and a black tile change places."""
    match, rng, table = session.match, session.rng, session.table
    red, black = (table.find(rng.choice(sorted(match.own(colour)))) for colour in (RED, BLACK))
    if red is None or black is None:
        return None

    def swap() -> None:
        red.colour, black.colour = black.colour, red.colour

    swap()
    return TileFault("a red and a black tile exchanged", 2, swap)


def carry_along(session: TileSession) -> TileFault | None:
    """An arm carries a tile to another place, or off the lattice."""
    match, rng, table = session.match, session.rng, session.table
    tile = table.find(rng.choice(sorted(match.tiles)))
    if tile is None:
        return None
    x, y = tile.x, tile.y
    free = sorted(match.free_cells(match.tiles))
    if rng.random() < 0.5:
        tile.x, tile.y = table.frame.spot(rng.choice(free))
    else:
        far_x, far_y = table.frame.spot(rng.choice(free))
        share = rng.uniform(0.35, 0.65) * table.frame.pitch / max(tile.distance(far_x, far_y), 1)
        tile.x, tile.y = x + share * (far_x - x), y + share * (far_y - y)
    if any(t is not tile and t.distance(tile.x, tile.y) < 0.75 * table.frame.pitch for t in table.tiles):
        tile.x, tile.y = x, y
        return None

    def restore() -> None:
        tile.x, tile.y = x, y

    return TileFault("a tile is carried along", 1, restore)


def carry_two_along(session: TileSession) -> TileFault | None:
    one = carry_along(session)
    two = carry_along(session)
    if one is None or two is None:
        return one or two
    return TileFault("two tiles are carried along", 2, lambda: (two.restore(), one.restore()))


def carry_several_along(session: TileSession) -> TileFault | None:
    """A sleeve drags three or four tiles along, each to somewhere else."""
    one, two = carry_two_along(session), carry_two_along(session)
    if one is None or two is None:
        return one or two
    moves = one.moves + two.moves
    return TileFault("several tiles are carried along", moves, lambda: (two.restore(), one.restore()))


def return_lost_tile(session: TileSession) -> TileFault | None:
    """Phase 2: a tile that has left is laid again (S-11)."""
    if session.match.phase == 1:
        return None
    cell = session.rng.choice(sorted(session.match.free_cells(session.match.tiles)))
    return _add(session, session.match.turn, cell, "a lost tile is laid again")


def lay_twice(session: TileSession) -> TileFault | None:
    """Phase 1: a player lays two tiles at once (S-3). One of them must go."""
    match, rng = session.match, session.rng
    if match.phase == 2 or len(match.tiles) < 4:
        return None
    one = rng.choice(sorted(match.free_cells(match.tiles)))
    two = rng.choice(sorted(match.free_cells(match.tiles) - {one}))
    first, second = (_add(session, match.turn, cell, "two tiles are laid by one player") for cell in (one, two))
    return TileFault(first.kind, 1, lambda: (first.restore(), second.restore()))


def replace_tile(session: TileSession) -> TileFault | None:
    """A tile of the board goes, and one of the other colour takes its place."""
    tile = session.table.find(session.rng.choice(sorted(session.match.tiles)))
    if tile is None:
        return None
    colour, tile.colour = tile.colour, other(tile.colour)

    def restore() -> None:
        tile.colour = colour

    return TileFault("a tile is replaced by one of the other colour", 2, restore)


def move_foreign_tile(session: TileSession) -> TileFault | None:
    """Phase 2: the tile of the other player is moved (S-11)."""
    match, rng = session.match, session.rng
    if match.phase == 1:
        return None
    lifted = rng.choice(sorted(match.own(other(match.turn))))
    stays = rng.choice(match.staying(lifted))
    return _carry(session, lifted, rng.choice(sorted(match.free_cells(stays) - {lifted})), "a foreign tile is moved")


def land_beside_lost_group(session: TileSession) -> TileFault | None:
    """S-15: the lifted tile is laid beside the group that has just gone, and only there."""
    match, rng = session.match, session.rng
    if match.phase == 1:
        return None
    for lifted in sorted(match.own(match.turn), key=lambda _: rng.random()):
        stays = match.staying(lifted)
        lost = match.tiles.keys() - stays[0] - {lifted}
        cells = sorted(match.free_cells(lost) - match.free_cells(stays[0]) - {lifted})
        if len(stays) == 1 and cells:
            return _carry(session, lifted, rng.choice(cells), "a tile is laid beside the group that goes")
    return None


FAULTS = (
    lay_wrong_colour,
    lay_apart,
    lay_between_cells,
    take_away,
    exchange,
    carry_along,
    carry_two_along,
    carry_several_along,
    return_lost_tile,
    lay_twice,
    replace_tile,
    move_foreign_tile,
    land_beside_lost_group,
)


def _add(session: TileSession, colour: str, cell: Cell, kind: str) -> TileFault:
    tile = session.table.put(colour, cell)
    return TileFault(kind, 1, lambda: session.table.tiles.remove(tile))


def _remove(session: TileSession, tile: Tile, kind: str) -> TileFault:
    session.table.tiles.remove(tile)
    return TileFault(kind, 1, lambda: session.table.tiles.append(tile))


def _carry(session: TileSession, lifted: Cell, target: Cell, kind: str) -> TileFault | None:
    tile = session.table.find(lifted)
    if tile is None:
        return None
    x, y = tile.x, tile.y
    tile.x, tile.y = session.table.frame.spot(target)

    def restore() -> None:
        tile.x, tile.y = x, y

    return TileFault(kind, 1, restore)
