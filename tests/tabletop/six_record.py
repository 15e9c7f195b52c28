"""What the record of SIX says, read from its notation alone with the own rules, and laid beside the tiles."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.tabletop.six_rules import (
    BLACK,
    COLOURS,
    LEAST_TILES,
    RED,
    TILES_OF_A_COLOUR,
    BrokenRule,
    Cell,
    Match,
    find_shape,
    other,
)
from tests.tabletop.six_table import Frame, TileTable


@dataclass(slots=True)
class TileRecord:
    """``wrong`` is the ruling that a recorded move breaks, "" if all are legal; ``open`` is a tie not yet decided."""

    match: Match
    frame: Frame | None = None
    plies: int = 0
    wrong: str = ""
    open: bool = False


def read_record(lines: Iterable[object], start: Match) -> TileRecord:
    """The position that these moves lead to, by the own rules."""
    record, keep = TileRecord(start.copy()), None
    pending: tuple[Cell, Cell] | None = None
    for line in lines:
        verb, *words = str(line).split()
        try:
            if verb in ("start", "slide"):
                x, y, angle, pitch = map(int, words)
                record.frame = Frame(x, y, angle / 10, pitch / 10)
            elif verb == "lay":
                record.match.lay(words[0], _cell(words[1:]))
                record.plies += 1
            elif verb == "regroup":
                _regroup(record.match, _cells(words[0]), _cells(words[1]), start.turn)
            elif verb == "next":
                record.match.turn = words[0]
                record.match.stock = dict.fromkeys(record.match.stock, 0)
            elif verb == "keep":
                keep = _cell(words[2:])
            elif verb == "move":
                pending = _cell(words[:2]), _cell(words[2:])
                _move(record, pending, keep)
                keep = None
            elif verb == "lose" and pending is not None:
                lifted, gone = pending[0], _cell(words)
                stays = next(group for group in record.match.staying(lifted) if gone not in group)
                _move(record, pending, min(stays))
        except BrokenRule as broken:
            record.wrong = f"{line}: {broken}"
            break
    return record


def _regroup(match: Match, red: list[Cell], black: list[Cell], first: str) -> None:
    """The tiles as they lie now. In phase 1 their number tells who is next: both players lay in turn (S-3). In phase 2
    they tell whether the game is over (S-5, S-19, S-20).
    """
    match.tiles = {cell: RED for cell in red} | {cell: BLACK for cell in black}
    if match.phase == 1:
        match.stock = {RED: TILES_OF_A_COLOUR - len(red), BLACK: TILES_OF_A_COLOUR - len(black)}
        match.turn = first if match.stock[RED] == match.stock[BLACK] else other(first)
        return
    match.stock = dict.fromkeys(match.stock, 0)
    shaped = [c for c in COLOURS if any(find_shape(match.own(c), cell) for cell in match.own(c))]
    short = [c for c in COLOURS if len(match.own(c)) < LEAST_TILES]
    if shaped:
        match.winner = shaped[0]
    elif short:
        match.winner = "draw" if len(short) == 2 else other(short[0])


def _cells(word: str) -> list[Cell]:
    numbers = [int(number) for number in word.split(",")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _cell(words: list[str]) -> Cell:
    return int(words[0]), int(words[1])


def _move(record: TileRecord, move: tuple[Cell, Cell], keep: Cell | None) -> None:
    try:
        record.match.move(*move, keep)
    except BrokenRule as broken:
        record.open = "S-16" in str(broken)
        if not record.open:
            raise
        return
    record.open = False
    record.plies += 1


def lies_so(record: TileRecord, table: TileTable, litter: Iterable[Cell] = ()) -> bool:
    """Is there one tile of the right colour near each place of the record, and no other but what has to go?"""
    if record.frame is None:
        return False
    gone = [table.find(cell) for cell in litter]
    rest = [tile for tile in table.tiles if tile not in gone]
    for cell, colour in record.match.tiles.items():
        x, y = record.frame.spot(cell)
        near = [tile for tile in rest if tile.colour == colour and tile.distance(x, y) < table.frame.pitch / 2]
        if not near:
            return False
        rest.remove(near[0])
    return not rest
