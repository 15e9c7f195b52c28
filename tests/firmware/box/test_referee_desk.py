"""The referee desk: which moves it accepts, when it announces a foul, and what an entry does."""

from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.games.nimmt import moves as m
from engine.games.the_game.moves import Play
from engine.log import Log
from engine.referee import Follows, Refused, Rewind, Unclear
from engine.table import Layout, Piece, Table
from engine.text import say
from firmware.box.alert_delays import ANSWER_SHOWN_S, BLIND_DELAY_S, FOUL_DELAY_S, HINT_DELAY_S
from firmware.box.events import Ticked, parse_told
from firmware.box.referee_desk import RefereeDesk, show_desk, step_desk
from firmware.journal.operation_types import WriteEntries
from tests.support.nimmt import DEAL, GAME, begin, look
from tests.support.six import begin as begin_six
from tests.support.six import look as look_six
from tests.support.six import without
from vision.live.perception_events import TableSeen

FULL = ((1, 2, 3, 4, 5), (20,), (30,), (40,))


def run(desk, *items):
    """Step through these events and collect what is to be written."""
    written = []
    for item in items:
        desk, effects = step_desk(desk, item)
        written += effects
    return desk, written


def ok(desk, at):
    """The first offer, as a button takes it."""
    return parse_told(show_desk(desk).offers[0].move, "button", at)


def test_a_legal_card_is_written_at_once_as_seen():
    log = begin(shown=(33, 25))
    desk, written = run(RefereeDesk(log), TableSeen(look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}), 5.0))
    assert written == [WriteEntries(("lay 25 2",), "seen")]
    assert desk.log.state.slot.card == 33
    assert show_desk(desk).alert is None


def wrong(at):
    log = begin(shown=(33, 25))
    return RefereeDesk(log), TableSeen(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}), at)


@pytest.mark.parametrize(
    ("waited", "said"),
    [(0.0, None), (FOUL_DELAY_S * 0.9, None), (FOUL_DELAY_S, "belongs_in_row")],
    ids=["not-while-it-may-move", "not-yet", "after-a-second"],
)
def test_a_wrong_card_is_named_with_its_ruling_when_it_has_lain_a_second(waited, said):
    desk, written = run(*wrong(0.0), Ticked(waited))
    view = show_desk(desk)
    assert (view.alert and view.alert.id) == said
    assert view.ruling == ("N-10" if said else "")
    assert not written


def test_the_delay_of_a_foul_counts_from_its_first_table():
    desk, item = wrong(10.0)
    looks = [TableSeen(item.table, 10.0 + n / 10) for n in range(11)]
    desk, _ = run(desk, *looks)
    assert show_desk(desk).alert.id == "belongs_in_row"


def test_a_mended_table_clears_the_alert_by_itself():
    desk, item = wrong(0.0)
    right = look(desk.log, ((10,), (20, 25), (30,), (40,)), {1: 33})
    desk, written = run(desk, item, Ticked(2.0), TableSeen(right, 3.0))
    assert show_desk(desk).alert is None
    assert written == [WriteEntries(("lay 25 2",), "seen")]


def test_table_is_right_is_one_press_and_an_entry():
    desk, item = wrong(0.0)
    desk, _ = run(desk, item, Ticked(2.0))
    labels = [offer.label.id for offer in show_desk(desk).offers]
    assert labels[0] == "table_is_right"
    desk, written = run(desk, ok(desk, 2.5))
    assert written[0].told == "button"
    assert written[0].entries[0].startswith("adopt row:1=10|25 row:2=20 row:3=30")
    assert desk.log.parse(written[0].entries[0]) == desk.log.moves[-1]


def test_a_table_that_stands_is_adopted_by_the_first_press_and_nothing_else_is_asked_for():
    log = begin(shown=(11, 31)).add(m.Lay(11, 1))
    table = look(log, ((10, 11, 31), (20,), (30,), (40,)), {1: 12, 2: 32})
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0), Ticked(2.0))
    view = show_desk(desk)
    assert (str(view.alert), view.prompt.id, view.ruling) == ("stays_in_row card=31 row=1", "leave_table", "R-4")
    assert [offer.label.id for offer in view.offers] == ["table_is_right", "record_is_right"]
    desk, _ = run(desk, ok(desk, 2.5), TableSeen(table, 3.0))
    assert (show_desk(desk).alert, desk.log.state.slot.card) == (None, 12)


