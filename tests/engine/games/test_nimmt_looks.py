"""6 nimmt! in scripts of looks: the tables that the camera sees, and the verdicts."""

from dataclasses import replace

import pytest

from engine.advice import Act
from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.log import Log
from engine.rebuild_guide import list_guide_lines
from engine.referee import Follows, Refused, Rewind, Unclear, Waiting, adopt_table, judge
from engine.table import Area, Layout, Table
from tests.support.nimmt import DEAL, GAME, Hint, begin, look, script

FULL = ((1, 2, 3, 4, 5), (20,), (30,), (40,))


# unseen is not empty


def test_a_hidden_zone_raises_no_alert_and_proves_nothing():
    log = begin(shown=(33, 25))
    script(
        log,
        (look(log, DEAL, {1: 33, 2: 25}, hide=["seat:2"]), ()),
        (look(log, DEAL, {1: 33, 2: 25}, hide=["row:2", "row:3"]), ()),
        (look(log, DEAL, {1: 33}, hide=["row:2"]), Waiting),
        (look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}), ("lay 25 2",)),
    )


def test_a_new_card_in_a_hidden_full_row_is_no_foul_yet():
    log = begin(FULL, shown=(6, 90))
    script(
        log,
        (look(log, ((6,), (20,), (30,), (40,)), {2: 90}, hide=["row:1"]), Waiting),
        (look(log, ((6,), (20,), (30,), (40,)), {2: 90}), ("take 1", "tidy row:1", "lay 6 1")),
    )


# laying commits, lifting does not


def test_a_row_in_the_air_is_no_take_until_the_card_lies_there():
    log = begin(shown=(33, 5))
    script(
        log,
        (look(log, ((), *DEAL[1:]), {1: 33, 2: 5}), Waiting),
        (look(log, DEAL, {1: 33, 2: 5}), ()),
        (look(log, ((), *DEAL[1:]), {1: 33}), Waiting),
        (look(log, ((5,), *DEAL[1:]), {1: 33}), ("take 1", "tidy row:1", "lay 5 1")),
    )


def test_a_row_taken_and_restarted_between_two_looks_is_one_change():
    log = begin(FULL, shown=(33, 6))
    script(log, (look(log, ((6,), *FULL[1:]), {1: 33}), ("take 1", "tidy row:1", "lay 6 1")))


def test_a_take_told_by_phone_is_the_same_move():
    log = begin(shown=(5, 90)).add(m.Take(3))
    script(
        log,
        (look(log, DEAL, {1: 5, 2: 90}), ()),
        (look(log, ((10,), (20,), (), (40,)), {1: 5, 2: 90}), ("tidy row:3",)),
        (look(log, ((10,), (20,), (5,), (40,)), {2: 90}), ("lay 5 3",)),
    )


def test_a_sixth_card_waits_for_its_row_until_another_card_is_laid():
    log = begin(FULL, shown=(6, 25))
    sixth = ((*FULL[0], 6), *FULL[1:])
    script(
        log,
        (look(log, sixth, {2: 25}), Hint("N-12", "take_row")),
        (look(log, (sixth[0], (20, 25), *FULL[2:])), "N-12"),
        (look(log, ((6,), *FULL[1:]), {2: 25}), ("take 1", "tidy row:1", "lay 6 1")),
        (look(log, ((6,), (20, 25), *FULL[2:])), ("lay 25 2",)),
    )


def test_a_low_card_takes_its_row_before_it_is_laid():
    log = begin(shown=(5, 90))
    script(log, (look(log, ((10, 5), *DEAL[1:]), {2: 90}), "N-19"))


def test_a_wrong_row_taken_and_restarted_is_refused_although_its_cards_are_in_the_air():
    log = begin(FULL, shown=(6, 90))
    script(
        log,
        (look(log, (FULL[0], (6,), *FULL[2:]), {2: 90}), "N-12"),
        (look(log, (FULL[0], (6,), *FULL[2:]), {2: 90}, hide=["row:3"]), Waiting),
    )


@pytest.mark.parametrize(
    ("row", "cited"),
    [(3, "N-9"), (4, "N-9"), (2, "N-12")],
    ids=["behind-a-higher-end", "behind-the-highest", "a-full-row-dodged"],
)
def test_rule_1_is_named_before_rule_3(row, cited):
    log = begin(((21, 22, 23, 24, 25), (20,), (30,), (40,)), shown=(27, 90))
    rows = [[21, 22, 23, 24, 25], [20], [30], [40]]
    rows[row - 1].append(27)
    script(log, (look(log, rows, {2: 90}), cited))


