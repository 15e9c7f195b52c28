"""Special cards by number: exchanges of several takers, four of each kind, and the deal for the second round."""

import random
from dataclasses import replace

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import SPECIAL_CARDS, SPECIAL_KINDS, STANDING_KINDS
from engine.games.nimmt.special_hands import count_out, deal_specials
from engine.games.nimmt.state import SpecialCards
from engine.log import BrokenLog, Log
from engine.options import fill_options
from engine.referee import Follows, Refused, adopt_table, judge
from firmware.box.games.nimmt.manual_entry import forms
from firmware.simulation.players.nimmt import Players
from tests.support.nimmt import GAME, begin, look

FULL = ((3, 5, 11, 13, 17), (28, 29, 30, 31, 32), (47,), (71,))


def specials_at(*shown, rows=FULL, **more):
    """Within a round of the anniversary game, each player with three specials, the rest in the deck."""
    held = (3,) * len(shown)
    more.setdefault("specials", SpecialCards(held, SPECIAL_CARDS - sum(held)))
    return begin(rows, shown=shown, variant="anniversary", **more)


def play(log, *lines):
    for line in lines:
        log = log.add(log.parse(line))
    return log


def refusal(log, line):
    with pytest.raises(Illegal) as why:
        log.add(log.parse(line))
    return why.value.ruling, why.value.text.id


def exchanges(log):
    return [(str(offer.label), offer.move) for offer in GAME.view(log.state).offers if "exchange" in offer.move]


# the exchange of each taker

TWO_TAKES = ("take 1", "tidy row:1", "lay 20 1", "take 2", "tidy row:2", "lay 40 2")


@pytest.mark.parametrize(
    "order", [("exchange 1", "exchange 2"), ("exchange 2", "exchange 1")], ids=["as-they-took", "later-first"]
)
@pytest.mark.parametrize("after", [TWO_TAKES, (*TWO_TAKES, "lay 80 4")], ids=["in-the-turn", "after-the-last-slot"])
def test_each_taker_of_a_turn_exchanges_once(order, after):
    log = play(specials_at(20, 40, 80), *after, *order)
    assert log.state.specials == SpecialCards((3, 3, 3), 17, ("", ""))
    assert exchanges(log) == []
    assert refusal(log, "exchange 1") == ("A-90", "exchange_after_take")
    assert refusal(log, "exchange 2") == ("A-90", "exchange_after_take")


def test_exchanges_are_offered_one_after_the_other_and_the_earlier_one_among_the_entries():
    log = play(specials_at(20, 40, 80), *TWO_TAKES)
    assert exchanges(log) == [("exchange", "exchange 2")]
    assert [offer.move for offer in forms(log.state) if "exchange" in offer.move] == ["exchange 1"]
    assert exchanges(play(log, "exchange 2")) == [("player_exchanged player=1", "exchange 1")]
    assert exchanges(play(log, "exchange 1")) == [("exchange", "exchange 2")]


def test_every_exchange_ends_with_the_next_card_revealed():
    log = play(specials_at(20, 40, 80), *TWO_TAKES, "lay 80 4", "choose 3")
    assert exchanges(log)
    log = play(log, "reveal 1 90")
    assert exchanges(log) == []
    assert refusal(log, "exchange 1") == ("A-90", "exchange_after_take")


@pytest.mark.parametrize("leaver", [1, 2])
def test_a_taker_who_left_is_offered_no_exchange_and_the_other_keeps_it(leaver):
    log = play(specials_at(20, 40, 80), *TWO_TAKES, f"leave {leaver}")
    assert [move for _, move in exchanges(log)] == [f"exchange {3 - leaver}"]


def test_a_first_taker_exchanges_while_the_second_owes_the_card_of_neg_pos():
    log = play(specials_at(20, 40, 80), *TWO_TAKES[:3], "special 2 negpos", "take 2")
    assert [move for _, move in exchanges(log)] == ["exchange 1"]
    assert refusal(log, "exchange 2") == ("A-13", "name_negative")
    assert play(log, "exchange 1").state.specials.discard == ("negpos", "")


@pytest.mark.parametrize(
    ("card", "kind", "lines"),
    [
        (20, "negpos", ("take 1", "negpos 3 13")),
        (21, "replace", ("swap 20", "take 1")),
        (20, "move", ("shift 71 3", "take 1")),
    ],
)
def test_a_special_spent_in_the_slot_of_the_take_is_in_the_discard_before_the_exchange(card, kind, lines):
    """With an empty deck it is shuffled with the card exchanged: two cards, of which one is drawn."""
    rows = ((3, 5, 11, 13, 17), (28,), (47,), (60, 71))
    log = specials_at(card, 90, 95, rows=rows, specials=SpecialCards((20, 4, 4), 0))
    log = play(log, f"special 1 {kind}", *lines, "exchange 1")
    assert (log.state.specials.stock, log.state.specials.discard) == (1, ())
    log = play(log, "tidy row:1", "lay 20 1")
    assert (log.state.specials.stock, log.state.specials.discard) == (1, ())


