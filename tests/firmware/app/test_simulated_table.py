"""The simulated table as a table source, and a service that does without it."""

import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, judge
from engine.text import say
from firmware.app.app import RESTART, AppOptions
from firmware.app.simulated_table import LAMP_AFTER_S, SimulatedTable
from firmware.box.events import Pressed, parse_told
from firmware.cli.run import SCENARIO_NAMES, fix_port, run_simulated
from firmware.journal.journal import open_journal
from firmware.machine.network_addresses import PageAddress
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.simulation.scenarios import BY_NAME, SCENARIOS
from hw.button_presses import PressKind

PILES = Log(GAMES["thegame"], {"players": 1})
UNUSED_BY_A_SERVICE = ("firmware.simulation", "firmware.printing.mat", "vision.render", "fpdf", "numpy.random", "rich")
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


class TestStartsAgain:
    """The box starts again; the table stays as it is."""

    def start(self, place, journal):
        eyes = place.open_perception(Path(), [])
        start = place.start_session(journal, eyes, [])
        companion = Companion(start.box, eyes, journal)
        if start.started:
            companion.begin(start.started)
        self.inbox = Inbox()
        self.camera = place.open_camera(companion, self.inbox, ScaledClock(1000.0))
        return companion

    @pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda it: it.name)
    def test_a_scenario_begins_with_its_record_in_the_journal(self, tmp_path, scenario):
        place = SimulatedTable(PILES, 5, scenario=scenario)
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            companion = self.start(place, journal)
            assert companion.log == scenario.record(place.table.area)
            assert journal.load(companion.box.known.game, GAMES).moves == companion.log.moves
        assert isinstance(judge(companion.log, place.table.true_table()), Follows)
        assert place.people.mates.human == {1}

    def test_the_lamp_of_a_scenario_goes_on_after_a_while(self, tmp_path):
        place = SimulatedTable(PILES, 5, scenario=BY_NAME["lamp"])
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            self.start(place, journal)
            lamps = [place.table.lamp for _ in range(round(LAMP_AFTER_S * 5) + 3) if self.camera.read(1.0)]
        assert (lamps[0], lamps[-2], lamps[-1]) == ("daylight", "warm", "warm")

    def test_a_scenario_on_demand_asks_the_box_to_start_again_and_then_is_there(self, tmp_path):
        place = SimulatedTable(PILES, 5)
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            self.start(place, journal)
            place.begin_scenario(BY_NAME["wrong-row"])
            pressed = self.inbox.get(0.0)
            assert isinstance(pressed, Pressed)
            assert pressed.press.kind == PressKind.RESTART
            companion = self.start(place, journal)
            assert companion.view.prompt == say("lay_behind", card=44, row=2, behind=37)
            assert place.table.game == "nimmt"

    def test_after_a_power_cut_the_table_is_as_it_was_and_the_box_offers_to_go_on(self, tmp_path):
        place = SimulatedTable(PILES, 5, scenario=BY_NAME["power-cut"])
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            before = self.start(place, journal).log
            lying = place.table.pieces()
            place.cut_power()
            assert len(self.inbox) == 1
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            companion = self.start(place, journal)
            assert companion.log is None
            companion.handle(parse_told(companion.view.offers[0].move, "button", 1.0))
            assert companion.log.moves == before.moves
        assert place.table.pieces() == lying


def test_names_of_scenarios_on_the_command_line_are_those_that_there_are():
    assert set(SCENARIO_NAMES) == set(BY_NAME)


@pytest.mark.parametrize("exact", [True, False])
def test_the_page_is_found_again_at_the_same_port(exact):
    fixed = fix_port(PageAddress(port=0, exact=exact))
    assert fixed.port
    with socket.create_server(("127.0.0.1", fixed.port)):
        moved = fix_port(PageAddress(port=fixed.port, exact=exact))
    assert (moved.port == fixed.port) == exact


def test_a_simulated_box_that_restarts_is_started_again(monkeypatch):
    codes = iter((RESTART, RESTART, 0))
    monkeypatch.setattr("firmware.cli.run.run_app", lambda app: next(codes))
    app = AppOptions(SimulatedTable(PILES, 1), None, "dummy", "none", ScaledClock())
    assert run_simulated(app) == 0
    assert next(codes, None) is None


def test_without_a_page_a_simulated_person_plays_the_seat_of_a_scenario(tmp_path):
    place = SimulatedTable(PILES, 5, scenario=BY_NAME["wrong-row"], awaits_person=False)
    with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
        TestStartsAgain().start(place, journal)
    assert place.people.mates.human == frozenset()
