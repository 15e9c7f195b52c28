"""6 nimmt!: the rulings that no single worked example can show: who plays, whole rounds, seats off, adopting."""

import random
from dataclasses import replace

import pytest

from engine.game import WHYS, Illegal
from engine.games.nimmt import Nimmt
from engine.games.nimmt.cards import count_heads
from engine.games.nimmt.match_end import find_result
from engine.games.nimmt.match_options import OPTIONS
from engine.games.nimmt.pile_audit import audit_piles, is_complete, is_count_right
from engine.games.nimmt.specials import list_cancellations
from engine.games.nimmt.state import Slot, SpecialCards
from engine.log import Adopt, Log
from engine.options import BadOption, fill_options
from engine.table import Layout
from firmware.simulation.players.nimmt import Players

GAME = Nimmt()
SEVENS = {"variant": "anniversary", "players": 3}


def start(**options):
    return GAME.start(fill_options(OPTIONS, options))


def play(state, *lines):
    for line in lines:
        state = GAME.play(state, GAME.parse(line))
    return state


def refusal(state, line):
    with pytest.raises(Illegal) as why:
        play(state, line)
    assert why.value.why in WHYS
    return why.value.ruling, why.value.why


def dealt(*rows, **options):
    """A round with these first cards."""
    return play(start(**options), f"deal {','.join(map(str, rows or (10, 30, 50, 70)))}")


def at(state, **more):
    """The state with rows or marks as written, in place of what lies."""
    rows = more.pop("rows", None)
    if rows:
        more["rows"] = (*map(tuple, rows), *((),) * (5 - len(rows)))
        more.setdefault("entered", sum(map(len, rows)))
    marks = more.pop("marks", {})
    more["marks"] = tuple(frozenset(marks.get(r, ())) for r in range(1, 6))
    more["lying"] = tuple((kind, f"mark:{r}") for r, kinds in sorted(marks.items()) for kind in sorted(kinds))
    return replace(state, **more)


# Leaving (N-29)


def test_the_game_does_not_wait_for_a_player_who_left():
    state = play(dealt(players=3), "reveal 1 12", "reveal 3 33")
    assert state.phase == "choose"
    state = play(state, "leave 2")
    assert (state.phase, state.slot) == ("lay", Slot(1, 12))


def test_the_shown_card_of_a_player_who_left_is_not_laid_and_stays_until_it_is_removed():
    state = play(dealt(players=3), "reveal 1 12", "reveal 2 33", "reveal 3 71", "leave 2", "lay 12 1")
    assert state.slot == Slot(3, 71)
    assert GAME.layout(state).zones["seat:2"] == ("33",)
    state = play(state, "tidy seat:2", "lay 71 4")
    assert "seat:2" not in GAME.layout(state).zones
    assert state.turns == 1
    assert is_complete(state)


def test_pile_and_total_of_a_player_who_left_do_not_change():
    state = replace(dealt(players=3), piles=((), (55,), ()), brought=(0, 10, 0))
    state = play(state, "leave 2")
    assert state.totals()[1] == 17
    pad = GAME.view(state).pads[1]
    assert (pad.total, pad.now, pad.gone) == (17, 0, True)


def test_the_round_of_a_player_who_left_is_scored_once():
    state = play(replace(dealt(players=3), piles=((), (55,), ()), turns=9), "leave 2", "reveal 1 12", "reveal 3 33")
    assert play(state, "lay 12 1", "lay 33 2").pads == ((0,), (7,), (0,))


def test_a_player_who_left_is_not_ranked_even_with_the_lowest_total():
    state = replace(play(dealt(players=3), "leave 2"), phase="over", pads=((66,), (0,), (3,)))
    assert find_result(state.rules, state.totals(), 1, (False, True, False)) == (True, (3,))


def test_a_player_who_left_above_the_target_does_not_end_the_match():
    assert not find_result(start().rules, (3, 99, 4), 1, (False, True, False)).over


def test_with_one_player_left_the_match_is_over():
    state = play(dealt(players=2), "leave 1")
    view = GAME.view(state)
    assert view.over
    assert view.winners == (2,)


