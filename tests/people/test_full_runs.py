"""A run of people plans each agreement, goes on where it stopped, and tells what it has not shown."""

from collections import Counter
from pathlib import Path

import pytest

from tests.people import __main__ as run
from tests.people.agreements import AGREEMENTS
from tests.people.evenings import KeptEvenings, PlannedEvening, list_missing, plan_flows, plan_fools
from tests.people.flows import FlowsReport
from tests.people.people_page import format_flows, name_verdict

EVENING = PlannedEvening("flows", 7, "SIX", 2)
RIGHT = FlowsReport(Counter({"new game": 1, "pause": 1}), scores=3, ended=1)


@pytest.fixture
def played(monkeypatch):
    """The evenings that are really played, in their order; each of them is right."""
    some = []

    def play(evening):
        some.append(evening)
        return "right" if not evening.agreement else FlowsReport(Counter({"pause": evening.count}), scores=1, ended=1)

    monkeypatch.setattr(PlannedEvening, "play", play)
    return some


def test_each_agreement_has_its_turn_with_both_crowds():
    planned = [*plan_flows("flows", 1000, 420, 14)]
    assert sum(evening.count for evening in planned) == 420
    assert {(it.agreement, it.crowd) for it in planned} == {(n, c) for n in AGREEMENTS for c in ("texts", "words")}


def test_what_was_kept_is_what_was_shown(tmp_path: Path):
    kept = KeptEvenings(tmp_path, "key")
    fool = PlannedEvening("fool", 7)
    assert list_missing((EVENING, fool), kept) == [EVENING, fool]
    kept.keep(EVENING, RIGHT)
    kept.keep(fool, "stuck: why")
    assert (kept.load(EVENING), kept.load(fool)) == (RIGHT, "stuck: why")
    assert KeptEvenings(tmp_path, "other sources").load(EVENING) is None


def test_a_file_that_was_cut_off_is_played_again(tmp_path: Path):
    kept = KeptEvenings(tmp_path, "key")
    kept.keep(EVENING, RIGHT)
    (file,) = (tmp_path / "key").iterdir()
    file.write_text(file.read_text()[:9])
    assert kept.load(EVENING) is None


def test_a_full_run_goes_on_where_it_was_stopped_and_writes_its_page(tmp_path: Path, played, capsys):
    told = ("--full", f"--kept={tmp_path / 'kept'}", f"--page={tmp_path / 'people.md'}")
    assert run.main((*told, "--shard=1/2")) == 0
    assert not (tmp_path / "people.md").exists()
    assert run.main(told) == 0
    assert len(played) == len(set(played)) == 15 + 4 + 500 + 20
    page = (tmp_path / "people.md").read_text()
    assert "- the bar: met" in page
    assert "with a fool: 500 evenings, 500 right; wrong or stuck 0 (95 % bound <= 0.60%)" in page


@pytest.mark.parametrize(
    ("shown", "code"),
    [(RIGHT, 0), (FlowsReport(Counter(pause=2), stuck=["x"], ended=1), 1), (FlowsReport(Counter(pause=2)), 1),
     (FlowsReport(Counter(pause=2), wrong=["x"], ended=1), 1), (FlowsReport(Counter(pause=1), ended=1), 1)],
    ids=["right", "stuck", "no-end-page", "a-wrong-score", "too-few-flows"],
)  # fmt: skip
def test_a_bar_that_is_missed_fails_the_run(monkeypatch, shown, code, capsys):
    monkeypatch.setattr(PlannedEvening, "play", lambda evening: shown)
    monkeypatch.setattr(run, "plan", lambda args: [EVENING])
    assert run.main(("--quick",)) == code


def test_a_fool_may_end_few_games_only(monkeypatch, capsys):
    planned = [*plan_fools("fool", 0, 100)]
    monkeypatch.setattr(run, "plan", lambda args: planned)
    monkeypatch.setattr(PlannedEvening, "play", lambda evening: "given up" if evening.seed < 3 else "right")
    assert run.main(("--quick",)) == 1
    monkeypatch.setattr(PlannedEvening, "play", lambda evening: "given up" if evening.seed < 2 else "right")
    assert run.main(("--quick",)) == 0


def test_a_flow_that_was_never_gone_through_is_a_dot():
    lines = [*format_flows({"SIX": RIGHT})]
    assert "pause                                1    1" in lines
    assert "undo                                 .    0" in lines


def test_evenings_that_are_not_played_are_named():
    assert name_verdict(holds=False, left=3, total=9) == "3 of 9 evenings are not played yet"
