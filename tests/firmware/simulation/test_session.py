"""A simulated session without threads: what its players did is what the box has in its log."""

import re

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.journal.operations import WriteEntries
from firmware.simulation.session import SimulatedSession

ACTS = 12
OPTIONS = {"nimmt": {"players": 2}, "thegame": {"players": 1}, "six": {}}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_box_reads_from_frames_what_the_players_did(game, tmp_path):
    session = SimulatedSession(Log(GAMES[game], OPTIONS[game]), 5, mistakes=0.0)
    seen = []
    journal = open_journal(tmp_path / "journal.sqlite")
    companion = session.start_companion(journal, observers=[seen.append])
    session.play(companion, acts=ACTS)
    entries = [
        entry for happened in seen for e in happened.effects if isinstance(e, WriteEntries) for entry in e.entries
    ]
    moves = companion.log.moves
    measured = 1 if game == "six" else 0  # the first move of SIX says where its board is, as the camera measured it
    assert len(moves) > measured
    assert moves[measured:] == session.table.truth.moves[measured : len(moves)]
    assert [row.entry for row in journal.rows(journal.running().id)] == entries
    journal.close()


def test_play_prints_each_move_beside_the_prompt_that_asked_for_it():
    done = CliRunner().invoke(main, ["play", "--game", "thegame", "--seed", "3", "--acts", "14"])
    assert done.exit_code == 0
    assert re.search(r"^Lay 2 more cards {20,}seen: play \d+ (up|down):[12]$", done.output, re.MULTILINE)


def test_an_option_that_the_game_refuses_is_one_sentence():
    done = CliRunner().invoke(main, ["play", "--game", "thegame", "--option", "players=9"])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert "players" in done.stderr
