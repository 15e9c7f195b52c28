"""Manual entry for SIX: a cell is chosen by its line from the top, then by its number in the drawn board."""

from collections.abc import Collection, Mapping

from engine.axial import Cell
from engine.games.six.board import RED
from engine.games.six.rules import Position, find_free_cells
from engine.games.six.state import State
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import OpenForm
from firmware.box.games.manual_entry_question import Question
from firmware.box.menu_and_confirmation import offer

PITCH = 380
MARKS = "123456789abcdefghijklmnopqrstuvwxyz"
LINE = "line:"


def forms(state: State) -> tuple[Offer, ...]:
    game = state.game
    if game is None:
        x, y = state.terms.width // 2, state.terms.height // 2
        start = (Offer(say("start_pair_lies"), f"start {x} {y} 0 {PITCH}"),)
        return (Offer(say("taken_away"), "clear"),) if state.litter else start
    if game.end or game.split:
        return ()
    if any(game.hands):
        return (offer(say("tile_laid"), OpenForm(f"lay {game.turn}")),)
    found = [offer(say("tile_moved"), OpenForm("move"))]
    if any(len(game.lift(cell).stay) > 1 for cell in _own(game)):
        found.append(offer(say("group_stays"), OpenForm("keep")))
    return (*found, Offer(say("agree_draw"), "draw"))


def ask(state: State, verb: str, words: tuple[str, ...]) -> Question | None:
    """A line, then a cell in it; for a move first the cell of the lifted tile, then its new cell."""
    game = state.game
    assert game is not None
    picked = [word for word in words if not word.startswith(LINE)]
    line = words[-1] if words and words[-1].startswith(LINE) else ""
    match verb.split()[0], len(picked):
        case "lay", 0:
            return _place(game, set(game.board.cells(game.legal())), line, say("which_line"))
        case "move", 0:
            return _place(game, _own(game), line, say("lifted_where"))
        case "move", 1:
            return _place(game, _targets(game, _cell(picked[0])), line, say("laid_where"))
        case "keep", 0:
            own = {cell for cell in _own(game) if len(game.lift(cell).stay) > 1}
            return _place(game, own, line, say("lifted_where"))
        case "keep", 1:
            groups = [sorted(game.board.cells(group)) for group in game.lift(_cell(picked[0])).stay]
            marked = list(zip(MARKS, groups, strict=False))
            offers = (Offer(say("group", value=mark, n=len(g)), f"{g[0][0]} {g[0][1]}") for mark, g in marked)
            return Question(say("which_group_stays"), tuple(offers), lines=_groups(game, groups))
        case _:
            return None


def split(game: Position) -> tuple[tuple[Offer, ...], tuple[Text, ...]]:
    """Which group leaves the board, by its number in the drawing."""
    groups = [sorted(group) for group in game.split]
    marked = zip(MARKS, groups, strict=False)
    offers = tuple(Offer(say("group", value=mark, n=len(g)), f"lose {g[0][0]} {g[0][1]}") for mark, g in marked)
    return offers, _groups(game, groups)


def entry(verb: str, words: tuple[str, ...]) -> str:
    return " ".join((verb, *(word for word in words if not word.startswith(LINE))))


def _place(game: Position, cells: Collection[Cell], line: str, prompt: Text) -> Question:
    """The lines with such a cell, or the cells of the chosen line, numbered as in the drawing."""
    top = _top(game, cells)
    if not line:
        rows = sorted({r for _, r in cells})
        offers = tuple(Offer(say("line", row=r - top + 1), f"{LINE}{r}") for r in rows)
        return Question(prompt, offers, lines=_drawn(game, dict.fromkeys(cells, "+")))
    r = int(line.removeprefix(LINE))
    here = sorted(cell for cell in cells if cell[1] == r)
    offers = tuple(Offer(say("place", value=mark), f"{q} {r}") for mark, (q, _) in zip(MARKS, here, strict=False))
    picture = _drawn(game, dict(zip(here, MARKS, strict=False)), top)
    return Question(picture[r - top], offers, lines=picture)


def _groups(game: Position, groups: list[list[Cell]]) -> tuple[Text, ...]:
    return _drawn(game, {cell: mark for mark, group in zip(MARKS, groups, strict=False) for cell in group})


def _drawn(game: Position, marks: Mapping[Cell, str], top: int | None = None) -> tuple[Text, ...]:
    """The board line by line, each shifted by half a tile: R and B are tiles, a cell to choose has its mark."""
    tiles = {cell: "R" if colour == RED else "B" for cell, colour in game.board.tiles(game.board.all)}
    shown = {**tiles, **marks}
    left, first = min(2 * q + r for q, r in shown), min(r for _, r in shown) if top is None else top
    return tuple(
        say("board_line", row=n, says=_line({2 * q + r - left: mark for (q, row), mark in shown.items() if row == r}))
        for n, r in enumerate(range(first, max(r for _, r in shown) + 1), 1)
    )


def _line(marks: dict[int, str]) -> str:
    return "".join(marks.get(n, " ") for n in range(max(marks, default=-1) + 1))


def _top(game: Position, cells: Collection[Cell]) -> int:
    return min(r for _, r in (*cells, *game.board.cells(game.board.all)))


def _own(game: Position) -> set[Cell]:
    return set(game.board.cells(game.board.own(game.turn)))


def _targets(game: Position, source: Cell) -> set[Cell]:
    board = game.board
    return {cell for group in game.lift(source).stay for cell in board.cells(find_free_cells(board, group))} - {source}


def _cell(words: str) -> Cell:
    q, r = map(int, words.split())
    return q, r
