"""The properties that the referee needs of every game, over whole simulated matches of every game and variant."""

import random
from importlib import import_module

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import WHYS, Illegal, Unfinished
from engine.games import GAMES
from engine.games.nimmt.pile_audit import is_complete
from engine.log import Log
from engine.log_text import read_log, write_log
from engine.referee import Follows, Refused, Waiting, judge
from firmware.simulation.players import DECLARED_MOVES, PLAYERS

ATTEMPTS = {name: import_module(f"tests.engine.attempts.{name}") for name in GAMES}
TABLES = [(name, options) for name in GAMES for options in ATTEMPTS[name].OPTIONS]
IDS = ["-".join((name, *map(str, options.values()))) for name, options in TABLES]
RULING = tuple("RNPHAGS")
LOOKED_AT = 0.06
"""The part of a match's states at which everything that might be tried is tried."""


def match(name, options, seed):
    """Every log of a whole match, from the empty table to the last move."""
    game = GAMES[name]
    log = Log(game, options)
    players = PLAYERS[name](log.options, random.Random(seed))
    yield log
    while (move := players.next(log.state)) is not None:
        log = log.add(move)
        yield log


def outcome(game, state, move):
    """The state after the move, or why not."""
    try:
        return game.play(state, move), None
    except Illegal as why:
        return None, why


def laid(log):
    return log.game.place(log.state, log.game.layout(log.state))


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_a_match_judged_table_by_table_is_the_match_that_was_played(name, options):
    """The referee sees layouts alone, and is given only the moves that a camera cannot see."""
    truth = referee = None
    for truth in match(name, options, seed=1):
        referee = referee or truth
        last = truth.moves[-1] if truth.moves else None
        if isinstance(last, DECLARED_MOVES[name]):
            referee = referee.add(last)
        verdict = judge(referee, laid(truth))
        assert isinstance(verdict, Follows | Waiting), (verdict, truth.moves[-3:])
        if isinstance(verdict, Follows):
            referee = referee.add(*verdict.moves)
    assert referee.state == truth.state
    assert referee.game.view(referee.state).over


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_the_layout_of_a_state_follows_and_its_moves_are_parsed_again(name, options):
    for log in match(name, options, seed=2):
        game = log.game
        layout = game.layout(log.state)
        assert game.arrange(log.state, game.place(log.state, layout)) == layout
        assert judge(log, game.place(log.state, layout)) == Follows(())
        for move in log.moves[-1:]:
            assert game.parse(str(move)) == move


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_every_attempt_is_followed_or_refused_with_its_ruling(name, options):
    rng = random.Random(3)
    seen = set()
    for log in match(name, options, seed=3):
        if rng.random() > LOOKED_AT:
            continue
        game, state = log.game, log.state
        for move, layout in ATTEMPTS[name].attempts(state, rng):
            verdict = judge(log, game.place(state, layout))
            after, why = outcome(game, state, move)
            if isinstance(why, Unfinished):
                assert isinstance(verdict, Waiting), (move, verdict)
                assert verdict.hint.ruling == why.ruling
            elif why:
                assert isinstance(verdict, Refused), (move, verdict)
                assert verdict.why.ruling == why.ruling
                assert why.why in WHYS
                assert why.ruling.startswith(RULING)
            elif game.layout(after) == layout:
                assert isinstance(verdict, Follows), (move, verdict)
                assert log.add(*verdict.moves).state == after
            seen.add(type(verdict))
    assert Refused in seen or options.get("seats") == "off"  # there a card is brought and laid in one act


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_commuting_moves_make_equal_states(name, options):
    for log in match(name, options, seed=4):
        moves = ATTEMPTS[name].commuting(log.state)
        if len(moves) > 1:
            try:
                there, back = log.add(*moves), log.add(*reversed(moves))
            except Illegal:
                continue  # the first of them may have ended the turn
            assert there.state == back.state
            assert hash(there.state) == hash(back.state)


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_a_log_written_and_read_again_is_the_same_log(name, options):
    *_, log = match(name, options, seed=5)
    again = read_log(write_log(log), GAMES)
    assert (again.options, again.entries, again.state) == (log.options, log.entries, log.state)
    assert again.states == log.states


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(ATTEMPTS["nimmt"].OPTIONS), st.integers(0, 10**9))
def test_cards_and_heads_are_conserved(options, seed):
    """Every number card that came into a row is in a row, on a pile or set aside, and there once."""
    for log in match("nimmt", options, seed):
        state = log.state
        assert is_complete(state)
        cards = [c for held in (*state.rows, *state.piles, *state.unowned, state.aside) for c in held]
        assert len(set(cards)) == len(cards)
    view = log.game.view(log.state)
    assert view.over
    assert min(pad.total for pad in view.pads) == view.pads[view.winners[0] - 1].total
