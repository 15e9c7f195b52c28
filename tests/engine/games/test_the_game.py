"""The Game: what its rules allow, count and refuse."""

import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import WHYS, Illegal, Unfinished
from engine.games.the_game import TheGame
from engine.games.the_game.match_end import grade_result, is_over
from engine.games.the_game.match_options import LEVELS
from engine.games.the_game.moves import MOVES, Play
from engine.games.the_game.reachable_minimum import find_missed_play, find_way
from engine.games.the_game.rules import count_minimum, count_unseen_cards, fits, list_hidden_steps
from engine.games.the_game.state import PILES, State
from engine.games.the_game.table_plan import LEAST_AREA_MM
from engine.log import Adopt, BrokenLog, Log
from engine.options import BadOption, fill_options
from engine.referee import Follows, judge
from engine.table import Layout
from firmware.simulation.players.the_game import Players

GAME = TheGame()


def begin(*moves, **options):
    log = Log(GAME, options)
    return log.add(*map(log.parse, moves))


def position(*, up=((), ()), down=((), ()), hands=(6, 6, 6), turn=1, fresh=(0, 0, 0, 0), level="standard", **more):
    return State((0, 0), level, hands, turn, (*up, *down), fresh, **more)


def played(state, *moves):
    for move in moves:
        state = GAME.play(state, GAME.parse(move))
    return state


def climbing(turns):
    """Scripts of whole turns on the first pile: 2, 3, 4 and so on."""
    card, moves = 2, []
    for player, n in turns:
        moves += [f"play {c} up:1" for c in range(card, card + n)] + [f"done {player} {n}"]
        card += n
    return moves


@pytest.mark.parametrize(
    ("players", "level", "hand", "deck", "least"),
    [
        (1, "standard", 8, 90, 2),
        (2, "standard", 7, 84, 2),
        (3, "standard", 6, 80, 2),
        (5, "standard", 6, 68, 2),
        (2, "expert", 7, 84, 3),
        (1, "expert_small_hand", 7, 91, 3),
        (5, "expert_small_hand", 5, 73, 3),
    ],
)
def test_deal(players, level, hand, deck, least):
    state = begin(players=players, level=level).state
    assert (state.hands, state.deck, count_minimum(state)) == ((hand,) * players, deck, least)


@pytest.mark.parametrize("players", [0, 6, -1])
def test_player_counts_are_refused(players):
    with pytest.raises(BadOption):
        Log(GAME, {"players": players})
    with pytest.raises(Illegal) as why:
        GAME.start({**fill_options(GAME.options, {}), "players": players})
    assert (why.value.ruling, why.value.why) == ("G-1", "player_count")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"first": 4}, "first"),
        ({"level": "master"}, "level"),
        ({"players": "many"}, "players"),
        ({"width": 599, "height": 450}, "area"),
        ({"width": 600, "height": 449}, "area"),
        ({"width": -1}, "width"),
        ({"piles": 5}, "piles"),
    ],
    ids=str,
)
def test_bad_options_are_named(options, name):
    with pytest.raises(BadOption) as bad:
        Log(GAME, {"players": 3, **options})
    assert bad.value.name == name


def test_the_first_player_is_chosen():
    assert begin(first=3).state.turn == 3


