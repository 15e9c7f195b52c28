"""The zones of which the referee would refuse a piece: a change there has to rest for longer."""

from typing import Any

from engine.log import Log
from engine.referee import Refused, judge
from engine.table import Table


def find_doubted_zones(log: Log[Any, Any] | None, table: Table) -> frozenset[str]:
    """The zones of which the referee would refuse a piece: a change there has to rest for longer.

    This is no verdict for people, and cannot take the place of the one that ``firmware.box.referee_desk`` gives. The
    table asked about has not been reported yet and may never be; the answer only chooses between two times of rest, so
    that a card on its way through a zone is not called wrong. The desk judges what was reported, against the record at
    that time, which entries by hand may have changed since the frame was taken.
    """
    if log is None:
        return frozenset()
    verdict = judge(log, table)
    return frozenset(zone for _, zone in verdict.wrong) if isinstance(verdict, Refused) else frozenset()
