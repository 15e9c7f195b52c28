"""Table sources: time at a simulated table, recordings at their pace, and a real table from a saved setup."""

import random
from math import inf
from threading import Event

import cv2
import numpy as np
import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.app.table_sources import RealTable
from firmware.journal.journal import open_journal
from firmware.machine import empty_table
from firmware.machine.state_folder import JOURNAL_FILE, SYSTEM_FOLDER, state_folder
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.simulation.table import SimTable
from hw.cameras.files import FilesCamera
from hw.cameras.real_time_playback import PacedCamera, pace_camera
from vision.render.incremental_rendering import SceneRenderer

PILES = Log(GAMES["thegame"], {"players": 1})


class Watch:
    """A clock set by the test."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def rest(self, seconds):
        self.now += seconds


def test_a_scaled_clock_stops_at_its_limit_and_never_goes_back():
    watch = Watch()
    clock = ScaledClock(10.0, clock=watch)
    watch.now += 1
    assert clock() == pytest.approx(10.0)
    clock.allow(12.0)
    watch.now += 1
    assert clock() == pytest.approx(12.0)
    clock.allow(5.0)
    assert clock() == pytest.approx(12.0)
    clock.allow(inf)
    watch.now += 0.1
    assert clock() == pytest.approx(13.0)


def test_a_rest_ends_at_the_stop_event():
    stop = Event()
    stop.set()
    ScaledClock().rest(1e6, stop)


@pytest.fixture
def pictures(tmp_path):
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((48, 64), 100 + n, np.uint8))
    return str(tmp_path)


def test_a_recording_keeps_its_pace_and_does_not_catch_up_after_a_delay(pictures):
    watch = Watch()
    camera = PacedCamera(FilesCamera(pictures, fps=2.0, start=100.0), clock=watch, rest=watch.rest)
    assert camera.read(1.0).at == 100.0
    assert camera.read(0.2) is None
    assert (camera.read(1.0).at, watch.now) == (100.5, pytest.approx(100.5))
    watch.now += 7.0
    assert camera.read(1.0).at == pytest.approx(107.5)
    assert camera.read(1.0).at == pytest.approx(108.0)
    assert camera.read(1.0) is None
    assert camera.over


def test_a_live_camera_is_not_paced(pictures):
    watch = Watch()
    recorded, live = FilesCamera(pictures, start=100.0), FilesCamera(pictures, fps=2.0, start=100.0)
    live.live = True
    assert isinstance(pace_camera(recorded, clock=watch, rest=watch.rest), PacedCamera)
    camera = pace_camera(live, clock=watch, rest=watch.rest)
    watch.now += 7.0
    assert [camera.read(1.0).at for _ in range(3)] == [100.0, 100.5, 101.0]
    assert watch.now == pytest.approx(107.0)


def test_a_saved_table_is_known_at_the_next_start(tmp_path):
    renderer = SceneRenderer(1)
    empty = renderer.render(SimTable(PILES, random.Random(1)).empty)
    empty_table.save_empty_table(tmp_path, empty)
    notices = []
    journal = open_journal(tmp_path / JOURNAL_FILE)
    place = RealTable("usb:97")
    eyes = place.open_perception(tmp_path, notices)
    start = place.start_session(journal, eyes, notices)
    journal.close()
    assert (start.started, notices) == (None, [])
    width, height = start.box.known.area
    assert (abs(width - 600) < 12, abs(height - 450) < 12) == (True, True)


def test_an_unreadable_empty_table_is_reported_and_the_box_starts(tmp_path):
    (tmp_path / empty_table.EMPTY_TABLE_FILE).write_bytes(b"no picture")
    notices = []
    journal = open_journal(tmp_path / JOURNAL_FILE)
    place = RealTable("usb:97")
    start = place.start_session(journal, place.open_perception(tmp_path, notices), notices)
    companion = Companion(start.box, place.open_perception(tmp_path, []), journal, notices=notices)
    journal.close()
    assert start.box.known.area is None
    assert companion.view.alert.id == "empty_unreadable"


FOLDERS = {
    "systemd": ({"STATE_DIRECTORY": "/var/lib/private/oxeye:/x"}, "/var/lib/private/oxeye"),
    "XDG folder": ({"XDG_DATA_HOME": "/data"}, "/data/oxeye"),
    "home folder": ({"HOME": "/home/ana"}, "/home/ana/.local/share/oxeye"),
}


@pytest.mark.parametrize(("given", "folder"), FOLDERS.values(), ids=FOLDERS)
def test_the_state_folder_follows_the_environment(monkeypatch, given, folder):
    for name in ("STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = str(state_folder())
    assert found == folder or (SYSTEM_FOLDER.is_dir() and found == str(SYSTEM_FOLDER))