@pytest.mark.parametrize(
    ("strange", "said"),
    [
        pytest.param("40", ["act_under", "already_laid"], id="the card under the top was carried: it goes back"),
        pytest.param("20", ["already_laid", "act_under"], id="one deep in a pile is checked before it goes back"),
    ],
)
def test_a_number_that_is_read_on_a_second_pile(strange, said):
    log = Log(GAMES["thegame"], {"players": 2})
    for entry in ("play 20 up:1", "play 30 up:1", "play 40 up:1", "play 50 up:1"):
        log = log.add(log.parse(entry))
    table = log.game.place(log.state, Layout({"up:1": ("50",), "up:2": (strange,)}))
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0), Ticked(10.0))
    view = show_desk(desk)
    assert [text.id for text in (view.alert, *view.lines)] == said


def test_a_card_put_back_offers_one_step_back():
    log = begin(shown=(33, 25)).add(m.Lay(25, 2))
    desk, _ = run(RefereeDesk(log), TableSeen(look(log, DEAL, {1: 33, 2: 25}), 0.0), Ticked(2.0))
    assert show_desk(desk).offers[0].label.id == "step_back"
    desk, written = run(desk, ok(desk, 2.1))
    assert written == [WriteEntries((f"amend {len(log.moves) - 1} {len(log.moves)}",), "button")]
    assert desk.log.state == begin(shown=(33, 25)).state
    assert desk.verdict == Follows(())


def test_a_sixth_card_is_a_prompt_at_once_and_no_alert():
    log = begin(FULL, shown=(6, 90))
    desk, _ = run(RefereeDesk(log), TableSeen(look(log, ((*FULL[0], 6), *FULL[1:]), {2: 90}), 0.0))
    view = show_desk(desk)
    assert (str(view.prompt), view.ruling, view.alert) == ("take_row row=1 n=6", "N-12", None)


def test_what_is_in_the_air_is_hinted_at_softly_and_late():
    log = begin(shown=(33, 25))
    air = TableSeen(look(log, ((10,), (20,), (30, 33), (40,))), 0.0)
    desk, _ = run(RefereeDesk(log), air, Ticked(HINT_DELAY_S * 0.9))
    assert show_desk(desk).prompt.id == "lay_behind"
    desk, _ = run(desk, Ticked(HINT_DELAY_S))
    assert show_desk(desk).prompt == say("act_lay", pieces="25", zone="row:2")
    assert show_desk(desk).alert is None


def test_a_zone_hidden_for_long_is_named():
    log = begin(shown=(33, 25))
    dark = look(log, DEAL, {1: 33, 2: 25}, hide=["row:3"])
    desk, _ = run(RefereeDesk(log), TableSeen(dark, 0.0), TableSeen(dark, BLIND_DELAY_S * 0.9))
    assert show_desk(desk).alert is None
    desk, _ = run(desk, TableSeen(dark, BLIND_DELAY_S))
    assert str(show_desk(desk).alert) == "cannot_see zone=row:3"
    clear = look(log, DEAL, {1: 33, 2: 25})
    assert show_desk(run(desk, TableSeen(clear, BLIND_DELAY_S + 1))[0]).alert is None


def test_a_pile_hidden_for_long_is_named_although_cards_were_drawn():
    log = Log(GAMES["thegame"], {"players": 2})
    for entry in ("play 10 up:1", "play 20 up:1", "done 1 2"):
        log = log.add(log.parse(entry))
    seen = log.game.place(log.state, log.game.layout(log.state))
    under_a_mug = replace(seen, unseen=(log.game.plan(log.options).zones["down:2"],))
    desk, _ = run(RefereeDesk(log), TableSeen(seen, 0.0), TableSeen(under_a_mug, 1.0))
    assert (show_desk(desk).alert, [text.id for text in show_desk(desk).news]) == (None, ["draws"])
    desk, _ = run(desk, TableSeen(under_a_mug, 1.0 + BLIND_DELAY_S))
    assert str(show_desk(desk).alert) == "cannot_see zone=down:2"
    desk, _ = run(desk, TableSeen(seen, 2.0 + BLIND_DELAY_S))
    assert (show_desk(desk).alert, [text.id for text in show_desk(desk).news]) == (None, ["draws"])


