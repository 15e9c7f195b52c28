"""The table of a game as lines of text: rows of cards with the seats, piles, the board of SIX, or any zones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from rich.console import Console as Paper
from rich.text import Text as Line

from engine.table import Placement
from engine.text import Arg, say
from firmware.box.table_state import (
    CardState,
    PilesState,
    RowsState,
    RowState,
    SeatState,
    TableState,
    TilesState,
    ZonesState,
)
from firmware.journal.operation_types import Names
from firmware.texts.render import render

WRONG, DUE, FAINT, STRONG = "bold white on red", "reverse", "dim", "bold"
"""Styles of a piece that is wrong, of the place where the next card goes, of what is in the background, of the rest."""
HEADS_STYLES = {2: "cyan", 3: "yellow", 5: "magenta", 7: "bold red"}
"""Cards with more heads than one have a colour; their number says the same without colours."""
TILE_STYLES = {"red": "bold red", "black": "bold"}
CELL = re.compile(r"cell:(-?\d+),(-?\d+)")
CARD_COLUMNS = 5
ROW_PLACES = 5
"""Cards that a row holds before one more takes it."""
GAP = 2


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs that a terminal can show: ``corners`` of a card are top left, top right, bottom left, bottom right."""

    back: str
    empty: str
    cursor: str
    red: str
    black: str
    corners: str
    edges: str
    full: str
    blank: str
    dot: str
    keys: str


UNICODE_GLYPHS = Glyphs("▒▒▒", "·", "▶", "●", "○", "╭╮╰╯", "─│", "█", "░", "·", "↑ ↓ u d")
ASCII_GLYPHS = Glyphs("###", ".", ">", "#", "o", "++++", "-|", "#", ".", "-", "u d")


@dataclass(frozen=True, slots=True)
class TableWords:
    """Everything that the drawing of a table needs beside the table: ``wrong`` are misplaced pieces."""

    names: Names
    language: str = "en"
    wrong: tuple[Placement, ...] = ()
    turn: int | None = None
    colours: Mapping[int, str] = field(default_factory=dict)
    glyphs: Glyphs = UNICODE_GLYPHS

    def text(self, id: str, **args: Arg) -> str:
        return render(say(id, **args), self.language, self.names)

    def wrong_at(self, zone: str) -> tuple[str, ...]:
        return tuple(piece for piece, where in self.wrong if where == zone)


def table_lines(table: TableState, words: TableWords, columns: int, lines: int, *, framed: bool = False) -> list[Line]:
    """Cards may be ``framed`` if all of them then fit into this many ``lines``; no line is wider than ``columns``."""
    drawn = list(_table(table, words, columns, lines, framed=framed))
    if framed and len(drawn) > lines:
        drawn = list(_table(table, words, columns, lines, framed=False))
    return drawn


def _table(table: TableState, words: TableWords, columns: int, lines: int, *, framed: bool) -> Iterator[Line]:
    match table:
        case RowsState():
            yield from _rows(table, words, columns, framed=framed)
        case PilesState():
            yield from _piles(table, words, columns, framed=framed)
        case TilesState():
            yield from _board(table, words, columns, lines)
        case ZonesState():
            yield from _zones(table, words, columns)
        case _:
            assert_never(table)


def _rows(table: RowsState, words: TableWords, columns: int, *, framed: bool) -> Iterator[Line]:
    if table.spread:  # first: during a draft nothing else is of interest
        yield from _cells([_number(card) for card in table.spread], columns)
    label = max((len(words.text("row", row=row.row)) for row in table.rows), default=0)
    for row in table.rows:
        yield from _row(row, table, words, label, columns, framed=framed)
    if table.seats:
        yield from _cells([_seat(seat, words) for seat in sorted(table.seats, key=lambda s: s.seat)], columns)
    for pile in table.piles:
        line = Line(f"{words.text('player', player=pile.player)}: ", STRONG)
        yield from _wrapped(line.append_text(Line(" ").join(map(_number, pile.cards))), columns)


