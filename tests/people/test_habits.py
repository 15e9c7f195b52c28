"""What simulated people do about screens that repeat themselves, and what they remember of a match."""

import random

import pytest

from engine.axial import list_neighbours
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
from tests.people.scores import count_heads

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


def make_anniversary(rows=(), marks=(), hand=()):
    """Eight people at these rows; a mark is a special card and its row; player 1 has this hand."""
    options = {"players": 8, "variant": "anniversary", "width": 841, "height": 594}
    mates = TableMates(PhysicalTable("nimmt", AREA, seed=1), random.Random(1), SeenScreen(Sentence("")))
    company = NimmtCompany(mates, Started("nimmt", fill_options(GAMES["nimmt"].options, options), {}))
    for row, cards in enumerate(rows, 1):
        for card in cards:
            do(company._lay_in_row(card, row))
    for copy, (special, row) in enumerate(marks, 1):
        do(company._put_mark(f"{special}.{copy}", row))
    company.table.take(hand, 1)
    return company


def test_a_sixth_card_leaves_the_sticker_of_the_special_card_in_sight():
    company = make_anniversary([["3", "23", "24", "47", "62"]], [("seven", 1)])
    do(company._lay_in_row("69", 1))
    table = company.table.true_table()
    assert ({"69", "seven.1"} <= {piece.piece for piece in table.seen}, table.unseen) == (True, ())


@pytest.mark.parametrize(
    ("kind", "card", "rows", "marks", "may"),
    [
        ("insert", "30", [["5"], ["20"], ["25"], ["40"]], [], True),
        ("insert", "50", [["5"], ["20"], ["25"], ["40"]], [], False),
        ("insert", "30", [["5"], ["20"], ["25"], ["40"]], [("block", 4)], False),
        ("block", "30", [["5"], ["20"], ["25"], ["40"]], [("block", 1), ("block", 2)], False),
        ("fifth", "30", [["5"], ["20"], ["25"], ["40"], ["60"]], [], False),
        ("seven", "30", [["5"], ["20"], ["25"], ["40"]], [], True),
        ("seven", "3", [["5"], ["20"], ["25"], ["40"]], [], False),
        ("seven", "30", [["5"], ["20"], ["25"], ["40"]], [("seven", 3)], False),
        ("negpos", "30", [["5"], ["20"], ["25"], ["40"]], [], False),
        ("negpos", "3", [["5"], ["20"], ["25"], ["40"]], [], True),
        ("move", "30", [["5"], ["20"], ["25"], ["40"]], [], True),
        ("replace", "30", [["5"], ["20"], ["25"], ["40"]], [], False),
    ],
    ids=["before a higher card", "not at the end of a row", "not into a blocked row", "no third Block", "no sixth row",
         "at its row", "not with a low card", "no second one at a row", "not without a take", "with a low card",
         "from row to row", "not with the last card"],
)  # fmt: skip
def test_people_play_a_special_card_only_where_the_rules_allow_it(kind, card, rows, marks, may):
    company = make_anniversary(rows, marks, [f"{kind}.{copy}" for copy in (3, 4)])
    do(company.move(card, *company._seat_spot(1)))
    assert company.may_play_special(SeenScreen(Sentence("take_row", {"row": "1"}), turn=1), kind) is may


def test_special_cards_in_hands_and_in_the_discard_stay_for_the_second_round():
    company = make_anniversary([["5", "10"]], [("block", 1)], ["seven.1", "30"])
    company.table.put_back(["move.1"], "discard")
    company.gather()
    assert company.table.hand(1) == ("seven.1",)
    assert sorted(company.table.stock("discard")) == ["block.1", "move.1"]
    assert len(company.table.stock()) == 104


@pytest.mark.parametrize(
    ("pile", "named", "cancelled", "credit"),
    [(["10", "15", "1"], "10", "1,15", 0), (["55", "10", "20"], "55", "10,20", 0), (["55", "22", "11"], "55", "11", 2)],
    ids=["as many heads", "all that is left", "the rest is a credit"],
)
def test_neg_pos_takes_as_many_heads_from_the_pile_as_the_card_has(pile, named, cancelled, credit):
    company = make_anniversary()
    company.table.win(pile, 1)
    before = company.heads_of(1)
    company._cancel(named, cancelled.split(","))
    heads = count_heads(int(named))
    others = before - heads
    assert company.credit[1] == credit
    assert company.heads_of(1) - company.credit[1] == others - min(heads, others)


@pytest.mark.parametrize("zone", ["row:2", "home:1"], ids=["a used one at a row", "one that was not recorded"])
def test_a_special_card_that_is_taken_away_lies_nowhere(zone):
    company = make_anniversary([["5"], ["20"], ["25"], ["40"]])
    do(company.put(zone, "block"))
    do(company.remove(zone, ("block",)))
    assert not [it for it in company.table.lying() if it.id.startswith("block")]


def lay_board(red, black):
    """People of SIX with tiles on these cells."""
    company = make_company(SixCompany, "six")
    for colour, cells in (("red", red), ("black", black)):
        for cell in cells:
            do(company._lay_at(company.table.stock(colour)[-1], cell))
    return company


@pytest.mark.parametrize(
    ("way", "board"),
    [
        ("_lay_wrongly", ([(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 1), (1, 1), (2, 1), (3, 1)])),
        ("_move_wrongly", ([(0, 0), (1, 0), (4, 0), (5, 0), (6, 0)], [(2, 0), (3, 0), (0, 1), (6, 1)])),
    ],
    ids=["in the first phase", "in the second phase"],
)
def test_every_mistake_at_six_leaves_a_table_that_the_rules_refuse(way, board):
    company = lay_board(*board)
    company.remember()
    before = company.board()
    for n in range(len([*getattr(company, way)("red")])):
        do([*getattr(company, way)("red")][n])
        red, black = set(board[0]), set(board[1])
        now = {cell: id.partition(" ")[0] for cell, id in company.board().items()}
        laid = [cell for cell in now if cell not in before]
        legal = way == "_lay_wrongly" and len(laid) == 1 and now[laid[0]] == "red" and len(now) == len(before) + 1
        assert laid
        assert not (legal and any(near in red | black for near in list_neighbours(laid[0])))
        do(company.restore())
        assert company.board() == before


def test_after_a_mended_mistake_the_tile_that_was_laid_before_is_the_last_one():
    company = lay_board([(0, 0), (2, 0)], [(1, 0)])
    company.remember()
    do(company._lay_at(company.table.stock("black")[-1], (3, 0)))
    do(company.restore())
    do(company.remove("board:1", ("black",)))
    assert sorted(company.board()) == [(0, 0), (2, 0)]
