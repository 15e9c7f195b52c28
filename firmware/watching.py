"""From frames to tables: looks that cost what has changed, kept until they lie still."""

from typing import Any

import numpy as np

from engine.log import Log
from engine.referee import Refused, judge
from engine.table import Area, Seen, Table
from vision import backs, steady
from vision.codebook import CARD
from vision.frames import Grey
from vision.look import Look, Setup, empty_table, look, mat_of
from vision.steady import Steady


class Blind(ValueError):
    """The empty table cannot be used; says what to do."""


class Watching:
    """One camera over one table: the last look, and what has lain still so far."""

    def __init__(self, log: Log[Any, Any], empty: Grey, *, sticker_mm: float = 18.0) -> None:
        mat, notes = mat_of(empty, Setup(sticker_mm=sticker_mm))
        if mat is None:
            raise Blind("; ".join(map(str, notes)) or "no markers are seen")
        self._game = log.game.name
        plan = log.game.plan(log.options)
        self._seats = {zone: area for zone, area in plan.zones.items() if zone.startswith("seat:")}
        self._empty = empty
        self._mat = mat
        bare = empty_table(empty, mat)
        self._setup = Setup(plan=plan.zones, sticker_mm=sticker_mm, empty=bare, mat=mat)
        self._plan = _cut(plan.zones)
        self._steady: Steady = steady.start(self._plan)
        self._look: Look | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self._look is None else tuple(map(str, self._look.notes))

    def see(self, grey: Grey, at: float, log: Log[Any, Any]) -> Table:
        """The table at rest after one more frame; what the rules would refuse has to lie still for longer."""
        now = look(grey, self._setup, self._look)
        self._look = now
        table = Table(now.table.seen | self._backs(grey, now), now.table.unseen)

        def doubt(table: Table) -> frozenset[str]:
            verdict = judge(log, table)
            return frozenset(zone for _, zone in verdict.wrong) if isinstance(verdict, Refused) else frozenset()

        self._steady = steady.watch(self._steady, at, table if now.mat else None, now.moving, doubt)
        return self._steady.table

    def _backs(self, grey: Grey, now: Look) -> frozenset[Seen]:
        if not self._seats or now.mat is None:
            return frozenset()
        matrix = np.asarray(now.mat.homography, np.float64)
        return backs.backs(grey, self._empty, matrix, self._seats, CARD[self._game], now.table.seen)


def _cut(zones: dict[str, Area] | Any) -> dict[str, Area]:
    """A free area is cut into patches, so that a hand hides no more than it must."""
    if set(zones) == {"table"}:
        return steady.patches(zones["table"])
    return dict(zones)
