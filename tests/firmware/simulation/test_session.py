"""A simulated session without threads: what its players did is what the box has in its log."""

import re
from itertools import islice

import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import WriteEntries
from firmware.runtime.screen_text import render_screen
from firmware.simulation.session import FRAME_S, SimulatedSession, name_players, show_act
from firmware.simulation.table.hand_timing import SIGHT_TIMEOUT_S
from firmware.simulation.table_camera import FPS
from firmware.texts.languages import ENDONYMS, available_languages
from firmware.web.page_snapshot import take_snapshot
from hw.cameras.images import make_frame
from tests.support.blank_faces import show_table_through_cards
from vision.live.picture_faults import LASTING_S

ACTS = 12
OPTIONS = {"nimmt": {"players": 2}, "thegame": {"players": 1}, "six": {}}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_box_reads_from_frames_what_the_players_did(game, tmp_path):
    session = SimulatedSession.for_match(Log(GAMES[game], OPTIONS[game]), 5, mistakes=0.0)
    seen = []
    journal = open_journal(tmp_path / "journal.sqlite")
    companion = session.start_companion(journal, observers=[seen.append])
    for act in islice(session.play(), ACTS):
        assert act.reaching or session.has_caught_up()
    entries = [
        entry for happened in seen for e in happened.effects if isinstance(e, WriteEntries) for entry in e.entries
    ]
    moves = companion.log.moves
    measured = 1 if game == "six" else 0  # the first move of SIX says where its board is, as the camera measured it
    assert len(moves) > measured
    assert moves[measured:] == session.table.truth.moves[measured : len(moves)]
    assert [row.entry for row in journal.rows(journal.running().id)] == entries
    journal.close()


def test_every_frame_passes_through_the_filter_at_its_time():
    session, times = SimulatedSession.for_match(Log(GAMES["thegame"], OPTIONS["thegame"]), 3), []
    session.start_companion()

    def note_time(frame, request, perception):
        assert perception is session.companion.eyes
        times.append(frame.at)
        return frame

    assert sum(1 for _ in islice(session.play(note_time), 3)) == 3
    assert times == pytest.approx([FRAME_S * n for n in range(1, len(times) + 1)])
    assert session.at_s == times[-1]


def test_simulated_players_wait_for_the_box_up_to_a_time_limit():
    session = SimulatedSession.for_match(Log(GAMES["thegame"], OPTIONS["thegame"]), 3, mistakes=0.0)
    act = next(act for act in session.table.acts() if not act.reaching)
    eager, waiting = (len(list(show_act(act, session.empty, lambda seen=seen: seen))) for seen in (True, False))
    assert waiting == eager + SIGHT_TIMEOUT_S * FPS


def test_perception_gets_the_picture_of_the_empty_table_that_a_recording_has_kept():
    session = SimulatedSession.for_match(Log(GAMES["thegame"], OPTIONS["thegame"]), 3)
    kept = session.empty.copy()
    kept[:8] = 0
    assert (session.start_companion(empty=kept).eyes.empty == kept).all()
    assert (session.start_companion().eyes.empty == session.empty).all()


@pytest.mark.parametrize(
    ("game", "options", "players"), [("nimmt", {"players": 3}, 3), ("thegame", {}, 3), ("six", {}, 2)]
)
def test_every_simulated_player_has_a_name(game, options, players):
    assert list(name_players(Log(GAMES[game], options))) == list(range(1, players + 1))


def test_play_prints_each_move_beside_the_prompt_that_asked_for_it():
    done = CliRunner().invoke(main, ["play", "--game", "thegame", "--seed", "3", "--acts", "14"])
    assert done.exit_code == 0
    assert re.search(r"^Lay 2 cards {20,}seen: play \d+ (up|down):[12]$", done.output, re.MULTILINE)


def test_an_option_that_the_game_refuses_is_one_sentence():
    done = CliRunner().invoke(main, ["play", "--game", "thegame", "--option", "players=9"])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert "players" in done.stderr


def test_a_table_that_looks_like_the_cards_is_said_on_screen_and_page_in_every_language():
    """The faces of the cards that lie show the bare table."""
    session = SimulatedSession.for_match(Log(GAMES["nimmt"], OPTIONS["nimmt"]), 5, mistakes=0.0)
    companion = session.start_companion()
    for act in islice(session.table.acts(), ACTS):
        picture = show_table_through_cards(session.renderer.render(act.scene), session.empty)
        for _ in range(round((act.seconds + LASTING_S) / FRAME_S)):
            session.at_s += FRAME_S
            session.show(make_frame(picture, session.at_s))
        if companion.view.alert:
            break
    said = {language: render_screen(companion.view, {}, language).alert for language in available_languages()}
    assert said["en"] == "Table looks like the cards: lay a cloth"
    assert len(set(said.values())) == len(ENDONYMS)
    assert take_snapshot(companion.box, companion.view, "").view.alert == say("table_like_cards")