@pytest.mark.parametrize("shown", [(), (33, 25)], ids=["between-turns", "while-cards-are-laid"])
def test_cards_of_a_row_that_changed_places_are_named_as_that(shown):
    log = begin(((10, 12, 15), (20,), (30,), (40,)), shown=shown)
    table = look(log, ((10, 15, 12), (20,), (30,), (40,)), dict(enumerate(shown, 1)))
    script(log, (table, "N-9"))
    assert str(judge(log, table).why.text) == "row_must_rise row=1"


def test_a_card_that_goes_with_its_fifth_row_starts_none():
    rows, marks = (*FULL, (50,)), (frozenset(), *[frozenset()] * 3, frozenset({"fifth"}))
    log = begin(rows, shown=(6, 90), variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))
    stand = {5: ("fifth",)}
    restarted = look(log, ((6,), *rows[1:]), {2: 90}, marks=stand)
    script(
        log,
        (look(log, ((), *rows[1:]), {1: 6, 2: 90}, marks=stand), Waiting),
        (restarted, "A-21"),
        (look(log, ((), *rows[1:]), {2: 90}), ("take 1", "tidy mark:5", "tidy row:1", "tidy seat:1")),
    )


def test_of_a_full_row_that_was_inserted_into_the_last_card_stays():
    log = begin(((11, 12, 14, 15, 16), (20,), (30,), (40,)), shown=(13, 90), variant="anniversary")
    log = log.add(m.Special(1, "insert"))
    rest, beside = ((20,), (30,), (40,)), {1: "insert"}
    script(
        log,
        (look(log, ((13,), *rest), {2: 90}, beside=beside), Hint("A-42", "insert_inside")),
        (look(log, ((13, 16), *rest), {2: 90}, beside=beside), ("lay 13 1",)),
        (look(log, ((16,), *rest), {2: 90}, beside=beside), ("tidy row:1",)),
    )


def test_a_row_of_one_card_carried_to_another_row_is_no_take():
    rows, marks = (*DEAL, (50,)), (*[frozenset()] * 4, frozenset({"fifth"}))
    log = begin(rows, shown=(6, 90), variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))
    carried = look(log, ((10,), (20,), (30, 40), (), (50,)), {1: 6, 2: 90}, marks={5: ("fifth",)})
    script(log, (carried, "A-70"))


def test_without_seats_a_card_laid_before_is_a_reading_error_and_not_too_early():
    log = Log(GAME, {"players": 2, "seats": "off"})
    log = log.add(m.Deal((10, 20, 30, 40)), m.Reveal(0, 5), m.Take(1), m.Tidy("row:1"), m.Lay(5, 1))
    script(log, (look(log, ((5,), (20, 10), (30,), (40,))), "N-8"))


# order


def test_a_whole_turn_between_two_looks_is_read_in_its_order():
    log = begin(shown=(33, 25, 7, 41, 26, 34))
    end = look(log, ((7,), (20, 25, 26), (30, 33, 34), (40, 41)))
    moves = ("take 1", "tidy row:1", "lay 7 1", "lay 25 2", "lay 26 2", "lay 33 3", "lay 34 3", "lay 41 4")
    script(log, (end, moves))
    script(log, (look(log, ((7,), (20, 25), (30, 26, 33, 34), (40, 41))), "N-9"))


def test_in_the_air_is_not_wrong_and_wrong_is_named():
    log = begin(shown=(33, 25))
    script(
        log,
        (look(log, DEAL, {1: 33}), Waiting),
        (look(log, ((10,), (20,), (30, 25), (40,)), {1: 33}), "N-9"),
        (look(log, ((10,), (20,), (30, 33), (40,)), {2: 25}), "N-7"),
        (look(log, ((10,), (20,), (30, 33), (40,))), Hint("N-7", "laid_before")),
        (look(log, ((10,), (20, 25), (30,), (40,))), ("lay 25 2",)),
    )


def test_a_card_put_back_offers_one_step_back():
    log = begin(shown=(33, 25)).add(m.Lay(25, 2))
    verdict = judge(log, look(log, DEAL, {1: 33, 2: 25}))
    assert isinstance(verdict, Refused)
    assert verdict.rewind == Rewind(1, ())
    assert judge(log.take_back(1), look(log, DEAL, {1: 33, 2: 25})) == Follows(())