@pytest.mark.parametrize(
    ("entry", "says"),
    [("lay 33 3", "laid_before"), ("lay thirty", "log_line"), ("fly", "log_line")],
    ids=["not-his-turn", "no-number", "no-move"],
)
def test_a_fact_that_cannot_be_is_answered_and_not_written(entry, says):
    desk, written = run(RefereeDesk(begin(shown=(33, 25))), parse_told(entry, "web", 1.0))
    assert not written
    assert show_desk(desk).alert.id == says


def test_an_answer_stands_long_enough_to_be_read_and_hides_nothing_for_longer():
    log = begin(shown=(33, 25))
    hidden = Table(frozenset(), tuple(log.game.plan(log.options).zones.values()))
    desk, _ = run(RefereeDesk(log), TableSeen(hidden, 0.0), parse_told("lay 33 3", "button", 1.0))
    assert show_desk(desk).alert.id == "laid_before"
    assert show_desk(run(desk, Ticked(9.0))[0]).alert.id == "laid_before"  # no camera has anything else to say
    assert show_desk(run(desk, TableSeen(hidden, ANSWER_SHOWN_S + 0.9))[0]).alert.id == "laid_before"
    assert show_desk(run(desk, TableSeen(hidden, ANSWER_SHOWN_S + 1.0))[0]).alert.id == "cannot_see_table"


def test_a_game_goes_on_by_hand_without_a_camera():
    log = Log(GAME, {"players": 2})
    facts = ["deal 10,20,30,40", "reveal 1 33", "reveal 2 25", "lay 25 2", "lay 33 3"]
    desk, written = run(RefereeDesk(log), *(parse_told(fact, "button", n) for n, fact in enumerate(facts)))
    assert [entry for write in written for entry in write.entries] == facts
    assert desk.log.state.turns == 1


def test_two_legal_stories_are_asked_about():
    log = begin(shown=(25, 33, 90), variant="anniversary")
    both = look(log, ((10,), (20, 25), (30,), (40,)), {2: 33, 3: 90}, marks={1: ["block"]})
    desk, written = run(RefereeDesk(log), TableSeen(both, 0.0))
    assert str(show_desk(desk).prompt) == "special_with_which kind=block"
    assert [str(answer.label) for answer in show_desk(desk).offers] == [
        "special_with kind=block card=25",
        "special_with kind=block card=33",
        "record_is_right",
    ]
    assert not written
    desk, written = run(desk, ok(desk, 1.0))
    assert len(written) == 1
    assert desk.log.parse(written[0].entries[0]).first == len(log.moves)


def test_a_special_that_is_in_every_story_is_not_asked_about():
    log = begin(shown=(25, 43, 90), variant="anniversary")
    both = look(log, ((10,), (20, 25), (30,), (40, 43)), {3: 90}, marks={1: ["block"], 2: ["seven"]})
    desk, _ = run(RefereeDesk(log), TableSeen(both, 0.0))
    assert [str(answer.label) for answer in show_desk(desk).offers] == [
        "special_with kind=block card=43",
        "special_with kind=block card=90",
        "record_is_right",
    ]


def test_after_the_end_the_ruling_is_that_of_the_result_and_never_stands_beside_an_answer():
    log = Log(GAMES["thegame"], {"players": 1})
    desk, _ = run(RefereeDesk(log), parse_told("play 50 up:1", "button", 0.0), parse_told("cannot 1", "button", 1.0))
    assert (show_desk(desk).over, show_desk(desk).ruling) == (True, "G-16")
    desk, _ = run(desk, parse_told("play 60 up:1", "button", 2.0))
    assert (show_desk(desk).alert.id, show_desk(desk).ruling) == ("game_is_over", "")