OWING = {"up": ((50, 53), ()), "fresh": (2, 0, 0, 0)}
REFUSED = [
    ("no card is laid after the end", "G-16", "out_of_order", {"stopped": True}, "play 20 up:1"),
    ("only four piles", "G-3", "out_of_order", {}, "play 20 row:1"),
    ("up goes up", "G-5", "wrong_direction", {"up": ((47,), ()), "bare": (46, 0, 0, 0)}, "play 46 up:1"),
    ("down goes down", "G-6", "wrong_direction", {"down": ((65,), ()), "bare": (0, 0, 98, 0)}, "play 98 down:1"),
    ("up goes up, far below", "G-5", "wrong_direction", {"up": ((47,), ()), "hands": (1, 2, 0)}, "play 20 up:1"),
    ("nine back is no trick", "G-8", "wrong_direction", {"up": ((47,), ()), "bare": (38, 0, 0, 0)}, "play 38 up:1"),
    ("eleven back is no trick", "G-8", "wrong_direction", {"up": ((47,), ()), "bare": (36, 0, 0, 0)}, "play 36 up:1"),
    ("nine up is no trick", "G-8", "wrong_direction", {"down": ((65,), ()), "bare": (0, 0, 74, 0)}, "play 74 down:1"),
    ("already laid", "G-10", "already_seen", {"up": ((37, 47), ())}, "play 37 up:2"),
    ("no card 0", "G-10", "not_in_deck", {}, "play 0 up:1"),
    ("a start card is no play", "G-10", "not_in_deck", {}, "play 100 up:1"),
    ("beyond the deck", "G-10", "not_in_deck", {}, "play 101 down:1"),
    ("two cards at least", "G-11", "min_not_met", {"up": ((9,), ()), "fresh": (1, 0, 0, 0)}, "done 1 1"),
    ("experts three", "G-22", "min_not_met", {"level": "expert"}, "done 1 2"),
    ("one with an empty deck", "G-14", "min_not_met", {"hands": (40, 40, 18)}, "done 1 0"),
    ("not his turn", "G-4", "not_your_turn", {}, "done 2 2"),
    ("fewer than seen", "G-12", "out_of_order", {"up": ((2, 3, 4), ()), "fresh": (3, 0, 0, 0)}, "done 1 2"),
    ("more than held", "G-21", "out_of_order", {}, "done 1 7"),
    ("minimum met", "G-16", "min_already_met", {"up": ((2, 3), ()), "fresh": (2, 0, 0, 0)}, "cannot 1"),
    ("another cannot", "G-4", "not_your_turn", {}, "cannot 2"),
    ("no verifying before the end", "G-18", "out_of_order", {}, "verify 20,30"),
    ("the whole hand", "G-18", "out_of_order", {"stopped": True}, "verify 20,30"),
    ("a laid card shown", "G-10", "already_seen", {"stopped": True, "up": ((20,), ())}, "verify 20,30"),
    ("a card shown twice", "G-10", "duplicate_card", {"stopped": True, "hands": (2, 6, 6)}, "verify 20,20"),
    ("nothing to resume", "G-18", "out_of_order", {"stopped": True}, "resume"),
    ("a card let go stays", "G-24", "already_seen", {"up": ((50,), ())}, "shift 50 up:2"),
    ("not at the table", "N-30", "out_of_order", {}, "leave 4"),
    ("gone already", "N-30", "out_of_order", {"gone": (2,)}, "leave 2"),
    ("nothing was asked", "G-10", "out_of_order", {"up": ((47,), ())}, "bare 50 up:1"),
    ("does not lie under", "G-5", "wrong_direction", {"up": ((47,), ())}, "under 46 48 up:1"),
    ("does not carry the top", "G-8", "wrong_direction", {"up": ((47,), ())}, "under 57 48 up:1"),
    ("a top that lies nowhere", "G-3", "out_of_order", {"up": ((), (30,))}, "under 41 43 up:2"),
    ("under a start card", "G-10", "not_in_deck", {"up": ((30,), ())}, "under 41 1 up:1"),
    ("two unseen cards beside one that is owed", "G-5", "wrong_direction", OWING | {"claimed": 3}, "under 28 53 up:1"),
    ("an unseen card beside one that nobody claimed", "G-5", "wrong_direction", OWING, "under 48 53 up:1"),
    ("over itself", "G-10", "out_of_order", {}, "over 30 30 up:1"),
    ("over what the record has", "G-10", "out_of_order", {"up": ((30, 40), ())}, "over 30 40 up:1"),
    ("over a card of another pile", "G-10", "already_seen", {"up": ((30,), (40,))}, "over 50 40 up:1"),
    ("over no card", "G-10", "not_in_deck", {"up": ((30,), ())}, "over 50 0 up:1"),
    ("over after the end", "G-16", "out_of_order", {"stopped": True}, "over 30 40 up:1"),
]


