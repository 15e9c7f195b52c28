"""Rounds on bare rows: the same rules as the referee's, checked play by play, and unchangeable from outside."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Illegal
from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import DECK, count_heads
from engine.games.nimmt.due_action import find_due_action, list_forced_moves
from engine.games.nimmt.rows import Round, find_row
from engine.log import Log

GAME = Nimmt()


def deal(rng, players, hand=10):
    cards = rng.sample(DECK, 4 + players * hand)
    return cards[:4], [cards[4 + hand * p : 4 + hand * (p + 1)] for p in range(players)]


def refereed(starts, hands, choices):
    """The same round move by move through the referee's rules; low cards take the given places in turn."""
    log = Log(GAME, {"players": len(hands)}).add(m.Deal(tuple(starts)))
    for cards in zip(*hands, strict=True):
        log = log.add(*(m.Reveal(player, card) for player, card in enumerate(cards, 1)))
        while log.state.phase == "lay":
            due = find_due_action(log.state)
            if due.choices:
                place = next(choices)
                log = log.add(m.Take(place), m.Tidy(f"row:{place}"), m.Lay(due.card, place))
            else:
                log = log.add(*list_forced_moves(log.state))
    return log.state


@settings(max_examples=40)
@given(st.integers(2, 10), st.integers(0, 10**9))
def test_bare_rows_and_the_referee_agree_on_every_card(players, seed):
    rng = random.Random(seed)
    starts, hands = deal(rng, players)
    taken = []
    game = Round.deal(starts, hands)

    def anyhow(player, card, rows, worth):
        assert list(worth) == [count_heads(row) for row in rows]
        at = rng.randrange(len(rows))
        taken.append(rows[at][0])
        return at

    choices = []
    for cards in zip(*hands, strict=True):
        before = len(taken)
        game = game.turn(cards, anyhow)
        low = iter(taken[before:])
        first = next(low, None)
        for take in game.takes:
            if take.cards[0] == first and min(take.cards) == first:
                choices.append(take.place + 1)
                first = next(low, None)
    state = refereed(starts, hands, iter(choices))
    assert game.table == state.rows[:4]
    assert list(game.scores) == [count_heads(pile) for pile in state.piles]
    assert not game.held


@given(st.integers(2, 10), st.integers(0, 10**9))
def test_turns_played_together_are_turns_played_one_by_one(players, seed):
    starts, hands = deal(random.Random(seed), players)
    begin = Round.deal(starts, hands)

    def cheapest(player, card, rows, worth):
        return worth.index(min(worth))

    game, takes = begin, []
    for cards in zip(*hands, strict=True):
        game = game.turn(cards, cheapest)
        takes += game.takes
    assert begin.play(zip(*hands, strict=True), cheapest) == game._replace(takes=tuple(takes))


@pytest.mark.parametrize(
    ("cards", "why"),
    [((1, 99), "not_in_drafted_hand"), ((2, 1), "not_in_drafted_hand"), ((1,), "not_in_drafted_hand")],
    ids=["a-card-not-in-the-hand", "a-card-of-another-player", "a-player-without-a-card"],
)
def test_a_turn_is_one_card_of_each_hand(cards, why):
    game = Round.deal((10, 20, 30, 40), ((1, 3), (2, 4)))
    with pytest.raises(Illegal) as refused:
        game.turn(cards, lambda *_: 0)
    assert refused.value.why == why
    assert game.turn((1, 2), lambda *_: 0) is not game


@pytest.mark.parametrize(
    ("starts", "hands", "why"),
    [
        ((10, 20, 30, 40), ((1, 2), (2, 3)), "duplicate_card"),
        ((10, 20, 30, 30), ((1, 2), (4, 3)), "duplicate_card"),
        ((10, 20, 30, 105), ((1, 2), (4, 3)), "not_in_deck"),
        ((10, 20, 30, 40), ((0, 2), (4, 3)), "not_in_deck"),
    ],
    ids=["twice-in-hands", "twice-in-rows", "105", "0"],
)
def test_a_deal_is_of_the_deck(starts, hands, why):
    with pytest.raises(Illegal) as refused:
        Round.deal(starts, hands)
    assert refused.value.why == why


def test_a_low_card_takes_a_row_that_is_there():
    with pytest.raises(Illegal) as refused:
        Round.deal((10, 20, 30, 40), ((1,), (2,))).turn((1, 2), lambda *_: 4)
    assert refused.value.ruling == "N-15"


@given(st.lists(st.integers(1, 104), min_size=5, max_size=6, unique=True))
def test_home_is_the_highest_end_below(numbers):
    card, *ends = numbers
    lower = [end for end in ends if end < card]
    at = find_row([(end, row) for row, end in enumerate(ends, 1)], card)
    assert (ends[at - 1] if at else None) == (max(lower) if lower else None)
