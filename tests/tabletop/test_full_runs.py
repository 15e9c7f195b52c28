"""A full run goes on where it stopped, counts nothing twice and nothing of other sources, and writes its section."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tabletop import __main__ as run
from tests.tabletop.kept_rounds import Chunk, KeptRounds
from tests.tabletop.proof_page import FullRun, format_section, replace_section

WANTED = 20
ORDER = ("nimmt", "anniversary", "six")
Examine = Callable[..., int]


class OneGame:
    """An examination that counts what it is asked to play."""

    VARIANTS = ("base", "halves")

    def __init__(self, fault: str = "") -> None:
        self.played: list[int] = []
        self.fault = fault

    def play_round(self, seed: int, variant: str) -> tuple[Counter[str], list[str]]:
        self.played.append(seed)
        counts = Counter({"rounds": 1, "looks": 10, "cure": 2})
        if self.fault:
            counts[self.fault] += 1
        return counts, [f"{self.fault} · seed {seed}"] if self.fault else []


@pytest.fixture
def examine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examine:
    monkeypatch.setattr(run, "ProcessPoolExecutor", ThreadPoolExecutor)
    monkeypatch.setitem(run.SAMPLES, "nimmt", replace(run.SAMPLES["nimmt"], wanted=WANTED))

    def examine_with(game: OneGame, *words: str) -> int:
        monkeypatch.setattr(run, "load", lambda name: game)
        told = ("--game=nimmt", f"--kept={tmp_path / 'kept'}", f"--page={tmp_path / 'proofs/referee.md'}")
        return run.main((*told, *words))

    return examine_with


def test_a_run_goes_on_where_it_was_stopped(examine: Examine) -> None:
    first, second = OneGame(), OneGame()
    examine(first, "--full", "--rounds=20", "--shard=1/2")
    assert examine(second, "--full", "--rounds=20") == 0
    assert sorted(first.played + second.played) == list(range(run.FULL_FIRST, run.FULL_FIRST + 20))


def test_the_page_has_the_seeds_the_counts_and_the_bounds(examine: Examine, tmp_path: Path) -> None:
    examine(OneGame(), "--full", "--rounds=20", "--first=70")
    page = (tmp_path / "proofs/referee.md").read_text()
    assert "seeds: 70 to 89" in page
    assert "the bar is met, in 20 rounds of the 20" in page
    assert "wrong record           0 of     20 rounds   95 % bound <= 15.000%" in page


@pytest.mark.parametrize(("rounds", "code"), [(WANTED, 0), (WANTED - 1, 1)], ids=["enough rounds", "too few rounds"])
def test_a_full_run_with_fewer_rounds_than_wanted_fails(
    rounds: int, code: int, examine: Examine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert examine(OneGame(), "--full", f"--rounds={rounds}") == code
    assert f"{rounds} rounds of the {WANTED} that the bar asks for" in capsys.readouterr().out


def test_a_part_of_a_full_run_may_have_fewer_rounds(examine: Examine) -> None:
    assert examine(OneGame(), "--full", "--rounds=20", "--shard=1/2") == 0


def test_a_fault_is_counted_again_when_the_run_goes_on(examine: Examine, tmp_path: Path) -> None:
    assert examine(OneGame("accusation"), "--full", "--rounds=5") == 1
    assert examine(OneGame(), "--full", "--rounds=5") == 1
    assert "the bar is missed" in (tmp_path / "proofs/referee.md").read_text()


@pytest.mark.parametrize("words", [["--shard=1/2"], ["--variant=base"]], ids=["a shard", "one variant"])
def test_a_part_of_a_run_writes_no_page(words: list[str], examine: Examine, tmp_path: Path) -> None:
    examine(OneGame(), "--full", "--rounds=20", *words)
    assert not (tmp_path / "proofs/referee.md").exists()


def test_a_usual_run_keeps_nothing(examine: Examine, tmp_path: Path) -> None:
    examine(OneGame(), "--rounds=5")
    assert not list(tmp_path.iterdir())


CHUNK: Chunk = ((1, "base"), (2, "halves"))


def test_what_was_kept_belongs_to_one_content_of_the_sources(tmp_path: Path) -> None:
    played = [("base", Counter(rounds=1), ["a failure"])]
    KeptRounds(tmp_path, "old").keep(CHUNK, played)
    assert KeptRounds(tmp_path, "old").load(CHUNK) == played
    assert KeptRounds(tmp_path, "new").load(CHUNK) is None
    assert KeptRounds(tmp_path, "old").load(CHUNK[:1]) is None


def test_a_file_cut_off_by_a_power_cut_is_played_again(tmp_path: Path) -> None:
    kept = KeptRounds(tmp_path, "key")
    kept.keep(CHUNK, [("base", Counter(rounds=1), [])])
    (file,) = (tmp_path / "key").glob("*.json")
    file.write_text(file.read_text()[:10])
    assert kept.load(CHUNK) is None


@pytest.mark.parametrize("game", run.SAMPLES)
def test_the_sources_of_a_game_are_there_and_leave_out_the_other_games(game: str) -> None:
    names = {str(path.relative_to(run.ROOT)) for path in run.SAMPLES[game].list_sources()}
    assert {"engine/referee.py", f"tests/tabletop/{game}_examination.py"} <= names
    packages = {name.split("/")[2] for name in names if name.startswith("engine/games/")}
    assert len(packages) == 1


def make_run(game: str, rounds: int) -> FullRun:
    return FullRun(game, "abc", "key", (1, rounds), {"base": Counter({"rounds": rounds, "cure": 3})}, wanted=50)


@pytest.mark.parametrize(
    ("rounds", "faults", "said"),
    [
        pytest.param(50, 0, "the bar is met, in 50 rounds of the 50", id="enough rounds without a fault"),
        pytest.param(
            49, 0, "the bar is not reached: no fault so far, in only 49 rounds of the 50", id="too few rounds"
        ),
        pytest.param(49, 1, "the bar is missed, in 49 rounds of the 50", id="a fault in few rounds"),
        pytest.param(80, 1, "the bar is missed, in 80 rounds of the 50", id="a fault in many rounds"),
        pytest.param(0, 0, "the bar is missed, in 0 rounds of the 50", id="nothing played"),
    ],
)
def test_the_page_says_whether_the_bar_is_met(rounds: int, faults: int, said: str) -> None:
    counts = {"base": Counter({"rounds": rounds, "dead end": faults})}
    assert said in format_section(FullRun("six", "abc", "key", (1, 2), counts, wanted=50))


def test_the_page_holds_a_section_of_each_game() -> None:
    page = ""
    for game in reversed(run.SAMPLES):
        page = replace_section(page, make_run(game, 50), run.SAMPLES)
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == list(run.SAMPLES)


@pytest.mark.parametrize(("game", "wanted"), [("nimmt", 5000), ("anniversary", 1000), ("thegame", 3000), ("six", 1000)])
def test_a_full_run_wants_as_many_rounds_as_the_bar(game: str, wanted: int) -> None:
    assert run.SAMPLES[game].wanted == wanted


def test_a_game_replaces_its_own_section_alone() -> None:
    page = ""
    for game in ("six", "nimmt"):
        page = replace_section(page, make_run(game, 10), ORDER)
    again = replace_section(page, make_run("nimmt", 99), ORDER)
    assert format_section(make_run("six", 10)) in again
    assert format_section(make_run("nimmt", 99)) in again
    assert [line for line in again.splitlines() if line.startswith("## ")] == ["## nimmt", "## six"]
    assert replace_section(again, make_run("nimmt", 99), ORDER) == again