@pytest.mark.parametrize(("name", "ruling", "why", "where", "move"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused(name, ruling, why, where, move):
    with pytest.raises(Illegal) as refused:
        played(position(**where), move)
    assert not isinstance(refused.value, Unfinished)
    assert (refused.value.ruling, refused.value.why) == (ruling, why)
    assert why in WHYS


@given(st.integers(0, 3), st.integers(1, 100), st.integers(2, 99))
def test_fits_is_onward_or_back_by_ten(pile, top, card):
    onward = card > top if pile < 2 else card < top
    back = top - card if pile < 2 else card - top
    assert fits(pile, top, card) == (onward or back == 10)


def test_between_finds_every_single_card_that_could_lie_under():
    for pile in range(4):
        for top in range(2, 100, 3):
            piles = tuple((top,) if n == pile else () for n in range(4))
            state = position(up=piles[:2], down=piles[2:])
            for card in range(2, 100):
                if card == top or fits(pile, top, card):
                    continue
                oracle = [
                    x for x in range(2, 100) if x not in (top, card) and fits(pile, top, x) and fits(pile, x, card)
                ]
                assert list(list_hidden_steps(state, pile, card)) == oracle


def fewest_between(state, pile, lower, upper, most):
    """Lay every card that may be unseen, one after the other."""
    reached = {lower}
    for unseen in range(most + 1):
        if any(fits(pile, top, upper) for top in reached):
            return unseen
        cards = (card for card in range(2, 100) if card != upper and not state.is_laid(card))
        reached |= {card for card in cards if any(fits(pile, top, card) for top in reached)}
    return None


@given(
    st.integers(0, 3),
    st.integers(2, 99),
    st.integers(2, 99),
    st.sets(st.integers(2, 99), max_size=95),
    st.integers(1, 9),
)
def test_the_fewest_unseen_cards_between_two_are_counted(pile, lower, upper, laid, hands):
    laid = tuple(laid - {upper}) or (lower,)
    state = position(up=(laid, ()), hands=(hands, 0, 0))
    assert count_unseen_cards(state, pile, lower, upper) == fewest_between(state, pile, lower, upper, hands - 1)
    assert count_unseen_cards(state, pile, lower, upper, most=1) == fewest_between(state, pile, lower, upper, 1)


def test_of_two_owed_cards_the_upper_one_may_be_entered_first():
    """50, then 58 and 48 unseen, then 53: 58 does not carry 53, and 48 does not lie on 50."""
    state = played(position(**OWING), "done 1 4", "under 48 53 up:1", "under 58 48 up:1")
    assert (state.piles[0], state.owed) == ((50, 58, 48, 53), 0)


@pytest.mark.parametrize(
    ("said", "moves", "owed"),
    [
        pytest.param(3, ("under 48 53 up:1",), 1, id="48 lies on an unseen card: one more is owed than was said"),
        pytest.param(3, ("under 48 53 up:1", "under 58 48 up:1"), 0, id="that one is found: none is owed"),
        pytest.param(3, ("under 52 53 up:1", "under 42 53 up:1"), 0, id="42 lies on 52: none is owed"),
        pytest.param(4, ("under 48 53 up:1",), 1, id="both were said: one of them is owed"),
    ],
)
def test_what_is_found_may_prove_that_more_cards_were_laid_than_was_said(said, moves, owed):
    state = played(position(**OWING), f"done 1 {said}", *moves)
    assert (state.owed, state.claimed) == (owed, 2 + len(moves) + owed)


def test_the_last_word_about_two_cards_counts():
    state = played(position(up=((30,), ())), "over 50 40 up:1", "over 60 40 up:1", "over 40 50 up:1")
    assert state.said == ((60, 40), (40, 50))
    assert played(state, "play 40 up:1", "play 41 up:1", "done 1 2").said == ()


def test_what_lies_under_a_new_card_is_said_to_lie_below_it():
    state = position(up=((74,), ()))
    assert played(state, "under 75 65 up:1").said == ((65, 75),)
    assert played(state, "over 75 65 up:1", "under 75 65 up:1").said == ((65, 75),)
    assert played(state, "play 78 up:1", "under 76 78 up:1").said == ()


def test_under_a_card_that_was_asked_about_another_new_one_may_lie():
    """52 and 49 are in sight on 62, and 42 between them is not."""
    try:
        piles = played(position(up=((62,), ())), "under 42 49 up:1").piles
    except Illegal:
        piles = ()
    assert piles[:1] == ((62, 42),)


def test_a_card_that_lies_elsewhere_explains_nothing():
    """40 on 47 needs 37 or 50 between."""
    ask = position(up=((47,), ()))
    assert list_hidden_steps(ask, 0, 40) == (37, 50)
    assert list_hidden_steps(position(up=((47,), (37,))), 0, 40) == (50,)
    assert list_hidden_steps(position(up=((47,), (37,)), down=((50,), ())), 0, 40) == ()
    assert list_hidden_steps(position(up=((47,), ()), hands=(1, 0, 0)), 0, 40) == ()


def test_the_question_names_the_cards_that_answer_it():
    with pytest.raises(Unfinished) as asked:
        played(position(up=((47,), ())), "play 40 up:1")
    assert (asked.value.ruling, asked.value.why) == ("G-5", "wrong_direction")
    assert str(asked.value.text) == "show_card_under card=40 zone=up:1 maybe=37,50"


def test_drawing_and_turns():
    state = begin(*climbing([(1, 2), (2, 6), (3, 3)]), players=3).state
    assert (state.turn, state.hands, state.deck, state.drew) == (1, (6, 6, 6), 69, (3, 3))


def test_short_deck_gives_what_is_there_and_lowers_the_minimum_from_the_next_turn():
    state = position(up=(tuple(range(2, 78)), ()), hands=(6, 6, 6))
    assert (state.deck, count_minimum(state)) == (4, 2)
    state = played(state, *(f"play {c} up:1" for c in range(78, 83)))
    assert count_minimum(state) == 2
    state = played(state, "done 1 5")
    assert (state.deck, state.hands, state.turn, count_minimum(state)) == (0, (5, 6, 6), 2, 1)


def test_a_player_without_cards_is_skipped_and_the_game_goes_on():
    state = position(up=(tuple(range(2, 96)), ()), hands=(3, 0, 1), turn=1)
    assert not is_over(state)
    state = played(state, "play 96 up:1", "done 1 1")
    assert state.turn == 3
    state = played(state, "play 97 up:1")
    assert not is_over(state)
    state = played(state, "done 3 1", "play 98 up:1", "play 99 up:1")
    assert is_over(state)
    assert GAME.view(state).prompt.id == "game_beaten"
    assert GAME.view(state).winners == (0,)
    assert is_over(played(state, "done 1 2"))


def test_a_turn_cannot_be_ended_after_giving_up():
    with pytest.raises(Illegal, match="game_is_over"):
        played(position(**STUCK), "cannot 1", "done 1 2")


def test_with_an_empty_hand_the_next_card_is_the_next_players():
    state = begin(*(f"play {c} up:1" for c in range(2, 9)), players=3).state
    assert (state.turn, state.laid, state.hands, state.drew) == (2, 1, (6, 5, 6), (0, 0))


@pytest.mark.parametrize(("left", "name"), [(0, "beaten"), (1, "excellent"), (9, "excellent"), (10, "ended")])
def test_grades(left, name):
    assert grade_result(left) == name
    state = position(up=(tuple(range(2, 100 - left)), ()), hands=(left, 0, 0), stopped=left > 0)
    view = GAME.view(state)
    assert (view.prompt.id, view.ruling) == (f"game_{name}", "G-16" if left else "G-20")


STUCK = {"up": ((90,), (88,)), "down": ((12,), (20,)), "hands": (6, 6, 6)}


@pytest.mark.parametrize(
    ("hand", "wrongly"),
    [
        ("30,45,60,77,81,85", False),
        ("30,45,60,77,80,85", True),
        ("30,45,60,91,77,85", True),
        ("13,14,45,60,77,85", True),
    ],
)
def test_verification(hand, wrongly):
    state = played(position(**STUCK), "cannot 1", f"verify {hand}")
    view = GAME.view(state)
    assert is_over(state)
    assert bool(find_missed_play(state)) == wrongly
    assert [offer.move for offer in view.offers] == (["resume"] if wrongly else [])
    assert view.ruling == "G-18"
    assert (view.alert.id if view.alert else None) == ("stopped_early" if wrongly else None)
    assert [text.id for text in view.news] == ([] if wrongly else ["claim_true"])
    if wrongly:
        after = played(state, "resume")
        assert not is_over(after)
        assert replace(after, drew=(0, 0)) == position(**STUCK)


def test_cards_of_the_unfinished_turn_count():
    state = played(position(**STUCK), "play 91 up:1", "cannot 1")
    assert state.left == 98 - 5


def test_the_hand_of_a_player_who_left_stays_out_of_play():
    state = begin(*climbing([(1, 2), (2, 3)]), "play 7 up:1", "leave 3", players=3).state
    assert (state.turn, state.hands, state.deck, state.laid) == (1, (6, 6, 5), 98 - 6 - 17, 0)
    deck = state.deck
    state = played(state, "play 8 up:1", "play 9 up:1", "done 1 2", "play 10 up:1", "play 11 up:1", "done 2 2")
    assert (state.turn, state.deck) == (1, deck - 4)


def test_the_game_ends_when_all_cards_but_those_of_players_who_left_are_laid():
    state = position(up=(tuple(range(2, 94)), ()), hands=(1, 5, 0), gone=(2,))
    state = played(state, "play 99 up:1")
    assert is_over(state)
    assert GAME.view(state).prompt.id == "game_excellent"


def test_the_last_one_leaving_ends_it():
    assert is_over(begin("leave 1", players=1).state)


def test_a_claim_of_more_cards_waits_for_them():
    state = begin("play 20 up:1", "play 30 up:1", "done 1 3", players=2).state
    assert (state.turn, state.owed) == (1, 1)
    assert GAME.view(state).prompt.id == "show_unseen"
    state = played(state, "under 25 30 up:1")
    assert (state.owed, state.piles[0], state.hands) == (0, (20, 25, 30), (4, 7))
    assert played(state, "done 1 3").turn == 2


def test_a_wrong_claim_is_taken_back_by_claiming_again():
    state = begin("play 20 up:1", "play 30 up:1", "done 1 3", "done 1 2", players=2).state
    assert (state.turn, state.owed) == (2, 0)


def test_a_card_found_under_an_earlier_turn_was_drawn_for():
    state = begin(*climbing([(1, 2)]), "play 30 up:1", players=2).state
    found = played(state, "under 10 30 up:1")
    assert (found.hands, found.deck) == ((7, 5), state.deck)
    state = begin("play 20 up:1", "play 30 up:1", "done 1 2", players=2).state
    found = played(state, "under 25 30 up:1")
    assert (found.hands, found.deck, found.laid) == ((7, 7), state.deck - 1, 0)


def test_a_card_found_under_an_earlier_turn_without_a_deck_leaves_the_last_players_hand():
    state = position(up=(tuple(range(2, 80)), (98,)), down=((85,), ()), hands=(6, 6, 6), turn=2)
    assert state.deck == 0
    assert played(state, "under 97 98 up:2").hands == (5, 6, 6)


@pytest.mark.parametrize(
    ("level", "laid", "offers"),
    [
        pytest.param("standard", 1, ["cannot 1", "done 1 2", "done 1 3"], id="one of two was seen"),
        pytest.param("standard", 2, ["done 1 2", "done 1 3", "done 1 4"], id="enough were seen"),
        pytest.param("expert", 1, ["cannot 1", "done 1 3"], id="at the expert level one of three was seen"),
        pytest.param("expert", 2, ["cannot 1", "done 1 3", "done 1 4"], id="at the expert level two of three"),
        pytest.param("expert_small_hand", 3, ["done 1 3", "done 1 4", "done 1 5"], id="with a smaller hand, all"),
        pytest.param("standard", 6, ["done 1 6", "done 1 7"], id="with one card left in the hand"),
        pytest.param("standard", 7, ["done 1 7"], id="with no card left in the hand"),
    ],
)
def test_the_end_of_a_turn_is_offered_with_as_many_unseen_cards_as_are_missing(level, laid, offers):
    state = begin(*(f"play {card} up:1" for card in range(10, 10 + laid)), players=2, level=level).state
    assert [offer.move for offer in GAME.view(state).offers] == offers


def test_every_offer_can_be_taken():
    for seed in range(20):
        for state in match(seed)[1].states:
            for offer in GAME.view(state).offers:
                GAME.play(state, GAME.parse(offer.move))


def match(seed, **options):
    rng = random.Random(seed)
    options = {"players": rng.randrange(1, 6), "level": rng.choice(LEVELS), **options}
    players, log = Players(options, rng), Log(GAME, options)
    while move := players.next(log.state):
        log = log.add(move)
    return players, log


@pytest.mark.parametrize("seed", range(60))
def test_whole_matches(seed):
    players, log = match(seed)
    state = log.state
    assert is_over(state)
    for state in log.states:
        assert state.deck >= 0
        assert state.total + state.deck + sum(state.hands) == 98
        assert all(0 <= n <= 8 for n in state.hands)
    assert state.deck == len(players.deck)
    assert state.hands == tuple(map(len, players.hands.values()))
    assert Log(GAME, log.options, tuple(log.parse(str(move)) for move in log.moves)).states == log.states
    assert {type(move) for move in log.moves} <= set(MOVES)


@given(
    st.tuples(st.integers(1, 99), st.integers(1, 99), st.integers(2, 100), st.integers(2, 100)),
    st.sets(st.integers(2, 99), max_size=5),
    st.integers(1, 3),
)
def test_verification_tries_every_order_on_every_pile(tops, hand, need):
    def reachable(tops, cards):
        if not cards:
            return True
        onto = (pile for pile in range(4) if fits(pile, tops[pile], cards[0]))
        return any(reachable((*tops[:pile], cards[0], *tops[pile + 1 :]), cards[1:]) for pile in onto)

    found = find_way(tops, frozenset(hand), need)
    assert (found is not None) == any(reachable(tops, order) for order in permutations(hand, need))
    for card, pile in found or ():
        assert fits(pile, tops[pile], card)
        tops = (*tops[:pile], card, *tops[pile + 1 :])


@pytest.mark.parametrize("seed", range(20))
def test_the_referee_follows_every_match(seed):
    log = match(seed)[1]
    past = Log(GAME, log.options)
    for move, after in zip(log.moves, log.states[1:], strict=True):
        here = GAME.place(past.state, GAME.layout(past.state))
        assert judge(past, here) == Follows(())
        there = judge(past, GAME.place(past.state, GAME.layout(after)))
        assert there == Follows((move,) if isinstance(move, Play) else ())
        past = past.add(move)


@pytest.mark.parametrize("seed", range(20))
def test_cards_on_two_piles_may_come_in_either_order(seed):
    log = match(seed)[1]
    for before, one, other, after in zip(log.states, log.moves, log.moves[1:], log.states[2:], strict=False):
        if isinstance(one, Play) and isinstance(other, Play) and one.pile != other.pile:
            assert GAME.play(GAME.play(before, other), one) == after


def test_two_piles_in_either_order_are_one_state():
    assert begin("play 20 up:1", "play 90 down:2").state == begin("play 90 down:2", "play 20 up:1").state


def test_an_amended_card_is_judged_with_all_later_ones():
    log = begin("play 20 up:1", "play 30 up:1", "done 1 2", "play 35 up:1", players=2)
    assert log.amend(1, 2, Play(33, "up:1")).state.piles[0] == (20, 33, 35)
    with pytest.raises(BrokenLog) as broken:
        log.amend(1, 2, Play(80, "up:1"))
    assert (broken.value.index, broken.value.ruling) == (3, "G-5")


ADOPTED = [
    ("a lone top is always possible", {"up:1": ("12",)}, None),
    ("anything may lie under the top", {"up:1": ("20", "30", "15")}, None),
    ("a start card is an empty pile", {"up:1": ("1",)}, None),
    ("one card twice", {"up:1": ("20", "30"), "up:2": ("30",)}, ("G-10", "duplicate_card")),
    ("no card of the game", {"up:1": ("20", "104")}, ("G-10", "not_in_deck")),
    ("not a card at all", {"up:1": ("red",)}, ("G-10", "not_in_deck")),
    ("a start card on the wrong pile", {"up:1": ("100",)}, ("G-10", "not_in_deck")),
    ("an up pile that falls", {"up:1": ("50", "20", "60")}, ("G-5", "wrong_direction")),
    ("a down pile that rises", {"down:1": ("20", "50", "10")}, ("G-6", "wrong_direction")),
    ("a trick missed by one", {"down:1": ("20", "31", "10")}, ("G-8", "wrong_direction")),
    ("no such pile", {"row:1": ("20",)}, ("G-3", "out_of_order")),
]


@pytest.mark.parametrize(("name", "zones", "refused"), ADOPTED, ids=[a[0] for a in ADOPTED])
def test_adopt(name, zones, refused):
    state = begin("play 20 up:1", "play 30 up:1", players=2).state
    if refused:
        with pytest.raises(Illegal) as why:
            GAME.adopt(state, Layout(zones))
        assert (why.value.ruling, why.value.why) == refused
        return
    after = GAME.adopt(state, Layout(zones))
    assert after.total + after.deck + sum(after.hands) == 98
    assert after.total == len([c for held in zones.values() for c in held if c != "1"])


def test_adopted_cards_are_the_running_turns():
    log = begin("play 20 up:1", "play 30 up:1", players=2)
    came = log.add(Adopt((("up:1", ("20", "30", "40")), ("down:1", ("70",)))))
    assert (came.state.laid, came.state.hands, came.state.deck) == (4, (3, 7), 84)
    went = log.add(Adopt((("up:1", ("20",)),)))
    assert (went.state.laid, went.state.hands, went.state.deck) == (1, (6, 7), 84)
    older = begin("play 20 up:1", "play 30 up:1", "done 1 2", players=2).add(Adopt(()))
    assert (older.state.laid, older.state.hands, older.state.deck) == (0, (7, 7), 84)
    assert log.parse(str(came.moves[-1])) == came.moves[-1]


@pytest.mark.parametrize(
    ("ended", "owners", "hands", "deck"),
    [
        pytest.param(False, {}, (6, 7), 84, id="of this turn, in a hand: that of the turn"),
        pytest.param(False, {"pile:1": ("30",)}, (6, 7), 84, id="of this turn, in the hand of its player"),
        pytest.param(False, {"pile:2": ("30",)}, (5, 8), 84, id="of this turn, in the hand of another one"),
        pytest.param(True, {}, (7, 7), 83, id="of an earlier turn: in the deck"),
        pytest.param(True, {"pile:2": ("30",)}, (7, 8), 82, id="of an earlier turn, in a hand"),
    ],
)
def test_a_card_that_went_is_in_the_hand_of_the_player_who_has_it(ended, owners, hands, deck):
    log = begin("play 20 up:1", "play 30 up:1", *(["done 1 2"] if ended else []), players=2)
    after = GAME.adopt(log.state, Layout({"up:1": ("20",), **owners}))
    assert (after.piles[0], after.hands, after.deck) == ((20,), hands, deck)


@pytest.mark.parametrize("owners", [{"pile:3": ("30",)}, {"pile:x": ("30",)}, {"pile:1": ("20",)}, {"pile:1": ("40",)}])
def test_nobody_has_a_card_that_is_not_gone(owners):
    log = begin("play 20 up:1", "play 30 up:1", players=2)
    with pytest.raises(Illegal):
        GAME.adopt(log.state, Layout({"up:1": ("20",), **owners}))


def test_adopting_a_wrong_top_does_not_forbid_adopting_later():
    log = begin("play 47 up:1", players=2).add(Adopt((("up:1", ("47", "46")),)))
    assert log.add(Adopt((("up:1", ("47", "46", "50", "51")),))).state.laid == 4


@pytest.mark.parametrize("size", [LEAST_AREA_MM, (700, 460), (900, 600), (1200, 450)])
def test_piles_lie_apart_with_room_for_a_card(size):
    plan = GAME.plan({**fill_options(GAME.options, {}), "width": size[0], "height": size[1]})
    areas = list(plan.zones.values())
    assert tuple(plan.zones) == PILES
    for n, area in enumerate(areas):
        assert area.right - area.left >= 62 + 30
        assert area.bottom - area.top >= 92 + 30
        assert 0 <= area.left < area.right <= size[0]
        assert 0 <= area.top < area.bottom <= size[1]
        assert not any(area.overlaps(other) for other in areas[n + 1 :])
