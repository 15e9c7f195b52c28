"""How a game of SIX ends by a lack of tiles, what its end is called, and which colour starts the next one."""

from dataclasses import dataclass

from engine.games.six.board import COLOURS, Board, other_colour

LEAST_TILES = 6
"""With fewer tiles a colour can make no shape and loses (S-19)."""
DRAW = "draw"


@dataclass(frozen=True, slots=True)
class GameEnd:
    """``winner`` is a colour or a draw; ``reason`` is shape, short, both_short or agreed; ``shape`` its kind."""

    winner: str
    reason: str
    shape: str = ""

    @property
    def ruling(self) -> str:
        return {"shape": "S-5", "short": "S-19", "both_short": "S-20"}.get(self.reason, "S-22")


def find_shortage(board: Board) -> GameEnd | None:
    """How the game ends if a colour has too few tiles."""
    short = [colour for colour in COLOURS if board.count(colour) < LEAST_TILES]
    if len(short) == 2:
        return GameEnd(DRAW, "both_short")
    return GameEnd(other_colour(short[0]), "short") if short else None


def find_next_starter(starter: str, winner: str) -> str:
    """The loser starts; after a draw the player who did not start."""
    return other_colour(starter) if winner == DRAW or winner not in COLOURS else other_colour(winner)