@pytest.mark.parametrize(
    ("before", "line", "ruling"),
    [
        (["reveal 1 12", "reveal 2 33", "reveal 3 71"], "leave 1", "N-29"),
        ([], "leave 4", "N-29"),
        (["leave 3"], "leave 3", "N-29"),
        ([], "leave 0", "N-29"),
    ],
    ids=["the_player_who_is_due", "an_unknown_player", "a_player_who_left", "player_0"],
)
def test_a_player_who_cannot_leave_is_refused(before, line, ruling):
    assert refusal(play(dealt(players=3), *before), line) == (ruling, "out_of_order")


def test_no_player_can_leave_after_the_match():
    state = replace(dealt(players=3), phase="end", pads=((9,), (70,), (8,)))
    assert refusal(state, "leave 3") == ("N-29", "out_of_order")


def test_a_seat_shows_only_the_card_that_is_still_there():
    """Taken with a fifth row, or a leaver's: a back that is laid beside it counts once the card is gone."""
    state = at(dealt(**SEVENS), rows=[[31], [40], [57], [8, 10, 14, 18, 21], [23]], marks={5: ["fifth"]})
    state = play(state, "reveal 1 22", "reveal 2 90", "reveal 3 91", "take 4", "choose 1")
    assert GAME.layout(state).zones["seat:1"] == ("22",)
    assert GAME.layout(play(state, "tidy seat:1")).zones["seat:1"] == ("back",)


# Joining (N-30) and changing seats


def over(*pads, **options):
    state = dealt(players=len(pads), **options)
    return replace(state, phase="over", pads=tuple((pad,) for pad in pads), turns=10)


def test_a_player_who_joins_starts_with_the_highest_total_at_the_table():
    state = play(over(5, 40, 9), "join 4")
    assert state.totals() == (5, 40, 9, 40)
    assert tuple(state.players()) == (1, 2, 3, 4)


def test_the_total_of_a_player_who_left_does_not_count_for_one_who_joins():
    assert play(over(5, 40, 9), "leave 2", "join 2").totals() == (5, 40, 9, 9)


def test_a_player_who_joins_is_dealt_cards_and_plays():
    state = play(
        over(5, 40, 9), "join 4", "next", "tidy row:1", "tidy row:2", "tidy row:3", "tidy row:4", "deal 1,2,3,4"
    )
    state = play(state, "reveal 1 10", "reveal 2 11", "reveal 3 12")
    assert state.phase == "choose"
    assert state.dealt == 4
    assert play(state, "reveal 4 13").phase == "lay"


@pytest.mark.parametrize(
    ("state", "line", "why"),
    [
        (dealt(players=3), "join 4", ("N-30", "out_of_order")),
        (over(1, 2, 3), "join 3", ("N-30", "occupied")),
        (over(1, 2, 3), "join 99", ("N-30", "occupied")),
        (over(1, 2, 3), "join -1", ("N-30", "occupied")),
        (over(*range(10)), "join 1", ("N-30", "player_count")),
        (over(1, 2, 3, 4, variant="halves"), "join 5", ("N-30", "player_count")),
        (over(1, 2, 3, variant="anniversary"), "join 5", ("N-30", "player_count")),
        (replace(over(1, 2, 3), rules=start(variant="professional").rules), "join 5", ("N-30", "player_count")),
    ],
    ids=["in_a_round", "seat_taken", "no_such_seat", "below_one", "an_eleventh", "halves", "anniversary", "draft"],
)
def test_a_player_who_cannot_join_is_refused(state, line, why):
    assert refusal(state, line) == why


def test_two_players_change_seats():
    state = play(dealt(players=3), "sit 1 2")
    assert state.seats == (2, 1, 3)
    assert GAME.layout(play(state, "reveal 1 12")).zones["seat:2"] == ("12",)


def test_no_player_changes_seats_while_a_card_is_shown():
    state = play(dealt(players=3), "reveal 2 12")
    assert refusal(state, "sit 1 2") == ("N-6", "out_of_order")
    assert refusal(state, "sit 1 99") == ("N-5", "occupied")


