"""A question about a card that came and went stands until it is answered; later tables are then read in their order."""

import pytest

from engine.games import GAMES
from engine.games.nimmt import moves as m
from engine.log import Amend, Log
from engine.referee import Follows
from engine.table import Layout, Table
from firmware.box.events import parse_told
from firmware.box.referee_desk import RefereeDesk, forget_table, show_desk, step_desk
from tests.support.nimmt import GAME, begin, look
from vision.live.perception_events import TableSeen

ASKED = ((10,), (30, 31), (50,), (5,))
"""75 ended the turn behind 70 under a hand, and 5 took both."""
LATER = (((10,), (30, 31), (50, 55), (5,)), ((10,), (30, 31, 33), (50, 55), (5,)))


def see(desk, *tables, hide=()):
    """The desk after these tables, a second apart, and the entries that were written."""
    written = []
    for rows in tables:
        desk, effects = step_desk(desk, TableSeen(look(desk.log, rows, hide=hide), desk.now + 1))
        written += [entry for effect in effects for entry in effect.entries]
    return desk, written


def ask():
    log = Log(GAME, {"players": 2, "seats": "off"}).add(m.Deal((10, 30, 50, 70)), m.Reveal(0, 31), m.Lay(31, 2))
    desk, _ = see(RefereeDesk(log), ASKED)
    assert show_desk(desk).prompt.id == "what_lay_behind"
    return desk


def tell(desk, entry):
    return step_desk(desk, parse_told(entry, "button", desk.now + 1))[0]


def test_a_question_is_not_overtaken_by_a_card_laid_later():
    desk, written = see(ask(), *LATER)
    assert not written
    assert str(show_desk(desk).prompt) == "what_lay_behind card=5 row=4 behind=70"


def test_after_the_answer_the_cards_are_read_in_the_order_in_which_they_came():
    desk, _ = see(ask(), *LATER)
    desk, written = see(tell(desk, "reveal 0 75"), LATER[-1])
    laid = [entry for entry in written if entry.startswith("lay")]
    assert laid == ["lay 75 4", "lay 5 4", "lay 55 3", "lay 33 2"]
    assert desk.log.state.unowned == ((70, 75),)
    assert see(desk, LATER[-1])[1] == []


def test_cards_that_came_and_went_while_a_question_stood_are_read_too():
    """34 went unseen with the row that 35 took; 70 took 35 to 69 before anybody answered."""
    log = Log(GAME, {"players": 2, "seats": "off"}).add(m.Deal((1, 2, 3, 20)))
    for card in (30, 31, 33):
        log = log.add(m.Reveal(0, card), m.Lay(card, 4))
    cards = (35, 38, 52, 68, 69)
    tables = [((1,), (2,), (3,), cards[:n]) for n in range(1, 6)]
    end = ((1,), (2,), (3,), (70,))
    desk, written = see(RefereeDesk(log), *tables, end)
    assert not written
    assert str(show_desk(desk).prompt) == "what_lay_behind card=35 row=4 behind=33"
    desk, _ = see(tell(desk, "reveal 0 34"), end)
    assert desk.log.state.unowned == ((20, 30, 31, 33, 34), cards)
    assert desk.log.state.row(4) == (70,)


def test_what_is_put_back_is_asked_about_no_more():
    desk, _ = see(ask(), ((10,), (30, 31), (50,), (70,)))
    assert show_desk(desk).prompt.id == "lay_next"
    assert see(desk, ((10,), (30, 31, 33), (50,), (70,)))[1] == ["reveal 0 33", "lay 33 2"]


@pytest.mark.parametrize("players", [2, 4])
def test_a_row_taken_wrongly_is_put_back_and_its_card_is_read(players):
    log = Log(GAME, {"players": players, "seats": "off"}).add(m.Deal((10, 40, 50, 60)))
    rows = ((40,), (50,), (60,))
    desk, _ = see(RefereeDesk(log), ((10, 20, 30), *rows), ((35,), *rows))
    assert show_desk(desk).prompt.id == "what_lay_behind"
    assert [str(offer.label) for offer in show_desk(desk).offers][1:2] == ["nothing_lay_there"]
    assert "lay 35 1" in see(desk, ((10, 20, 30, 35), *rows))[1]


def test_undone_moves_are_read_again_in_the_right_order():
    desk, _ = see(ask(), LATER[0])
    desk = tell(desk, str(Amend(1, 3)))
    assert see(desk, LATER[0])[1][::2] == ["reveal 0 5", "tidy row:4", "reveal 0 31", "reveal 0 55"]


@pytest.mark.parametrize("hide", [["row:1"], ["row:4"]])
def test_a_table_with_hidden_places_does_not_show_what_was_not_there(hide):
    desk, written = see(ask(), LATER[0], hide=hide)
    assert (written, len(desk.kept)) == ([], 1)


def test_a_camera_that_fails_leaves_no_table_to_read():
    assert forget_table(ask()).kept == ()