@pytest.mark.parametrize(
    ("piece", "zone", "ruling"),
    [
        ("77", "row:2", "N-6"),
        ("105", "row:2", "N-8"),
        ("33", "row:2", "N-7"),
        ("10", "seat:2", "N-8"),
        ("red", "row:2", "N-8"),
        ("block.2", "row:2", "A-1"),
        ("50", "seat:6", "N-5"),
    ],
    ids=["not-shown", "not-in-the-deck", "not-yet", "lies-in-a-row", "of-another-game", "a-special", "an-empty-seat"],
)
def test_a_piece_at_an_impossible_place_is_refused_with_its_ruling(piece, zone, ruling):
    log = begin(shown=(33, 25))
    zones = dict(GAME.layout(log.state).zones)
    zones[zone] = (piece,) if zone.startswith("seat") else (*zones[zone], piece)
    if piece == "33":
        del zones["seat:1"]
    if zone == "seat:2":
        zones[zone] = ("10",)
    verdict = judge(log, GAME.place(log.state, Layout(zones)))
    if zone == "seat:2":
        assert isinstance(verdict, Waiting)  # the 25 is in the air: asked for softly
        assert verdict.hint.ruling == ruling
    else:
        assert isinstance(verdict, Refused)
        assert verdict.why.ruling == ruling


# choosing face down


def test_backs_are_choices_and_may_change_until_the_first_card_is_shown():
    log = begin()
    down = look(log, DEAL, {1: "back"})
    log = script(log, (down, ("choose 1",)), (look(log, DEAL), Waiting), (down, ()))
    assert str(GAME.view(log.state).prompt) == "waiting_for players=2"
    both = look(log, DEAL, {1: "back", 2: "back"})
    log = script(log, (both, ("choose 2",)))
    log = script(log, (look(log, DEAL, {1: 50, 2: "back"}), ("reveal 1 50",)))
    script(log, (look(log, DEAL, {1: 51, 2: "back"}), Hint("N-6", "choice_stands")))


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(("33", "25"), Hint("N-5", "show_one_card"), id="two new cards: the player says which"),
        pytest.param(("33", "25", "60"), Hint("N-5", "show_one_card"), id="a hand laid down face up"),
        pytest.param(("33", "20"), "N-8", id="one was laid before: that one goes back"),
        pytest.param(("33", "105"), "N-8", id="one is no card of the deck: that one goes back"),
    ],
)
def test_which_of_two_cards_at_a_seat_was_chosen_is_never_assumed(pieces, expected):
    log = begin()
    zones = {**GAME.layout(log.state).zones, "seat:1": pieces, "seat:2": ("back",)}
    log = script(log, (look(log, DEAL, {2: "back"}), ("choose 2",)))
    table = GAME.place(log.state, Layout(zones))
    script(log, (table, expected))
    script(log, (look(log, DEAL, {1: 33, 2: "back"}), ("reveal 1 33",)))


def test_a_card_for_the_next_turn_may_lie_down_early_but_not_be_shown():
    log = begin(shown=(25, 33)).add(m.Lay(25, 2))
    rows = ((10,), (20, 25), (30,), (40,))
    script(
        log,
        (look(log, rows, {1: "back", 2: 33}), ("choose 1",)),
        (look(log, rows, {1: 60, 2: 33}), "N-6"),
    )


def test_row_cards_are_dealt_one_after_the_other():
    log = Log(GAME, {"players": 2})
    script(
        log,
        (look(log, ((12,),)), Hint("N-3", "deal_rows")),
        (look(log, ((12,), (3,), (88,))), Hint("N-3", "deal_rows")),
        (look(log, ((12, 3), (88,))), Hint("N-3", "one_card_a_row")),
        (look(log, ((12,), (3,), (88,), (54,))), ("deal 12,3,88,54",)),
    )


# rounds


def over():
    """The last card of a round has been laid."""
    log = begin(shown=(33, 25), turns=9)
    return log.add(m.Lay(25, 2), m.Lay(33, 3))


def test_a_new_round_needs_the_press_and_a_clear_table():
    log = over()
    old = ((10,), (20, 25), (30, 33), (40,))
    assert GAME.view(log.state).pads[0].rounds == (0,)
    log = script(log, (look(log, old), ()), (look(log, ()), Waiting)).add(m.Next())
    script(
        log,
        (look(log, old), ()),
        (look(log, ((10,), (), (30, 33), (40,))), ("tidy row:2",)),
        (look(log, ((10,), (77,), (30, 33), (40,))), Waiting),
        (look(log, ()), ("tidy row:1", "tidy row:3", "tidy row:4")),
        (look(log, ((12,), (3,), (88,), (54,))), ("deal 12,3,88,54",)),
    )


