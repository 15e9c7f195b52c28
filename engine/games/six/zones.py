"""Convert tiles in millimetres to cells and back, also after the whole group was pushed, and beside spare tiles."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from engine.axial import Cell, count_steps, join_cells, surround
from engine.games.six.board import BLACK, COLOURS, RED
from engine.games.six.hidden_cells import find_covered_cells, find_hidden_cells
from engine.games.six.lattice import LatticeFrame, Spotted, find_clusters, fit_frame, frame_of, match_cluster
from engine.games.six.lay_order import order_lays
from engine.games.six.rules import Position
from engine.games.six.state import Anchor, State
from engine.table import Area, Gap, Layout, Piece, Placement, Table

PITCHES_MM = (20.0, 54.0)
"""The pitch of tiles of 25 to 45 mm, with a tolerance for the measurement."""
STOCK_DISTANCE_STEPS = 4
"""A tile this far from every tile of the game is beside the board: stock, or in a player's hand."""
MOST_OFFSET_PITCHES = 0.3
"""A tile further from its cell than this must be straightened."""
FEW_TILES = 6
"""With fewer tiles than this all of them must be visible before the group counts as pushed."""
GOOD_MEAN_OFFSET_PITCHES = 0.12
DOUBTFUL_OFFSET_PITCHES = 0.22


@lru_cache(maxsize=4096)
def format_zone(cell: Cell) -> str:
    return f"cell:{cell[0]},{cell[1]}"


@lru_cache(maxsize=4096)
def parse_zone(name: str) -> Cell:
    """The cell of a zone, or ``ValueError``."""
    kind, _, place = name.partition(":")
    q, comma, r = place.partition(",")
    if kind != "cell" or not comma:
        raise ValueError(name)
    return int(q), int(r)


def format_anchor(anchor: Anchor) -> str:
    return ",".join(map(str, anchor))


@lru_cache(maxsize=256)
def parse_anchor(piece: str) -> Anchor:
    """The anchor named by the piece in the zone ``anchor``, or ``ValueError``."""
    x, y, angle, pitch = map(int, piece.split(","))
    if not PITCHES_MM[0] * 10 <= pitch <= PITCHES_MM[1] * 10:
        raise ValueError(piece)
    return x, y, angle, pitch


def layout(state: State) -> Layout:
    """Where the tiles lie by the record."""
    zones = {format_zone(cell): (colour,) for cell, colour in state.lying}
    return Layout(zones | {"anchor": (format_anchor(state.anchor),)} if state.game else zones)


def list_removable(state: State, gap: Gap) -> frozenset[Placement]:
    """Tiles out of play, those of a group that may go, and in phase 2 one tile of the player to act, whose place is
    then empty.
    """
    game, tiles = state.game, state.litter
    if game is not None:
        cells = frozenset(cell for group in game.split for cell in group)
        lifted = len(gap.missing) == 1 and not any(game.hands) and gap.missing[0][1] not in gap.seen.zones
        tiles |= {tile for tile in state.tiles if tile[0] in cells or (lifted and tile[1] == game.turn)}
    return frozenset((colour, format_zone(cell)) for cell, colour in tiles)


def arrange(state: State, table: Table) -> Layout:
    tiles, spots = _spotted(state.anchor, table)
    if state.game is None:
        fresh = _start_pair(tiles)
        if not state.litter or "anchor" in fresh.zones:  # the tiles of the last game were removed
            return fresh
    known = dict(state.lying)
    lies = frame_of(state.anchor)
    few = state.game is not None and any(state.game.hands) and len(known) < FEW_TILES
    slip = 0 if few else 1  # this many tiles may be elsewhere before a push of the whole group is considered
    covered = find_covered_cells(table.unseen, lies, known)
    shown = {cell: colour for cell, colour in known.items() if cell not in covered}  # the others are not missed
    unsure = len(known) < FEW_TILES and len(shown) < len(known)
    if not unsure and _unfit(tiles, spots, shown, slip):
        better = _moved(tiles, spots, known, lies, slip, state.game)
        if better is not None:
            lies = better
            spots = [lies.snap(z) for _, z in tiles]
    zones: dict[str, tuple[str, ...]] = {}
    loose: list[str] = []
    new = {cell for cell, off in spots if off <= MOST_OFFSET_PITCHES} - known.keys()
    board = known.keys() | join_cells(known, new)  # tiles laid since the last look join one another
    for (colour, _), (cell, off) in sorted(zip(tiles, spots, strict=True), key=lambda t: t[1][1]):
        if cell not in board and _beside(cell, known):
            continue
        if off > MOST_OFFSET_PITCHES or format_zone(cell) in zones:
            loose.append(colour)
        else:
            zones[format_zone(cell)] = (colour,)
    if loose:
        zones["loose"] = tuple(sorted(loose))
    if state.game is not None:
        zones["anchor"] = (format_anchor(lies.anchor),)
    hidden = find_hidden_cells(table.unseen, lies, board, new) if table.unseen else ()
    return Layout(zones, frozenset(map(format_zone, hidden)))