@pytest.mark.parametrize(
    ("hidden", "said"), [((), ("shown_early",)), (("seat:2",), ())], ids=["in-sight", "hidden-seat"]
)
def test_a_card_turned_early_is_said_unless_the_missing_one_may_be_hidden(hidden, said):
    log = begin().add(m.Reveal(1, 33))
    desk, _ = step_desk(RefereeDesk(log), TableSeen(look(log, DEAL, {1: 33}, hide=hidden), 0.0))
    view = show_desk(desk)
    assert tuple(text.id for text in view.news) == said
    assert (view.alert, str(view.prompt)) == (None, "waiting_for players=2")


def test_an_alert_names_each_player_once_also_where_seats_have_other_numbers():
    log = begin(seats=(2, 1), shown=(33, 25))
    swapped = look(log, DEAL, {2: 25, 1: 33})
    desk, _ = run(RefereeDesk(log), TableSeen(swapped, 0.0), Ticked(FOUL_DELAY_S))
    alert = show_desk(desk).alert
    shown = {str(alert.get(piece)): alert.get(place) for piece, place in (("piece", "source"), ("partner", "target"))}
    assert shown == {"33": "home:2", "25": "home:1"}


def test_whose_card_it_is_is_asked_with_a_button_for_each_player_who_shows_none():
    log = begin(shown=(33,), players=3)
    rows = ((10, 17), (20, 25), (30,), (40,))
    desk, written = run(RefereeDesk(log), TableSeen(look(log, rows, {1: 33}), 0.0))
    assert not written
    assert str(show_desk(desk).prompt) == "whose_card card=17"
    assert [answer.move for answer in show_desk(desk).offers[:2]] == ["reveal 2 17", "reveal 3 17"]
    desk, written = run(desk, parse_told("reveal 3 17", "button", 1.0), TableSeen(look(log, rows, {1: 33}), 2.0))
    assert written[-1].entries == ("reveal 2 25", "lay 17 1", "lay 25 2")


def test_an_offer_to_undo_plays_no_other_move():
    """What explains the table after it is read from the next look."""
    log = Log(GAMES["thegame"], {"players": 2}).add(Play(19, "up:2"))
    table = Table(frozenset({Piece("11", 180, 225)}))
    verdict = Refused((("11", "up:2"),), (), rewind=Rewind(1, (Play(11, "up:2"),)))
    view = show_desk(RefereeDesk(log, now=1000.0, table=table, verdict=verdict, since=0.0, patience=0.0))
    assert [answer.move for answer in view.offers if answer.label.id == "step_back"] == ["amend 0 1"]


def test_of_many_cards_without_seats_the_first_is_named_with_one_button():
    log = Log(GAME, {"players": 2, "seats": "off"}).add(m.Deal((10, 30, 50, 70)))
    table = look(log, ((10, 11, 12), (30, 31, 32), (50, 51), (70, 71)))
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert str(show_desk(desk).prompt) == "which_first cards=11,31,51"
    assert [answer.move for answer in show_desk(desk).offers[:3]] == ["reveal 0 11", "reveal 0 31", "reveal 0 51"]
    desk, written = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert written[-1].entries[0] == "lay 11 1"
    assert desk.log.state.rows[:4] == ((10, 11, 12), (30, 31, 32), (50, 51), (70, 71))


def test_a_special_that_may_be_a_new_one_is_asked_about_with_one_button():
    log = begin(((15,), (20, 44, 49, 56, 96), (47, 85), (102,)), shown=(24, 43), variant="anniversary",
                lying=(("block", "mark:1"),))  # fmt: skip
    table = look(log, ((15,), (24,), (47, 85), (102,)), {2: 43}, marks={1: ["block"]})
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert str(show_desk(desk).prompt) == "new_special kind=block row=1 card=24"
    desk, written = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert written[-1].entries == ("mark block 1", "take 2", "tidy row:2", "lay 24 2")


