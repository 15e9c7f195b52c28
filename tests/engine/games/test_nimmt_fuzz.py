"""6 nimmt!: any move in any state is played or refused with a text, and no other error is raised."""

import random
import re
from functools import lru_cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.game import WHYS, Illegal
from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import SPECIAL_KINDS
from engine.games.nimmt.match_options import OPTIONS
from engine.games.nimmt.pile_audit import is_complete
from engine.log import Log
from engine.notation import BadNotation
from engine.options import fill_options
from engine.referee import judge
from engine.table import Area, Layout, Piece, Table, find_gap
from firmware.simulation.players.nimmt import Players

GAME = Nimmt()
TABLES = [
    {"players": 2},
    {"players": 10, "end": "rounds", "rounds": 1},
    {"players": 3, "seats": "off"},
    {"players": 2, "variant": "professional"},
    {"players": 5, "variant": "halves"},
    {"players": 2, "variant": "anniversary"},
    {"players": 5, "variant": "anniversary"},
]


@lru_cache
def match(which, seed):
    """Every state of one played match."""
    options = fill_options(OPTIONS, TABLES[which])
    state, players = GAME.start(options), Players(options, random.Random(seed), specials=0.6)
    states = [state]
    while (move := players.next(state)) and len(states) < 400:
        state = GAME.play(state, move)
        states.append(state)
    return states


@st.composite
def situations(draw):
    states = match(draw(st.integers(0, len(TABLES) - 1)), draw(st.integers(0, 2)))
    return states[draw(st.integers(0, len(states) - 1))]


numbers = st.integers(-2, 12) | st.integers(1, 105) | st.sampled_from([-(10**30), 10**30])
rows = st.integers(0, 6) | numbers
pieces = st.sampled_from([*SPECIAL_KINDS, "back", "red", "ace", "", "1" * 5000, "²"]) | st.integers(0, 106).map(str)
kinds = st.sampled_from(["seat", "row", "mark", "special", "spread", "strange", "pile", "stock", ""])
zones = st.builds("{}:{}".format, kinds, st.sampled_from(["", "x", "²", "0", "1:1"]) | rows) | kinds
many = st.lists(numbers, max_size=30).map(tuple)
WORDS = {"int": numbers, "piece": pieces, "zone": zones, "kind": pieces, "tuple": many, "row": rows}


def any_move(kind):
    values = {}
    for name, hint in kind.__annotations__.items():
        shape = "int" if hint is int else "tuple" if "tuple" in str(hint) else name
        values[name] = WORDS["row" if name == "row" else shape]
    return st.builds(kind, **values)


moves = st.one_of(*map(any_move, m.MOVES))


def said(why):
    """A refusal names its ruling, a known reason, and what to do."""
    assert why.ruling
    assert why.why in WHYS
    assert str(why)


def calm(state):
    """What must hold whatever was played before."""
    assert is_complete(state)
    assert sum(map(bool, state.rows)) <= 5
    assert sum("block" in mark for mark in state.marks) <= 2
    assert len({c for row in (*state.rows, *state.piles) for c in row}) == sum(map(len, (*state.rows, *state.piles)))
    GAME.view(state)
    wanted = GAME.layout(state)
    assert not find_gap(wanted, GAME.arrange(state, GAME.place(state, wanted))), state


@settings(max_examples=700)
@given(situations(), st.lists(moves, min_size=1, max_size=12))
def test_a_move_is_played_or_refused(state, tried):
    for move in tried:
        try:
            state = GAME.play(state, move)
        except Illegal as why:
            said(why)
    calm(state)


def likely(state, rng):
    """A move of a kind that is often legal here."""
    cards = [*filter(None, state.shown), *state.owed, *(c for row in state.rows for c in row[-2:]), 1, 104]
    card, kind, row = rng.choice(cards), rng.choice(SPECIAL_KINDS), rng.randint(1, 5)
    due, player, fresh = state.actor or 1, rng.randint(0, len(state.seats)), rng.randint(1, 104)
    told = [GAME.parse(offer.move) for offer in GAME.view(state).offers]
    tidy = [m.Tidy(zone) for _, zone in state.lying]
    due_card = state.slot.card if state.slot else 1
    slot = [m.Lay(due_card, row), m.Take(row), m.Mark(kind, row), m.Shift(card, row), m.Swap(fresh)]
    rest = [m.Lay(card, row), m.Negpos(card, (rng.choice(cards),)), m.Handback(due), m.Special(due, kind)]
    rest += [m.Exchange(player), m.Join(row), m.Who(player), m.Choose(player), m.Sit(player, row)]
    rest += [m.Reveal(player, fresh), m.Sweep(), m.Next(), m.Hands(), m.Special(player, kind)]
    if rng.random() < 0.1:
        rest = [m.Leave(player)]
    return rng.choice(rng.choice([kinds for kinds in (told, tidy, slot, rest) if kinds]))


@settings(max_examples=400)
@given(situations(), st.integers(0, 10**6))
def test_the_record_stays_whole_in_any_play(state, seed):
    rng = random.Random(seed)
    for _ in range(15):
        try:
            state = GAME.play(state, likely(state, rng))
        except Illegal:
            continue
        assert is_complete(state)
    calm(state)


@settings(max_examples=300)
@given(situations())
def test_every_offer_can_be_played(state):
    for offer in GAME.view(state).offers:
        GAME.play(state, GAME.parse(offer.move))


places = st.builds(Piece, pieces, st.floats(-50, 900), st.floats(-50, 700), st.sampled_from([0.0, 180.0, 33.3]))
areas = st.builds(Area, st.floats(0, 400), st.floats(0, 300), st.floats(400, 900), st.floats(300, 700))


@settings(max_examples=400)
@given(situations(), st.frozensets(places, max_size=12), st.lists(areas, max_size=2).map(tuple), st.booleans())
def test_any_table_has_a_verdict(state, more, unseen, beside):
    there = GAME.place(state, GAME.layout(state)).seen if beside else frozenset()
    judge(Log(GAME, {"players": 2}, origin=state), Table(there | more, unseen))


@settings(max_examples=500)
@given(situations(), st.dictionaries(zones, st.lists(pieces, max_size=6).map(tuple), max_size=8), st.booleans())
def test_any_layout_is_adopted_or_refused(state, some, beside):
    known = dict(GAME.layout(state).zones) if beside else {}
    try:
        state = GAME.adopt(state, Layout(known | some))
    except Illegal as why:
        said(why)
    else:
        GAME.view(state)
        assert is_complete(state)


@settings(max_examples=300)
@given(moves)
def test_notation_is_parsed_as_it_was_written(move):
    plain = all(re.fullmatch(r"[a-z0-9:]+", getattr(move, name, "x")) for name in ("piece", "zone", "kind"))
    assume(plain)
    assert GAME.parse(str(move)) == move


@pytest.mark.parametrize("line", ["", "lay", "lay x 1", "lay 1 2 3", f"lay {'9' * 5000} 1", "stray 5 ²", "take 1,2"])
def test_a_line_of_another_game_is_refused(line):
    with pytest.raises(BadNotation):
        GAME.parse(line)
