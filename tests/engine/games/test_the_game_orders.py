"""Several cards of one pile in sight: what is certain is read, what is not is asked for, and answers are believed."""

from dataclasses import replace

import pytest

from engine.games.the_game import TheGame
from engine.games.the_game.state import PILES
from engine.log import Adopt
from engine.referee import Follows, Refused, Unclear, Waiting, adopt_table, judge
from engine.table import Layout, find_gap
from tests.engine.games.test_the_game_looks import begin, look

GAME = TheGame()


def verdict_on(moves, table, log=None):
    """The verdict in words: "follows", "refused" or "asked" with moves or the text; for "unclear" a list of stories."""
    match judge(begin(*moves) if log is None else log, table):
        case Follows(played):
            return ["follows", *map(str, played)]
        case Unclear(stories):
            return ["unclear", *(", ".join(map(str, story)) for story in stories)]
        case Waiting(_, why):
            return ["asked", str(why.text).partition(" zone=")[0]] if why else ["in the air"]
        case Refused(_, _, why):
            return ["refused", str(why.text).partition(" zone=")[0]]


UP_39, DOWN_79_31 = ("play 39 up:1",), ("play 79 down:1", "play 31 down:1")
APART = ("play 69 up:1", "play 87 up:2", *DOWN_79_31)
"""With 69 and 87 elsewhere, no unseen card can have been between 77 and 79."""
FOUR_ON_DOWN_2 = (
    *("play 97 down:2", "play 93 down:2", "done 1 2"), *("play 85 down:2", "play 27 down:2", "play 8 down:1")
)  # fmt: skip
"""Player 2 laid 85, 95 (ten back), 86 and 27 there: five cards in all, and three were seen."""
READ = {
    "two legal orders are both told": (
        UP_39, look("69 59"), ["unclear", "play 59 up:1, play 69 up:1", "play 69 up:1, play 59 up:1"]),
    "the place of the cards in the picture tells nothing": (
        UP_39, look("59 69"), ["unclear", "play 59 up:1, play 69 up:1", "play 69 up:1, play 59 up:1"]),
    "the picture tells which one is on top": (
        UP_39, look("69 59", covers=("59 69",)), ["follows", "play 69 up:1", "play 59 up:1"]),
    "the picture tells that the other one is": (
        UP_39, look("69 59", covers=("69 59",)), ["follows", "play 59 up:1", "play 69 up:1"]),
    "on a pile going down": (
        (), look("", "", "64 54"), ["unclear", "play 54 down:1, play 64 down:1", "play 64 down:1, play 54 down:1"]),
    "three cards in one legal order": (
        UP_39, look("80 45 66"), ["follows", "play 45 up:1", "play 66 up:1", "play 80 up:1"]),
    "three cards with a trick among them": (
        UP_39, look("45 69 59"),
        ["unclear", "play 45 up:1, play 59 up:1, play 69 up:1", "play 45 up:1, play 69 up:1, play 59 up:1"]),
    "a trick beside the card that it was laid on": (
        ("play 25 up:1", "play 40 up:1"), look("40 30"), ["unclear", "under 30 40 up:1", "play 30 up:1"]),
    "a trick that covers that card": (
        ("play 25 up:1", "play 40 up:1"), look("40 30", covers=("30 40",)), ["follows", "play 30 up:1"]),
    "a card under the top that would be a trick on it": (
        ("play 20 up:2", "play 35 down:1", "play 25 up:1", "play 40 up:1"),
        look("40 30", "20", "35", covers=("40 30",)),
        ["follows", "under 30 40 up:1"]),
    "a new card beside the old top": (("play 40 up:1",), look("40 57"), ["follows", "play 57 up:1"]),
    "a new card beside older cards": (
        ("play 20 up:1", "play 40 up:1"), look("40 57 20"), ["follows", "play 57 up:1"]),
    "a start card in sight says nothing": (UP_39, look("1 45", covers=("1 45",)), ["follows", "play 45 up:1"]),
    "many orders of three cards in sight are told apart by two of them": (
        ("play 46 down:1", "play 30 down:1", "play 22 down:1", "play 15 down:1", "play 10 down:1", "play 20 down:1",
         "play 14 down:1"),
        look("", "", "24 23 13"), ["asked", "which_on_top card=13 top=22"]),
    "an unseen card between two could turn their order": (
        ("play 16 up:1",), look("78 69"), ["asked", "which_on_top card=69 top=78"]),
    "an unseen card could make another order legal than those with the cards in sight": (
        ("play 54 down:2", "play 48 down:2", "play 42 down:2"), look("", "", "", "45 35"),
        ["asked", "which_on_top card=42 top=45"]),
    "the picture tells that it does not": (
        ("play 16 up:1",), look("78 69", covers=("78 69",)), ["follows", "play 69 up:1", "play 78 up:1"]),
    "the picture tells that one is there": (
        ("play 16 up:1",), look("78 69", covers=("69 78",)), ["asked", "show_card_under card=69"]),
    "cards on two piles, one of them certain": (
        UP_39, look("69 59", "12"),
        ["unclear", "play 12 up:2, play 59 up:1, play 69 up:1", "play 12 up:2, play 69 up:1, play 59 up:1"]),
    "of two piles that are not certain the second one waits": (
        UP_39, look("69 59", "", "64 54"),
        ["unclear", "play 59 up:1, play 69 up:1", "play 69 up:1, play 59 up:1"]),
    "a foul on another pile comes first": (UP_39, look("69 59", "100"), ["refused", "start_card_astray card=100"]),
    "under a hand the order waits": (UP_39, look("69 59", hide=("up:1",)), ["follows"]),
    "under a hand what is certain counts": (
        UP_39, look("69 59", hide=("up:1",), covers=("69 59",)), ["follows", "play 59 up:1", "play 69 up:1"]),
    "two unseen cards under a top": (
        ("play 72 up:2", "play 88 down:1", "play 82 up:1"), look("78", "72", "88"),
        ["asked", "show_card_under card=78"]),
    "a card sticks out under the top, or lies on it": (
        DOWN_79_31, look("", "", "31 77"), ["asked", "which_on_top card=77 top=31"]),
    "the picture tells that it is under the top": (
        APART, look("69", "87", "31 77", covers=("31 77",)), ["follows", "under 77 31 down:1"]),
    "it could be under a lower card with an unseen one": (
        DOWN_79_31, look("", "", "31 77", covers=("31 77",)), ["asked", "which_on_top card=79 top=77"]),
    "the picture tells that it is on the top": (
        DOWN_79_31, look("", "", "31 77", covers=("77 31",)), ["asked", "show_card_under card=77"]),
    "a card sticks out below two of the record": (
        (*APART, "play 12 down:1"), look("69", "87", "12 77", covers=("12 77",)), ["follows", "under 77 31 down:1"]),
    "it could lie in two places": (
        ("play 20 up:1", "play 40 up:1", "play 30 up:1", "play 60 up:1"), look("60 35", covers=("60 35",)),
        ["unclear", "under 35 40 up:1", "under 35 60 up:1"]),
    "it could lie in two places, one of them with an unseen card": (
        ("play 80 down:1", "play 42 down:1", "play 32 down:1"), look("", "", "32 44", covers=("32 44",)),
        ["asked", "which_on_top card=44 top=42"]),
    "what lies under the top, and is right with unseen cards beside it, changes nothing yet": (
        DOWN_79_31, look("", "", "31 15", covers=("31 15",)), ["follows"]),
    "a card pushed under the top, where no unseen cards make it right": (
        ("play 93 down:1",), look("", "", "93 27", covers=("93 27",)), ["refused", "lies_not_under card=27 top=93"]),
    "a new card on the top, and one under it": (
        DOWN_79_31, look("", "", "77 22", covers=("22 77",)), ["asked", "which_on_top card=77 top=31"]),
    "the record has them the other way round: the one below is missed as the top": (
        ("play 47 up:1", "play 58 up:1", "play 48 up:1"), look("58 48", covers=("58 48",)), ["in the air"]),
    "deeper cards in another order change nothing": (
        ("play 47 up:1", "play 58 up:1", "play 61 up:1"), look("47 58 61", covers=("47 58", "61 47")), ["follows"]),
    "the top was put under two others": (
        ("play 47 up:1", "play 58 up:1", "play 61 up:1", "play 77 up:1"),
        look("58 61 77", covers=("58 77", "61 77")), ["in the air"]),
}  # fmt: skip


