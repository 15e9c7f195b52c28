"""Tiles laid in phase 1 between two looks: a legal order of the whole set, for the order cannot be seen."""

from collections.abc import Iterable

from engine.axial import list_neighbours
from engine.games.six.board import Tile
from engine.games.six.rules import Position

MOST_LAYS_TRIED = 300
"""About 3 ms. All orders of eight tiles lead to at most 256 different sets."""


def order_lays(game: Position, laid: Iterable[Tile]) -> tuple[Tile, ...]:
    """As many of these tiles as can be laid, in a legal order: all of them unless some lie wrong.

    What is left of the order is who is next, and that a shape is complete only with the last tile.
    """
    board = game.board
    tiles = [tile for tile in sorted(laid) if not board.has(tile[0])]
    index = {cell: n for n, (cell, _) in enumerate(tiles)}
    joins = [sum(1 << index[near] for near in list_neighbours(cell) if near in index) for cell, _ in tiles]
    first = sum(1 << index[cell] for cell in board.cells(game.legal()) if cell in index)
    edge = sum(1 << index[cell] for cell in board.cells(board.edge()) if cell in index)
    best: tuple[int, ...] = ()
    tried: set[int] = set()
    todo: list[tuple[Position, tuple[int, ...], int]] = [(game, (), first)]
    while todo and len(best) < len(tiles) and len(tried) < MOST_LAYS_TRIED:
        at, order, reach = todo.pop()
        used = sum(1 << n for n in order)
        if used in tried:
            continue
        tried.add(used)
        if order:
            cell, colour = tiles[order[-1]]
            at = at.lay(colour, cell)
            reach |= edge | joins[order[-1]]
        if len(order) > len(best):
            best = order
        if at.end or not any(at.hands):
            continue
        ready = [n for n, (_, colour) in enumerate(tiles) if reach & ~used & 1 << n and colour == at.turn]
        ready.sort(key=lambda n: (joins[n] & ~reach).bit_count())  # what opens the most cells is tried first
        todo += [(at, (*order, n), reach) for n in ready]
    return tuple(tiles[n] for n in best)
