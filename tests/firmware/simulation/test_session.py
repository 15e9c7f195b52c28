"""A simulated session shows its companion the table frame by frame, and a recording may change each frame on the way."""

import random
from itertools import islice

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.simulation.session import FRAME_S, SimulatedSession, simulated_names
from firmware.simulation.table import SimTable

PILES = Log(GAMES["thegame"], {"players": 2})


def session(seed=3):
    return SimulatedSession(SimTable(PILES, random.Random(seed), mistakes=0.0), seed)


def test_the_record_holds_what_the_players_did():
    played = session()
    played.open()
    for act in islice(played.play(), 12):
        assert act.reaching or played.has_caught_up()
    assert played.log.moves == played.table.truth.moves[: len(played.log.moves)]
    assert len(played.log.moves) >= 2


def test_every_frame_passes_through_the_film_at_its_time():
    played, times = session(), []
    played.open()

    def film(frame, request, perception):
        assert perception is played.companion.eyes
        times.append(frame.at)
        return frame

    assert sum(1 for _ in islice(played.play(film), 3)) == 3
    assert times == pytest.approx([FRAME_S * n for n in range(1, len(times) + 1)])
    assert played.at_s == times[-1]


def test_perception_gets_the_picture_of_the_empty_table_that_a_recording_has_kept():
    played = session()
    kept = played.empty.copy()
    assert played.open(empty=kept).eyes.empty is kept
    assert session().open().eyes.empty is not kept


@pytest.mark.parametrize(
    ("game", "options", "players"), [("nimmt", {"players": 3}, 3), ("thegame", {}, 3), ("six", {}, 2)]
)
def test_every_simulated_player_has_a_name(game, options, players):
    log = Log(GAMES[game], options)
    assert list(simulated_names(log)) == list(range(1, players + 1))
