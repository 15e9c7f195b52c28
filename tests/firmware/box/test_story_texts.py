"""A question about two stories names them in words for the table, and each answer belongs to one story alone."""

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.box.story_texts import ask_for_story
from tests.support.nimmt import begin


def lay(*cards, pile="up:1"):
    return tuple(map(GAMES["thegame"].parse, (f"play {card} {pile}" for card in cards)))


def piles(*cards):
    return Log(GAMES["thegame"], {}).add(*lay(*cards))


@pytest.mark.parametrize(
    ("stories", "question", "answers"),
    [
        pytest.param(
            (lay(69, 59), lay(59, 69)),
            "which_on_top zone=up:1 card=59 partner=69",
            ("lies_on card=59 under=69", "lies_on card=69 under=59"),
            id="two cards on one pile: which lies on top",
        ),
        pytest.param(
            (lay(49, 59, 69), lay(59, 49, 69), lay(49, 69, 59)),
            "which_on_top zone=up:1 card=69 partner=59",
            ("lies_on card=69 under=59 49", "lies_on card=69 under=49 59", "lies_on card=59 under=69 49"),
            id="three cards on one pile: each answer names them from the top down",
        ),
        pytest.param(
            (lay(69), lay(69, pile="up:2")),
            "which_was_it",
            ("did.thegame.play card=69 zone=up:1", "did.thegame.play card=69 zone=up:2"),
            id="other stories: the move that only one of them has",
        ),
    ],
)
def test_the_question_and_its_answers(stories, question, answers):
    asked, told = ask_for_story(stories, piles(39))
    assert (str(asked), tuple(map(str, told))) == (question, answers)


def test_stories_that_begin_alike_are_told_apart_by_a_later_move():
    log = begin(shown=(25, 33, 90), variant="anniversary")
    first = log.game.parse("lay 25 2")
    stories = ((first,), (first, log.game.parse("special 2 block")))
    _, told = ask_for_story(stories, log)
    assert len(set(map(str, told))) == len(stories)