@lru_cache(maxsize=4)
def _spotted(anchor: Anchor, table: Table) -> tuple[list[Spotted], list[tuple[Cell, float]]]:
    """The tiles and the cells they lie nearest to. Cached, because one table is compared with several states."""
    tiles = [(s.piece, complex(s.x, s.y)) for s in table.seen if s.piece in COLOURS]
    lies = frame_of(anchor)
    return tiles, [lies.snap(z) for _, z in tiles] if anchor[3] else []


def place(state: State, layout: Layout) -> Table:
    """A table that looks like this; loose tiles lie beside the others, half a cell off."""
    held = layout.zones.get("anchor")
    lies = frame_of(parse_anchor(held[0]) if held else state.anchor if state.anchor[3] else (300, 225, 0, 380))
    cells = [(parse_zone(z), pieces) for z, pieces in layout.zones.items() if z.startswith("cell:")]
    spots = [(piece, lies.at(cell)) for cell, pieces in cells for piece in pieces]
    taken = {cell for cell, _ in cells}
    free = sorted(surround(taken) - taken) or [(3 * n, 0) for n in range(50)]
    for piece, cell in zip(layout.zones.get("loose", ()), free, strict=False):
        spots.append((piece, lies.at(cell) - 0.45 * lies.side))
    dark = (lies.at(parse_zone(z)) for z in sorted(layout.hidden) if z.startswith("cell:"))
    return Table(
        frozenset(Piece(piece, z.real, z.imag) for piece, z in spots),
        tuple(Area(z.real - 1, z.imag - 1, z.real + 1, z.imag + 1) for z in dark),
    )


def _beside(cell: Cell, known: Collection[Cell]) -> bool:
    return cell not in known and all(count_steps(cell, tile) >= STOCK_DISTANCE_STEPS for tile in known)


def _hits(tiles: Iterable[Spotted], spots: list[tuple[Cell, float]], known: Mapping[Cell, str]) -> list[float]:
    """The offsets of those known tiles that are at their cells."""
    pairs = zip(tiles, spots, strict=True)
    return [off for (colour, _), (cell, off) in pairs if off <= MOST_OFFSET_PITCHES and known.get(cell) == colour]


def _unfit(tiles: list[Spotted], spots: list[tuple[Cell, float]], known: Mapping[Cell, str], slip: int) -> bool:
    """Does the known lattice fit so badly that it should be measured again?"""
    hits = _hits(tiles, spots, known)
    seen, most = len(hits), min(len(known), len(tiles))
    if seen < most - slip:
        return True
    if sum(hits) > GOOD_MEAN_OFFSET_PITCHES * seen:
        return True
    doubtful = [cell for cell, off in spots if off > DOUBTFUL_OFFSET_PITCHES]
    if not doubtful:
        return False
    board = known.keys() | join_cells(known, {cell for cell, _ in spots})  # new tiles lead to others
    return not all(_beside(cell, board) for cell in doubtful)


