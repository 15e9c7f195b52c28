"""Tables of SIX as perception reads them, for scripts of tables with their expected verdicts."""

import cmath
import math
from dataclasses import replace

from engine.axial import NEIGHBOURS, SIXTH_TURN
from engine.games.six import Six
from engine.games.six.board import Board
from engine.games.six.repetition import add_to_past
from engine.games.six.rules import Position
from engine.log import Log
from engine.referee import Follows, Refused, judge
from engine.table import Piece, Table

PITCH = 38.0
GAME = Six()


def edge(t):
    return {(q + a, r + b) for q, r in t for a, b in NEIGHBOURS} - t.keys()


def without(tiles, *cells):
    return {c: k for c, k in tiles.items() if c not in cells}


def big(rnd, n=40):
    """A random connected group, half red and half black, not built by the rules."""
    t = {(0, 0): "red", (1, 0): "black"}
    while len(t) < n:
        t[rnd.choice(sorted(edge(t)))] = "red" if len(t) % 2 == 0 else "black"
    return t


def look(tiles, at=400 + 300j, degrees=0.0, pitch=PITCH, loose=(), hide=(), jitter=None):
    """``tiles``: {(q, r): colour}; ``loose``: (colour, place); ``hide``: hidden areas."""
    seen = set()
    for (q, r), colour in tiles.items():
        z = at + cmath.rect(pitch, math.radians(degrees)) * (q + r * SIXTH_TURN)
        if jitter:
            z += complex(jitter.gauss(0, 0.9), jitter.gauss(0, 0.9))
        if not any(a.contains(z.real, z.imag) for a in hide):
            seen.add(Piece(colour, z.real, z.imag))
    seen |= {Piece(colour, z.real, z.imag) for colour, z in loose}
    return Table(frozenset(seen), tuple(hide))


def state(tiles, hands=(0, 0), turn="red", anchor=(400, 300, 0, 380), **options):
    """The state of a game with these tiles on the table."""
    board = Board.of(*([c for c, k in tiles.items() if k == own] for own in ("red", "black")))
    fresh = GAME.start(options)
    game = Position(board, turn, hands, spaced=fresh.terms.spaced)
    return replace(fresh, game=game, anchor=anchor, past=add_to_past(fresh, game))


def begin(tiles, hands=(0, 0), turn="red", **options):
    return Log(GAME, options, origin=state(tiles, hands, turn, **options))


def script(log, *steps):
    """Judge each table; moves that follow are added to the log. A string is the text id of a refusal."""
    for number, (table, expected) in enumerate(steps, 1):
        verdict = judge(log, table)
        if isinstance(expected, str):
            assert isinstance(verdict, Refused), (number, verdict)
            assert verdict.why is not None, number
            assert verdict.why.text.id == expected, (number, verdict.why)
        elif isinstance(expected, type):
            assert isinstance(verdict, expected), (number, verdict)
        else:
            assert isinstance(verdict, Follows), (number, verdict)
            assert tuple(map(str, verdict.moves)) == expected, (number, verdict.moves)
            assert [log.game.parse(str(move)) for move in verdict.moves] == list(verdict.moves)
            log = log.add(*verdict.moves)
            assert not isinstance(judge(log, table), Refused), number
    return log