def test_the_row_at_which_a_block_was_is_answered_with_one_button():
    log = begin(((27,), (18,), (80,), (60,)), shown=(41, 3, 19), variant="anniversary")
    log = log.add(log.parse("special 2 block"))
    table = look(log, ((3,), (18,), (80,), (60,)), {1: 41, 3: 19})
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert show_desk(desk).prompt.id == "which_row_blocked"
    assert [offer.move for offer in show_desk(desk).offers[:3]] == ["mark block 2", "mark block 3", "mark block 4"]
    desk, _ = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert desk.log.state.piles == ((), (27,), ())
    assert show_desk(desk).prompt.id == "lay_behind"


def test_a_card_that_was_taken_unseen_is_entered_with_the_first_offer():
    log = Log(GAME, {"players": 2, "seats": "off"})
    log = log.add(m.Deal((10, 30, 50, 70)), m.Reveal(0, 31), m.Lay(31, 2))
    table = look(log, ((10,), (30, 31), (50,), (5,)))
    desk, written = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert not written
    assert str(show_desk(desk).offers[0].label) == "card_behind card=70"
    assert show_desk(desk).offers[0].move == "entry:form reveal 0"


def test_whether_a_used_special_is_a_new_one_is_asked_with_the_card_of_each_slot():
    rows = ((101,), (25,), (2,), (1, 3, 4, 21))
    log = begin(rows, shown=(11, 22, 26), players=3, variant="anniversary", lying=(("block", "mark:2"),))
    table = look(log, ((101,), (25,), (2, 11), (1, 3, 4, 21, 22)), {3: 26}, marks={2: ["block"]})
    desk, _ = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert str(show_desk(desk).prompt) == "is_special_new kind=block row=2"
    assert [str(offer.label) for offer in show_desk(desk).offers] == [
        "used_special",
        "special_with kind=block card=11",
        "special_with kind=block card=22",
        "record_is_right",
    ]
    desk, _ = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert not desk.log.state.blocked(2)


def test_a_special_that_was_played_in_an_earlier_slot_is_answered_with_one_button():
    rows = ((101,), (25,), (2,), (1, 3, 4, 21))
    log = begin(rows, shown=(11, 22, 91), players=3, variant="anniversary", lying=(("block", "mark:2"),))
    log = log.add(*map(log.parse, ("lay 11 3", "lay 22 4", "special 3 seven")))
    table = look(log, ((101,), (25,), (2, 11), (1, 3, 4, 21, 22, 91)), marks={2: ["block"], 4: ["seven"]})
    desk, written = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert not written
    assert show_desk(desk).prompt.id == "is_special_new"
    assert str(show_desk(desk).offers[0].label) == "special_with kind=block card=22"
    desk, written = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert desk.log.state.row(4) == (1, 3, 4, 21, 22, 91)
    assert desk.log.state.blocked(2)


def test_that_cards_shown_are_of_the_next_turn_is_answered_with_one_button():
    log = begin(((5,), (91,), (14,), (84,)), shown=(45, 46))
    table = look(log, ((5,), (91,), (14, 15, 38), (84,)), {1: 45, 2: 46})
    desk, written = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert not written
    assert str(show_desk(desk).prompt) == "is_of_next_turn piece=15 card=45 maybe=45,46"
    assert str(show_desk(desk).offers[0].label) == "of_next_turn"
    desk, written = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert [entry for effect in written for entry in effect.entries] == ["later 45,46"]
    assert str(show_desk(desk).prompt) == "whose_card card=15"


@pytest.mark.parametrize("beside", [{3: "replace"}, None], ids=["the Replace lies there", "it is cleared"])
def test_that_replace_brought_a_card_is_answered_with_one_button(beside):
    log = begin(((30,), (12,), (10,), (35,)), shown=(52, 40), players=3, variant="anniversary")
    table = look(log, ((30,), (12,), (10,), (35, 103)), {1: 52, 2: 40}, beside=beside)
    desk, written = run(RefereeDesk(log), TableSeen(table, 0.0))
    assert not written
    assert str(show_desk(desk).offers[0].label) == "special_with kind=replace card=103"
    desk, written = run(desk, ok(desk, 1.0), TableSeen(table, 2.0))
    assert [entry for effect in written for entry in effect.entries][:2] == ["replaced 3 103", "lay 103 4"]


