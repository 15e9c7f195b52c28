"""People who follow the screens: whole matches of every game, with scores that the piles on the table confirm."""

import pytest

from firmware.simulation.people.wishes import NewGameWish
from tests.people.agreements import AGREEMENTS
from tests.people.evening import Evening
from tests.people.scores import find_wrong_scores


@pytest.mark.parametrize("name", AGREEMENTS)
def test_people_who_follow_the_screens_play_a_match_to_its_end(name):
    evening = Evening(7)
    evening.people.wishes.append(AGREEMENTS[name]())
    assert evening.run(900, lambda: evening.companion.view.over), evening.companion.view.prompt
    assert find_wrong_scores(evening) == []
    assert not evening.people.misunderstood


def test_a_mistake_asked_for_is_noticed_and_mended():
    evening = Evening(3)
    evening.people.wishes.append(NewGameWish("nimmt", 2, variant="base"))
    assert evening.run(60, lambda: evening.companion.view.prompt.id == "lay_behind")
    evening.people.err_now()
    assert evening.run(30, lambda: evening.companion.view.alert is not None)
    began = evening.now
    assert evening.run(30, lambda: evening.companion.view.alert is None)
    assert evening.now - began >= evening.people.alert_read_s
    assert evening.run(900, lambda: evening.companion.view.prompt.id == "round_over")
    assert find_wrong_scores(evening) == []
