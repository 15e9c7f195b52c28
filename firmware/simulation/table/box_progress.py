"""Whether the box has read everything on the simulated table; its players wait for that."""

from typing import Any

from engine.log import Log
from engine.referee import Follows, judge
from engine.table import Table
from firmware.simulation.players.piece_handling import habits_of


def has_caught_up(log: Log[Any, Any], lies: Table) -> bool:
    """Does this log hold everything that perfect perception of the table would add?

    Except for the measured position of the tiles of SIX as a whole, which is updated only when it fits badly.
    """
    verdict = judge(log, lies)
    settling = habits_of(log.game.name).settling
    return not isinstance(verdict, Follows) or all(isinstance(move, settling) for move in verdict.moves)
