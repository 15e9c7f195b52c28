"""Advice that is carried out leads back to a table that the referee accepts, with no more acts than what went wrong."""

import random

import pytest

from engine.axial import surround
from engine.games.six.board import COLOURS
from engine.games.six.zones import format_zone, parse_zone
from engine.referee import Refused, Waiting, judge
from engine.table import BACK, Layout
from tests.engine.test_conformance import IDS, TABLES, match
from tests.support.nimmt import begin, look

LOOKED_AT = 0.15
"""The part of a match's states at which hands do something wrong."""


def obey(layout, acts):
    """The layout after these acts, each piece behind its neighbour or at the beginning."""
    held = {zone: list(pieces) for zone, pieces in layout.zones.items()}
    for act in acts:
        if act.source:
            held[act.source].remove(act.piece)
    for act in acts:
        if act.target:
            there = held.setdefault(act.target, [])
            at = there.index(act.after) + 1 if act.after in there else 0
            there.insert(at, act.turned or act.piece)
    return Layout({zone: tuple(pieces) for zone, pieces in held.items() if pieces})


def swap(rng, held, spare):
    (one, i), (other, j) = rng.sample([(z, n) for z in held for n in range(len(held[z]))], 2)
    held[one][i], held[other][j] = held[other][j], held[one][i]
    return 2


def move(rng, held, spare):
    one, other = rng.choice(sorted(held)), rng.choice(sorted(held))
    held[other].append(held[one].pop(rng.randrange(len(held[one]))))
    return 1


def lose(rng, held, spare):
    zone = rng.choice(sorted(held))
    held[zone].pop(rng.randrange(len(held[zone])))
    return 1


def add(rng, held, spare):
    held[rng.choice(sorted(held))].append(spare)
    return 1


def turn(rng, held, spare):
    zone = rng.choice(sorted(held))
    held[zone][rng.randrange(len(held[zone]))] = BACK
    return 1


def exchange(rng, held, spare):
    one, other = rng.sample(sorted(held), 2)
    held[one], held[other] = held[other], held[one]
    return len(held[one]) + len(held[other])


def slide(rng, held, spare):
    """A tile to a free cell, or a tile from a hand there."""
    taken = {parse_zone(zone) for zone in held}
    target = format_zone(rng.choice(sorted(surround(taken) - taken)))
    held[target] = held.pop(rng.choice(sorted(held))) if rng.random() < 0.5 else [rng.choice(COLOURS)]
    return 1


WRONGS = {
    "nimmt": (swap, move, lose, add, turn, exchange),
    "thegame": (lose, add),
    "six": (swap, slide, lose),
}
SPARE = {"nimmt": "x3", "thegame": "100"}


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_advice_obeyed_is_accepted(name, options):
    rng = random.Random(7)
    refused = 0
    for log in match(name, options, seed=6):
        game, state = log.game, log.state
        zones = {zone: list(held) for zone, held in game.layout(state).zones.items() if zone != "anchor"}
        if rng.random() > LOOKED_AT or len(zones) < 2 or game.view(state).over:
            continue
        for wrong in WRONGS[name]:
            held = {zone: list(pieces) for zone, pieces in zones.items()}
            most = wrong(rng, held, SPARE.get(name, ""))
            table = game.place(state, Layout({zone: tuple(pieces) for zone, pieces in held.items() if pieces}))
            seen = game.arrange(state, table)
            verdict = judge(log, table)
            if isinstance(verdict, Refused):
                refused += 1
                assert verdict.cure, (wrong.__name__, held, verdict)
                assert len(verdict.cure) <= most, (wrong.__name__, held, verdict)
                after = judge(log, game.place(state, obey(seen, verdict.cure)))
                assert not isinstance(after, Refused), (wrong.__name__, held, verdict, after)
            elif isinstance(verdict, Waiting) and verdict.cure:
                after = judge(log, game.place(state, obey(seen, verdict.cure)))
                assert not isinstance(after, Refused), (wrong.__name__, held, verdict, after)
    assert refused


CARRIED_OUT = [
    pytest.param(("special 1 move", "shift 30 4"), ((10,), (20,), (), (30, 40)), {1: 5, 2: 60}, id="a Move"),
    pytest.param(("special 1 replace", "swap 7"), ((10,), (20,), (30,), (40,)), {1: 7, 2: 60}, id="a Replace"),
]


@pytest.mark.parametrize(("lines", "rows", "seats"), CARRIED_OUT)
def test_a_special_that_was_carried_out_is_not_asked_back(lines, rows, seats):
    log = begin(shown=(5, 60), variant="anniversary")
    log = log.add(*map(log.parse, lines))
    verdict = judge(log, look(log, rows, seats))
    assert isinstance(verdict, Waiting)
    assert verdict.cure == ()
    foul = judge(log, look(log, ((*rows[0], 105), *rows[1:]), seats))
    assert [(act.piece, act.source, act.target) for act in foul.cure] == [("105", "row:1", "")]


@pytest.mark.parametrize("later", [41, 66], ids=["a later player has to take that row", "nobody has to take it"])
def test_a_row_taken_by_a_player_who_had_not_to_is_put_back_before_the_turn_goes_on(later):
    rows = ((25, 27, 29, 31, 36), (55, 63, 64), (20,), (8,))
    log = begin(rows, shown=(23, 65, later))
    verdict = judge(log, look(log, ((23,), *rows[1:]), {2: 65, 3: later}))
    assert isinstance(verdict, Refused)
    first, *rest = verdict.cure
    assert (first.piece, first.source, first.target) == ("23", "row:1", "row:3")
    assert [(act.piece, act.source, act.target) for act in rest] == [(str(card), "", "row:1") for card in rows[0]]
