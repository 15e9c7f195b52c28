"""What the box should show: hidden cards it asks for, refusals of entries, and what perception has missed."""

from itertools import pairwise
from typing import Any, NamedTuple

from engine.game import Illegal
from engine.games.the_game.state import PILES, State
from engine.log import Log
from engine.referee import Waiting, judge
from engine.table import Piece, Table
from firmware.box.referee_desk import RefereeDesk

NEAR_MM = 12.0
"""Sum of the distances along both axes up to which a piece read is the piece on the table, in mm."""


class HiddenCard(NamedTuple):
    """A card of The Game under another one."""

    card: int
    top: int
    zone: str


def find_hidden_card(log: Log[Any, Any], truth: Log[Any, Any], lies: Table) -> HiddenCard | None:
    """The first card missing in the log; None if the box does not ask for one or has missed none."""
    if not isinstance(log.state, State):
        return None
    verdict = judge(log, lies)
    if not log.state.owed and not (isinstance(verdict, Waiting) and verdict.hint):
        return None
    for zone, held in zip(PILES, truth.state.piles, strict=True):
        for card, top in pairwise(held):
            if not log.state.is_laid(card):
                return HiddenCard(card, top, zone)
    return None


def find_refusal(log: Log[Any, Any], told: str) -> Illegal | None:
    """The refusal of this entry by the rules, or None."""
    try:
        log.add(log.parse(told))
    except Illegal as why:
        return why
    return None


def describe_state(desk: RefereeDesk, lies: Table) -> str:
    """The verdict of the box and the differences between perception and the table, for a report."""
    seen = desk.table.seen if desk.table else frozenset()
    false = [found for found in seen if not any(_near(true, found) for true in lies.seen)]
    hidden = len(desk.table.unseen) if desk.table else 0
    return f"{desk.verdict}; not seen {_unread(desk, lies)}, seen {false}, {hidden} areas hidden"


def is_blind(desk: RefereeDesk, lies: Table) -> bool:
    """Is part of the table hidden, or a piece not read?"""
    return desk.table is not None and bool(desk.table.unseen or _unread(desk, lies))


def _unread(desk: RefereeDesk, lies: Table) -> list[Piece]:
    seen = desk.table.seen if desk.table else frozenset()
    return [true for true in lies.seen if not any(_near(true, found) for found in seen)]


def _near(one: Piece, other: Piece) -> bool:
    return one.piece == other.piece and abs(one.x - other.x) + abs(one.y - other.y) < NEAR_MM
