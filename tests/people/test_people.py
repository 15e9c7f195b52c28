"""People who follow the screens: matches of every game, flows of the box, and scores that the piles confirm."""

import pytest

from engine.text import say
from firmware.box.effects import KeepEmpty
from firmware.box.events import parse_told
from firmware.simulation.people.new_game_wish import NewGameWish
from firmware.simulation.people.screen_reading import read_texts
from firmware.simulation.people.special_wish import SPECIAL_WISHES
from firmware.simulation.people.wishes import WISHES
from firmware.texts.render import render
from tests.people.agreements import AGREEMENTS, NO_SEATS, ONE_ROUND
from tests.people.evening import Evening
from tests.people.flows import FlowsEvening, ResumeEarlierWish
from tests.people.scores import find_wrong_scores, is_settled
from tests.people.words_reader import read_words

SEVEN_SPECIALS_SEED = 5
"""Of an evening in which players hold every kind when it can be played."""
MATCHES = ("base, 10 without seats", "professional, 2", "anniversary, 8", "The Game, 2", "SIX")


def begin(game, players, seed=3, **more):
    evening = Evening(seed)
    evening.people.wishes.append(NewGameWish(game, players, **more))
    return evening


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("reader", [read_texts, read_words], ids=["by-texts", "by-words-alone"])
def test_people_who_follow_the_screens_play_a_match_to_its_end(name, reader):
    evening = Evening(7, reader=reader)
    evening.people.wishes.append(AGREEMENTS[name]())
    assert evening.run(2400, lambda: evening.companion.view.over), evening.companion.view.prompt
    assert find_wrong_scores(evening) == []
    assert not evening.people.misunderstood


@pytest.mark.parametrize("name", ["base, 2", "SIX"])
def test_no_flow_gets_stuck(name):
    report = FlowsEvening(name, 1000, 8, reader=read_texts).play()
    assert (report.stuck, report.wrong, report.flows.total() >= 8, report.ended) == ([], [], True, 1)


def test_people_play_all_seven_special_cards():
    report = FlowsEvening("anniversary, 8", SEVEN_SPECIALS_SEED, 30, reader=read_words).play()
    assert (report.stuck, report.wrong, report.ended) == ([], [], 1)
    assert SPECIAL_WISHES.keys() <= report.flows.keys()


def test_a_mistake_asked_for_is_read_before_it_is_mended():
    evening = begin("nimmt", 2, variant="base")
    assert evening.run(60, lambda: evening.companion.view.prompt.id == "lay_behind")
    evening.people.err_now()
    assert evening.run(30, lambda: evening.companion.view.alert is not None)
    began = evening.now
    assert evening.run(30, lambda: evening.companion.view.alert is None)
    assert evening.now - began >= evening.people.alert_read_s
    assert evening.run(900, lambda: evening.companion.view.prompt.id == "round_over")
    assert find_wrong_scores(evening) == []


@pytest.mark.parametrize("reader", [read_texts, read_words], ids=["by-texts", "by-words-alone"])
def test_people_who_often_err_at_six_play_both_phases_to_the_end(reader):
    evening = Evening(7, reader=reader, mistakes="many")
    evening.people.over_shown_s = float("inf")
    evening.people.wishes.append(AGREEMENTS["SIX"]())
    assert evening.run(60, lambda: evening.people.company is not None)
    evening.people.company.greed = 0.0
    assert evening.run(600, lambda: evening.companion.view.prompt.id == "move_tile")
    assert evening.run(2400, lambda: evening.companion.view.over)
    assert (find_wrong_scores(evening), evening.people.misunderstood) == ([], {})


@pytest.mark.parametrize("name", ["base, 2 without seats", "halves, 2", "anniversary, 2", "The Game, 2 experts", "SIX"])
def test_a_game_of_an_earlier_run_goes_on_with_people_who_know_its_record(name):
    evening = Evening(11, reader=read_words)
    evening.people.over_shown_s = float("inf")
    evening.people.wishes.append(AGREEMENTS[name]())
    assert evening.run(60, lambda: evening.people.company is not None)
    evening.run(15, lambda: False)
    evening.people.wish("pause")
    assert evening.run(60, lambda: evening.people.company is None)
    evening.people.wishes.append(ResumeEarlierWish())
    assert evening.run(60, lambda: not evening.people.wishes)
    assert evening.people.company is not None
    assert evening.run(2400, lambda: evening.companion.view.over)
    evening.run(60, lambda: is_settled(evening))
    assert (find_wrong_scores(evening), evening.people.misunderstood) == ([], {})