def test_a_card_dealt_beside_an_old_fifth_row_comes_too_soon():
    log = begin(variant="anniversary")
    old = replace(log.state, phase="deal", rows=((),) * 5, lying=(("50", "row:5"),))
    log = Log(GAME, log.options, origin=old)
    script(log, (look(log, ((), (), (), (), (50, 77))), Hint("N-28", "clear_table")))


@pytest.mark.parametrize(
    ("rows", "seats"),
    [(((1,), (2,), (3,), (4,)), {}), (((1,), (), (), ()), {}), (((1,), (2,), (3,), (4,)), {1: "back", 2: "back"})],
    ids=["the first cards", "one first card", "cards chosen"],
)
def test_a_deal_before_the_scores_are_confirmed_waits_for_that(rows, seats):
    log = over()
    script(log, (look(log, rows, seats), Hint("N-28", "round_over")))


def test_a_card_of_the_last_round_that_left_others_in_its_row_was_not_dealt():
    log = over()
    verdict = judge(log, look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}))
    assert verdict.cure == (Act("33", "seat:1", "row:3", after="30"),)


def test_a_new_deal_that_repeats_an_old_card_in_its_place_is_no_leftover():
    log = over().add(m.Next())
    script(log, (look(log, ((10,), (3,), (88,), (54,))), ("sweep", "deal 10,3,88,54")))


def test_half_time_ends_when_the_new_cards_are_seen():
    log = begin(shown=(33, 25), variant="halves", turns=24)
    rows = ((10,), (20, 25), (30, 33), (40,))
    log = log.add(m.Lay(25, 2), m.Lay(33, 3))
    assert GAME.view(log.state).prompt.id == "deal_second_half"
    script(log, (look(log, rows, {1: "back"}), ("hands", "choose 1")))


# open draft


def test_cards_leave_the_spread_one_pick_each_even_two_at_once():
    log = Log(GAME, {"players": 2, "variant": "professional"})
    cards = list(range(1, 25))

    def spread(lie):
        return GAME.place(log.state, Layout({"spread": tuple(map(str, lie))}))

    log = script(log, (spread(cards[:20]), Hint("P-2", "spread_all")))
    log = script(log, (spread(cards), ("spread " + ",".join(map(str, cards)),)))
    gone = [c for c in cards if c not in (17, 23)]
    log = script(log, (spread(gone), ("pick 0 17,23",)))
    assert log.state.draft.picks == (frozenset({17, 23}), frozenset({17, 23}))
    back = judge(log, spread(cards))
    assert isinstance(back, Refused)
    assert (back.why.ruling, back.rewind) == ("P-4", Rewind(1, ()))


def test_a_covered_card_of_the_spread_is_no_pick():
    cards = list(range(1, 25))
    log = Log(GAME, {"players": 2, "variant": "professional"}).add(m.Spread(tuple(cards)))
    table = GAME.place(log.state, Layout({"spread": tuple(map(str, cards[1:]))}))
    covered = Table(table.seen, (Area(0, 0, 60, 90),))
    script(log, (covered, ()), (table, ("pick 0 1",)))


# specials


def special(rows, *shown, **more):
    return begin(rows, shown=shown, variant="anniversary", **more)


FOUR = ((31,), (40,), (57,), (8, 10, 14, 18, 21))


def test_fifth_row_step_by_step_and_at_once():
    log = special(FOUR, 23, 80)
    end = look(log, (*FOUR, (23,)), {2: 80}, marks={5: ["fifth.2"]})
    done = script(
        log,
        (look(log, FOUR, {1: 23, 2: 80}, beside={1: "fifth.2"}), ("special 1 fifth",)),
        (look(log, FOUR, {2: 80}, marks={5: ["fifth.2"]}), ("mark fifth 5",)),
        (end, ("lay 23 5",)),
    )
    assert script(log, (end, ("mark fifth 5", "lay 23 5"))).state == done.state


def test_a_take_with_five_rows_ends_when_row_and_card_are_gone():
    log = special((*FOUR, (23,)), 22, 80, marks=(*(frozenset(),) * 4, frozenset({"fifth"})),
                  lying=(("fifth", "mark:5"),))  # fmt: skip
    gone = (*FOUR[:3], (), (23,))
    log = script(
        log,
        (look(log, gone, {1: 22, 2: 80}, marks={5: ["fifth"]}), Waiting),
        (look(log, gone, {2: 80}, marks={5: ["fifth"]}), ("take 4", "tidy row:4", "tidy seat:1")),
        (look(log, gone, {2: 80}), ("tidy mark:5",)),
        (look(log, (*FOUR[:2], (57, 80), (), (23,))), ("lay 80 3",)),
    )
    assert sorted(log.state.piles[0]) == [8, 10, 14, 18, 21, 22]


