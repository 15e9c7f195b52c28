"""The first evening: it comes to its end, needs few presses, and a reader of the words knows what to do."""

from dataclasses import replace

import pytest

from firmware.box.flow_stack import find_running_game
from firmware.box.flows.first_game import find_lesson
from tests.first_evening.__main__ import BYS, LEAST_RIGHT, first_of_each, share_right
from tests.first_evening.evening import FirstEvening
from tests.first_evening.reader import WISHES, Act, ScreenWords, TextReader

MOST_PRESSES = 40


@pytest.fixture(scope="module", params=[(game, by) for game in WISHES for by in BYS], ids="-".join)
def evening(request):
    played = FirstEvening(*request.param)
    played.play()
    return played


def test_a_reader_of_the_words_names_the_right_act(evening):
    assert share_right(evening.examined) >= LEAST_RIGHT
    assert share_right(first_of_each(evening.examined)) >= LEAST_RIGHT


def test_it_needs_few_presses(evening):
    assert evening.presses <= MOST_PRESSES


def test_every_player_has_a_name_and_the_reason_was_shown(evening):
    log = find_running_game(evening.box).log
    assert len(evening.box.known.names) == log.options["players"]
    assert any("Why?" in one.screen.offers for one in evening.examined)


def test_from_the_fourth_round_on_nothing_is_explained(evening):
    log = find_running_game(evening.box).log
    assert log.game.view(log.state).over or find_lesson(log) is None


def test_the_acts_for_the_words_of_another_screen_do_not_pass(evening):
    reader, screens = TextReader(()), [one.screen for one in evening.examined]
    shifted = [replace(one, named=reader.next_act(screens[n - 5])) for n, one in enumerate(evening.examined)]
    assert share_right(shifted) < LEAST_RIGHT / 2


@pytest.mark.parametrize(
    ("screen", "act"),
    [
        (ScreenWords("Lay 29 behind 26, row 2", offers=("29 is laid", "Why?")), Act("lay", ("29", "2"))),
        (ScreenWords("Something new", offers=("Perhaps", "Why?")), Act("wait")),
    ],
    ids=["a card is laid where the words say", "unknown words are not guessed"],
)
def test_the_reader_goes_by_the_words_alone(screen, act):
    assert TextReader(()).next_act(screen) == act
