"""Whether the box has seen what was done at the simulated table: its people wait for that."""

from typing import Any

from engine.log import Log
from engine.referee import Follows, judge
from engine.table import Table
from firmware.simulation.players.habits import habits_of


def has_caught_up(log: Log[Any, Any], lies: Table) -> bool:
    """Does this record hold all that a perfect eye would tell of the table?

    But for where the tiles of SIX lie as a whole: that is measured, and measured anew only when it fits too badly.
    """
    verdict = judge(log, lies)
    settling = habits_of(log.game.name).settling
    return not isinstance(verdict, Follows) or all(isinstance(move, settling) for move in verdict.moves)