@pytest.mark.parametrize("hidden", ["row:1", "row:2", "row:3", "row:5"])
def test_a_take_with_five_rows_waits_while_the_card_may_lie_in_a_row_that_is_hidden(hidden):
    log = special((*FOUR, (23,)), 22, 80, marks=(*(frozenset(),) * 4, frozenset({"fifth"})),
                  lying=(("fifth", "mark:5"),))  # fmt: skip
    gone = (*FOUR[:3], (), (23,))
    dodged = [*gone]
    dodged[int(hidden[4:]) - 1] = (*dodged[int(hidden[4:]) - 1], 22)
    verdicts = [
        judge(log, look(log, gone, {2: 80}, marks={5: ["fifth"]}, hide=[hidden])),
        judge(log, look(log, tuple(dodged), {2: 80}, marks={5: ["fifth"]})),
    ]
    assert [type(verdict) for verdict in verdicts] == [Waiting, Refused]


def test_take_at_7_may_be_carried_to_its_row_late():
    rows, after = ((4, 9, 12, 16, 18), (33,), (47,), (71,)), ((4, 9, 12, 16, 18, 20), (33,), (47,), (71,))
    log = special(rows, 20, 80)
    script(
        log,
        (look(log, rows, {1: 20, 2: 80}, beside={1: "seven"}), ("special 1 seven",)),
        (look(log, after, {2: 80}, beside={1: "seven"}), ("lay 20 1",)),
        (look(log, after, {2: 80}), Waiting),
        (look(log, after, {2: 80}, marks={1: ["seven"]}), ("mark seven 1",)),
    )


def test_blocks_stand_until_a_take_and_are_carried_away_after_it():
    rows = ((2, 9, 14, 16, 20), (18,), (50,), (70,))
    blocked = (frozenset(), frozenset({"block"}), *(frozenset(),) * 3)
    log = special(rows, 22, 90, marks=blocked, lying=(("block", "mark:2"),))
    end = (rows[0], (18,), (22,), (70,))
    script(
        log,
        (look(log, rows, {1: 22, 2: 90}, marks={1: ["block.1"], 2: ["block.2"]}), ("mark block 1",)),
        (look(log, (rows[0], (18, 22), *rows[2:]), {2: 90}, marks={1: ["block"], 2: ["block"]}), "A-51"),
        (look(log, end, {2: 90}, marks={1: ["block"], 2: ["block"]}), ("take 3", "tidy row:3", "lay 22 3")),
        (look(log, end, {2: 90}, marks={2: ["block"]}), ("tidy mark:1",)),
        (look(log, (rows[0], (18,), (22,), (70, 90))), ("tidy mark:2", "lay 90 4")),
    )


def test_a_block_straight_at_a_row_with_a_card_laid_may_be_either_player():
    """Both stories are legal and differ in who spent the card: a person is asked."""
    rows = ((10,), (20,), (30,), (40,))
    log = special(rows, 25, 33, 90)
    verdict = judge(log, look(log, (rows[0], (20, 25), *rows[2:]), {2: 33, 3: 90}, marks={1: ["block"]}))
    assert isinstance(verdict, Unclear)
    assert {str(story[0]) for story in verdict.stories} == {"mark block 1", "lay 25 2"}


@pytest.mark.parametrize("slowly", [True, False], ids=["the-row-first-grows", "at-once"])
def test_insert_into_a_full_row_leaves_its_last_card(slowly):
    full = ((3, 5, 11, 13, 17), (28,), (47,), (71,))
    log = special(full, 10, 90)
    log = script(log, (look(log, full, {1: 10, 2: 90}, beside={1: "insert"}), ("special 1 insert",)))
    end = look(log, ((17,), *full[1:]), {2: 90})
    if slowly:
        log = script(
            log,
            (look(log, ((3, 5, 10, 11, 13, 17), *full[1:]), {2: 90}, beside={1: "insert"}), ("lay 10 1",)),
            (end, ("tidy row:1", "tidy special:1")),
        )
    else:
        log = script(log, (end, ("lay 10 1", "tidy row:1", "tidy special:1")))
    assert sorted(log.state.piles[0]) == [3, 5, 10, 11, 13]