# Seats off


def loose(**options):
    return dealt(seats="off", **({"players": 3} | options))


def test_without_seats_lowest_first_is_judged_by_the_cards_alone():
    state = play(loose(), "reveal 0 31", "lay 31 2")
    assert refusal(state, "reveal 0 29") == ("N-7", "out_of_order")
    state = play(state, "reveal 0 32", "lay 32 2", "reveal 0 71", "lay 71 4")
    assert (state.turns, state.laid) == (1, ())
    assert play(state, "reveal 0 11").slot.card == 11


def test_without_seats_a_name_is_asked_for_only_at_a_take():
    state = play(loose(), "reveal 0 11", "lay 11 1")
    assert not any(offer.move.startswith("who") for offer in GAME.view(state).offers)
    state = play(loose(), "reveal 0 5", "take 4", "tidy row:4", "lay 5 4")
    assert [o.move for o in GAME.view(state).offers if o.move.startswith("who")] == ["who 1", "who 2", "who 3"]
    assert play(state, "who 2").piles == ((), (70,), ())


def test_without_seats_several_takes_are_owned_in_order():
    state = play(loose(), "reveal 0 5", "take 4", "tidy row:4", "lay 5 4")
    state = at(state, rows=[[10], [30], [50, 51, 52, 53, 54], [5]])
    state = play(state, "reveal 0 55", "take 3", "tidy row:3", "lay 55 3")
    state = play(state, "who 1", "who 3")
    assert state.piles == ((70,), (), (50, 51, 52, 53, 54))
    assert refusal(state, "who 1") == ("N-17", "no_row_taken")


def test_without_seats_the_round_end_waits_for_owners():
    state = replace(loose(), turns=9)
    state = play(
        state, "reveal 0 5", "take 4", "tidy row:4", "lay 5 4", "reveal 0 31", "lay 31 2", "reveal 0 32", "lay 32 2"
    )
    assert state.phase == "over"
    assert state.pads == ((), (), ())
    assert refusal(state, "next") == ("N-17", "out_of_order")
    assert refusal(state, "join 1") == ("N-30", "out_of_order")
    assert refusal(state, "leave 1") == ("N-17", "out_of_order"), "the take may be his"
    assert play(state, "who 2").pads == ((0,), (3,), (0,))


def test_without_seats_no_player_can_leave_in_the_middle_of_a_turn():
    state = play(loose(), "reveal 0 11")
    assert refusal(state, "leave 1") == ("N-29", "out_of_order")
    assert refusal(play(state, "lay 11 1"), "leave 1") == ("N-29", "out_of_order"), "one of the laid cards may be his"
    assert play(loose(), "leave 1", "reveal 0 11", "lay 11 1", "reveal 0 12", "lay 12 1").turns == 1


@pytest.mark.parametrize("line", ["reveal 1 11", "choose 1"])
def test_without_seats_no_card_can_be_shown_at_a_seat(line):
    assert refusal(loose(), line) == ("N-5", "out_of_order")


def test_specials_need_seats():
    with pytest.raises(BadOption) as why:
        start(seats="off", variant="anniversary")
    assert why.value.name == "seats"


# Whole rounds

MATCHES = [
    {"players": 2, "end": "rounds", "rounds": 2},
    {"players": 10, "target": 30},
    {"players": 3, "seats": "off", "cmp": "gt", "target": 20},
    {"players": 6, "variant": "professional", "end": "rounds", "rounds": 2},
    {"players": 4, "variant": "halves"},
    {"players": 9, "variant": "halves", "allow_any_count": 1},
    {"players": 2, "variant": "anniversary"},
    {"players": 8, "variant": "anniversary"},
]


