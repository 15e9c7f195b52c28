"""When a match of 6 nimmt! is over, and who has won."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.games.nimmt.match_options import Rules
from engine.games.nimmt.state import State


class Result(NamedTuple):
    over: bool
    winners: tuple[int, ...]


def find_result(rules: Rules, totals: Sequence[int], rounds_done: int, gone: Sequence[bool] = ()) -> Result:
    """Is the match over after this many whole rounds, and who has won (N-24 to N-27, H-6, A-95)?"""
    ranked = [player for player in range(1, len(totals) + 1) if not (gone and gone[player - 1])]
    if rules.last_round:
        over = rounds_done >= rules.last_round
    else:
        highest = max((totals[player - 1] for player in ranked), default=0)
        over = rounds_done > 0 and (highest > rules.target if rules.cmp == "gt" else highest >= rules.target)
    over = over or (bool(gone) and len(ranked) < 2)
    lowest = min((totals[player - 1] for player in ranked), default=0)
    return Result(over, tuple(p for p in ranked if totals[p - 1] == lowest) if over else ())


def find_winners(state: State) -> tuple[int, ...]:
    if state.phase != "end":
        return ()
    gone = tuple(player in state.gone for player in range(1, len(state.seats) + 1))
    return find_result(state.rules, state.totals(), state.round, gone).winners