# four of each kind

CARD_FOR = {"fifth": 20, "seven": 20, "insert": 10, "replace": 20, "move": 20, "block": 20, "negpos": 20}


@pytest.mark.parametrize("kind", SPECIAL_KINDS)
@pytest.mark.parametrize("others", [3, 4])
def test_a_fifth_of_a_kind_is_never_played(kind, others):
    log = specials_at(CARD_FOR[kind], 90, 95, specials=SpecialCards((3, 3, 3), 10, (kind,) * others))
    if others == 3:
        assert play(log, f"special 1 {kind}").state.slot.special == kind
    else:
        assert refusal(log, f"special 1 {kind}") == ("A-93", "no_fifth_of_a_kind")


def test_standing_specials_count_and_one_carried_to_its_row_counts_once():
    blocks = (frozenset({"block"}), *[frozenset()] * 4)
    log = specials_at(40, 90, 95, marks=blocks, lying=(("block", "mark:1"),),
                      specials=SpecialCards((3, 3, 3), 10, ("block",) * 2))  # fmt: skip
    assert count_out(log.state, "block") == 3
    log = play(log, "special 1 block")
    assert count_out(log.state, "block") == 4
    log = play(log, "mark block 3")
    assert count_out(log.state, "block") == 4
    log = play(log, "take 2", "tidy row:2", "lay 40 2")
    assert (count_out(log.state, "block"), log.state.specials.discard) == (4, ("block",) * 4)
    assert refusal(log, "special 2 block") == ("A-93", "no_fifth_of_a_kind")
    assert refusal(log, "mark block 4") == ("A-93", "no_fifth_of_a_kind")


@pytest.mark.parametrize("copy", ["block", "block.1", "block.4"], ids=["no-copy", "first", "fourth"])
def test_a_fifth_seen_on_the_table_is_asked_about_whatever_copy_its_sticker_names(copy):
    log = specials_at(20, 90, 95, specials=SpecialCards((3, 3, 3), 10, ("block",) * 4))
    verdict = judge(log, look(log, FULL, {1: 20, 2: 90, 3: 95}, beside={1: copy}))
    assert isinstance(verdict, Refused)
    assert (verdict.why.ruling, str(verdict.why.text)) == ("A-93", "no_fifth_of_a_kind kind=block")


@pytest.mark.parametrize("copies", [("block.2", "block.2"), ("block", "block.3")], ids=["the-same-copy", "one-without"])
def test_copies_are_not_told_apart(copies):
    log = specials_at(48, 90, 95)
    rows = (*FULL[:2], (47, 48), (71,))
    log = play(log, "special 1 block", "mark block 1", "lay 48 3")
    marks = {1: [copies[0]], 2: [copies[1]]}
    verdict = judge(log, look(log, rows, {2: 90, 3: 95}, marks=marks))
    assert verdict == Follows((m.Mark("block", 2),))


def test_players_say_that_the_discard_was_shuffled_and_the_kind_may_come_again():
    log = specials_at(20, 90, 95, specials=SpecialCards((3, 3, 3), 10, ("block",) * 4 + ("",)))
    assert "shuffle" in [offer.move for offer in GAME.view(log.state).offers]
    log = play(log, "shuffle", "special 1 block")
    assert (log.state.specials.stock, log.state.specials.discard) == (15, ())


@pytest.mark.parametrize("discard", [(), ("block",) * 3], ids=["empty", "three"])
def test_a_shuffle_is_offered_only_where_it_would_settle_a_question(discard):
    log = specials_at(20, 90, 95, specials=SpecialCards((3, 3, 3), 10, discard))
    assert "shuffle" not in [offer.move for offer in GAME.view(log.state).offers]
    if not discard:
        assert refusal(log, "shuffle") == ("A-91", "nothing_to_shuffle")


def test_a_kind_comes_again_after_an_exchange_has_shuffled_the_discard():
    log = specials_at(20, 90, 95, specials=SpecialCards((12, 8, 4), 0, ("fifth",) * 4))
    log = play(log, "take 1", "exchange 1", "tidy row:1", "lay 20 1")
    assert log.state.specials.discard == ()
    assert play(log, "special 2 fifth").state.slot.special == "fifth"


# records of older versions


@pytest.fixture
def with_four_blocks():
    return specials_at(20, 90, 95, specials=SpecialCards((3, 3, 3), 10, ("block",) * 4))


def takes(add, entries):
    try:
        add(*entries)
    except BrokenLog:
        return False
    return True


def test_a_stored_record_with_a_fifth_is_still_read(with_four_blocks):
    log = with_four_blocks
    entries = tuple(map(log.parse, ("special 1 block", "mark block 3", "amend 0 0")))
    assert not takes(log.add, entries)
    assert takes(log.recall, entries)
    stored = log.recall(*entries)
    assert count_out(stored.state, "block") == 5
    again = Log(GAME, log.options, stored.entries, origin=stored.states[0])
    assert again.states == stored.states


