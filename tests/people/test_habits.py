"""What simulated people do about screens that repeat themselves, and what they remember of a match."""

import pytest

from firmware.simulation.people.repeated_advice import RepeatedAdvice
from firmware.simulation.people.screen_reading import Sentence
from firmware.simulation.players.nimmt_takers import RowTakers
from firmware.simulation.table.physical_table import PhysicalTable
from tests.people.evening import AREA

TAKE_BACK = Sentence("act_take", {"pieces": "15", "zone": "home:1"})


def test_a_sentence_is_counted_until_the_game_goes_on():
    advice = RepeatedAdvice()
    counts = [advice.note(TAKE_BACK), advice.note(Sentence("lost")), advice.note(TAKE_BACK)]
    advice.forget()
    assert (counts, advice.note(TAKE_BACK)) == ([0, 0, 1], 0)


@pytest.mark.parametrize(
    ("sentence", "card", "named"),
    [
        (Sentence("did.nimmt.lay", {"card": "35", "row": "1"}), "35", True),
        (Sentence("did.nimmt.lay", {"card": "35", "row": "1"}), "1", False),
        (Sentence("35 to row 1"), "1", False),
        (Sentence("Player 1 took it"), "1", False),
        (Sentence("Revealed: 1"), "1", True),
        (Sentence("did.nimmt.deal", {"cards": "1 20 30 40"}), "20", True),
    ],
    ids=["card", "row", "row in words", "player in words", "card in words", "one of several cards"],
)
def test_the_number_of_a_row_or_player_is_no_card(sentence, card, named):
    assert sentence.names(card) is named


def take_three_rows():
    table = PhysicalTable("nimmt", AREA, seed=1)
    takers = RowTakers(table)
    for player, cards in ((1, ["55"]), (2, ["20", "30"]), (1, ["10"])):
        table.win(cards, player)
        takers.note(player, cards)
    return takers


def test_takes_after_an_undone_one_are_undone_too():
    takers = take_three_rows()
    assert (takers.undo_after(1), takers.list_takes()) == (["20", "30", "10"], [(1, 7)])


@pytest.mark.parametrize(
    ("heads", "asked", "player"),
    [({1: 0, 2: 0}, 7, 1), ({1: 7, 2: 0}, 6, 2), ({1: 7, 2: 6}, 3, 1), ({1: 1, 2: 1}, 6, 2), ({1: 0, 2: 0}, 5, None)],
    ids=["oldest", "next", "last", "pads that fit nothing", "no such take"],
)
def test_who_took_the_row_of_so_many_heads(heads, asked, player):
    assert take_three_rows().find_next(heads, asked) == player


def test_a_card_that_lies_in_a_row_again_undoes_its_take():
    takers = take_three_rows()
    takers.drop("30")
    assert takers.list_takes() == [(1, 7), (1, 3)]
