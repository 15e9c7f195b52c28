"""The plan of the matches covers every kind of mistake, and every missed bar is reported."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from tests.matches.match import Match
from tests.matches.mistake_kinds import MISTAKE_KINDS
from tests.matches.plan import MatchCase, Planter, list_possible_mistakes, plan_mistakes
from tests.matches.report import (
    CLOCK_TOLERANCE_S,
    MAX_ACCEPT_S,
    MAX_REFUSE_S,
    MatchResult,
    format_line,
    list_missed_bars,
)
from tests.matches.run import MATCHES, QUICK_MATCHES

WIDE = {"width": 900, "height": 600}
PILES = MatchCase("piles", "thegame", {"players": 2, **WIDE}, 9)
ROWS = MatchCase("rows", "nimmt", {"players": 2, "end": "rounds", "rounds": 1, **WIDE}, 1)


def test_possible_mistakes_are_the_same_every_time():
    assert list_possible_mistakes(ROWS) == list_possible_mistakes(ROWS)
    assert len(list_possible_mistakes(ROWS)) > 20


def test_every_possible_kind_is_planned_as_often_as_asked():
    planned = plan_mistakes((PILES, ROWS), 5)
    planned = Counter(kind for match in planned.values() for kinds in match.values() for kind in kinds)
    can_be = {kind for given in (PILES, ROWS) for kinds in list_possible_mistakes(given).values() for kind in kinds}
    assert planned == dict.fromkeys(can_be, 5)


def test_a_planned_mistake_is_made_at_its_move_or_at_the_next_possible_one():
    planned = plan_mistakes((ROWS,), 2)["rows"]
    planter, log, players, made = Planter(ROWS, planned), ROWS.log(), ROWS.players(), Counter()
    while (move := players.next(log.state)) is not None:
        kinds = [mistake.kind for mistake in planter(log, move, players.hands)]
        due = [kind for number, planned in planned.items() if number <= len(log.moves) for kind in planned]
        assert not Counter(kinds) + made - Counter(due)
        made.update(kinds)
        log = log.add(move)
    assert sum(made.values()) + len(planter.left) == sum(map(len, planned.values()))
    assert len(planter.left) <= sum(made.values()) / 20


def test_the_matches_cover_every_game_and_variant_with_fewest_and_most_players():
    played = {
        (given.game, how.get("variant") or how.get("level") or "", how.get("players", 2))
        for given, how in ((given, given.options) for given in MATCHES)
    }
    wanted = {("nimmt", "", n) for n in (2, 10)} | {("nimmt", "professional", n) for n in (2, 6)}
    wanted |= {("nimmt", "halves", n) for n in (4, 7)} | {("nimmt", "anniversary", n) for n in (2, 8)}
    wanted |= {("thegame", level, n) for level in ("", "expert", "expert_small_hand") for n in (2, 5)}
    assert played >= wanted | {("six", "", 2)}
    assert {g.game for g in QUICK_MATCHES} == {"nimmt", "thegame", "six"}


def test_every_kind_of_mistake_is_planned_in_the_matches():
    planned = {kind for match in plan_mistakes(MATCHES, 1).values() for kinds in match.values() for kind in kinds}
    assert planned == set().union(*MISTAKE_KINDS.values())


GOOD = replace(
    MatchResult("good", right=True, frames=10, with_arms=8),
    planted={"a": 20},
    caught={"a": 20},
    legal=[0.4],
    refused=[1.2],
)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"caught": {"a": 19}}, "a: 19 of 20 caught"),
        ({"planted": {"a": 20, "b": 3}, "caught": {"a": 20, "b": 3}}, "b: only 3 planted"),
        ({"accused": 1}, "good: 1 false accusations"),
        ({"right": False}, "good: the log or the scores are wrong"),
        ({"wrong": ["something"]}, "good: 1 deviations"),
        ({"legal": [0.4, 0.6]}, "accepted later than 0.4 s"),
        ({"refused": [1.4]}, "named later than 1.2 s"),
        ({"computing": [0.05]}, "computing takes 50 ms"),
        ({"with_arms": 3}, "no match with an arm"),
    ],
    ids=["missed", "too-few", "accused", "wrong-record", "odd", "late", "slow", "computing", "arms"],
)
def test_a_missed_bar_is_reported(change, says):
    assert list_missed_bars([GOOD], 20, kinds=(), pairs=0, arms=True) == []
    missed = list_missed_bars([replace(GOOD, **change)], 20, kinds=(), pairs=0, arms=True)
    assert len(missed) == 1
    assert says in missed[0]


def test_a_kind_that_was_never_planted_is_reported():
    missed = list_missed_bars([GOOD], 20, kinds=("never seen", *GOOD.planted), pairs=0, arms=True)
    assert missed == ["never seen: only 0 planted"]


def test_too_few_pairs_are_reported():
    assert list_missed_bars([GOOD], 20, kinds=(), pairs=10, arms=True) == ["fewer than 10 pairs of cards on one pile"]


def test_a_match_has_its_line():
    assert format_line(GOOD).split()[:3] == ["good", "0", "20/20/0"]
    assert "right" in format_line(GOOD)


def test_a_match_is_read_from_frames_and_its_mistake_is_named(tmp_path, monkeypatch):
    match = Match(ROWS, Planter(ROWS, {5: ("behind a higher end",)}), tmp_path)
    acts = match.table.acts
    monkeypatch.setattr(match.table, "acts", lambda: islice(acts(), 24))
    result = match.play()
    assert match.log.state in match.table.truth.states
    assert len(match.log.moves) >= 5
    assert result.caught == result.planted == {"behind a higher end": 1}
    assert max(result.refused) < MAX_REFUSE_S + CLOCK_TOLERANCE_S
    assert max(result.legal) < MAX_ACCEPT_S + CLOCK_TOLERANCE_S