def test_move_takes_a_card_of_a_row_and_then_the_own_card_is_laid():
    rows = ((6, 13, 18, 20, 22), (10, 17), (50,), (70,))
    end = ((6, 18, 20, 22, 24), (10, 13, 17), (50,), (70,))
    log = special(rows, 24, 90)
    script(log, (look(log, end, {2: 90}), "A-70"))
    log = script(log, (look(log, rows, {1: 24, 2: 90}, beside={1: "move"}), ("special 1 move",)))
    script(
        log,
        (look(log, ((6, 18, 20, 22), (10, 17), *rows[2:]), {1: 24, 2: 90}, beside={1: "move"}), Waiting),
        (look(log, ((6, 18, 20, 22), (10, 13, 17), *rows[2:]), {1: 24, 2: 90}), ("shift 13 2",)),
        (look(log, end, {2: 90}), ("lay 24 1", "tidy special:1")),
    )
    script(log, (look(log, end, {2: 90}), ("shift 13 2", "lay 24 1", "tidy special:1")))


def test_replace_sends_the_shown_card_home():
    rows = ((1, 4, 8, 13, 17), (10,), (40,), (60,))
    end = (rows[0], (10, 15), *rows[2:])
    log = special(rows, 25, 90)
    log = script(log, (look(log, rows, {1: 25, 2: 90}, beside={1: "replace"}), ("special 1 replace",)))
    script(
        log,
        (look(log, rows, {2: 90}, beside={1: "replace"}), Waiting),
        (look(log, rows, {1: 15, 2: 90}, beside={1: "replace"}), ("swap 15",)),
        (look(log, end, {2: 90}), ("lay 15 2", "tidy special:1")),
    )
    script(log, (look(log, end, {2: 90}), ("swap 15", "lay 15 2", "tidy special:1")))


def test_neg_pos_is_named_before_the_next_slot():
    rows = ((3, 5, 11, 13, 17), (28,), (47,), (71,))
    end = ((20,), *rows[1:])
    log = special(rows, 20, 90)
    log = script(
        log,
        (look(log, rows, {1: 20, 2: 90}, beside={1: "negpos"}), ("special 1 negpos",)),
        (look(log, end, {2: 90}), ("take 1", "tidy row:1", "lay 20 1", "tidy special:1")),
        (look(log, (*end[:3], (71, 90))), Hint("A-80", "name_negative")),
    )
    offers = GAME.view(log.state).offers
    assert "negpos 11 3,5,13,17" in [offer.move for offer in offers]
    log = log.add(m.Negpos(11, (3, 5, 13, 17)))
    assert log.state.piles[0] == ()
    script(log, (look(log, (*end[:3], (71, 90))), ("lay 90 4",)))


def test_a_returned_special_needs_a_press_and_leaves_the_table():
    log = special(FOUR, 23, 80)
    log = script(log, (look(log, FOUR, {1: 23, 2: 80}, beside={1: "move"}), ("special 1 move",)))
    held = log.state.specials.held[0]
    script(log, (look(log, FOUR, {1: 23, 2: 80}), Waiting))
    log = log.add(m.Handback(1))
    assert log.state.specials.held[0] == held + 1
    script(
        log,
        (look(log, FOUR, {1: 23, 2: 80}, beside={1: "move"}), ()),
        (look(log, FOUR, {1: 23, 2: 80}), ("tidy special:1",)),
        (look(log, (*FOUR[:3], (23,)), {2: 80}), ("take 4", "tidy row:4", "lay 23 4")),
    )


def test_a_special_before_all_cards_are_shown_is_refused():
    log = begin(variant="anniversary", shown=())
    script(log, (look(log, DEAL, beside={1: "insert"}), "A-8"))


# desync


def test_a_record_that_differs_from_the_table_is_solved_in_two_ways():
    log = begin(shown=(33, 25), piles=((9,), (55,)))
    odd = look(log, ((10,), (20, 25, 33), (30,), (40,)))
    verdict = judge(log, odd)
    assert isinstance(verdict, Refused)
    assert verdict.wrong == (("33", "row:2"),)
    right = adopt_table(log, odd, by_all=True)
    assert judge(right, odd) == Follows(())
    assert right.state.piles == log.state.piles
    assert str(right.moves[-1]).startswith("overrule row:1=10 row:2=20|25|33")
    assert right.parse(str(right.moves[-1])) == right.moves[-1]
    script(log, (look(log, ((10,), (20, 25), (30, 33), (40,))), ("lay 25 2", "lay 33 3")))


