"""What simulated people do about screens that repeat themselves, and what they remember of a match."""

import random

import pytest

from engine.games import GAMES
from engine.options import fill_options
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import TableMates
from firmware.simulation.people.correction_wishes import UndoEntryWish
from firmware.simulation.people.people import People
from firmware.simulation.people.repeated_advice import RepeatedAdvice
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.players.nimmt_company import NimmtCompany
from firmware.simulation.players.nimmt_takers import RowTakers
from firmware.simulation.players.six_company import SixCompany
from firmware.simulation.players.the_game_company import TheGameCompany
from firmware.simulation.table.physical_table import TILE_PITCH_MM, PhysicalTable
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
    assert (takers.undo_after(1), takers.list_takes()) == ([(2, ("20", "30")), (1, ("10",))], [(1, 7)])


@pytest.mark.parametrize(
    ("heads", "asked", "player"),
    [
        ({1: 0, 2: 0}, 7, 1),
        ({1: 7, 2: 0}, 6, 2),
        ({1: 7, 2: 6}, 3, 1),
        ({1: 3, 2: 0}, 6, 2),
        ({1: 1, 2: 1}, 6, 2),
        ({1: 0, 2: 0}, 5, None),
    ],
    ids=["oldest", "next", "last", "a later one is on the pads already", "pads that fit nothing", "no such take"],
)
def test_who_took_the_row_of_so_many_heads(heads, asked, player):
    assert take_three_rows().find_next(heads, asked) == player


def test_a_card_that_lies_in_a_row_again_undoes_its_take():
    takers = take_three_rows()
    takers.drop("30")
    assert takers.list_takes() == [(1, 7), (1, 3)]


@pytest.mark.parametrize(
    ("heads", "wrong"),
    [({1: 7, 2: 0}, False), ({1: 0, 2: 7}, True), ({1: 3, 2: 0}, False), ({1: 10, 2: 6}, False), ({1: 6, 2: 10}, True)],
    ids=["first take", "first take of another player", "a later take alone", "all takes", "takes of another player"],
)
def test_pads_that_give_a_take_to_another_player(heads, wrong):
    assert take_three_rows().find_wrong(heads) is wrong


def test_a_take_that_was_adopted_with_its_player_is_not_asked_about():
    takers = take_three_rows()
    takers.note_adopted(2, ["20", "30"])
    assert takers.list_takes() == [(1, 7), (1, 3)]
    assert takers.find_next({1: 0, 2: 6}, 7) == 1
    assert not takers.find_wrong({1: 7, 2: 6})


def test_a_card_that_came_to_a_pile_twice_counts_once():
    takers = take_three_rows()
    for _ in range(2):
        takers.give(2, "20")
    assert not takers.find_wrong({1: 7, 2: 9})


def make_company(kind, game, seats="on"):
    """People of a match of two, and a table on which only the hands and rows of a case lie."""
    options = {"players": 2, "seats": seats} if game == "nimmt" else {"players": 2}
    mates = TableMates(PhysicalTable(game, AREA, seed=1), random.Random(1), SeenScreen(Sentence("")))
    started = Started(game, fill_options(GAMES[game].options, {**options, "width": 841, "height": 594}), {})
    company = kind(mates, started)
    mates.table.bring_game(game)
    return company


def do(script):
    for _ in script or ():
        pass


@pytest.mark.parametrize(
    ("moves", "card", "place"),
    [
        (("reveal 1 65", "reveal 2 90", "lay 65 4"), "65", "row:4"),
        (("reveal 1 1", "reveal 2 90", "take 1"), "10", "pile:1"),
    ],
    ids=["a card that was entered as laid", "a row that was entered as taken"],
)
def test_people_put_a_card_where_the_page_has_it(moves, card, place):
    company = make_company(NimmtCompany, "nimmt")
    for move in ("deal 10,20,30,40", "choose 1", "choose 2", *moves):
        company.hear(move)
    for row, start in enumerate(("10", "20", "30", "40"), 1):
        do(company.show(f"row:{row}", (start,)))
    company.table.take(["65" if card == "65" else "10"], 2)
    assert company.find_stray() == card
    do(company.put_as_recorded(card))
    assert (company.find_stray(), company.find_recorded(card)) == ("", place)
    assert card in (company.held(place) if place.startswith("row") else company.table.pile(1))


