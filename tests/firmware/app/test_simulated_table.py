"""The simulated table as a table source, and a service that does without it."""

import subprocess
import sys

from engine.games import GAMES
from engine.log import Log
from firmware.app.simulated_table import SimulatedTable
from firmware.journal.journal import open_journal
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox

PILES = Log(GAMES["thegame"], {"players": 1})
UNUSED_BY_A_SERVICE = ("firmware.simulation", "firmware.printing.mat", "vision.render", "fpdf", "numpy.random")
"""Modules of some megabytes that a box under a camera has no use for while it runs."""


def test_a_simulated_table_starts_with_a_game(tmp_path):
    place = SimulatedTable(PILES, 5, acts=1)
    journal = open_journal(tmp_path / JOURNAL_FILE)
    eyes = place.open_perception(tmp_path, [])
    start = place.start_session(journal, eyes, [])
    companion = Companion(start.box, eyes, journal)
    companion.begin(start.started)
    clock = ScaledClock(1000.0)
    camera = place.open_camera(companion, Inbox(), clock)
    frame = camera.read(1.0)
    companion.read_frame(frame)
    journal.close()
    assert companion.log.game.name == "thegame"
    assert companion.view.alert is None
    assert clock() <= frame.at


def test_a_service_under_a_camera_does_not_load_the_simulation():
    script = "import sys, firmware.cli.run, firmware.app.app; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    loaded = done.stdout.split()
    assert "vision.live.perception" in loaded
    assert [name for name in UNUSED_BY_A_SERVICE if name in loaded] == []