@pytest.mark.parametrize(("moves", "table", "expected"), READ.values(), ids=READ)
def test_what_is_certain_is_read_and_what_is_not_is_asked(moves, table, expected):
    assert verdict_on(moves, table) == expected


LIFTED_63 = ("play 89 down:2", "play 77 down:2", "play 64 down:2", "done 1 3", "play 63 down:2")
ANSWERED = {
    "69 was laid on 59": (UP_39, look("69 59"), ["over 69 59 up:1"], ["follows", "play 59 up:1", "play 69 up:1"]),
    "59 was laid on 69": (UP_39, look("69 59"), ["over 59 69 up:1"], ["follows", "play 69 up:1", "play 59 up:1"]),
    "77 is under 31": (
        APART, look("69", "87", "31 77"), ["over 31 77 down:1"], ["follows", "under 77 31 down:1"]),
    "77 is under 31 and over 79": (
        DOWN_79_31, look("", "", "31 77"), ["over 31 77 down:1", "over 77 79 down:1"],
        ["follows", "under 77 31 down:1"]),
    "77 was laid on 31, perhaps with others": (
        DOWN_79_31, look("", "", "31 77"), ["over 77 31 down:1"], ["asked", "show_card_under card=77"]),
    "77 was laid on 31 itself": (
        DOWN_79_31, look("", "", "31 77"), ["over 77 31 down:1", "bare 77 down:1"],
        ["refused", "take_back card=77 top=31"]),
    "69 was laid on 78, with one between them": (
        ("play 16 up:1",), look("78 69"), ["over 69 78 up:1"], ["asked", "show_card_under card=69"]),
    "78 was laid on 69": (
        ("play 16 up:1",), look("78 69"), ["over 78 69 up:1"], ["follows", "play 69 up:1", "play 78 up:1"]),
    "45 lies on 42, with an unseen card between them or not": (
        ("play 54 down:2", "play 48 down:2", "play 42 down:2"), look("", "", "", "45 35"), ["over 45 42 down:2"],
        ["asked", "which_on_top card=35 top=45"]),
    "45 lies on 42, and 35 on it": (
        ("play 54 down:2", "play 48 down:2", "play 42 down:2"), look("", "", "", "45 35"),
        ["over 45 42 down:2", "over 35 45 down:2"], ["asked", "show_card_under card=45"]),
    "what the picture tells now is believed rather than what was said": (
        UP_39, look("69 59", covers=("59 69",)), ["over 69 59 up:1"], ["follows", "play 69 up:1", "play 59 up:1"]),
    "the unseen card lies on another one in sight, which may lie deeper": (
        ("play 62 up:1",), look("52 49", covers=("49 52",)), ["under 42 49 up:1", "over 42 52 up:1"],
        ["unclear", "under 52 62 up:1, play 49 up:1", "under 52 42 up:1, play 49 up:1"]),
    "a card lies under the lifted top, with unseen cards between them": (
        LIFTED_63, look("", "", "", "60"), ["over 63 60 down:2"], ["follows", "under 60 63 down:2"]),
    "a card lies on the lifted top": (
        LIFTED_63, look("", "", "", "60"), ["over 60 63 down:2"], ["follows", "play 60 down:2"]),
    "an answer about cards that are gone changes nothing": (
        UP_39, look("45"), ["over 69 59 up:1"], ["follows", "play 45 up:1"]),
}  # fmt: skip