@pytest.mark.parametrize(
    ("hand", "lying", "aside", "right"),
    [
        (["20"], ["30"], [], ["20", "30"]),
        ([], ["20", "25", "30"], [], ["20", "30"]),
        ([], ["20"], ["30"], ["20", "30"]),
    ],
    ids=["a recorded card is still in a hand", "a covered card is not recorded", "the top was set aside"],
)
def test_people_have_on_a_pile_what_the_page_has(hand, lying, aside, right):
    company = make_company(TheGameCompany, "thegame")
    for move in ("play 20 up:1", "play 30 up:1"):
        company.hear(move)
    for card in lying:
        do(company.put("up:1", card))
    company.table.take(hand, 1)
    company.table.put_back(aside, "box")
    do(company.answer(SeenScreen(Sentence("lay_cards"), turn=1)))
    assert [it.name for it in company.table.lying(company.zones["up:1"])] == right


@pytest.mark.parametrize(
    ("topic", "holder", "false"),
    [("starts_row", 2, "1"), ("starts_row", 1, ""), ("low_card", 2, "1"), ("low_card", 0, "1")],
    ids=["in another hand", "in the hand of its player", "a low card in another hand", "a low card in the deck"],
)
def test_people_do_not_lay_a_card_that_its_player_cannot_have_shown(topic, holder, false):
    company = make_company(NimmtCompany, "nimmt")
    company.table.take(["1"] if holder else [], holder or 1)
    company.mates.screen = SeenScreen(Sentence(topic), turn=1)
    assert company.find_false_piece(Sentence(topic, {"card": "1", "row": "1"})) == false


@pytest.mark.parametrize(
    ("taken", "false"), [([], "20"), (["20"], "")], ids=["a card still in the deck", "a card that was drawn"]
)
def test_a_card_of_the_deck_was_not_laid(taken, false):
    company = make_company(TheGameCompany, "thegame")
    company.hear("play 20 up:1")
    company.table.take(taken, 1)
    assert company.find_false_piece(Sentence("lay_cards")) == false


def test_a_card_that_was_never_dealt_goes_back_to_the_deck():
    company = make_company(NimmtCompany, "nimmt")
    company.remember()
    do(company.put("row:1", "15"))
    do(company.remove("row:1", ("15",)))
    assert "15" in company.table.stock()


def test_people_deal_anew_when_a_hand_is_short_and_no_row_was_started():
    company = make_company(NimmtCompany, "nimmt")
    company.table.take(company.table.stock()[:9], 1)
    do(company.answer(SeenScreen(Sentence("deal_rows", {"n": "4"}))))
    assert [len(company.table.hand(player)) for player in company.players] == [10, 10]


def test_tiles_of_several_undone_moves_are_taken_away_the_latest_of_a_colour_first():
    company = make_company(SixCompany, "six")
    laid = [company.table.stock(colour)[-1] for colour in ("red", "black", "red")]
    laid[2] = company.table.stock("red")[-2]
    for id, cell in zip(laid, ((0, 0), (1, 0), (2, 0)), strict=True):
        do(company._lay_at(id, cell))
    do(company.remove("board:1", ("red",)))
    do(company.remove("board:1", ("black",)))
    assert list(company.board().values()) == laid[:1]


@pytest.mark.parametrize("way", ["put", "show"])
def test_a_card_that_goes_back_to_the_spread_covers_no_sticker(way):
    company = make_company(NimmtCompany, "nimmt")
    do(company._spread(24))
    company.table.take(["3", "13"], 1)
    do(getattr(company, way)("spread", "3" if way == "put" else ("3", "13")))
    there = {str(card) for card in range(1, 25)} - ({"13"} if way == "put" else set())
    assert {piece.piece for piece in company.table.true_table().seen} == there


def test_people_clear_a_board_of_which_they_do_not_know_what_is_wrong():
    company = make_company(SixCompany, "six")
    for n, colour in enumerate(("red", "black", "red")):
        company.table.lay(company.table.stock(colour)[-1], company._base.real + n * TILE_PITCH_MM, company._base.imag)
    lines = (Sentence("guide_tiles", {"row": "1", "says": "R B"}), Sentence("guide_tiles", {"row": "2", "says": "- B"}))
    do(company.show_board(lines))
    assert not company.board()
    do(company.show_board(lines))
    assert sorted(id.partition(" ")[0] for id in company.board().values()) == ["black", "black", "red"]


def test_a_wish_to_undo_opens_the_menu_also_while_there_is_an_alert():
    mates = make_company(NimmtCompany, "nimmt").mates
    people = People(mates.table)
    screen = SeenScreen(Sentence("lay_next", {"n": "2"}), alert=TAKE_BACK)
    assert [*UndoEntryWish().answer(people, screen)] == [*people.mates.open_menu()]
