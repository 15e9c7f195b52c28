"""The examiner finds a referee that is wrong: each case is one bug of a tiny wrong referee."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.advice import Act
from engine.games.nimmt.moves import Lay
from engine.log import Log
from engine.referee import Follows, Refused, Verdict, Waiting, judge
from engine.table import Table
from tests.tabletop import nimmt_examiner
from tests.tabletop.nimmt_examiner import Examiner, Stuck
from tests.tabletop.nimmt_faults import lay_in_wrong_row, lose_row_card, turn_again
from tests.tabletop.nimmt_people import People
from tests.tabletop.nimmt_trials import try_fault
from tests.tabletop.nimmt_truth import Truth

Judge = Callable[[Log[Any, Any], Table], Verdict[Any]]


def seat_two(monkeypatch: pytest.MonkeyPatch, wrong: Judge | None = None) -> People:
    """Two players with 44 and 60 shown behind 10, 30, 50, 70, and from now on this referee."""
    rng = Random(1)
    examiner = Examiner({"players": 2}, Truth([1, 2]), rng, "test")
    people = People(examiner, {1: [44, 81], 2: [60, 82]}, {1: 1, 2: 2}, rng)
    examiner.truth.deal([10, 30, 50, 70])
    for row, card in enumerate((10, 30, 50, 70), 1):
        examiner.felt.put(str(card), f"row:{row}")
    examiner.look(rest=True)
    examiner.truth.begin_turn()
    for player, card in ((1, 44), (2, 60)):
        examiner.felt.put(str(card), people.seat(player))
        examiner.truth.show(player, card)
    examiner.look(rest=True)
    if wrong is not None:
        monkeypatch.setattr(nimmt_examiner, "judge", wrong)
    return people


def lay_first(people: People) -> None:
    for _ in people.slot(1, 44):
        pass


def test_an_honest_referee_has_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    people = seat_two(monkeypatch)
    lay_first(people)
    people.examiner.look(rest=True)
    assert not people.examiner.failures
    assert people.examiner.known == 1


def records_another_row(log: Log[Any, Any], table: Table) -> Verdict[Any]:
    return Follows((Lay(44, 3),))


def refuses_everything(log: Log[Any, Any], table: Table) -> Verdict[Any]:
    return Refused((("44", "row:2"),), ())


def waits_for_ever(log: Log[Any, Any], table: Table) -> Verdict[Any]:
    return Waiting(())


def sees_nothing_new(log: Log[Any, Any], table: Table) -> Verdict[Any]:
    return Follows(())


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (records_another_row, "wrong record"),
        (refuses_everything, "accusation"),
        (waits_for_ever, "dead end"),
        (sees_nothing_new, "dead end"),
    ],
)
def test_a_wrong_verdict_on_a_legal_card(wrong: Judge, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    people = seat_two(monkeypatch, wrong)
    lay_first(people)
    with pytest.raises(Stuck):
        people.examiner.look(rest=True)
    assert people.examiner.counts[kind] == 1


def advises(*acts: Act) -> Judge:
    """A referee that notices every fault and gives this advice for it."""

    def judge_badly(log: Log[Any, Any], table: Table) -> Verdict[Any]:
        verdict = judge(log, table)
        return replace(verdict, cure=acts) if isinstance(verdict, Refused) else verdict

    return judge_badly


@pytest.mark.parametrize(
    "acts",
    [
        pytest.param((), id="no act at all"),
        pytest.param((Act("44", "row:9", "seat:1"),), id="the card does not lie there"),
        pytest.param((Act("10", "row:1", "row:2"),), id="it leads to no table that is accepted"),
        pytest.param((Act("83", "", "row:2"),), id="a card that nobody has"),
        pytest.param((Act("10", "row:1", ""), Act("10", "", "row:1")), id="more acts than are needed"),
    ],
)
def test_misleading_advice(acts: tuple[Act, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    people = seat_two(monkeypatch, advises(*acts))
    try_fault(people, [lay_in_wrong_row])
    assert people.examiner.counts["misleading advice"] == 1
    assert people.examiner.counts["cure"] == 0


@pytest.mark.parametrize("fault", [turn_again, lose_row_card])
def test_a_fault_that_nobody_hears_of(fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    people = seat_two(monkeypatch)
    lay_first(people)
    people.examiner.look(rest=True)
    monkeypatch.setattr(nimmt_examiner, "judge", sees_nothing_new)
    try_fault(people, [fault])
    assert people.examiner.counts["dead end"] == 1


def test_after_a_fault_everything_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    people = seat_two(monkeypatch)
    before = people.examiner.felt.in_words()
    try_fault(people, [lay_in_wrong_row])
    assert people.examiner.felt.in_words() == before
    assert people.examiner.log.moves[-1] == people.examiner.log.parse("reveal 2 60")
