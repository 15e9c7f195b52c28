"""Tables seen while a question about an earlier one stands: they are read in their order when it is answered."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal, Unfinished, play_moves
from engine.log import Log
from engine.referee import Follows, Verdict, Waiting, judge
from engine.table import Gap, Layout, Table, find_gap
from engine.text import Text
from firmware.box.games import ui_of

MOST_KEPT = 16
"""More changes of the table than this belong to several turns: people answer before."""


@dataclass(frozen=True, slots=True)
class LooksVerdict:
    """The moves that the earlier tables tell, the tables that still wait, and the verdict on what is to be shown.

    ``asked`` is a question that stands after it.
    """

    moves: tuple[Any, ...]
    kept: tuple[Table, ...]
    verdict: Verdict[Any]
    asked: Text | None = None


def judge_looks(log: Log[Any, Any], kept: tuple[Table, ...], table: Table) -> LooksVerdict:
    """Judge the tables that were kept and then this one; the first that still asks its question is not overtaken."""
    told: tuple[Any, ...] = ()
    for number, earlier in enumerate(kept if kept and _still_lies(log, kept[0], table) else ()):
        verdict = judge(log, earlier)
        while isinstance(verdict, Follows) and verdict.moves:  # those that are certain may come before a question
            log, told = log.add(*verdict.moves), (*told, *verdict.moves)
            verdict = judge(log, earlier)
        if _asks(verdict):
            return LooksVerdict(told, _keep(log, kept[number:], table), verdict)
    verdict = judge(log, table)
    return LooksVerdict(told, _keep(log, (), table) if _asks(verdict) else (), verdict)


def doubt_look(log: Log[Any, Any], asked: Text | None, table: Table, looks: LooksVerdict) -> LooksVerdict:
    """The same, up to a move that may be a piece shown because of the question that stands: then it is asked."""
    verdict, ui = looks.verdict, ui_of(log.game.name)
    if isinstance(verdict, Waiting) and isinstance(verdict.hint, Unfinished):
        stands = verdict.hint.text.id in ui.standing_questions
        return replace(looks, asked=verdict.hint.text if stands else asked)
    if not isinstance(verdict, Follows) or asked is None:
        return replace(looks, asked=asked)
    log = log.add(*looks.moves)
    for number, move in enumerate(verdict.moves):
        if doubtful := ui.doubt(log.state, asked, move, table):
            try:
                log.game.play(log.state, doubtful)
            except Unfinished as question:
                told = (*looks.moves, *verdict.moves[:number])
                return replace(looks, moves=told, verdict=Waiting((), question.drop_stack()), asked=asked)
        log = log.add(move)
    seen = log.game.arrange(log.state, table)
    needed = any(ui.needs(zone, log.state) for zone in seen.hidden & log.game.plan(log.options).zones.keys())
    recorded = not needed and seen.zones == log.game.layout(log.state).zones
    return replace(looks, asked=None if recorded else asked)


def _asks(verdict: Verdict[Any]) -> bool:
    """Does it ask about a piece that came and went, so that what comes later may look like something else?"""
    return isinstance(verdict, Waiting) and isinstance(verdict.hint, Unfinished) and verdict.hint.keeps


def _keep(log: Log[Any, Any], kept: tuple[Table, ...], table: Table) -> tuple[Table, ...]:
    """A table with hidden places does not show what was not there yet."""
    if table.unseen or len(kept) >= MOST_KEPT:
        return kept
    arranged = log.game.arrange(log.state, table)
    return kept if kept and log.game.arrange(log.state, kept[-1]) == arranged else (*kept, table)


def _still_lies(log: Log[Any, Any], earlier: Table, table: Table) -> bool:
    """Was nothing put back that was gone from the earlier table, where it is asked about another piece?

    Nor was the piece laid that is due, because people entered it.
    """
    seen, now = log.game.arrange(log.state, earlier), log.game.arrange(log.state, table)
    gap = find_gap(log.game.layout(log.state), seen)
    if _find_entered(log, gap) & (_list_pieces(now) - _list_pieces(seen)):
        return False
    gone = {zone for _, zone in gap.missing} & {zone for _, zone in gap.extra}
    return not any(set(gap.missing_in(zone)) <= set(now.zones.get(zone, ())) for zone in gone)


def _find_entered(log: Log[Any, Any], gap: Gap) -> set[str]:
    """The pieces that come to the table with the moves that are due."""
    try:
        after = play_moves(log.game, log.state, log.game.due(log.state, gap))
    except Illegal:
        return set()
    new = find_gap(log.game.layout(log.state), log.game.layout(after)).extra
    return {piece for piece, _ in new}


def _list_pieces(seen: Layout) -> set[str]:
    return {piece for held in seen.zones.values() for piece in held}