def _moved(
    tiles: list[Spotted],
    spots: list[tuple[Cell, float]],
    known: Mapping[Cell, str],
    old: LatticeFrame,
    slip: int,
    game: Position | None,
) -> LatticeFrame | None:
    """The lattice measured from the tiles, if they show clearly enough that it moved.

    A few known tiles may fit in several places among new ones: then they lie where all new ones are legal.
    """
    before = _hits(tiles, spots, known)
    count = Counter(known.values())
    best: tuple[int, float, LatticeFrame, Sequence[int]] | None = None
    groups = sorted(find_clusters(tiles, abs(old.side)), key=lambda group: abs(len(group) - len(known)))
    for group in groups[:4]:
        colours = Counter(tiles[n][0] for n in group)
        alike = sum((colours & count).values())
        if len(group) < 2 or alike < min(len(group), len(known)) - 3:
            continue
        pushes = match_cluster(group, tiles, known, old)
        pushes = [frame for frame in pushes if PITCHES_MM[0] < abs(frame.side) < PITCHES_MM[1]]
        if not pushes:
            continue
        found = _choose_push(pushes, [tiles[n] for n in group], known, game)
        found = frame_of(found.anchor)
        hits = _hits(tiles, [found.snap(z) for _, z in tiles], known)
        if best is None or len(hits) > best[0]:
            best = len(hits), sum(hits), found, tuple(group)
        if len(hits) >= len(known) - (2 if len(known) >= FEW_TILES else 0):
            break
    if best is None:
        return None
    most, slack, found, measured = best
    if found.anchor == old.anchor:
        return None
    if most < (len(known) if len(known) < FEW_TILES else max(5, min(len(known), len(tiles)) // 2)):
        return None  # too few matches
    if most > len(before) + slip:
        return found
    centres = [tiles[n][1] for n in measured]
    if before and sum(before) <= GOOD_MEAN_OFFSET_PITCHES * len(before) and not _keeps_cells(centres, found, old):
        return None  # tiles that were carried may make the board look like itself turned
    if most >= len(before) and slack / most < 0.7 * sum(before) / max(1, len(before)):
        return found
    return found if most >= len(before) and _fits_all(centres, found, old) else None


def _keeps_cells(spots: Sequence[complex], found: LatticeFrame, old: LatticeFrame) -> bool:
    """Are most of these tiles at the same cells in both frames?"""
    return 2 * sum(found.snap(z)[0] == old.snap(z)[0] for z in spots) > len(spots)


def _choose_push(
    pushes: list[LatticeFrame], tiles: Sequence[Spotted], known: Mapping[Cell, str], game: Position | None
) -> LatticeFrame:
    """The smallest push with which all new tiles can have been laid."""
    if len(pushes) > 1 and game is not None and any(game.hands):
        for frame in pushes:
            new = {(frame.snap(z)[0], colour) for colour, z in tiles} - known.items()
            if len(order_lays(game, new)) == len(new):
                return frame
    return pushes[0]


def _fits_all(spots: list[complex], found: LatticeFrame, old: LatticeFrame) -> bool:
    """Do these tiles lie well in the new frame, and each that lay badly in the old one also by the other tiles alone?

    Two tiles laid carelessly measure the size of the tiles badly, and those further off then seem to lie askew.
    """
    placed = [(found.snap(z)[0], z) for z in spots]
    if len(dict(placed)) < max(4, len(spots)):
        return False
    for n, (cell, z) in enumerate(placed):
        if old.snap(z)[1] > DOUBTFUL_OFFSET_PITCHES:
            by_others = fit_frame(placed[:n] + placed[n + 1 :])
            if by_others is None or by_others.snap(z)[0] != cell or by_others.snap(z)[1] > DOUBTFUL_OFFSET_PITCHES:
                return False
    return True


def _start_pair(tiles: list[Spotted]) -> Layout:
    """Red and black side by side with nothing near: they give the position of the lattice and the size of the tiles."""
    found: list[Layout] = []
    for red, a in tiles:
        for black, b in tiles:
            wide = abs(b - a)
            if red != RED or black != BLACK or not PITCHES_MM[0] <= wide <= PITCHES_MM[1]:
                continue
            if all(z in (a, b) or min(abs(z - a), abs(z - b)) > 3 * wide for _, z in tiles):
                lies = LatticeFrame(b - a, a)
                zones = {"anchor": (format_anchor(lies.anchor),), "cell:0,0": (RED,), "cell:1,0": (BLACK,)}
                found.append(Layout(zones))
    if len(found) == 1:
        return found[0]
    return Layout({"loose": tuple(sorted(colour for colour, _ in tiles))} if tiles else {})