@pytest.mark.parametrize("options", MATCHES, ids=lambda o: "-".join(map(str, o.values())))
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_lost_and_the_pads_add_up(options, seed):
    """R-6 after every move; N-22, N-23 and A-83 at the end of every round."""
    rng = random.Random(seed)
    state, hands = start(**options), Players(fill_options(OPTIONS, options), rng)
    n = options["players"]
    while move := hands.next(state):
        before, state = state, GAME.play(state, move)
        held = [c for row in (*state.rows, *state.piles, *state.unowned, state.aside) for c in row]
        assert len(set(held)) == len(held)
        assert is_complete(state)
        boundary = state.phase in ("choose", "half", "over", "end") and not (any(state.shown) or state.laid)
        if boundary:
            lying = sum(map(len, state.rows))
            assert is_count_right(lying, len(held) - lying - len(state.aside), n, state.turns, len(state.aside))
        assert all(count_heads(pile) >= credit >= 0 for pile, credit in zip(state.piles, state.credit, strict=True))
        if len(state.pads[0]) > len(before.pads[0]):
            now = [count_heads(pile) - credit for pile, credit in zip(state.piles, state.credit, strict=True)]
            assert [pad[-1] for pad in state.pads] == now
        if options.get("variant") == "anniversary" and state.phase in ("choose", "over"):
            standing = sum(map(len, state.marks))
            specials = state.specials
            assert sum(specials.held) + specials.stock + len(specials.discard) + standing == 28
    view = GAME.view(state)
    assert view.over
    assert view.winners == tuple(p for p, t in enumerate(state.totals(), 1) if t == min(state.totals()))


def test_a_round_passing_the_target_is_played_to_its_end():
    state = replace(dealt(players=2), brought=(65, 0), piles=((55,), ()))
    assert not GAME.view(state).over
    state = play(replace(state, turns=9), "reveal 1 11", "reveal 2 31", "lay 11 1", "lay 31 2")
    assert GAME.view(state).over
    assert GAME.view(state).winners == (2,)


# Specials


def slot(card, rows, *, marks=None, others=(100, 101), **more):
    """Player 1's slot with this card; the others' cards are higher."""
    state = at(dealt(**SEVENS), rows=rows, marks=marks or {}, **more)
    lines = [f"reveal {p} {c}" for p, c in enumerate((card, *others), 1)]
    return play(state, *lines)


FULL = [[3, 5, 11, 13, 17], [28], [47], [71]]


@pytest.mark.parametrize(
    ("card", "kind"),
    [(20, "negpos"), (20, "fifth"), (20, "seven"), (10, "insert"), (20, "replace"), (20, "move"), (20, "block")],
)
def test_a_special_not_carried_out_goes_back_to_the_hand(card, kind):
    state = play(slot(card, FULL), f"special 1 {kind}")
    assert state.specials.held == (2, 3, 3)
    back = play(state, "handback 1")
    assert (back.specials.held, back.slot.special) == ((3, 3, 3), None)
    assert play(back, "tidy special:1", "special 1 fifth").slot.special == "fifth", "another one may be played (A-11)"


@pytest.mark.parametrize(
    "lines",
    [["special 1 block", "mark block 2"], ["special 1 move", "shift 3 2"], ["special 1 replace", "swap 21"]],
    ids=["block", "move", "replace"],
)
def test_a_special_carried_out_is_spent_and_still_the_one(lines):
    state = play(slot(20, FULL), *lines)
    assert refusal(state, "handback 1") == ("A-11", "out_of_order")
    assert refusal(state, "special 1 negpos") == ("A-9", "one_special_per_card")


@pytest.mark.parametrize(
    ("kind", "ruling"),
    [("fifth", "A-20"), ("insert", "A-40"), ("replace", "A-60"), ("move", "A-70"), ("block", "A-50")],
)
@pytest.mark.parametrize("card", [2, 4], ids=["below_all", "below_the_end"])
def test_a_take_does_not_skip_a_special_that_was_played(kind, ruling, card):
    state = play(slot(card, FULL), f"special 1 {kind}")
    assert refusal(state, "take 2")[0] in (ruling, "A-42")