def test_hidden_zones_are_adopted_as_recorded():
    log = begin(shown=(33, 25))
    odd = look(log, ((10,), (20, 25, 33), (30,), (40,)), hide=["row:4"])
    assert adopt_table(log, odd).state.rows[3] == (40,)


def test_a_table_without_a_possible_state_is_not_adopted():
    log = begin(shown=(33, 25))
    with pytest.raises(Illegal) as why:
        adopt_table(log, look(log, ((10,), (33, 20), (30,), (40,))))
    assert why.value.ruling == "N-9"


def test_cards_that_disappeared_need_an_owner():
    log = begin(FULL, shown=(6, 25))
    odd = look(log, ((6,), (20, 25), (30,), (40,)))
    assert isinstance(judge(log, odd), Follows)
    lost = look(log, ((25,), (20,), (30,), (40,)))
    with pytest.raises(Illegal) as why:
        adopt_table(log, lost)
    assert why.value.text.id == "who_has"
    owned = adopt_table(log, lost, (("pile:2", ("1", "2", "3", "4", "5", "6")),))
    assert GAME.view(owned.state).pads[1].now == 7


def test_the_record_is_rebuilt_line_by_line():
    log = begin(shown=(33, 25))
    lines = list_guide_lines(log, look(log, ((10,), (20, 77), (), (40,)), {1: 33}, hide=["row:4"]))
    assert [(line.zone, line.done) for line in lines] == [
        ("row:1", True),
        ("row:2", False),
        ("row:3", False),
        ("row:4", False),
        ("seat:1", True),
        ("seat:2", False),
    ]
    assert [str(line.text) for line in lines[1:3]] == [
        "guide_lay zone=row:2 pieces=20",
        "guide_lay zone=row:3 pieces=30",
    ]
    assert lines[1].away == ("77",)
    assert all(line.done for line in list_guide_lines(log, look(log, DEAL, {1: 33, 2: 25})))


# a card turned early (N-6)


@pytest.mark.parametrize(
    ("lines", "early"),
    [
        (["reveal 1 33"], (1,)),
        (["choose 1", "choose 2", "reveal 1 33"], (1,)),
        (["reveal 1 33", "reveal 3 25"], (1, 3)),
        (["choose 1", "choose 2", "choose 3", "reveal 1 33"], ()),
        (["reveal 1 33", "choose 2", "choose 3"], ()),
        (["choose 1", "choose 2"], ()),
        (["reveal 1 33", "reveal 2 25", "reveal 3 90"], ()),
    ],
    ids=["first", "one-missing", "two", "all-down", "later-all-down", "only-backs", "all-shown"],
)
def test_a_card_turned_early_is_news_and_counts(lines, early):
    log = begin(players=3)
    log = log.add(*map(log.parse, lines))
    view = GAME.view(log.state)
    assert tuple(text.get("player") for text in view.news) == early
    assert {text.id for text in view.news} <= {"shown_early"}
    assert view.alert is None
    assert log.state.shown[0] == (33 if any("reveal 1" in line for line in lines) else None)


@pytest.mark.parametrize(
    ("picked", "seats", "expected"),
    [
        (20, {1: "back"}, ("deal 3,1,4,2", "choose 1")),
        (20, {1: 7}, ("deal 3,1,4,2", "reveal 1 7")),
        (20, {1: 7, 2: "back"}, ("deal 3,1,4,2", "reveal 1 7", "choose 2")),
        (18, {}, ("pick 0 23,24", "deal 3,1,4,2")),
        (18, {1: 7}, ("pick 0 23,24", "deal 3,1,4,2", "reveal 1 7")),
        (18, {1: 23}, ("pick 0 24",)),
    ],
    ids=["chosen", "shown", "shown-and-chosen", "picked-unseen", "picked-unseen-and-shown", "perhaps-not-picked-yet"],
)
def test_the_last_four_of_a_draft_start_the_rows_where_they_lie(picked, seats, expected):
    cards = tuple(range(1, 25))
    log = Log(GAME, {"players": 2, "variant": "professional"}).add(m.Spread(cards))
    log = log.add(*(m.Pick(0, (card,)) for card in cards[4 : 4 + picked]))
    rows = {"row:1": ("3",), "row:2": ("1",), "row:3": ("4",), "row:4": ("2",)}
    lie = Layout(rows | {f"seat:{seat}": (str(card),) for seat, card in seats.items()})
    verdict = judge(log, GAME.place(log.state, lie))
    assert isinstance(verdict, Follows)
    assert sorted(map(str, verdict.moves)) == sorted(expected)


