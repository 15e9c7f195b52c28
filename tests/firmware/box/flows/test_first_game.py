"""A first game: chosen at home, it names its players and explains each prompt for three rounds."""

import random
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.box.commands import BeginMatch, LearnGame, parse_command
from firmware.box.events import parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_running_game, show_box, step_box
from firmware.box.flows.first_game import EXPLAINED_ROUNDS, find_lesson
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.box.games import ui_of
from firmware.simulation.players import PLAYERS

MATCHES = {"nimmt": {"players": 3, "end": "rounds", "rounds": 5}, "thegame": {"players": 3}, "six": {}}


def told(box, *words):
    for n, word in enumerate(words, 1):
        box, _ = step_box(box, parse_told(word, "button", box.known.now + n))
    return box


def played(game, moves=600):
    """The record after each move of a whole match."""
    log = Log(GAMES[game], MATCHES[game])
    players = PLAYERS[game](log.options, random.Random(4))
    for _ in range(moves):
        yield log
        if log.game.view(log.state).over:
            return
        log = log.add(players.next(log.state))


def taught(log):
    return Box(Context(names={1: "Ana", 2: "Ben", 3: "Clea"}), (Home(), replace(play_from(log), taught=True)))


@pytest.mark.parametrize("game", GAMES)
def test_it_is_chosen_at_home_and_asks_each_player_for_a_name(game):
    box = told(Box(Context(), (Home(),)), "game:first", str(LearnGame(game)), "setup:player-count 2", "setup:start")
    assert show_box(box).prompt == say("new_name", player=1)
    box = told(box, "name:set Ana")
    assert show_box(box).prompt == say("new_name", player=2)
    box = told(box, "back")
    log = find_running_game(box).log
    assert box.known.names == {1: "Ana"}
    assert show_box(box).lines[0] == find_lesson(log).why
    for name, value in ui_of(game).first_game.items():
        assert log.options[name] == value


def test_before_any_game_it_is_among_the_first_offers():
    moves = [offer.move for offer in show_box(Box(Context(area=(900, 600)), (Home(),))).offers]
    assert "game:first" in moves[:3]


@pytest.mark.parametrize("game", GAMES)
def test_each_prompt_of_the_first_rounds_is_explained_and_none_after_them(game):
    explained, silent = set(), set()
    for log in played(game):
        shown, plain = show_box(taught(log)), show_box(Box(Context(), (Home(), play_from(log))))
        lesson = ui_of(game).choose_lesson(log)
        if ui_of(game).rounds_played(log) >= EXPLAINED_ROUNDS or lesson is None or plain.alert:
            silent.add(plain.prompt.id)
            assert shown.lines == plain.lines
            assert shown.offers == plain.offers
        else:
            explained.add(plain.prompt.id)
            assert shown.lines[0] == lesson.why
            assert shown.offers[:-1] == plain.offers
            assert shown.offers[-1].move == "game:explain"
            assert shown.ruling == (plain.ruling or lesson.ruling)
    assert explained
    assert silent & explained, "some prompt comes again after the explained rounds"


@pytest.mark.parametrize("game", GAMES)
def test_the_rule_is_one_press_away_and_another_press_goes_back(game):
    box = taught(next(played(game)))
    lesson = find_lesson(find_running_game(box).log)
    rule = told(box, "game:explain")
    assert show_box(rule).prompt == lesson.why
    assert show_box(rule).lines == lesson.rule
    assert show_box(told(rule, "back")) == show_box(box)


@pytest.mark.parametrize("game", GAMES)
def test_an_alert_comes_before_any_explanation(game):
    box = told(taught(next(played(game))), "nonsense 1")
    shown = show_box(box)
    assert shown.alert is not None
    assert "game:explain" not in [offer.move for offer in shown.offers]


@pytest.mark.parametrize("game", GAMES)
def test_another_match_explains_nothing_and_refuses_the_command(game):
    box = Box(Context(), (Home(), play_from(next(played(game)))))
    assert show_box(told(box, "game:explain")).alert == say("not_now")


def test_the_command_that_begins_it_has_a_notation_of_its_own():
    begin = BeginMatch("nimmt", (("players", "3"),), taught=True)
    assert str(begin) == "game:teach nimmt players=3"
    assert parse_command(str(begin)) == begin


def test_the_game_first_explains_the_hands_and_the_start_cards_and_then_the_piles():
    log = Log(GAMES["thegame"], {"players": 3})
    assert show_box(taught(log)).lines[0] == say("why_hands_dealt", n=6)
    assert show_box(taught(log.add(log.parse("play 20 up:1")))).lines[0] == say("why_up_and_down")
