"""SIX by the rulebook, written apart from the engine: shapes, groups, splits, turns and the end."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

Cell = tuple[int, int]
Group = frozenset[Cell]

WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
RED, BLACK = COLOURS = ("red", "black")
LEAST_TILES = 6
TILES_OF_A_COLOUR = 21


def other(colour: str) -> str:
    return BLACK if colour == RED else RED


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + q, cell[1] + r) for q, r in WAYS]


def _figures() -> dict[str, list[tuple[Cell, ...]]]:
    """S-6, S-7 and S-8: every figure that has cell 0,0 in it."""
    circle = [*WAYS]
    up = [(q, r) for r in range(3) for q in range(3 - r)]
    down = [(-q, -r) for q, r in up]
    lines = [[(q * n, r * n) for n in range(6)] for q, r in WAYS[:3]]
    figures: dict[str, list[tuple[Cell, ...]]] = {}
    for name, cells in (("circle", circle), ("triangle", up), ("triangle", down), *(("line", line) for line in lines)):
        for q, r in cells:
            figures.setdefault(name, []).append(tuple((a - q, b - r) for a, b in cells))
    return figures


FIGURES = _figures()


def find_shape(cells: Collection[Cell], last: Cell) -> str | None:
    """The shape that the tile at ``last`` completes; S-9: more than six tiles contain one."""
    q, r = last
    for name, figures in FIGURES.items():
        if any(all((q + a, r + b) in cells for a, b in figure) for figure in figures):
            return name
    return None


def find_groups(cells: Iterable[Cell]) -> list[Group]:
    """What hangs together side by side, the largest first."""
    rest, groups = set(cells), []
    while rest:
        todo = [rest.pop()]
        group = set(todo)
        while todo:
            for cell in around(todo.pop()):
                if cell in rest:
                    rest.remove(cell)
                    group.add(cell)
                    todo.append(cell)
        groups.append(frozenset(group))
    return sorted(groups, key=len, reverse=True)


class BrokenRule(Exception):
    """This is not legal; the text names the ruling."""


@dataclass(slots=True)
class Match:
    """A position, with the rules that lead to the next one. ``keep`` is any cell of the group that stays in a tie."""

    turn: str
    spaced: bool = False
    tiles: dict[Cell, str] = field(default_factory=lambda: {(0, 0): RED, (1, 0): BLACK})
    stock: dict[str, int] = field(default_factory=lambda: {RED: 20, BLACK: 20})
    winner: str | None = None
    why: str = ""

    @property
    def phase(self) -> int:
        return 1 if any(self.stock.values()) else 2

    def copy(self) -> "Match":
        return Match(self.turn, self.spaced, dict(self.tiles), dict(self.stock), self.winner, self.why)

    def own(self, colour: str) -> set[Cell]:
        return {cell for cell, tile in self.tiles.items() if tile == colour}

    def free_cells(self, group: Iterable[Cell]) -> set[Cell]:
        return {cell for tile in group for cell in around(tile) if cell not in self.tiles}

    def lay(self, colour: str, cell: Cell) -> None:
        """S-3, S-4 and S-5."""
        self._check(colour, self.phase == 1, "S-10, S-11")
        if cell in self.tiles or not any(beside in self.tiles for beside in around(cell)):
            raise BrokenRule("S-3")
        first = len(self.tiles) == 2
        if first and self.spaced and any(self.tiles.get(beside) == colour for beside in around(cell)):
            raise BrokenRule("S-4")
        self.tiles[cell] = colour
        self.stock[colour] -= 1
        self._finish(colour, cell)

    def staying(self, lifted: Cell) -> list[Group]:
        """The groups of which one stays: more than one only in a tie (S-13, S-14, S-16, S-17)."""
        groups = find_groups(self.tiles.keys() - {lifted})
        return [group for group in groups if len(group) == len(groups[0])]

    def move(self, lifted: Cell, target: Cell, keep: Cell | None = None) -> Group:
        """S-11 to S-21; the cells that leave the game."""
        colour = self.tiles.get(lifted, "")
        self._check(colour, self.phase == 2, "S-10")
        stays = [g for g in self.staying(lifted) if keep is None or keep in g]
        near = [group for group in stays if any(cell in group for cell in around(target))]
        if target == lifted or target in self.tiles or not near:
            raise BrokenRule("S-11, S-12, S-15")
        if len(near) > 1:
            raise BrokenRule("S-16: choose the group that stays")
        lost = frozenset(self.tiles.keys() - near[0] - {lifted})
        for cell in (*lost, lifted):
            del self.tiles[cell]
        self.tiles[target] = colour
        self._finish(colour, target)
        return lost

    def _check(self, colour: str, phase: bool, ruling: str) -> None:
        if self.winner is not None:
            raise BrokenRule("the game is over")
        if not phase:
            raise BrokenRule(ruling)
        if colour != self.turn:
            raise BrokenRule("it is the other player's turn")

    def _finish(self, colour: str, last: Cell) -> None:
        self.turn = other(colour)
        shape = find_shape(self.own(colour), last)
        if shape is not None:
            self.winner, self.why = colour, shape
            return
        if self.phase == 1:
            return
        short = [c for c in COLOURS if len(self.own(c)) < LEAST_TILES]
        if short:
            self.winner, self.why = ("draw", "both_short") if len(short) == 2 else (other(short[0]), "short")
