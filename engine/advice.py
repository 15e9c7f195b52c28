"""Advice: the fewest acts of a hand that lead from the table as it is to one that the referee accepts."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.table import BACK, Layout, Placement


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a hand does: ``piece`` goes from ``source`` to ``target``.

    Without a source it is not on the table, without a target it goes back to the hand or off the table. ``after`` is
    the piece in the target zone that it goes behind, if there is one; ``turned`` is the face that shows afterwards, if
    it is turned over as well.
    """

    piece: str
    source: str
    target: str
    after: str = ""
    turned: str = ""


def list_acts(seen: Layout, want: Layout) -> tuple[Act, ...]:
    """The fewest acts that change the layout seen into the one wanted: first away, then from place to place.

    What a hidden zone should hold counts as lying there.
    """
    extra: list[Placement] = []
    lacking: list[tuple[str, str, str]] = []
    for zone in sorted((want.zones.keys() | seen.zones.keys()) - {"anchor"}):
        got, wanted = seen.zones.get(zone, ()), want.zones.get(zone, ())
        if got == wanted:
            continue
        out, into = _differ(got, wanted)
        extra += [(got[at], zone) for at in out]
        known = {got[at] for at in out}
        lacking += [
            (wanted[at], zone, wanted[at - 1] if at else "")
            for at in into
            if zone not in seen.hidden or wanted[at] in known
        ]
    return _match(extra, lacking)


def _match(extra: list[Placement], lacking: list[tuple[str, str, str]]) -> tuple[Act, ...]:
    """Each piece too many goes to where it is lacking, or away; what is lacking then is put down."""
    moved: list[Act] = []
    for apart in (False, True):  # within its zone before to another one
        for piece, zone, after in tuple(lacking):
            source = next((z for p, z in extra if p == piece and (apart or z == zone)), None)
            if source is not None:
                extra.remove((piece, source))
                lacking.remove((piece, zone, after))
                moved.append(Act(piece, source, zone, after))
    for piece, zone, after in tuple(lacking):
        face = next((p for p, z in extra if z == zone and BACK in (p, piece)), None)
        if face is not None:
            extra.remove((face, zone))
            lacking.remove((piece, zone, after))
            moved.append(Act(face if piece == BACK else piece, zone, zone, after, turned=piece))
    away = (Act(piece, zone, "") for piece, zone in extra)
    return (*away, *moved, *(Act(piece, "", zone, after) for piece, zone, after in lacking))


def _differ(got: Sequence[str], wanted: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places in ``got`` and in ``wanted`` beside their longest common part."""
    low = 0
    while low < min(len(got), len(wanted)) and got[low] == wanted[low]:
        low += 1
    rows, columns = len(got) - low, len(wanted) - low
    common = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            alike = got[low + i] == wanted[low + j]
            common[i][j] = common[i + 1][j + 1] + 1 if alike else max(common[i + 1][j], common[i][j + 1])
    out, into, i, j = [], [], 0, 0
    while i < rows or j < columns:
        if i < rows and j < columns and got[low + i] == wanted[low + j]:
            i, j = i + 1, j + 1
        elif j == columns or (i < rows and common[i + 1][j] >= common[i][j + 1]):
            out.append(low + i)
            i += 1
        else:
            into.append(low + j)
            j += 1
    return out, into
