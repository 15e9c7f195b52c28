"""Rebuild the record on the table, one line at a time: after a pause, a knock, or when the record is right."""

from dataclasses import dataclass

from engine.game import M, S
from engine.log import Log
from engine.table import Layout, Table
from engine.text import Text, say


@dataclass(frozen=True, slots=True)
class Line:
    """One zone to put right: what shall lie there, what to take away, and whether it is done."""

    zone: str
    lay: tuple[str, ...]
    away: tuple[str, ...]
    done: bool

    @property
    def text(self) -> Text:
        if self.lay:
            return say("guide_lay", zone=self.zone, pieces=" ".join(self.lay))
        return say("guide_away", zone=self.zone, pieces=" ".join(self.away))


def guide(log: Log[S, M], table: Table) -> tuple[Line, ...]:
    """Every zone of the record in order, ticked off where the table agrees. A hidden zone is never ticked."""
    return lines(log.game.layout(log.state), log.game.arrange(log.state, table))


def lines(want: Layout, seen: Layout) -> tuple[Line, ...]:
    told: list[Line] = []
    for zone in sorted(want.zones.keys() | seen.zones.keys(), key=_order):
        lay, got = want.zones.get(zone, ()), seen.zones.get(zone, ())
        away = tuple(piece for piece in got if piece not in lay)
        told.append(Line(zone, lay, away, lay == got and zone not in seen.hidden))
    return tuple(told)


def _order(zone: str) -> tuple[str, int, str]:
    kind, _, number = zone.partition(":")
    return kind, int(number) if number.isdigit() else 0, number