TWO_BEHIND_ONE_CARD = (
    ((23, 55, 56), (95, 96, 97), (18,), (2,)),
    [((92, 93), (95, 96, 97), (18,), row) for row in ((2,), (2, 10), (2, 10, 14))],
    ("reveal 0 76", "lay 76 1", "reveal 0 81"),
    ((23, 55, 56, 76, 81),),
)
"""76 and 81 were laid unseen and taken by 92; 10 and 14 are of the next turn."""
ONE_ON_ITS_ROW_AND_ONE_BEHIND = (
    ((90,), (42, 48, 49, 51, 52), (30, 31, 33), (97,)),
    [((90,), (22, 24), (30, 31, 33), row) for row in ((97,), (97, 98), (97, 98, 99))],
    ("reveal 0 65", "take 2", "lay 65 2", "reveal 0 74"),
    ((42, 48, 49, 51, 52), (65, 74)),
)
"""65 took the full row unseen, 74 was laid behind it, and the low 22 of the next turn took both."""


def begin_round(rows):
    """A log of four players in which these rows were laid, two turns in all."""
    log = Log(GAME, {"players": 4, "seats": "off"}).add(m.Deal(tuple(row[0] for row in rows)))
    places = sorted((card, number) for number, row in enumerate(rows, 1) for card in row[1:])
    for card, number in [place for place in places if place[0] > 40] + [place for place in places if place[0] < 40]:
        log = log.add(m.Reveal(0, card), m.Lay(card, number))
    return log


@pytest.mark.parametrize("answered", range(5))
@pytest.mark.parametrize(
    "case",
    [TWO_BEHIND_ONE_CARD, ONE_ON_ITS_ROW_AND_ONE_BEHIND],
    ids=["two-behind-one-card", "one-on-its-row-and-one-behind"],
)
def test_two_cards_that_went_with_one_row_are_asked_for_whenever_the_answers_come(case, answered):
    """The later cards are laid after so many answers."""
    recorded, tables, entries, taken = case
    desk, written = see(RefereeDesk(begin_round(recorded)), tables[0])
    assert not written
    for number, entry in enumerate(entries):
        desk, _ = see(desk, *(tables if number == answered else tables[-1:] if number > answered else tables[:1]))
        shown = show_desk(desk)
        assert shown.alert is None
        assert ("entry:form reveal 0" if entry.startswith("reveal") else entry) in {
            offer.move for offer in shown.offers
        }
        desk = tell(desk, entry)
        assert desk.refused is None
    desk, _ = see(desk, *(tables if answered >= len(entries) else tables[-1:]))
    assert desk.log.state.rows[:4] == tables[-1]
    assert desk.log.state.unowned == taken
    assert see(desk, tables[-1])[1] == []


def test_an_entered_card_that_is_laid_after_all_is_asked_about_no_more():
    recorded, tables, entries, _ = ONE_ON_ITS_ROW_AND_ONE_BEHIND
    desk, _ = see(RefereeDesk(begin_round(recorded)), tables[0])
    desk = tell(tell(desk, entries[0]), entries[1])
    desk, written = see(desk, tables[0])
    assert written == ["tidy row:2"]
    assert str(show_desk(desk).prompt) == "starts_row card=65 row=2"
    assert see(desk, ((90,), (65,), (30, 31, 33), (97,)))[1] == ["lay 65 2"]


PILES = GAMES["thegame"]
FIRST_TURN = ("play 89 down:2", "play 77 down:2", "play 64 down:2", "done 1 3")


def show_tops(desk, *tops, hide=()):
    """The desk after looks at these cards of one pile, a second apart, and the entries that were written."""
    written, plan = [], PILES.plan(desk.log.options).zones
    for top in tops:
        pieces = PILES.place(desk.log.state, Layout({"down:2": tuple(top.split())})).seen
        table = Table(frozenset() if hide else pieces, tuple(plan[zone] for zone in hide))
        desk, effects = step_desk(desk, TableSeen(table, desk.now + 1))
        written += [entry for effect in effects for entry in effect.entries]
    return desk, written


def begin_pile(*entries, tops=()):
    log = Log(PILES, {"players": 4, "level": "expert"})
    for entry in entries:
        log = log.add(log.parse(entry))
    return show_tops(RefereeDesk(log), *tops)[0]


def ask_order():
    """63 was lifted, and 70, which had been laid unseen before it; under them lies 60."""
    desk = begin_pile(*FIRST_TURN, "play 63 down:2", tops=("63", "70"))
    assert show_desk(desk).prompt.id == "show_card_under"
    desk, written = show_tops(desk, "60")
    assert not written
    return desk


def test_a_card_shown_because_it_was_asked_for_is_not_recorded_on_a_top_that_may_be_lifted():
    assert str(show_desk(ask_order()).prompt) == "which_on_top card=60 top=63 zone=down:2"
    assert show_tops(ask_order(), "60", "60")[1] == []


