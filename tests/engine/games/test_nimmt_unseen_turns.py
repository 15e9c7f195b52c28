"""A whole turn of 6 nimmt! laid under hands while players show their next cards: it waits, is asked, accuses nobody."""

import random
from dataclasses import replace

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.log import Log
from engine.referee import Follows, Refused, Waiting, judge
from tests.support.nimmt import GAME, Hint, begin, look, script

ROWS = ((5, 8, 53), (91,), (4,), (84,))
LATER = ((5, 8, 53), (91,), (4, 15, 20, 38), (84,))
"""The same rows after a whole turn of three players, whose next cards are 45, 46 and 49."""


def see_beside_glare(log, rows, seats, zone):
    """The cards of the hidden zone are in sight."""
    return replace(look(log, rows, seats), unseen=look(log, rows, seats, hide=[zone]).unseen)


def test_a_whole_turn_laid_in_a_hidden_row_is_asked_about_when_the_row_is_seen_and_the_next_card_waits():
    log = begin(((60,), (88,), (4,), (64,)))
    script(
        log,
        (look(log, ((60,), (), (4,), (64,)), {1: 61, 2: 99}, hide=["row:2"]), Hint("N-6", "cannot_see")),
        (look(log, ((60,), (88, 90, 91), (4,), (64,)), {1: 61, 2: 99}), Hint("N-5", "whose_card")),
    )


@pytest.mark.parametrize(
    ("lines", "seats", "moves"),
    [(("choose 1",), {1: 61}, ("reveal 1 61",)), (("reveal 1 61",), {1: 61, 2: 99}, ("reveal 2 99",))],
    ids=["a card that was seen face down", "a card beside one of this turn"],
)
def test_a_card_that_is_of_this_turn_for_certain_is_read_also_while_a_row_is_hidden(lines, seats, moves):
    log = begin(((60,), (88,), (4,), (64,)), players=3)
    log = log.add(*map(log.parse, lines))
    script(log, (look(log, ((60,), (), (4,), (64,)), seats, hide=["row:2"]), moves))


@pytest.mark.parametrize("rows", [((60,), (88,), (4,), (64,)), ((60,), (88,), (4,), ())], ids=["at rest", "one lifted"])
def test_a_row_whose_cards_are_in_sight_beside_glare_stops_no_game(rows):
    log = begin(((60,), (88,), (4,), (64,)))
    script(log, (see_beside_glare(log, rows, {1: 61}, "row:2"), ("reveal 1 61",)))


def test_a_row_of_which_a_card_is_in_sight_holds_no_more_cards_than_it_has_room():
    log = begin(((60,), (10, 20, 30), (4,), (64,)), players=3)
    script(
        log,
        (look(log, ((60,), (), (4,), (64,)), {1: 61}, hide=["row:2"]), Hint("N-6", "cannot_see")),
        (see_beside_glare(log, ((60,), (10,), (4,), (64,)), {1: 61}, "row:2"), ("reveal 1 61",)),
    )


@pytest.mark.parametrize(
    ("shown", "seats", "hide"),
    [
        (("reveal 1 45",), {1: 45, 2: 46, 3: 49}, ()),
        (("reveal 1 45", "reveal 2 46"), {1: 45, 2: 46}, ()),
        (("reveal 1 45", "reveal 2 46", "reveal 3 49"), {1: 45, 2: 46, 3: 49}, ()),
        (("reveal 3 38", "reveal 1 45"), {1: 45, 2: 46, 3: 49}, ()),
        (("reveal 1 45",), {1: 45, 2: 46}, ["seat:1"]),
        (("reveal 1 45", "reveal 3 49"), {1: 45}, ["seat:3"]),
    ],
    ids=["one", "two", "all", "one beside a card of this turn", "one at a hidden seat", "one is hidden"],
)
def test_cards_recorded_for_this_turn_are_asked_about_when_a_whole_turn_lies_in_the_rows(shown, seats, hide):
    log = begin(ROWS, players=3)
    log = log.add(*map(log.parse, shown))
    table = look(log, LATER, seats, hide=hide)
    script(log, (table, Hint("N-6", "is_of_next_turn")))
    assert str(judge(log, table).hint.text).startswith("is_of_next_turn piece=15 card=45")


def test_cards_of_the_next_turn_are_read_when_the_owners_of_this_one_are_known():
    log = begin(ROWS, players=3).add(m.Reveal(1, 45))
    table = look(log, LATER, {1: 45, 2: 46, 3: 49})
    log = log.add(m.Later((45,)))
    script(log, (table, Hint("N-5", "whose_card")))
    log = log.add(m.Reveal(1, 20), m.Reveal(2, 38))
    moves = ("reveal 3 15", "lay 15 3", "lay 20 3", "lay 38 3", "reveal 1 45", "reveal 2 46", "reveal 3 49")
    verdict = judge(log, table)
    assert isinstance(verdict, Follows)
    assert sorted(map(str, verdict.moves)) == sorted(moves)