@pytest.mark.parametrize(("name", "says"), [("base, 2", "aim_cards"), ("SIX", "aim_tiles")])
def test_set_up_asks_for_the_pieces_and_they_go_back_once_the_picture_is_taken(name, says):
    evening = Evening(7)
    evening.people.wishes.append(AGREEMENTS[name]())
    assert evening.run(60, lambda: len(evening.table.lying()) > 3 and evening.people.is_idle)
    before = {it.id: it.place.spot for it in evening.table.lying()}
    evening.people.wish("set up the camera")
    assert evening.run(30, lambda: evening.companion.view.prompt.id == says)
    assert evening.run(30, lambda: not evening.table.lying())
    assert evening.run(30, lambda: evening.companion.view.prompt.id == "aim_hold")
    assert evening.run(30, lambda: bool(evening.table.lying()))
    assert evening.companion.read_request.purpose == "read"
    assert before.items() <= {it.id: it.place.spot for it in evening.table.lying()}.items()


@pytest.mark.parametrize(("name", "says"), [("base, 2", "aim_cards"), ("SIX", "aim_tiles")])
def test_a_fool_who_says_that_the_table_is_empty_is_not_believed(name, says):
    evening = Evening(7)
    evening.people.wishes.append(AGREEMENTS[name]())
    assert evening.run(60, lambda: len(evening.table.lying()) > 3 and evening.people.is_idle)
    done = len(evening.happened)
    evening.companion.handle(parse_told("camera:set-up", "web", evening.now))
    assert evening.run(2, lambda: evening.companion.view.prompt.id == says)
    evening.companion.handle(parse_told("camera:keep-empty-table", "web", evening.now))
    evening.run(1, lambda: False)
    assert evening.companion.view.prompt.id == says
    assert not any(KeepEmpty() in happened.effects for happened in evening.happened[done:])


@pytest.mark.parametrize("reader", [read_texts, read_words], ids=["by-texts", "by-words-alone"])
@pytest.mark.parametrize("wish", [None, "overrule"])
def test_a_menu_without_what_they_look_for_is_left(reader, wish):
    evening = Evening(7, reader=reader)
    evening.people.wishes.append(AGREEMENTS["SIX"]())
    assert evening.run(60, lambda: len(evening.table.lying()) > 3 and evening.people.is_idle)
    if wish is not None:
        evening.people.wish(wish)
        evening.people.wishes[0].erred = True
    evening.companion.handle(parse_told("menu", "web", evening.now))
    assert evening.companion.view.prompt.id == "game_menu"
    assert evening.run(10, lambda: evening.companion.view.prompt.id == "lay_tile")
    assert not evening.people.misunderstood


def test_the_evening_goes_on_after_the_match():
    evening = begin("six", 2)
    assert evening.run(600, lambda: evening.companion.view.over)
    assert evening.run(60, lambda: not evening.companion.view.over)
    assert evening.run(600, lambda: evening.companion.view.over)
    assert evening.companion.view.pads[0].rounds != ()


def test_the_hand_of_a_human_is_left_alone():
    evening = begin("nimmt", 2, variant="base")
    evening.people.leave_to_human(frozenset({1}))
    assert evening.run(60, lambda: evening.companion.view.prompt.id == "waiting_for")
    evening.run(20, lambda: False)
    assert str(evening.companion.view.prompt) == "waiting_for players=1"
    assert len(evening.table.hand(1)) == 10


def test_piles_are_checked_only_when_each_taken_row_has_its_owner():
    evening = begin("nimmt", 2, seed=5, variant="base", rules=(*ONE_ROUND, *NO_SEATS))
    assert evening.run(900, lambda: evening.companion.view.prompt.id == "who_took")
    assert [offer.label.id for offer in evening.companion.view.offers] == ["player_took", "player_took"]
    assert evening.run(60, lambda: evening.companion.view.over)
    assert "audit" in [offer.label.id for offer in evening.companion.view.offers]


@pytest.mark.parametrize(("language", "says"), [("en", "Row 3: remove red"), ("de", "Zeile 3: Rot wegnehmen")])
def test_a_line_of_tiles_to_take_away_has_a_name(language, says):
    assert render(say("guide_away", zone="board:3", pieces="red"), language) == says


def test_every_wish_has_a_name_of_its_own():
    assert len(WISHES) == 27
    assert all(name == kind().name for name, kind in WISHES.items())