def test_what_stood_in_a_record_stands_after_a_correction_before_it_but_is_not_taken_again(with_four_blocks):
    log = with_four_blocks
    first = len(log.moves)
    stored = log.recall(log.parse("special 1 move"), log.parse("handback 1"), log.parse("special 1 block"))
    longer = stored.amend(first, first + 2)
    assert longer.state.slot.special == "block"
    with pytest.raises(BrokenLog):
        longer.amend(first, first + 1, m.Special(1, "block"))
    with pytest.raises(BrokenLog):
        stored.recall(m.Special(2, "move"))  # what no version took is refused in a record too


# the deal for the second round


@pytest.mark.parametrize(
    ("before", "players", "after"),
    [
        (SpecialCards((1, 1, 1, 1), 16, ("block",) * 8), 4, SpecialCards((4, 4, 4, 4), 4, ("block",) * 8)),
        (SpecialCards((1, 1, 1, 1), 12, ("block",) * 12), 4, SpecialCards((4, 4, 4, 4), 0, ("block",) * 12)),
        (SpecialCards((1, 1, 1, 1), 11, ("block",) * 13), 4, SpecialCards((4, 4, 4, 4), 12)),
        (SpecialCards((0,) * 8, 4, ("block",) * 24), 8, SpecialCards((3,) * 8, 4)),
        (SpecialCards((3,) * 8, 4), 8, SpecialCards((3,) * 8, 4)),
        (SpecialCards((3,) * 7 + (0,), 4, ("move",) * 3), 7, SpecialCards((4,) * 7 + (0,), 0)),
        (SpecialCards((3,) * 7 + (0,), 7), 7, SpecialCards((4,) * 7 + (0,), 0)),
    ],
    ids=[
        "from-the-deck",
        "just-enough",
        "one-short",
        "eight-players",
        "nothing-left",
        "a-leaver-gets-none",
        "no-shuffle",
    ],
)
def test_specials_are_dealt_from_the_deck_and_shuffled_only_when_it_runs_out(before, players, after):
    playing = [number < players for number in range(len(before.held))]
    assert deal_specials(before, playing) == after
    assert sum(after.held) + after.stock + len(after.discard) == SPECIAL_CARDS


def test_four_of_a_kind_in_a_discard_that_was_not_shuffled_count_in_the_second_round():
    log = specials_at(20, 90, 95, specials=SpecialCards((1, 1, 1), 17, ("block",) * 4 + ("move",) * 4))
    over = replace(log.state, phase="over", slot=None, shown=(None,) * 3)
    log = play(Log(GAME, log.options, origin=over), "next", "sweep", "deal 10,30,50,70", "reveal 1 55", "reveal 2 56",
               "reveal 3 57")  # fmt: skip
    assert log.state.specials.stock == 8
    assert refusal(log, "special 1 block") == ("A-93", "no_fifth_of_a_kind")


# whole matches


@pytest.mark.parametrize("seed", range(6))
def test_over_a_match_every_special_is_somewhere_and_every_offer_is_legal(seed):
    rng = random.Random(seed)
    log = Log(GAME, fill_options(GAME.options, {"players": rng.randint(2, 8), "variant": "anniversary"}))
    players = Players(log.options, rng, specials=0.6)
    left = False
    while (move := players.next(log.state)) is not None:
        log = log.add(move)
        state = log.state
        for offer in GAME.view(state).offers:
            GAME.play(state, GAME.parse(offer.move))
        takers = [p for p in state.may_exchange() if state.specials_of(p) and not (state.owed and p == state.taker)]
        if takers and rng.random() < 0.5:
            log = log.add(m.Exchange(rng.choice(takers)))
        if not left and state.phase == "choose" and len(state.seats) > 3 and state.may_exchange():
            log, left = log.add(m.Leave(state.may_exchange()[0])), True
        state = log.state
        slot, specials = state.slot, state.specials
        standing = sum(map(len, state.marks))
        spent = slot is not None and slot.used and (slot.restarts is not None or slot.special in STANDING_KINDS)
        playing = bool(slot and slot.special and not spent)
        assert sum(specials.held) + specials.stock + len(specials.discard) + standing + playing == SPECIAL_CARDS
        assert all(count_out(state, kind) <= 4 for kind in SPECIAL_KINDS)
    assert log.state.phase == "end"


@pytest.mark.parametrize("by_all", [False, True], ids=["the table is right", "an overrule"])
def test_who_took_a_row_in_this_turn_may_still_exchange_after_the_table_was_adopted(by_all):
    log = begin(((11,), (27,), (58,), (18,)), shown=(5, 4, 90), variant="anniversary")
    log = log.add(*map(log.parse, ("take 1", "tidy row:1", "lay 4 1", "lay 5 1")))
    table = look(log, ((4, 5), (27,), (58,), (18,)), {3: 90})
    after = adopt_table(log, table, by_all=by_all)
    assert after.state.may_exchange() == log.state.may_exchange() == (2,)
    assert play(after, "exchange 2").state.specials.held == log.state.specials.held
    assert play(after, "lay 90 3", "reveal 1 60").state.may_exchange() == ()
