"""``oxeye run`` from the command line: a simulated evening in lines, from rendered frames to the final scores."""

import re
from contextlib import closing

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.texts.move_texts import describe_move
from firmware.texts.render import render

SIM = ["run", "--camera", "sim", "--speed", "1000"]


def run(*words):
    return CliRunner().invoke(main, [*SIM, *words])


def test_the_story_tells_the_recorded_moves_in_words_with_names(tmp_path):
    out = run("--seed", "5", "--acts", "14", "--option", "players=2", "--state", str(tmp_path))
    assert out.exit_code == 0, out.output
    with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
        game = journal.running()
        log = journal.load(game.id, GAMES)
    assert game.names == {1: "Ana", 2: "Ben"}
    assert log.moves
    told = [line.strip().removeprefix("Ana: ").removeprefix("Ben: ") for line in out.output.splitlines()]
    for move in log.moves:
        words = render(describe_move("nimmt", move), names=game.names)
        assert words.removeprefix("Ana: ").removeprefix("Ben: ") in told
        assert str(move) not in told
    assert re.search(r"^  Ana .*total 0$", out.output, re.MULTILINE)


def test_the_games_of_the_simulated_table_are_found_without_options(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("firmware.machine.state_folder.SYSTEM_FOLDER", tmp_path / "none")
    out = run("--seed", "5", "--acts", "3", "--page", "none")
    assert f"The games are kept in {tmp_path / 'oxeye/simulated'}" in out.output
    assert "Ana 0" in CliRunner().invoke(main, ["scores"]).output
    assert "nimmt" in CliRunner().invoke(main, ["log", "1"]).output


def test_fresh_starts_from_nothing_and_keeps_the_old_games_beside(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ("--seed", "5", "--acts", "1", "--page", "none", "--fresh")
    assert "From nothing" not in run(*words).output
    told = run(*words).output
    (aside,) = (tmp_path / "oxeye").glob("simulated-*")
    assert f"the old games are in {aside}" in told
    for folder in (aside, tmp_path / "oxeye/simulated"):
        with closing(open_journal(folder / JOURNAL_FILE)) as journal:
            assert len(journal.history()) == 1


def test_fresh_is_refused_at_a_real_table(monkeypatch):
    out = CliRunner().invoke(main, ["run", "--camera", "safe", "--fresh", "--page", "none"])
    assert out.exit_code != 0
    assert "--state" in out.output


def test_without_a_camera_the_table_is_simulated():
    out = CliRunner().invoke(main, ["run", "--speed", "1000", "--seed", "5", "--acts", "1"])
    assert out.exit_code == 0, out.output
    assert "Until then: a simulated table." in out.output
    assert "simulated table · seed 5" in out.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--option", "players=77"], "2 to 10"),
        (["--option", "players"], "NAME=VALUE"),
        (["--game", "chess"], "chess"),
        (["--panel", "oled:hd44780"], "oled:ssd1306"),
        (["--camera", "phone"], "usb:N"),
        (["--camera", "phone"], "video:FILE sim"),
    ],
    ids=["too-many-players", "no-value", "no-such-game", "no-such-screen", "no-such-camera", "list-of-cameras"],
)
def test_an_invalid_option_is_refused_with_a_remedy(words, says):
    out = run(*words)
    assert out.exit_code != 0
    assert says in out.output