@pytest.mark.parametrize(
    ("rows", "seats"),
    [
        (((5, 8, 53), (91,), (4, 15), (84,)), {1: 45}),
        (((5, 8, 53), (91,), (4, 20, 15, 38), (84,)), {1: 45}),
        (((5, 8, 53, 15), (91,), (4, 20, 38), (84,)), {1: 45}),
        (((5, 8, 53), (91,), (4, 15, 20, 38, 39), (84,)), {1: 45}),
    ],
    ids=["too few cards", "out of order", "a wrong row", "too many cards"],
)
def test_cards_to_which_no_turn_leads_are_not_asked_about(rows, seats):
    log = begin(ROWS, players=3).add(m.Reveal(1, 45))
    verdict = judge(log, look(log, rows, seats))
    assert verdict.hint.text.id if isinstance(verdict, Waiting) else "" != "is_of_next_turn"


@pytest.mark.parametrize(
    ("lines", "cards", "why"),
    [
        (("reveal 1 45",), (46,), "not_shown"),
        (("reveal 1 9", "reveal 2 45", "lay 9 1"), (45,), "not_now"),
        ((), (45,), "not_shown"),
    ],
    ids=["a card that is not shown", "a turn of which a card was laid", "no card is shown"],
)
def test_only_cards_shown_in_a_turn_of_which_none_was_laid_are_of_the_next_turn(lines, cards, why):
    log = begin(((5,), (91,), (4,), (84,)))
    log = log.add(*map(log.parse, lines))
    with pytest.raises(Illegal) as refused:
        log.add(m.Later(cards))
    assert refused.value.text.id == why


# the second examiner: people who play by the rules, and know nothing of the referee


def lay_turn(rng, rows, cards):
    """Lay the cards as the rules say; True if none was taken again in this turn."""
    laid = set()
    kept = True
    for card in sorted(cards):
        below = [row for row in rows if row[-1] < card]
        row = max(below, key=lambda row: row[-1]) if below else rng.choice(rows)
        if not below or len(row) == 5:
            kept = kept and laid.isdisjoint(row)
            row.clear()
        row.append(card)
        laid.add(card)
    return kept


def tell_owner(log, verdict, owners):
    """The log with the true answer to the question, or as it is."""
    if not isinstance(verdict, Waiting) or verdict.hint is None:
        return log
    asked = verdict.hint.text
    if asked.id == "is_of_next_turn":
        return log.add(m.Later(asked.get("maybe")))
    if asked.id == "whose_card":
        return log.add(*verdict.before, m.Reveal(owners[asked.get("card")], asked.get("card")))
    if asked.id == "unless_all_shown":
        missing = [(player, card) for card, player in owners.items() if not log.state.shown[player - 1]]
        return log.add(m.Reveal(*missing[0])) if missing else log
    return log


def read_looks(log, tables, owners):
    for table in tables:
        for _ in range(40):
            verdict = judge(log, table)
            assert not isinstance(verdict, Refused), (log.entries, verdict)
            after = log.add(*verdict.moves) if isinstance(verdict, Follows) else tell_owner(log, verdict, owners)
            if after is log or after.state == log.state:
                break
            log = after
    return log


@pytest.mark.parametrize("seed", range(60))
def test_cards_shown_after_a_turn_under_hands_accuse_nobody_and_the_rows_end_right(seed):
    rng = random.Random(seed)
    players = rng.choice([2, 3, 4])
    deck = rng.sample(range(1, 105), 60)
    rows = [[deck.pop()] for _ in range(4)]
    for _ in range(rng.randint(0, 2)):
        lay_turn(rng, rows, [deck.pop() for _ in range(players)])
    log = begin(rows, players=players)
    before = [tuple(row) for row in rows]
    kept = False
    while not kept:  # of a card that is laid and taken under the hand the referee cannot know
        rows = [list(row) for row in before]
        owners = {card: player for player, card in enumerate(rng.sample(deck[:-players], players), 1)}
        kept = lay_turn(rng, rows, owners)
    coming = {player: deck[-player] for player in range(1, players + 1)}
    for card, player in rng.sample(sorted(owners.items()), rng.choice([0, 0, 1])):
        log = log.add(m.Reveal(player, card))
    touched = [f"row:{r}" for r, (old, new) in enumerate(zip(before, rows, strict=True), 1) if old != tuple(new)]
    early = dict(rng.sample(sorted(coming.items()), rng.randint(1, players)))
    dark = look(log, rows, early, hide=touched)
    if rng.random() < 0.3:  # a part of what is under the hand is seen all the same
        dark = replace(dark, seen=dark.seen | set(rng.sample(sorted(look(log, rows, early).seen, key=str), 2)))
    tables = (dark, look(log, rows, early))
    log = read_looks(log, tables, owners)
    assert [log.state.row(r) for r in range(1, 5)] == [tuple(row) for row in rows]
    assert {p: card for p, card in enumerate(log.state.shown, 1) if card} == early


def test_the_declared_move_is_read_from_its_own_text():
    log = Log(GAME, {"players": 2})
    assert log.parse("later 45,46") == m.Later((45, 46))
