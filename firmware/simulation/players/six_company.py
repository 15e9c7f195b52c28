"""People who play SIX: they lay tiles side by side, try to finish a line, and take away what a move cuts off."""

from collections.abc import Collection, Iterator

from engine.axial import NEIGHBOURS, Cell, find_cell, find_centre, list_neighbours, surround
from engine.games.six.state import State
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
"""Share of tiles that are laid or moved to lengthen an own line; the others go anywhere."""
GROUP_TILES = 6
SQUARE_SIZE = 2
TURNED_TILES = 7
"""With fewer tiles on the table a tile that is moved cannot be told from a push of all others."""
LETTERS = {"R": "red", "B": "black"}


class SixCompany(Company):
    """The tiles lie on cells around the middle of the table; the first line of cells runs to the right.

    ``greed`` is the share of tiles that are laid to win; with none of them the match comes to its second phase.
    """

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._last: tuple[str, Cell | None] | None = None
        self.greed = GREED
        self._moved: list[tuple[str, Cell | None]] = []
        self._remembered: tuple[tuple[str, Cell | None] | None, tuple[tuple[str, Cell | None], ...]] = None, ()
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
        if self.rng.random() < (self.greed if self.mates.screen.prompt.topic == "lay_tile" else GREED):
            best = max(_line_through(cell, own) for cell in fitting)
            fitting = [cell for cell in fitting if _line_through(cell, own) == best]
        return self.rng.choice(fitting)

    def _fits(self, cell: Cell) -> bool:
        z = self._base + TILE_PITCH_MM * find_centre(cell)
        area, rim = self.table.area, 1.5 * TILE_PITCH_MM
        return area.left + rim < z.real < area.right - rim and area.top + rim < z.imag < area.bottom - rim

    def _move(self, colour: str) -> Script | None:
        board = self.board()
        source, rest = next(self._list_loose(colour, board), (None, board))
        if source is None:
            return None
        return self._lay_at(board[source], self._choose_cell(colour, rest, self._list_beside(rest, source)))

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

    def deal_as_recorded(self, state: State) -> None:
        """The tiles of the board are among those of the stock until it is rebuilt."""
        left = state.game.hands if state.game is not None else (0, 0)
        for colour, hand in zip(COLOURS, left, strict=True):
            there = sum(kind == colour for _, kind in state.tiles)
            self.table.put_back(self.table.stock(colour)[: -(hand + there)], "lost")

    def hear(self, entry: str) -> None:
        """Tiles are in no hand, and players have no places at the table: no move changes who plays where."""

    def may_undo(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic == "lay_tile" and len(self.board()) > GROUP_TILES

    def may_adopt(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic in ("lay_tile", "move_tile") and len(self.board()) > GROUP_TILES

    def remember(self) -> None:
        super().remember()
        self._remembered = self._last, tuple(self._moved)

    def restore(self) -> Script:
        """Also what was laid last is what it was."""
        yield from super().restore()
        self._last, moved = self._remembered
        self._moved = [*moved]

    def err(self) -> Script | None:
        """One of the mistakes that can be made now."""
        screen = self.mates.screen
        colour = screen.prompt.args.get("colour", "")
        if colour not in COLOURS or screen.turn in self.mates.human:
            return None
        ways = [*(self._lay_wrongly(colour) if screen.prompt.topic == "lay_tile" else self._move_wrongly(colour))]
        return self.rng.choice(ways) if ways else None

    def _lay_wrongly(self, colour: str) -> Iterator[Script]:
        """Phase 1: the other colour, a tile apart, two tiles, or a tile that is moved."""
        board, other = self.board(), _name_other(colour)
        if self.table.stock(other) and (script := self._lay(other)) is not None:
            yield script
        if len(board) < TURNED_TILES:
            return
        if stock := self.table.stock(colour):
            yield self._lay_at(stock[-1], self.rng.choice(self._find_apart(board)))
            if len(stock) > 1 and sum(id.startswith(colour) for id in board.values()) < GROUP_TILES - 1:
                yield self._lay_twice(colour)
        for cell, rest in self._list_loose(colour, board):
            yield self._lay_at(board[cell], self._choose_cell(colour, rest, self._list_beside(rest, cell)))
            return

    def _lay_twice(self, colour: str) -> Script:
        for _ in range(2):
            yield from self._lay(colour) or ()

    def _move_wrongly(self, colour: str) -> Iterator[Script]:
        """Phase 2: a tile of the other player, an own one to a place apart, or one to the group that it cuts off."""
        board = self.board()
        for cell, rest in self._list_loose(_name_other(colour), board):
            yield self._lay_at(board[cell], self.rng.choice(self._list_beside(rest, cell)))
            break
        for cell, rest in self._list_loose(colour, board):
            yield self._lay_at(board[cell], self.rng.choice(self._find_apart(rest)))
            break
        for cell in sorted(cell for cell, id in board.items() if id.startswith(colour)):
            groups = sorted(_groups(board.keys() - {cell}), key=len)
            if len(groups) == 2 and len(groups[0]) < len(groups[1]):
                free = surround(groups[0]) - board.keys() - surround(groups[1])
                if beside := [at for at in sorted(free) if self._fits(at)]:
                    yield self._lay_at(board[cell], self.rng.choice(beside))
                    return

    def _list_loose(self, colour: str, board: dict[Cell, str]) -> Iterator[tuple[Cell, dict[Cell, str]]]:
        """The tiles of a colour without which the board is still one group, in any order, and the board without it."""
        own = sorted(cell for cell, id in board.items() if id.startswith(colour))
        for cell in self.rng.sample(own, len(own)):
            rest = {at: id for at, id in board.items() if at != cell}
            if len(_groups(rest)) == 1:
                yield cell, rest

    def _list_beside(self, board: dict[Cell, str], left: Cell) -> list[Cell]:
        """The places beside a board where a tile may go that has left this one."""
        return sorted(cell for cell in surround(board) - board.keys() - {left} if self._fits(cell))

    def _find_apart(self, board: dict[Cell, str]) -> list[Cell]:
        """Places that touch no tile, with one place between."""
        near = surround(board) | board.keys()
        return sorted(cell for cell in surround(near) - near if self._fits(cell))


def _name_other(colour: str) -> str:
    return next(other for other in COLOURS if other != colour)


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