def test_the_last_card_but_four_of_a_draft_is_not_picked_while_it_may_lie_under_a_hand():
    cards = tuple(range(1, 25))
    log = Log(GAME, {"players": 2, "variant": "professional"}).add(m.Spread(cards), m.Pick(0, cards[5:]))
    script(log, (look(log, ((3,), (1,), (4,), (2,)), hide=["seat:1"]), ()))


# what is beside the difference that explains a table


def test_a_card_is_shown_although_the_other_player_chose_for_the_next_turn_already():
    log = begin(shown=(11,))
    table = look(log, ((10, 11), (20,), (30,), (40,)), {1: "back", 2: 19})
    script(log, (table, ("reveal 2 19", "lay 11 1", "choose 1")))


def test_a_strange_piece_hides_nothing_else_that_happened():
    log = begin(shown=(11, 21))
    table = look(log, ((10, 11), (20, 21), (30, "red"), (40,)), {1: "back"})
    verdict = judge(log, table)
    assert isinstance(verdict, Refused)
    assert [(act.piece, act.target) for act in verdict.cure] == [("red", "")]


def test_the_due_card_turned_down_again_is_turned_up_although_its_row_would_be_taken_next():
    log = begin(((10, 11, 12, 13), (20,), (30,), (40,)), shown=(14, 15))
    verdict = judge(log, look(log, ((10, 11, 12, 13), (20,), (30,), (40,)), {1: "back", 2: 15}))
    assert isinstance(verdict, Waiting)
    assert [(act.piece, act.source, act.turned) for act in verdict.cure] == [("back", "seat:1", "14")]


def test_advice_takes_away_nothing_that_lies_right():
    rows = ((10, 18), (93, 98), (11, 22, 55, 64, 67), (51, 66))
    log = begin(rows, shown=(97, 50, 38, 36, 45, 82))
    verdict = judge(log, look(log, ((10, 18), (93, 98), (36,), (51, 66)), {1: 97, 2: 50, 3: 38, 5: 45, 6: 82}))
    assert isinstance(verdict, Refused)
    assert {act.piece for act in verdict.cure} == {"36", *map(str, rows[2])}


def dealt_by_chance(seats="on"):
    cards = tuple(range(1, 25))
    log = Log(GAME, {"players": 2, "variant": "professional", "seats": seats}).add(m.Spread(cards))
    return log.add(m.Pick(0, cards[4:]), m.Deal((1, 2, 3, 4)))


@pytest.mark.parametrize("seats", ["on", "off"])
def test_the_last_four_of_a_draft_may_change_their_rows_until_a_card_is_shown(seats):
    log = dealt_by_chance(seats)
    script(
        log,
        (look(log, ((1, 3), (2,), (), (4,))), Hint("N-3", "deal_rows")),
        (look(log, ((3,), (1,), (4,), (2,))), ("deal 3,1,4,2",)),
        (look(log, ((3,), (2,), (4,), (1,))), ("deal 3,2,4,1",)),
    )


def test_once_a_card_is_shown_the_first_cards_stay_in_their_rows():
    log = dealt_by_chance()
    shown = log.add(m.Reveal(1, 9)) if 9 in log.state.draft.picks[0] else log.add(m.Reveal(2, 9))
    seat = 1 if shown.state.shown[0] else 2
    assert isinstance(judge(shown, look(shown, ((3,), (1,), (4,), (2,)), {seat: 9})), Refused)


def test_other_cards_are_no_new_deal():
    log = dealt_by_chance()
    for cards in ((1, 2, 3, 9), (1, 2, 3, 30)):
        with pytest.raises(Illegal):
            log.add(m.Deal(cards))
    base = begin()
    assert isinstance(judge(base, look(base, ((20,), (10,), (30,), (40,)))), Refused)


FIVE_ROWS = (*[frozenset()] * 4, frozenset({"fifth"}))


@pytest.mark.parametrize(
    ("rows", "shown", "says"),
    [
        (((10,), (20,), (30,), (40,), (50,)), (6, 90), "low_card_too card=6"),
        (((11, 12, 13, 14, 15), (60,), (70,), (80,), (50,)), (16, 90), "take_row_too row=1 card=16 n=11"),
    ],
    ids=["a low card", "a full row"],
)
def test_with_five_rows_the_screen_says_that_the_card_goes_with_the_row(rows, shown, says):
    log = begin(rows, shown=shown, variant="anniversary", marks=FIVE_ROWS, lying=(("fifth", "mark:5"),))
    assert str(log.game.view(log.state).prompt) == says