@pytest.mark.parametrize(
    ("state", "line", "why"),
    [
        (slot(20, FULL), "special 2 fifth", ("A-8", "out_of_order")),
        (slot(20, FULL, specials=SpecialCards((0, 3, 3), 19)), "special 1 fifth", ("A-5", "no_special_in_hand")),
        (play(slot(20, FULL), "take 1"), "special 1 negpos", ("A-8", "out_of_order")),
        (dealt(players=3), "special 1 fifth", ("A-1", "out_of_order")),
        (slot(20, FULL), "special 1 joker", ("A-1", "out_of_order")),
        (slot(20, FULL), "exchange 1", ("A-90", "no_row_taken")),
    ],
    ids=["not_your_slot", "none_held", "row_lifted", "base_game", "no_such_kind", "exchange_without_take"],
)
def test_a_special_at_the_wrong_time_is_refused(state, line, why):
    assert refusal(state, line) == why


def test_an_exchange_comes_after_a_take_and_once():
    state = play(slot(20, FULL), "take 1")
    done = play(state, "exchange 1")
    assert done.specials.held == (3, 3, 3)
    assert (done.specials.stock, len(done.specials.discard)) == (18, 1)
    assert refusal(done, "exchange 1") == ("A-90", "no_row_taken")
    assert refusal(state, "exchange 2") == ("A-90", "no_row_taken")
    assert refusal(done, "special 1 negpos") == ("A-8", "out_of_order"), "the drawn one is for a later slot"
    later = play(state, "tidy row:1", "lay 20 1", "lay 100 4", "lay 101 4", "reveal 2 90")
    assert refusal(later, "exchange 1") == ("A-90", "no_row_taken"), "the next turn has begun"
    assert refusal(replace(state, specials=SpecialCards((0, 3, 3), 19)), "exchange 1") == ("A-90", "no_special_in_hand")


def test_an_exchange_waits_until_neg_pos_is_named():
    state = play(slot(20, FULL), "special 1 negpos", "take 1")
    assert refusal(state, "exchange 1") == ("A-13", "out_of_order")
    state = play(state, "tidy row:1", "lay 20 1")
    assert refusal(state, "exchange 1") == ("A-13", "out_of_order")
    state = play(state, "negpos 11 3,5,13,17", "exchange 1")
    assert state.piles[0] == ()
    assert state.slot.player == 2


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([[28], [47], [55], [71]], {"negative_alone"}),
        ([[28, 30], [47], [55], [71]], {"negative_alone", "negative_card"}),
        ([[28, 31], [47], [55], [71]], {"negative_card"}),
    ],
    ids=["nothing else in the pile", "too many heads", "as many heads"],
)
def test_an_offer_of_neg_pos_says_which_cards_it_cancels_or_none(rows, says):
    state = play(slot(5, rows), "special 1 negpos", "take 1", "tidy row:1", "lay 5 1")
    offered = {str(offer.label.id) for offer in GAME.view(state).offers if offer.move.startswith("negpos")}
    assert offered == says


def test_the_last_take_of_round_1_may_still_be_exchanged():
    state = slot(20, FULL, turns=11, others=(72, 73))
    state = play(state, "take 1", "tidy row:1", "lay 20 1", "lay 72 4", "lay 73 4")
    assert state.phase == "over"
    assert play(state, "exchange 1").specials.stock == state.specials.stock - 1


def test_neg_pos_twice_in_a_round_keeps_the_arithmetic_exact():
    """A-83: 11 of 20 and 40 leaves 40 and a credit; the second one counts what is really owed."""
    first = play(slot(2, [[20, 11 + 22, 40], [50], [60], [70]]), "special 1 negpos", "take 1")
    named = play(first, "negpos 33 20")  # 5 heads: 20 and 40 have 3 each
    assert (named.piles[0], named.credit[0], named.pile_heads(1)) == ((40,), 2, 1)
    state = slot(2, [[45], [50], [60], [70]], piles=((40, 80), (), ()), credit=(2, 0, 0))
    state = play(state, "special 1 negpos", "take 1", "negpos 45 -")
    assert (state.piles[0], state.credit[0], state.pile_heads(1)) == ((40, 80), 4, 2)