SIX_ROW = {(q, 0): ("red", "black")[q % 2] for q in range(14)}
SIX_BOARD = {**SIX_ROW, **dict.fromkeys(((q, -1) for q in range(5)), "red"), (12, 1): "black", (0, 1): "red"}


@pytest.mark.parametrize(
    ("gone", "came", "prompt", "answers", "winner"),
    [
        pytest.param(
            [(12, 1)],
            {},
            "lay_lifted",
            ["out_colour_is_next colour=black", "out_colour_is_next colour=red"],
            None,
            id="a tile is nowhere",
        ),
        pytest.param(
            [(12, 1), (0, 1)],
            {(14, 0): "black"},
            "tiles_out_of_game n=1",
            ["colour_is_next colour=red", "out_colour_is_next colour=black", "out_colour_is_next colour=red"],
            None,
            id="the next player may hold a tile, or it has left",
        ),
        pytest.param(
            [(12, 1), (0, 1)],
            {(5, -1): "red"},
            "tiles_out_of_game n=1",
            ["out_colour_wins colour=red"],
            "red",
            id="the game may have ended, with a tile that left",
        ),
        pytest.param(
            [(12, 1), (0, 1)],
            {(5, -1): "red", (14, 0): "black"},
            "is_game_over",
            ["colour_wins colour=red"],
            "red",
            id="the game may have ended",
        ),
    ],
)
def test_what_several_moves_of_six_have_led_to_is_answered_by_one_press(gone, came, prompt, answers, winner):
    """Offered after a delay, since a player may still hold a tile. Before an answer nothing is recorded."""
    log = begin_six(SIX_BOARD, turn="black")
    table = TableSeen(look_six({**without(SIX_BOARD, *gone), **came}), 0.0)
    desk, written = run(RefereeDesk(log), table)
    assert str(show_desk(desk).prompt) == prompt
    assert not [offer for offer in show_desk(desk).offers if str(offer.label) in answers]
    desk, more = run(desk, Ticked(HINT_DELAY_S))
    offers = {str(offer.label): offer.move for offer in show_desk(desk).offers}
    assert [label for label in offers if label in answers] == answers
    assert list(offers).index(answers[0]) == (len(answers) > 1)  # a press with a tile in the hand records nothing
    assert not written
    assert not more
    desk, written = run(desk, parse_told(offers[answers[0]], "button", HINT_DELAY_S + 1))
    assert len(written) == 1
    end = desk.log.state.game.end
    assert (end and end.winner) == winner


def test_who_is_next_is_asked_only_with_the_cut_off_tiles_gone():
    log = begin_six(SIX_BOARD)
    moved = {**without(SIX_BOARD, (0, 1), (12, 1)), (-1, 0): "red", (14, 0): "black"}
    desk, _ = run(RefereeDesk(log), TableSeen(look_six(moved), 0.0))
    view = show_desk(desk)
    assert str(view.prompt) == "cut_off_gone_who_next"
    assert [str(offer.label) for offer in view.offers] == [
        "colour_is_next colour=red",
        "colour_is_next colour=black",
        "record_is_right",
    ]


def test_two_tiles_exchanged_in_phase_2_may_be_answered_by_keeping_the_score():
    log = begin_six(SIX_BOARD)
    exchanged = {**SIX_BOARD, (0, 0): SIX_BOARD[1, 0], (1, 0): SIX_BOARD[0, 0]}
    desk, written = run(RefereeDesk(log), TableSeen(look_six(exchanged), 0.0))
    assert isinstance(desk.verdict, Unclear)
    assert show_desk(desk).offers[-1].move == "table:rebuild"
    assert not written