def test_a_card_laid_in_place_of_the_one_in_question_is_recorded_after_one_answer():
    desk, written = show_tops(tell(ask_order(), "over 60 63 down:2"), "60")
    assert written == ["play 60 down:2"]
    assert desk.log.state.piles[3] == (89, 77, 64, 63, 60)


def test_a_card_that_a_player_says_lies_under_the_lifted_top_is_recorded_there_with_the_unseen_one_awaited():
    desk, written = show_tops(tell(ask_order(), "over 63 60 down:2"), "60", "60")
    assert written == ["under 60 63 down:2"]
    assert str(show_desk(desk).prompt) == "show_unseen n=1"
    desk, _ = show_tops(desk, "70")
    assert str(show_desk(desk).prompt) == "which_on_top card=70 top=60 zone=down:2"
    desk, _ = show_tops(tell(desk, "over 70 60 down:2"), "70")
    assert str(show_desk(desk).prompt) == "which_on_top card=70 top=63 zone=down:2"
    desk, written = show_tops(tell(desk, "over 63 70 down:2"), "70", "63")
    assert "under 70 63 down:2" in written
    assert (desk.log.state.piles[3], desk.verdict) == ((89, 77, 64, 60, 70, 63), Follows(()))


def test_after_the_tops_are_put_back_nothing_is_asked():
    desk, written = show_tops(ask_order(), "70", "63")
    assert (written, desk.verdict) == ([], Follows(()))
    assert show_tops(desk, "60")[1] == ["play 60 down:2"]


def test_a_question_stands_while_a_hand_covers_the_pile():
    desk = begin_pile(*FIRST_TURN, "play 63 down:2", tops=("63", "70"))
    desk, _ = show_tops(desk, "", hide=("down:2",))
    desk, written = show_tops(desk, "60")
    assert (written, show_desk(desk).prompt.id) == ([], "which_on_top")


@pytest.mark.parametrize(
    ("entries", "tops"),
    [
        pytest.param(FIRST_TURN, ("64", "75", "60"), id="the top of an earlier turn is not lifted"),
        pytest.param((*FIRST_TURN, "play 63 down:2"), ("63", "70", "63", "60"), id="the top was in sight again"),
        pytest.param((*FIRST_TURN, "play 20 down:2"), ("20", "35", "9"), id="no legal order under the top"),
    ],
)
def test_a_card_that_can_only_be_new_is_recorded_without_a_question(entries, tops):
    desk, written = show_tops(begin_pile(*entries), *tops)
    assert len(written) == 1
    assert written[0].startswith("play ")
    assert isinstance(desk.verdict, Follows)


def test_a_camera_that_fails_leaves_no_question_to_remember():
    assert forget_table(ask_order()).asked is None


REPLACED = begin(((63,), (1,), (28,), (97,)), variant="anniversary", players=3).add(m.Reveal(1, 67), m.Reveal(3, 91))
BROUGHT = (((63, 67), (1,), (28,), (97,)), {2: 17, 3: 91}, {2: "replace"})
LAID = (((63, 67), (1, 17), (28,), (97,)), {3: 91}, {2: "replace"})
GONE = (LAID[0], LAID[1], None)


def see_all(*looks):
    """The desk after these rows, cards at seats and specials beside them."""
    desk = RefereeDesk(REPLACED)
    for rows, seats, beside in looks:
        table = look(desk.log, rows, seats, beside=beside)
        desk, _ = step_desk(desk, TableSeen(table, desk.now + 1))
    return desk


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param((BROUGHT, GONE), id="Replace is cleared away when its card is laid"),
        pytest.param((BROUGHT, LAID, GONE), id="Replace is cleared away after its card is laid"),
    ],
)
def test_a_card_that_replace_brought_is_not_taken_for_the_first_one_when_replace_is_gone(looks):
    desk = see_all(*looks)
    assert str(show_desk(desk).prompt) == "which_was_replaced player=2"
    assert desk.log == REPLACED


def test_a_first_card_of_which_no_replace_was_seen_is_read():
    assert see_all(GONE).log.state.rows[1] == (1, 17)


def test_when_the_first_card_is_entered_the_question_is_over():
    desk = tell(see_all(BROUGHT, GONE), "reveal 2 17")
    desk, _ = step_desk(desk, TableSeen(look(desk.log, GONE[0], GONE[1]), desk.now + 1))
    assert (desk.log.state.rows[:2], desk.log.state.slot.card) == (((63, 67), (1, 17)), 91)
    assert desk.asked is None


def test_the_question_is_over_though_a_thing_on_the_discard_hides_it():
    desk = tell(see_all(BROUGHT, GONE), "reveal 2 17")
    desk, _ = step_desk(desk, TableSeen(look(desk.log, GONE[0], GONE[1], hide=("discard",)), desk.now + 1))
    assert (desk.log.state.slot.card, desk.asked) == (91, None)