def test_neg_pos_takes_all_of_a_rest_that_is_too_small_and_its_credit():
    """A-82: after a credit of 2 the two cards of 3 heads count 4, fewer than 5: all goes, the surplus is lost."""
    state = slot(2, [[44], [50], [60], [70]], piles=((40, 80), (), ()), credit=(2, 0, 0))
    state = play(state, "special 1 negpos", "take 1")
    assert list_cancellations(state, 44) == ((40, 80),)
    done = play(state, "negpos 44 40,80")
    assert (done.piles[0], done.credit[0], done.pile_heads(1)) == ((), 0, 0)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("negpos 28 3", ("A-80", "card_not_in_taken_row")),
        ("negpos 11 3", ("A-83", "card_not_in_taken_row")),
        ("negpos 11 3,3,5,13,17", ("A-81", "card_not_in_taken_row")),
        ("negpos 11 11", ("A-81", "card_not_in_taken_row")),
        ("negpos 11 99", ("A-81", "card_not_in_taken_row")),
    ],
    ids=["of_another_row", "too_few_heads", "a_card_twice", "itself", "not_in_the_pile"],
)
def test_cards_that_neg_pos_cannot_cancel_are_refused(line, why):
    assert refusal(play(slot(20, FULL), "special 1 negpos", "take 1"), line) == why


def test_specials_are_dealt_again_for_round_2():
    """A-6: 28 without the 4 still held, in equal shares of at most 3."""
    state = replace(over(1, 2, 3, variant="anniversary"), specials=SpecialCards((4, 0, 0), 5))
    state = play(state, "next")
    assert state.specials == SpecialCards((7, 3, 3), 15)


def test_a_player_who_left_keeps_specials_and_gets_no_more():
    """28 without 6 held is 22; 3 each for the two who play on."""
    state = play(replace(over(1, 2, 3, variant="anniversary"), specials=SpecialCards((2, 2, 2), 19)), "leave 2", "next")
    assert state.specials == SpecialCards((5, 2, 5), 16)


def test_credits_piles_and_takes_of_round_1_do_not_count_in_round_2():
    """A-82: credits, piles and takes of round 1 are out of reach."""
    state = over(1, 2, 3, variant="anniversary")
    state = play(replace(state, credit=(2, 0, 0), piles=((5,), (6,), ()), aside=(7,), taker=1), "next")
    assert (state.credit, state.piles, state.aside) == ((0, 0, 0), ((), (), ()), ())
    assert refusal(state, "exchange 1") == ("A-90", "no_row_taken")


# Draft


def drafted(n, **options):
    state = start(players=n, variant="professional", **options)
    return play(state, f"spread {','.join(map(str, state.deck))}")


@pytest.mark.parametrize("n", range(2, 7))
def test_after_ten_picks_each_the_last_four_start_the_rows(n):
    state = drafted(n)
    for card in range(1, 10 * n + 1):
        state = play(state, f"pick 0 {card}")
    assert state.phase == "deal"
    assert [len(held) for held in state.draft.picks] == [10] * n
    assert sorted(state.spread) == list(range(10 * n + 1, 10 * n + 5))
    assert refusal(state, "deal 1,2,3,4") == ("P-5", "not_in_deck")
    assert play(state, f"deal {','.join(map(str, state.spread))}").phase == "choose"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pick 2 5", ("P-4", "out_of_order")),
        ("pick 0 5,5", ("N-8", "duplicate_card")),
        ("pick 0 25", ("P-3", "not_in_deck")),
        ("pick 0 -7", ("P-3", "not_in_deck")),
        (f"pick 0 {','.join(map(str, range(1, 22)))}", ("P-5", "out_of_order")),
        ("reveal 1 5", ("N-6", "out_of_order")),
        ("leave 1", ("N-29", "out_of_order")),
    ],
    ids=["out_of_turn", "twice", "beyond_the_deck", "below_it", "the_last_four", "a_card_played", "leaving"],
)
def test_cards_that_cannot_be_picked_are_refused(line, why):
    assert refusal(drafted(2), line) == why


