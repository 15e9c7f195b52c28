"""When a match is over, the screen shows the ruling that decides it."""

import random

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.simulation.players import PLAYERS

ENDS = (
    ("the lowest total wins", "nimmt", {"end": "rounds", "rounds": 1}, {"N-26"}),
    ("the lowest total wins after a draft", "nimmt", {"variant": "professional", "target": 20}, {"N-26"}),
    ("two halves are the whole match", "nimmt", {"variant": "halves"}, {"H-6"}),
    ("the sum of both rounds decides", "nimmt", {"variant": "anniversary"}, {"A-95"}),
    ("no player can go on, or all cards are laid", "thegame", {"players": 3}, {"G-16", "G-20"}),
    ("a shape, or too few tiles", "six", {}, {"S-5", "S-19", "S-20"}),
)


@pytest.mark.parametrize(("game", "options", "rulings"), [one[1:] for one in ENDS], ids=[one[0] for one in ENDS])
def test_the_ruling_is_shown_from_the_end_on_and_not_before(game, options, rulings):
    log = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, random.Random(5))
    while not (view := log.game.view(log.state)).over:
        assert not view.ruling
        log = log.add(players.next(log.state))
    assert view.ruling in rulings
