"""From rendered frames to the record: what the camera would see is what was played."""

import random
from contextlib import closing

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from firmware.box.box import view
from firmware.box.desk import PATIENCE
from firmware.cli import main
from firmware.journal import open_journal
from firmware.run import Evening
from firmware.simtable import SimTable
from vision.render import render


def evening(game, options, seed, acts, mistakes=0.0):
    """So many acts of hands, frame by frame; the evening, the truth, and the alerts while something lay wrong."""
    log = Log(GAMES[game], options)
    table = SimTable(log, random.Random(seed), mistakes=mistakes)
    companion = Evening(log, table)
    alerts = []
    for number, act in enumerate(table.acts(), 1):
        companion.watch(render(act.scene), act.seconds)
        alert = view(companion.box)
        if act.wrong:
            alerts.append((alert.ruling, alert.alert and alert.alert.id))
        else:
            assert alert.alert is None, (number, str(alert.alert))
        if number == acts:
            break
    return companion, table, alerts


def test_cards_are_recorded_as_they_were_played():
    companion, table, _ = evening("nimmt", {"players": 2}, 5, 13)
    assert len(companion.log.moves) >= 6
    assert companion.log.state == table.truth.state


def test_tiles_are_recorded_as_they_were_played_without_a_board():
    companion, table, _ = evening("six", {}, 3, 9)
    seen, true = companion.log.state.game, table.truth.state.game
    assert (seen.board, seen.turn, seen.hands) == (true.board, true.turn, true.hands)
    assert len(companion.log.moves) >= 4


def test_a_wrong_card_is_named_while_it_lies_there_and_forgotten_when_mended():
    companion, table, alerts = evening("nimmt", {"players": 2}, 1, 24, mistakes=1.0)
    assert alerts
    assert {ruling for ruling, _ in alerts} <= {"N-10", "N-12", "N-7"}
    assert PATIENCE < 2.5
    assert companion.log.state.numbers() <= table.truth.state.numbers()


def test_the_command_shows_what_it_says_and_sees(tmp_path):
    picture = tmp_path / "last.png"
    out = CliRunner().invoke(main, ["run", "--seed", "5", "--acts", "5", "--picture", str(picture)])
    assert out.exit_code == 0, out.output
    assert "seen: deal" in out.output
    assert picture.stat().st_size > 100_000


def test_an_evening_is_in_the_journal_as_it_was_shown(tmp_path):
    path = tmp_path / "evening.sqlite"
    out = CliRunner().invoke(main, ["run", "--seed", "5", "--acts", "6", "--journal", str(path)])
    assert out.exit_code == 0, out.output
    with closing(open_journal(path)) as journal:
        game = journal.running()
        log = journal.load(game.id, GAMES)
    shown = [line.split("seen: ")[1] for line in out.output.splitlines() if "seen: " in line]
    assert [str(move) for move in log.moves] == [move for moves in shown for move in moves.split(", ")]
    assert game.names[1] == "Ana"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--option", "players=77"], "2 to 10"),
        (["--option", "players"], "NAME=VALUE"),
        (["--game", "chess"], "chess"),
    ],
    ids=["too-many-players", "no-value", "no-such-game"],
)
def test_what_cannot_be_played_is_refused_with_what_to_do(words, says):
    out = CliRunner().invoke(main, ["run", *words])
    assert out.exit_code != 0
    assert says in out.output