# Audit (R-6)


def test_the_audit_names_what_is_missing_and_what_is_too_much():
    state = replace(dealt(players=3), piles=((11, 12), (40,), ()), aside=(33,))
    assert audit_piles(state, {1: (12, 11), 2: (40,), 3: ()}).agrees
    found = audit_piles(state, {1: (11,), 3: (33,)})
    assert (found.missing, found.extra) == ({1: (12,)}, {3: (33,)}), "a cancelled card belongs in no pile"


@pytest.mark.parametrize(("aside", "right"), [(0, False), (5, True)])
def test_cancelled_cards_are_counted(aside, right):
    assert is_count_right(10, 13, 2, 12, aside) is right


# Adopting a table (R-4)


def adopt(state, **zones):
    lie = {zone.replace("_", ":"): tuple(map(str, held)) for zone, held in zones.items()}
    return GAME.adopt(state, Layout(lie))


ROWS4 = {"row_1": [10], "row_2": [30], "row_3": [50], "row_4": [70]}


@pytest.mark.parametrize(
    ("state", "zones", "why"),
    [
        (dealt(players=2), ROWS4 | {"row_1": [10, 30]}, ("N-8", "duplicate_card")),
        (dealt(players=2), ROWS4 | {"seat_1": [30]}, ("N-8", "duplicate_card")),
        (replace(dealt(players=2), piles=((33,), ())), ROWS4 | {"row_2": [30, 33]}, ("N-8", "already_seen")),
        (dealt(players=2), ROWS4 | {"row_2": [30, 105]}, ("N-8", "not_in_deck")),
        (dealt(players=2), ROWS4 | {"row_2": [31, 30]}, ("N-9", "wrong_row")),
        (dealt(players=2), ROWS4 | {"row_2": [30, 31, 32, 33, 34, 35]}, ("N-12", "row_full")),
        (dealt(players=2), {"row_1": [10], "row_2": [30], "row_3": [50]}, ("N-3", "row_not_taken")),
        (dealt(players=2), ROWS4 | {"row_4": [71]}, ("R-6", "row_not_taken")),
        (dealt(players=2), ROWS4 | {"seat_1": [31, 32]}, ("N-5", "duplicate_card")),
        (dealt(players=2), ROWS4 | {"seat_7": [31]}, ("N-5", "out_of_order")),
        (dealt(players=2), ROWS4 | {"seat_x": [31]}, ("N-5", "out_of_order")),
        (dealt(players=2), ROWS4 | {"strange": ["ace"]}, ("N-8", "not_in_deck")),
        (dealt(players=2), ROWS4 | {"mark_1": ["block"]}, ("A-1", "out_of_order")),
        (dealt(**SEVENS), ROWS4 | {f"mark_{r}": ["block"] for r in (1, 2, 3)}, ("A-53", "two_blocks_already")),
        (dealt(**SEVENS), ROWS4 | {"mark_1": ["seven", "seven"]}, ("A-10", "marker_already_there")),
        (dealt(**SEVENS), ROWS4 | {"mark_1": ["insert"]}, ("A-10", "marker_already_there")),
        (dealt(**SEVENS), ROWS4 | {"mark_5": ["seven"]}, ("A-10", "wrong_row")),
        (dealt(**SEVENS), ROWS4 | {"row_5": [90]}, ("A-20", "five_rows_already")),
        (dealt(**SEVENS), ROWS4 | {"mark_2": ["fifth"]}, ("A-20", "five_rows_already")),
        (loose(), ROWS4 | {"seat_1": [31]}, ("N-5", "out_of_order")),
    ],
    ids=[
        "in_two_rows", "in_a_row_and_at_a_seat", "in_a_pile_already", "no_such_card", "a_row_that_falls",
        "six_in_a_row", "three_rows", "nobody_has_what_vanished", "two_cards_at_a_seat", "an_empty_chair",
        "no_seat_at_all", "a_foreign_card", "specials_in_the_base_game", "three_blocks",
        "two_sevens_at_a_row", "insert_does_not_stand", "a_mark_without_a_row",
        "five_rows_without_the_special", "the_special_without_five_rows", "seats_are_off",
    ],
)  # fmt: skip
def test_a_table_that_no_state_shows_is_not_adopted(state, zones, why):
    with pytest.raises(Illegal) as refused:
        adopt(state, **zones)
    assert (refused.value.ruling, refused.value.why) == why