@pytest.mark.parametrize(
    ("entries", "offered"),
    [
        (("play 95 up:1",), True),
        (("play 95 up:1", "play 96 up:2", "play 80 down:1", "done 2 3"), False),
        (("play 78 up:1",), False),
    ],
    ids=["the-top-of-this-turn", "the-top-of-the-turn-before", "a-top-that-it-does-not-fit-under"],
)
def test_a_card_of_an_unfinished_turn_that_was_covered_unseen_is_said_by_lifting_the_top(entries, offered):
    log = Log(GAMES["thegame"], {"players": 2, "level": "expert"})
    for entry in ("play 74 up:1", "play 90 down:1", "play 20 up:2", "done 1 3", *entries):
        log = log.add(log.parse(entry))
    lifted = log.game.layout(log.state).zones | {"up:1": ("84",)}
    desk, _ = run(RefereeDesk(log), TableSeen(log.game.place(log.state, Layout(lifted)), 0.0))
    under = {offer.move for offer in show_desk(desk).offers if offer.move.startswith("under 84 ")}
    assert under == ({"under 84 95 up:1"} if offered else set())
    if offered:
        desk, _ = run(desk, parse_told("under 84 95 up:1", "button", 1.0))
        assert (desk.log.state.piles[0], desk.log.state.left) == ((74, 84, 95), log.state.left - 1)


def test_a_card_that_looked_like_a_trick_under_a_lifted_top_goes_under_it_with_one_button():
    """48 was laid unseen; 58 was lifted, 48 looked like a trick on it, and 58 lies on it again."""
    log = Log(GAMES["thegame"], {"players": 2}).add(Play(47, "up:1"), Play(58, "up:1"), Play(48, "up:1"))
    back = log.game.place(log.state, Layout({"up:1": ("58",)}))
    desk, _ = run(RefereeDesk(log), TableSeen(back, 0.0), Ticked(HINT_DELAY_S))
    view = show_desk(desk)
    assert str(view.prompt) == "act_put pieces=48 zone=up:1"
    (offered,) = (offer.move for offer in view.offers if offer.move.endswith("; over 58 48 up:1"))
    desk, _ = run(desk, parse_told(offered, "button", 1.0), TableSeen(back, 2.0))
    assert (desk.log.state.piles[0], desk.verdict) == ((47, 48, 58), Follows(()))


def test_an_answer_about_a_card_on_another_new_card_lays_that_one_too():
    """52 was laid on 50 and at once covered by 42: the record has neither 50 nor 52 yet."""
    log = Log(GAMES["thegame"], {"players": 1}).add(Play(13, "up:1"))
    pieces = (Piece("50", 46, 264), Piece("42", 84, 261))
    seen = TableSeen(Table(frozenset(pieces), (), frozenset({("42", "50")})), 0.0)
    desk, written = run(RefereeDesk(log), seen)
    assert show_desk(desk).prompt.id == "show_card_under"
    assert not written
    offers = {str(offer.label): offer.move for offer in show_desk(desk).offers}
    desk, _ = run(desk, parse_told(offers["lies_under card=52"], "button", 1.0), replace(seen, at=2.0))
    assert desk.refused is None
    assert desk.log.state.piles[0] == (13, 50, 52, 42)


def test_while_a_card_is_asked_about_nobody_is_told_to_have_shown_too_early():
    log = begin(shown=(48, 41), players=3)
    desk, _ = step_desk(RefereeDesk(log), TableSeen(look(log, ((), (20,), (30,), (40, 48)), {2: 41}), 0.0))
    view = show_desk(desk)
    assert (view.prompt.id, view.news) == ("unless_all_shown", ())


def test_whose_a_card_of_the_next_turn_is_can_be_answered_before_this_turn_is_recorded():
    log = begin(((13, 18), (92, 93), (72,), (28,)), shown=(12, 81))
    table = TableSeen(look(log, ((13, 18, 46, 55), (92, 93), (12,), (28, 81))), 0.0)
    desk, _ = run(RefereeDesk(log), table)
    assert str(show_desk(desk).prompt) == "whose_card card=46"
    answers = [offer for offer in show_desk(desk).offers if offer.label.id == "did.nimmt.reveal"]
    assert [answer.move.split(" ; ")[-1] for answer in answers] == ["reveal 1 46", "reveal 2 46"]
    desk, _ = run(desk, parse_told(answers[1].move, "button", 1.0), table)
    assert desk.log.state.row(1) == (13, 18, 46, 55)
    assert desk.log.state.piles[0] == (72,)