def _row(
    row: RowState, table: RowsState, words: TableWords, label: int, columns: int, *, framed: bool
) -> Iterator[Line]:
    cards = [(Line(f"({card.piece})", FAINT) if card.litter else _number(card), "") for card in row.cards]
    cards += [(Line(f"{piece}!", WRONG), WRONG) for piece in words.wrong_at(f"row:{row.row}")]
    if table.due is not None and row.row in table.due.rows and not table.due.take:
        cards.append((Line(table.due.card, DUE), DUE))
    spare = max(ROW_PLACES - len(cards), 0)
    cards += [(Line(words.glyphs.empty, FAINT), FAINT)] * spare
    taken = table.due is not None and table.due.take and row.row in table.due.rows
    head = Line(f"{words.text('row', row=row.row):{label}}", DUE if taken else STRONG)
    marks = "".join(f"  {words.text('piece', piece=mark)}" for mark in row.marks)
    tail = Line(f"  {words.text('page_heads', n=row.heads)}{marks}")
    wide = label + 1 + len(cards) * CARD_COLUMNS
    if not framed or wide + len(tail.plain) > columns:
        line = Line.assemble(head, " ", *(_centred(card) for card, _ in cards), tail)
        yield from _wrapped(line, columns)
        return
    corners, across, down = words.glyphs.corners, words.glyphs.edges[0], words.glyphs.edges[1]
    edge = across * (CARD_COLUMNS - 2)
    yield Line(" " * (label + 1)).append_text(_joined((f"{corners[0]}{edge}{corners[1]}", style) for _, style in cards))
    middle = Line()
    for card, style in cards:
        middle.append(down, style).append_text(_centred(card, CARD_COLUMNS - 2)).append(down, style)
    yield Line.assemble(head, " ", middle, tail)
    yield Line(" " * (label + 1)).append_text(_joined((f"{corners[2]}{edge}{corners[3]}", style) for _, style in cards))


def _joined(parts: Iterator[tuple[str, str]]) -> Line:
    return Line.assemble(*parts)


def _number(card: CardState) -> Line:
    return Line(card.piece, HEADS_STYLES.get(card.heads, ""))


def _seat(seat: SeatState, words: TableWords) -> Line:
    acts = seat.player == words.turn
    name = Line(
        f"{words.glyphs.cursor if acts else ' '}{words.text('player', player=seat.player)} ", STRONG if acts else ""
    )
    match seat.card:
        case None:
            name.append(words.glyphs.empty, FAINT)
        case "back":
            name.append(words.glyphs.back)
        case number:
            name.append(number, STRONG)
    if seat.special:
        name.append(f" {words.text('piece', piece=seat.special)}", "cyan")
    for zone in (f"seat:{seat.seat}", f"special:{seat.seat}"):
        for piece in words.wrong_at(zone):
            name.append(" ").append(f"{words.text('piece', piece=piece)}!", WRONG)
    return name


def _piles(table: PilesState, words: TableWords, columns: int, *, framed: bool) -> Iterator[Line]:
    label = max(len(words.text("pile", zone=pile.name)) for pile in table.piles)
    for pile in table.piles:
        line = Line(f"{words.text('pile', zone=pile.name):{label}}  ", STRONG).append(f"{pile.top:>3}", STRONG)
        line.append(f"  +{pile.fresh}" if pile.fresh else "", "cyan")
        for piece in words.wrong_at(pile.name):
            line.append("  ").append(f"{piece}!", WRONG)
        yield line
        if framed:
            yield Line()
    yield Line(words.text("page_deck", n=table.deck))
    hands = [
        Line(
            f"{words.glyphs.cursor if hand.player == words.turn else ' '}"
            f"{words.text('player', player=hand.player)} {words.glyphs.back} {hand.count}",
            STRONG if hand.player == words.turn else "",
        )
        for hand in table.hands
    ]
    yield from _cells(hands, columns)


