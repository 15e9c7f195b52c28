"""``oxeye run`` from the command line: a simulated evening in lines, from rendered frames to the final scores."""

import re
from contextlib import closing

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.machine.state_folder import JOURNAL_FILE

SIM = ["run", "--camera", "sim", "--speed", "1000"]


def run(*words):
    return CliRunner().invoke(main, [*SIM, *words])


def test_the_printed_moves_equal_the_recorded_moves(tmp_path):
    out = run("--seed", "5", "--acts", "14", "--option", "players=2", "--state", str(tmp_path))
    assert out.exit_code == 0, out.output
    told = re.findall(r"^  (?:seen|button)  +(?:\w+: )?(.*)$", out.output, re.MULTILINE)
    assert told[0].startswith("deal ")
    with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
        game = journal.running()
        log = journal.load(game.id, GAMES)
    assert [str(move) for move in log.moves] == [move for line in told for move in line.split(", ")]
    assert game.names == {1: "Ana", 2: "Ben"}
    assert re.search(r"^  Ana .*total 0$", out.output, re.MULTILINE)


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