@pytest.mark.parametrize(("moves", "table", "said", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_an_answer_is_believed(moves, table, said, expected):
    assert verdict_on((*moves, *said), table) == expected


def test_two_unseen_cards_are_shown_one_after_the_other():
    log = begin("play 72 up:2", "play 88 down:1", "play 82 up:1")
    rest = ("72", "88")
    for top, expected in (
        ("78", ["asked", "show_card_under card=78"]),
        ("77", ["asked", "show_card_under card=77"]),
        ("87", ["follows", "play 87 up:1"]),
        ("77", ["follows", "play 77 up:1"]),
        ("78", ["follows", "play 78 up:1"]),
    ):
        table = look(top, *rest)
        assert verdict_on((), table, log) == expected
        verdict = judge(log, table)
        log = log.add(*verdict.moves) if isinstance(verdict, Follows) else log
    assert log.state.piles[0] == (82, 87, 77, 78)


def test_more_orders_than_a_screen_can_offer_are_told_apart_by_pairs():
    """59, 69, 49, 79 on 39 may lie in many orders: each answer leaves fewer."""
    log, table, true = begin("play 39 up:1"), look("59 69 49 79"), (39, 79, 69, 59, 49)
    asked = 0
    while isinstance(verdict := judge(log, table), Waiting):
        pair = sorted((verdict.hint.text.get("card"), verdict.hint.text.get("top")), key=true.index)
        log = log.add(log.parse(f"over {pair[1]} {pair[0]} up:1"))
        asked += 1
    if isinstance(verdict, Unclear):
        verdict = Follows(next(s for s in verdict.stories if log.add(*s).state.piles[0] == true))
    assert (log.add(*verdict.moves).state.piles[0], 0 < asked <= 6) == (true, True)


ON_43 = ("play 15 up:2", "play 43 up:2", "done 1 2", "play 70 down:1", "play 71 up:1", "done 2 2", "play 53 up:2")
ON_80 = ("play 87 down:1", "play 80 down:1", "done 1 2", "play 5 up:2", "play 61 up:1", "done 2 2", "play 44 down:1")
UNDER_36 = ("play 73 down:2", "play 43 down:2", "done 1 2", "play 5 up:2", "play 6 up:1", "done 2 2", "play 36 down:2")
OWED = {
    "the one that was asked for": (
        ("play 20 up:1", "play 30 up:1", "done 1 3"), look("25 30"), ["follows", "under 25 30 up:1"]),
    "while the top is lifted": (
        ("play 20 up:1", "play 30 up:1", "done 1 3"), look("25"), ["follows", "under 25 30 up:1"]),
    "in two possible places": (
        ("play 22 up:1", "play 51 up:1", "done 1 3"), look("32"), ["unclear", "under 32 22 up:1", "under 32 51 up:1"]),
    "in two possible places of a pile going down": (
        ("play 86 down:1", "play 56 down:1", "done 1 3"), look("", "", "76"),
        ["unclear", "under 76 86 down:1", "under 76 56 down:1"]),
    "with another unseen one beside it": (
        ("play 50 up:1", "play 53 up:1", "done 1 4"), look("48"), ["asked", "which_on_top card=48 top=50"]),
    "with another unseen one between them, as said": (
        ("play 50 up:1", "play 53 up:1", "done 1 4", "over 48 50 up:1", "over 53 48 up:1"), look("48"),
        ["follows", "under 48 53 up:1"]),
    "under the lifted top, or on it with another unseen one between them": (
        ("play 37 up:2", "done 1 4"), look("", "34"), ["asked", "which_on_top card=34 top=37"]),
    "under the lifted top, as said": (
        ("play 37 up:2", "done 1 4", "over 37 34 up:2"), look("", "34"), ["follows", "under 34 37 up:2"]),
    "on the lifted top with another unseen one between them, as said": (
        ("play 37 up:2", "done 1 4", "over 34 37 up:2"), look("", "34"), ["asked", "show_card_under card=34"]),
    "under the top in sight, or on it with another unseen one between them": (
        ("play 37 up:2", "done 1 4"), look("", "37 34"), ["asked", "which_on_top card=34 top=37"]),
    "put back on the top, or under it with another unseen one between them": (
        ("play 84 up:1", "done 1 3"), look("94"), ["unclear", "under 94 84 up:1", "play 94 up:1"]),
    "a trick under the lifted top, or on it": (
        ("play 47 up:1", "play 58 up:1", "done 1 3"), look("48"), ["unclear", "under 48 58 up:1", "play 48 up:1"]),
    "one under the lifted top, and one on it or under it": (
        ("play 20 up:1", "play 50 up:1", "done 1 5"), look("49 52"), ["asked", "which_on_top card=52 top=49"]),
    "under one that should show with the top lifted: one more may be unseen than was said": (
        (*FOUR_ON_DOWN_2, "done 2 4"), look("", "", "8", "86"), ["asked", "which_on_top card=86 top=85"]),
    "on that one, as said": (
        (*FOUR_ON_DOWN_2, "done 2 4", "over 86 85 down:2"), look("", "", "8", "86"),
        ["asked", "which_on_top card=86 top=27"]),
    "on that one and under the top, as said": (
        (*FOUR_ON_DOWN_2, "done 2 4", "over 86 85 down:2", "over 27 86 down:2"), look("", "", "8", "86"),
        ["follows", "under 86 27 down:2"]),
    "beside another one that was named: one more may be unseen than was said": (
        ("play 9 down:1", "play 64 up:2", "done 1 2", "play 67 up:2", "play 89 up:2", "done 2 3", "over 67 62 up:2"),
        look("", "72", "9"),
        ["asked", "which_on_top card=72 top=67"]),
    "under two lifted tops, or under cards of the turn before, with more unseen than was said": (
        ("play 51 down:2", "play 42 down:2", "done 1 2", "play 29 down:2", "play 3 down:2", "done 2 3",
         "over 3 43 down:2"),
        look("", "", "", "43"), ["asked", "which_on_top card=42 top=43"]),
    "under one that was found before it, or on that one": (
        (*ON_43, "done 1 3", "under 45 53 up:2"), look("", "35"), ["asked", "which_on_top card=35 top=45"]),
    "under one that was found before it, as said: one more is unseen than was said": (
        (*ON_43, "done 1 3", "under 45 53 up:2", "over 45 35 up:2"), look("", "35"),
        ["follows", "under 35 45 up:2"]),
    "where one more was laid than was said, or wrong on the top": (
        (*ON_80, "done 1 3", "under 78 44 down:1"), look("", "", "82"), ["asked", "which_on_top card=82 top=78"]),
    "where one more was laid than was said, as said": (
        (*ON_80, "done 1 3", "under 78 44 down:1", "over 78 82 down:1", "over 82 80 down:1"), look("", "", "82"),
        ["follows", "under 82 78 down:1"]),
    "two in sight that only together are legal, one more than was said": (
        (*UNDER_36, "done 1 3", "under 47 36 down:2", "over 47 42 down:2"), look("", "", "", "42 52"),
        ["follows", "under 42 47 down:2", "under 52 47 down:2"]),
    "two at once": (
        ("play 20 up:1", "play 50 up:1", "done 1 4"), look("31 35"),
        ["follows", "under 31 50 up:1", "under 35 50 up:1"]),
    "under the one in sight, as answered, and not on it": (
        ("play 74 up:1", "done 1 4", "under 75 65 up:1"), look("65"), ["follows", "play 65 up:1"]),
    "under one in sight that may not lie on the top itself, as answered": (
        ("play 31 up:1", "done 1 4", "under 21 22 up:1"), look("22"), ["follows", "play 22 up:1"]),
    "under one in sight on a pile going down, as answered": (
        ("play 79 down:1", "done 1 4", "under 78 88 down:1"), look("", "", "88"), ["follows", "play 88 down:1"]),
}  # fmt: skip


@pytest.mark.parametrize(("moves", "table", "expected"), OWED.values(), ids=OWED)
def test_an_owed_card_is_shown(moves, table, expected):
    assert verdict_on(moves, table) == expected


def test_the_record_without_the_card_is_not_the_table():
    """What cannot be told is a difference, also to the guide that rebuilds a table."""
    log = begin(*UP_39)
    seen = GAME.arrange(log.state, look("69 59"))
    assert (seen.zones, {*seen.orders["up:1"]}) == (
        {"up:1": ("39",)},
        {("39", "59", "69"), ("39", "69", "59")},
    )
    assert find_gap(GAME.layout(log.state), seen).extra == (("59", "up:1"), ("69", "up:1"))
    assert not find_gap(Layout({"up:1": ("39", "69", "59")}), seen)
    assert find_gap(Layout({"up:1": ("39", "69")}), seen).extra == (("59", "up:1"),)


def test_the_table_is_right_as_far_as_its_order_can_be_told():
    adopted = adopt_table(begin(*UP_39), look("69 59", "12"))
    assert adopted.entries[-1] == Adopt((("up:1", ("39",)), ("up:2", ("12",))))
    assert judge(adopted, look("69 59", "12")) == judge(begin(*UP_39, "play 12 up:2"), look("69 59", "12"))


@pytest.mark.parametrize("order", [(20, 30, 40, 60), (20, 40, 30, 60)], ids=str)
def test_every_story_is_told_in_the_order_of_its_cards(order):
    log = begin("play 20 up:1", "play 40 up:1")
    verdict = judge(log, look("30 60"))
    states = [log.add(*story).state.piles[PILES.index("up:1")] for story in verdict.stories]
    assert order in states
    assert len(states) == len({*states})


@pytest.mark.parametrize("hands", [(1, 1), (2, 0)], ids=str)
def test_the_last_cards_of_the_hands_are_read_in_every_order(hands):
    start = begin(*UP_39)
    log = replace(start, origin=replace(start.state, hands=hands), entries=())
    verdict = judge(log, look("69 59"))
    assert {log.add(*story).state.piles[0] for story in verdict.stories} == {(39, 59, 69), (39, 69, 59)}
