"""The options of a match of SIX."""

from engine.games.six.board import BLACK, RED
from engine.options import Option

OPTIONS = (
    Option("players", 2, 2, 2),
    Option("first", RED, words=(RED, BLACK)),
    Option("first_tile_restriction", 0, 0, 1),
    Option("repetition_notice", 3, 0, 9),
    Option("width", 0, 0, 5000),
    Option("height", 0, 0, 5000),
)