def test_adopting_gives_cards_that_disappeared_to_their_owner():
    state = adopt(dealt(players=2), **ROWS4 | {"row_4": [71], "pile_2": [70]})
    assert state.piles == ((), (70,))
    assert is_complete(state)


def test_six_cards_stand_under_take_at_7():
    state = adopt(dealt(**SEVENS), **ROWS4 | {"row_2": [30, 31, 32, 33, 34, 35], "mark_2": ["seven"]})
    assert state.room(2) == 0


def test_adopting_the_laid_turn_ends_it():
    state = play(dealt(players=2), "reveal 1 12", "reveal 2 33")
    done = adopt(state, **ROWS4 | {"row_1": [10, 12], "row_2": [30, 33]})
    assert (done.phase, done.turns, done.slot) == ("choose", 1, None)


def test_adopting_half_a_turn_continues_with_the_waiting_card():
    state = play(dealt(players=2), "reveal 1 12", "reveal 2 33")
    half = adopt(state, **ROWS4 | {"row_3": [50, 52], "seat_2": [33]})
    assert (half.phase, half.slot, half.turns) == ("lay", Slot(2, 33), 0)


def test_adopting_without_seats_counts_the_cards_of_the_turn():
    state = play(loose(), "reveal 0 12")
    one = adopt(state, **ROWS4 | {"row_1": [10, 12]})
    assert (one.phase, one.turns, one.laid) == ("choose", 0, (12,))
    three = adopt(state, **ROWS4 | {"row_1": [10, 12, 13], "row_2": [30, 31]})
    assert (three.phase, three.turns, three.laid) == ("choose", 1, ())


def test_an_adopted_table_is_an_entry_of_the_log():
    log = Log(GAME, {"players": 2}).add(GAME.parse("deal 10,30,50,70"))
    line = "adopt row:1=10 row:2=30 row:3=50 row:4=71 pile:1=70"
    entry = log.parse(line)
    assert isinstance(entry, Adopt)
    assert str(entry) == line
    assert log.add(entry).state.piles == ((70,), ())


# Options


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"players": 1}, "players"),
        ({"players": 11}, "players"),
        ({"players": "many"}, "players"),
        ({"target": 0}, "target"),
        ({"target": 1000}, "target"),
        ({"cmp": "lt"}, "cmp"),
        ({"rounds": 10**30}, "rounds"),
        ({"variant": "solo"}, "variant"),
        ({"spots": (1, 1, 2, 3)}, "spots"),
        ({"spots": (1, 2)}, "spots"),
        ({"spots": (1, 2, 3, 11)}, "spots"),
        ({"variant": "anniversary", "spots": (1, 2, 3, 9)}, "spots"),
        ({"width": 100, "height": 100}, "area"),
        ({"players": 10, "width": 594, "height": 420}, "area"),
        ({"variant": "anniversary", "width": 700, "height": 460}, "area"),
        ({"house": "rules"}, "house"),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_impossible_options_are_refused(options, name):
    with pytest.raises(BadOption) as why:
        start(**options)
    assert why.value.name == name


@pytest.mark.parametrize(
    ("variant", "counts", "ruling"),
    [("professional", (7, 8, 9, 10), "P-1"), ("halves", (2, 3, 8, 9, 10), "H-4"), ("anniversary", (9, 10), "A-1")],
)
def test_player_counts_by_variant(variant, counts, ruling):
    for n in range(2, 11):
        if n in counts:
            with pytest.raises(Illegal) as why:
                start(variant=variant, players=n)
            assert (why.value.ruling, why.value.why) == (ruling, "player_count")
        else:
            start(variant=variant, players=n)
