"""People who play SIX: they lay tiles side by side, try to finish a line, and take away what a move cuts off."""

from collections.abc import Collection

from engine.axial import NEIGHBOURS, Cell, find_cell, find_centre, list_neighbours, surround
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Company, Script, TableMates
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.table.physical_table import TILE_PITCH_MM
from firmware.simulation.table.piece_places import OnTable

COLOURS = ("red", "black")
PLAYING = frozenset(
    {"lay_start_pair", "lay_tile", "move_tile", "take_lost_away", "which_group_goes", "clear_last_game"}
)
WINS = frozenset({"wins_line", "wins_circle", "wins_triangle", "wins_short"})
GREED = 0.8
"""Share of tiles that are laid to lengthen an own line; the others go anywhere."""
GROUP_TILES = 6
SQUARE_SIZE = 2
LETTERS = {"R": "red", "B": "black"}


class SixCompany(Company):
    """The tiles lie on cells around the middle of the table; the first line of cells runs to the right."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._last: tuple[str, Cell | None] | None = None
        self._moved: list[tuple[str, Cell | None]] = []
        area = self.table.area
        self._base = complex((area.left + area.right) / 2, (area.top + area.bottom) / 2)

    def knows(self, topic: str) -> bool:
        return topic in PLAYING

    def board(self) -> dict[Cell, str]:
        """The tiles on the table by their cells: the ids."""
        cells: dict[Cell, str] = {}
        for it in self.table.lying():
            if isinstance(it.place, OnTable):
                cells[find_cell((complex(*it.place.spot) - self._base) / TILE_PITCH_MM)] = it.id
        return cells

    def answer(self, screen: SeenScreen) -> Script | None:
        if screen.over or (screen.turn in self.mates.human and screen.prompt.topic in ("lay_tile", "move_tile")):
            return None
        match screen.prompt.topic:
            case "lay_start_pair":
                return self._lay_start_pair()
            case "lay_tile":
                return self._lay(screen.prompt.args.get("colour", ""))
            case "move_tile":
                return self._move(screen.prompt.args.get("colour", ""))
            case "take_lost_away":
                return self._take_lost_away()
            case "which_group_goes":
                return self._choose_group(screen)
            case "clear_last_game":
                return self._clear()
            case _:
                return None

    def _clear(self) -> Script:
        self.table.clear()
        yield REACH_S

    def _lay_start_pair(self) -> Script:
        lying = self.board()
        if len(lying) > SQUARE_SIZE:
            self.table.clear()
        for colour, cell in zip(COLOURS, ((0, 0), (1, 0)), strict=True):
            if cell not in self.board():
                yield from self._lay_at(self.table.stock(colour)[-1], cell)

    def _lay_at(self, id: str, cell: Cell) -> Script:
        self._last = id, next((at for at, other in self.board().items() if other == id), None)
        self._moved.append(self._last)
        z = self._base + TILE_PITCH_MM * find_centre(cell)
        yield from self.move(id, z.real, z.imag)

    def _lay(self, colour: str) -> Script | None:
        stock, board = self.table.stock(colour), self.board()
        if not stock or not board:
            return None
        cells = sorted(surround(board) - board.keys())
        return self._lay_at(stock[-1], self._choose_cell(colour, board, cells))

    def _choose_cell(self, colour: str, board: dict[Cell, str], cells: Collection[Cell]) -> Cell:
        own = {cell for cell, id in board.items() if id.startswith(colour)}
        fitting = [cell for cell in cells if self._fits(cell)]
        if self.rng.random() < GREED:
            best = max(_line_through(cell, own) for cell in fitting)
            fitting = [cell for cell in fitting if _line_through(cell, own) == best]
        return self.rng.choice(fitting)

    def _fits(self, cell: Cell) -> bool:
        z = self._base + TILE_PITCH_MM * find_centre(cell)
        area, rim = self.table.area, 1.5 * TILE_PITCH_MM
        return area.left + rim < z.real < area.right - rim and area.top + rim < z.imag < area.bottom - rim

    def _move(self, colour: str) -> Script | None:
        board = self.board()
        own = sorted(cell for cell, id in board.items() if id.startswith(colour))
        ways = []
        for source in own:
            rest = {cell: id for cell, id in board.items() if cell != source}
            if len(_groups(rest)) == 1:
                ways.append((source, rest))
        if not ways:
            return None
        source, rest = self.rng.choice(ways)
        cells = sorted(surround(rest) - rest.keys() - {source})
        return self._lay_at(board[source], self._choose_cell(colour, rest, cells))

    def _take_lost_away(self) -> Script:
        groups = sorted(_groups(self.board()), key=len)
        board = self.board()
        for cell in groups[0] if len(groups) > 1 else ():
            self.table.put_back([board[cell]], "lost")
        yield REACH_S

    def _choose_group(self, screen: SeenScreen) -> Script:
        offer = screen.offers[0]
        yield from self.mates.press(offer.topic, **offer.args)

    def remove(self, zone: str, pieces: tuple[str, ...]) -> Script:
        """What was laid last is taken away again, or put where it was; if that is not known, all tiles go."""
        if (last := self._last or self._find_moved_before(pieces)) is not None:
            id, before = last
            self._last = None
            self._moved = [move for move in self._moved if move != last]
            if before is None:
                self.table.put_back([id], id.partition(" ")[0])
            else:
                yield from self._lay_at(id, before)
        elif pieces:
            self._empty_board()
        yield REACH_S

    def _empty_board(self) -> None:
        """The lines of a board name only what is missing, unless nothing lies there."""
        self.table.put_back([id for id in self.board().values()], "box")
        self._moved.clear()

    def _find_moved_before(self, pieces: tuple[str, ...]) -> tuple[str, Cell | None] | None:
        """The latest earlier move of a tile of these colours that is still on the table: several moves were undone."""
        there = frozenset(self.board().values())
        moved = (move for move in reversed(self._moved) if move[0] in there)
        return next((move for move in moved if move[0].partition(" ")[0] in pieces), None)

    def show_board(self, lines: tuple[Sentence, ...]) -> Script:
        """Every line of the board again: letters for tiles, dots for gaps, dashes for half a tile of indent."""
        if self.board():
            yield from self.remove("", ("tiles",))
            return
        wanted: dict[Cell, str] = {}
        for line in lines:
            row = line.number("row") - 1
            words = line.args.get("says", "").split()
            indent = len(words[0]) if words and set(words[0]) == {"-"} else 0
            for n, letter in enumerate(words[1:] if indent else words):
                if letter in LETTERS:
                    wanted[((indent + 2 * n - row) // 2, row)] = LETTERS[letter]
        middle = sum((find_centre(cell) for cell in wanted), 0j) / max(1, len(wanted))
        shift = find_cell(middle)
        for (q, r), colour in sorted(wanted.items()):
            put_by = (id for name in ("lost", "box") for id in self.table.stock(name) if id.startswith(colour))
            stock = (*self.table.stock(colour), *put_by)
            z = self._base + TILE_PITCH_MM * find_centre((q - shift[0], r - shift[1]))
            self.table.lay(stock[-1], z.real, z.imag)
        yield 1.0

    def hear(self, entry: str) -> None:
        """Tiles are in no hand, and players have no places at the table: no move changes who plays where."""

    def may_undo(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic == "lay_tile" and len(self.board()) > GROUP_TILES

    def may_adopt(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic == "lay_tile" and len(self.board()) > GROUP_TILES

    def err(self) -> Script | None:
        """A tile of the wrong colour is laid."""
        prompt = self.mates.screen.prompt
        if prompt.topic != "lay_tile" or self.mates.screen.turn in self.mates.human:
            return None
        return self._lay(next(colour for colour in COLOURS if colour != prompt.args.get("colour")))


def _line_through(cell: Cell, own: Collection[Cell]) -> int:
    """The longest own line with a tile on this cell."""
    longest = 0
    for dq, dr in NEIGHBOURS[:3]:
        count = 1
        for way in (1, -1):
            q, r = cell[0] + way * dq, cell[1] + way * dr
            while (q, r) in own:
                count, q, r = count + 1, q + way * dq, r + way * dr
        longest = max(longest, count)
    return longest


def _groups(cells: Collection[Cell]) -> list[set[Cell]]:
    left, groups = set(cells), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            group |= edge
            edge = {near for cell in edge for near in list_neighbours(cell)} & left
            left -= edge
        groups.append(group)
    return groups
