"""Whoever does something wrong hears the ruling an arbiter would cite, and goes on once it is mended."""

import random

import pytest

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, Refused, Waiting, judge
from firmware.faults import faults
from firmware.players import PLAYERS, SAID

MATCHES = {
    "nimmt": ("nimmt", {"players": 4}),
    "nimmt-many": ("nimmt", {"players": 10, "end": "rounds", "rounds": 1}),
    "nimmt-no-seats": ("nimmt", {"players": 3, "seats": "off"}),
    "nimmt-draft": ("nimmt", {"players": 3, "variant": "professional"}),
    "nimmt-halves": ("nimmt", {"players": 5, "variant": "halves"}),
    "nimmt-specials": ("nimmt", {"players": 4, "variant": "anniversary"}),
    "thegame": ("thegame", {"players": 3}),
    "thegame-alone": ("thegame", {"players": 1, "level": "expert"}),
    "six": ("six", {}),
    "six-spaced": ("six", {"first_tile_restriction": 1}),
}


def match(name, seed, moves=400):
    """The record before each move, the move, and what could be done wrong instead."""
    game, options = MATCHES[name]
    rng = random.Random(f"{name} {seed}")
    log = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, rng)
    wrong = random.Random(seed)
    while moves and (move := players.next(log.state)) is not None:
        moves -= 1
        yield log, move, list(faults(log, move, wrong))
        log = log.add(move)


def answer(fault, log):
    """What the referee says in the end."""
    if fault.said:
        try:
            log.add(log.parse(fault.said))
        except Illegal as why:
            return "illegal", why
        return "accepted", None
    for look in fault.looks:
        verdict = judge(log, log.game.place(log.state, look))
    match verdict:
        case Refused(why=why):
            return "refused", why
        case Waiting(hint=why) if why is not None:
            return "asked", why
        case _:
            return str(verdict), None


def complaint(fault, log):
    """How the answer differs from an arbiter's; empty if it does not."""
    how, why = answer(fault, log)
    wanted = "illegal" if fault.said else "asked" if fault.soft else "refused"
    if how != wanted or why is None:
        return f"{how}, not {wanted}: {why}"
    if why.ruling not in fault.rulings:
        return f"{why}, not {' '.join(fault.rulings)}"
    if fault.whys and why.why not in fault.whys:
        return f"{why.why}, not {' '.join(fault.whys)}"
    return ""


def mended(log, move):
    """Once everything lies as it should, the legal move follows, or lies in the air until more is done."""
    after = log.add(move)
    verdict = judge(log, log.game.place(log.state, log.game.layout(after.state)))
    return isinstance(verdict, Waiting) or (isinstance(verdict, Follows) and move in (*verdict.moves, move))


@pytest.mark.parametrize("name", MATCHES)
def test_every_fault_of_a_match_is_caught_by_its_ruling_and_mended(name):
    share = random.Random(1)
    for log, move, found in match(name, 1):
        for fault in share.sample(found, min(2, len(found))):
            assert not complaint(fault, log), (fault.kind, str(move), fault.looks[-1:], complaint(fault, log))
        if not isinstance(move, SAID[log.game.name]):
            after = log.add(move)
            verdict = judge(log, log.game.place(log.state, log.game.layout(after.state)))
            assert not isinstance(verdict, Refused), str(move)
