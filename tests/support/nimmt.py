"""Tables of 6 nimmt! as perception reads them, and scripts of tables with their expected verdicts."""

from dataclasses import replace

from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.log import Log
from engine.referee import Follows, Refused, Waiting, judge
from engine.table import Layout
from tests.support.light import hidden

GAME = Nimmt()
DEAL = ((10,), (20,), (30,), (40,))


def begin(rows=DEAL, *, shown=(), variant="base", players=2, **more):
    """A log that starts within a round: these rows, and one shown card for each player."""
    players = max(players, len(shown))
    log = Log(GAME, {"players": players, "variant": variant, "allow_any_count": 1})
    rows = (*map(tuple, rows), *((),) * (5 - len(rows)))
    state = replace(log.state, phase="choose", rows=rows, entered=sum(map(len, rows)), **more)
    log = Log(GAME, log.options, origin=state)
    return log.add(*(m.Reveal(player, card) for player, card in enumerate(shown, 1)))


def look(log, rows, seats=None, *, beside=None, marks=None, hide=()):
    """Cards in rows and at seats, specials beside them or at rows; a hand covers the zones in ``hide``."""
    zones = {f"row:{r}": tuple(map(str, row)) for r, row in enumerate(rows, 1) if row}
    zones |= {f"seat:{k}": (str(card),) for k, card in (seats or {}).items()}
    zones |= {f"special:{k}": (kind,) for k, kind in (beside or {}).items()}
    zones |= {f"mark:{r}": tuple(kinds) for r, kinds in (marks or {}).items()}
    table = GAME.place(log.state, Layout(zones))
    areas = GAME.plan(log.options).zones
    inner = (replace(a, left=a.left + 46, top=a.top + 46, right=a.right - 46, bottom=a.bottom - 46)
             for a in map(areas.get, hide))  # fmt: skip
    return hidden(table, *inner) if hide else table


def script(log, *steps):
    """Judge each table. Expected: a tuple of moves follows, a ruling refuses, or the class of the verdict."""
    for number, (table, expected) in enumerate(steps, 1):
        verdict = judge(log, table)
        if isinstance(expected, str):
            assert isinstance(verdict, Refused), (number, verdict)
            assert verdict.why.ruling == expected, (number, verdict)
        elif isinstance(expected, type):
            assert isinstance(verdict, expected), (number, verdict)
        elif isinstance(expected, Hint):
            assert isinstance(verdict, Waiting), (number, verdict)
            assert (verdict.hint.ruling, verdict.hint.text.id) == (expected.ruling, expected.text), (number, verdict)
        else:
            assert isinstance(verdict, Follows), (number, verdict)
            assert tuple(map(str, verdict.moves)) == expected, (number, verdict.moves)
            log = log.add(*verdict.moves)
    return log


class Hint:
    """Expects ``Waiting`` with this hint."""

    def __init__(self, ruling, text):
        self.ruling, self.text = ruling, text