def _board(table: TilesState, words: TableWords, columns: int, lines: int) -> Iterator[Line]:
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    signs = {"red": words.glyphs.red, "black": words.glyphs.black}
    for tile in table.tiles:
        cells[tile.q, tile.r] = signs[tile.colour], FAINT if tile.litter else TILE_STYLES[tile.colour]
    for piece, zone in words.wrong:
        if cell := CELL.fullmatch(zone):
            cells[int(cell[1]), int(cell[2])] = signs.get(piece, "!"), WRONG
    legend = [
        Line.assemble(
            words.glyphs.cursor if colour == table.turn else " ",
            (signs[colour], TILE_STYLES[colour]),
            f" {_owner(colour, words)} {count}",
        )
        for colour, count in table.left.items()
    ]
    loose = [Line(f"{words.text('piece', piece=piece)}!", WRONG) for piece, zone in words.wrong if not CELL.match(zone)]
    below = list(_cells([*legend, *loose], columns))
    yield from _cell_lines(_turned(cells, columns, lines - len(below)))
    yield from below


def _owner(colour: str, words: TableWords) -> str:
    owners = [player for player, own in words.colours.items() if own == colour]
    piece = words.text("piece", piece=colour)
    return f"{words.text('player', player=owners[0])}, {piece}:" if owners else f"{piece}:"


Cells = Mapping[tuple[int, int], tuple[str, str]]


def _turned(cells: Cells, columns: int, lines: int) -> Cells:
    """The board as it lies; turned by a sixth only where it fits no other way."""
    turned = [dict(cells)]
    for _ in range(2):
        turned.append({(-r, q + r): sign for (q, r), sign in turned[-1].items()})
    fits = (board for board in turned if _height(board) <= lines and _width(board) <= columns)
    return next(fits, min(turned, key=_height))


def _height(cells: Cells) -> int:
    rows = [r for _, r in cells]
    return max(rows) - min(rows) + 1 if rows else 0


def _width(cells: Cells) -> int:
    across = [2 * q + r for q, r in cells]
    return max(across) - min(across) + 1 if across else 0


def _cell_lines(cells: Cells) -> Iterator[Line]:
    """A cell is two columns wide, and each row is shifted by half a cell."""
    if not cells:
        return
    left = min(2 * q + r for q, r in cells)
    top = min(r for _, r in cells)
    for row in range(top, top + _height(cells)):
        line = Line()
        for at, sign in sorted((2 * q + r - left, sign) for (q, r), sign in cells.items() if r == row):
            line.append(" " * (at - len(line.plain))).append(*sign)
        yield line


def _zones(table: ZonesState, words: TableWords, columns: int) -> Iterator[Line]:
    astray = dict.fromkeys(zone for _, zone in words.wrong if zone not in {held.zone for held in table.zones})
    for zone, pieces in (*((held.zone, held.pieces) for held in table.zones), *((zone, []) for zone in astray)):
        line = Line(f"{words.text('pile', zone=zone)}: ", STRONG).append(" ".join(pieces))
        for piece in words.wrong_at(zone):
            line.append(" ").append(f"{piece}!", WRONG)
        yield from _wrapped(line, columns)


def _centred(card: Line, columns: int = CARD_COLUMNS) -> Line:
    spare = max(columns - len(card.plain), 0)
    return Line(" " * (spare - spare // 2)).append_text(card).append(" " * (spare // 2))


def _cells(cells: Sequence[Line], columns: int) -> Iterator[Line]:
    """The cells beside each other in columns of one width, as many as fit."""
    wide = max((cell.cell_len for cell in cells), default=0) + GAP
    each = max((columns + GAP) // wide, 1)
    for start in range(0, len(cells), each):
        line = Line()
        for cell in cells[start : start + each]:
            line.append_text(cell).append(" " * (wide - cell.cell_len))
        line.rstrip()
        yield from _wrapped(line, columns)


def _wrapped(line: Line, columns: int) -> Iterator[Line]:
    if line.cell_len <= columns:
        yield line
    else:
        yield from line.wrap(Paper(width=columns), columns)
