"""Whole games by the rules, every choice made by the caller."""

from collections.abc import Callable

from engine.axial import Cell
from engine.games.six.board import RED, Board
from engine.games.six.rules import find_free_cells, start_position


def play_random_game(choose: Callable[[int], int], starter: str = RED) -> str:
    """A whole game by the rules; ``choose(n)`` answers every question with a number below n. Returns the winner."""
    at = start_position(starter)
    while at.end is None:
        board = at.board
        if any(at.hands):
            at = at.lay(at.turn, pick_cell(board, at.legal(), choose))
            continue
        source = pick_cell(board, board.own(at.turn), choose)
        lift = at.lift(source)
        stay = lift.stay[choose(len(lift.stay))] if len(lift.stay) > 1 else lift.stay[0]
        free = find_free_cells(board, stay)
        keep = next(board.cells(stay)) if len(lift.stay) > 1 else None
        at, _ = at.move(source, pick_cell(board, free, choose), keep)
    return at.end.winner


def pick_cell(board: Board, bits: int, choose: Callable[[int], int]) -> Cell:
    """One of these cells, as chosen by its number."""
    skip = choose(bits.bit_count())
    base = 0
    width = bits.bit_length()
    while width > 1:
        width = (width + 1) // 2
        low = bits & (1 << width) - 1
        count = low.bit_count()
        if skip < count:
            bits = low
        else:
            skip -= count
            bits >>= width
            base += width
    return board.cell(base)
