"""The running box with failing parts: faults are reported and retried, and a failed thread ends the program."""

import os
import pty
import signal
import subprocess
import sys
import termios
from contextlib import closing, suppress
from functools import partial
from threading import Event, Thread

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from engine.games import GAMES
from engine.log import Log
from engine.table import Table
from engine.text import say
from engine.view import View
from firmware.box.events import Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.runtime.button_threads import retry_pins
from firmware.runtime.camera_thread import CameraThread
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import JOURNAL_RETRY_S, Companion
from firmware.runtime.display_thread import Display, ScreenFrame, draw_picture
from firmware.runtime.inbox import Inbox, Observation
from firmware.runtime.main_loop import Loop
from firmware.runtime.worker_threads import LoopFailed, Worker, Workers
from hw.button_pins import ButtonPins
from hw.button_presses import Button, ButtonsState, Edge, NoButtons, Press, PressKind
from hw.cameras.files import FilesCamera
from hw.cameras.reconnecting import ReconnectingCamera
from hw.cameras.usb import UsbCamera
from hw.fakes.ssd1306 import FakeSsd1306
from hw.panel.oled_ssd1306 import OledPanel
from hw.panel.reconnecting import ReconnectingPanel
from tests.powercut.disk import Disk
from tests.support import frames
from vision.live.perception import Perception
from vision.live.perception_events import CameraMeasured, FaultChanged, TableSeen
from vision.live.read_request import ReadRequest

LONG = 20.0
"""Timeout in seconds of every wait in these tests."""
PILES = Log(GAMES["thegame"], {"players": 2})
EMPTY = Table(frozenset())
READ = ReadRequest("read", "nimmt")


def box(*flows):
    return Box(Context(), (Home(), *flows))


def begun(journal=None):
    companion = Companion(box(play_from(PILES)), Perception(), journal)
    companion.begin(Started("thegame", PILES.options))
    return companion


def moves(companion):
    return [str(move) for move in companion.log.moves]


def test_the_inbox_keeps_only_the_newest_unread_table_and_all_other_items():
    inbox = Inbox()
    press = Pressed(Press(Button.OK, PressKind.SHORT), 2.0)
    for what in (
        Observation(TableSeen(EMPTY, 1.0), READ),
        press,
        Observation(TableSeen(EMPTY, 3.0), READ),
        Ticked(4.0),
    ):
        inbox.put(what)
    inbox.put(Observation(FaultChanged("picture", None, 5.0), READ))
    found = [inbox.get(0) for _ in range(4)]
    assert found == [
        press,
        Observation(TableSeen(EMPTY, 3.0), READ),
        Ticked(4.0),
        Observation(FaultChanged("picture", None, 5.0), READ),
    ]
    assert inbox.get(0) is None


class Running:
    """A loop with a companion, stepped by the test."""

    def __init__(self, companion, hand=None):
        self.companion = companion
        self.inbox = Inbox()
        self.stop = Event()
        self.loop = Loop(companion, self.inbox, (), clock=ScaledClock(), stop=self.stop, hand=hand)

    def take(self, *items):
        for item in items:
            self.inbox.put(item)
        while len(self.inbox):
            self.loop.turn()


def test_an_observation_for_an_outdated_request_is_dropped():
    log = Log(GAMES["nimmt"], {"players": 2})
    running = Running(Companion(box(play_from(log)), Perception()))
    deal = GAMES["nimmt"].place(log.state, GAMES["nimmt"].layout(log.add(log.parse("deal 10,20,30,40")).state))
    running.take(Observation(TableSeen(deal, 0.1), ReadRequest("read", "six")))
    assert moves(running.companion) == []
    running.take(Observation(TableSeen(deal, 0.2), running.companion.read_request))
    assert moves(running.companion) == ["deal 10,20,30,40"]


@pytest.mark.parametrize(("held", "kind"), [(0.1, PressKind.SHORT), (1.0, PressKind.LONG)])
def test_late_edges_become_a_press_by_their_times(held, kind):
    heard = []
    running = Running(
        Companion(box(play_from(PILES)), Perception(), observers=[lambda happened: heard.append(happened.event)])
    )
    running.take(Edge(Button.OK, True, -9.0), Edge(Button.OK, False, -9.0 + held))
    running.loop.turn()
    assert [item.press for item in heard if isinstance(item, Pressed)] == [Press(Button.OK, kind)]


@pytest.mark.parametrize(
    ("power", "button", "off"),
    [(False, Button.BACK, True), (True, Button.BACK, False), (True, Button.POWER, True)],
    ids=["back-switches-off", "not-beside-a-power-button", "the-power-button-does"],
)
def test_holding_the_right_button_powers_off(power, button, off):
    heard = []
    companion = Companion(
        box(play_from(PILES)), Perception(), observers=[lambda happened: heard.append(happened.event)]
    )
    running = Running(companion, ButtonsState(power=power))
    running.take(Edge(button, True, -9.0), Edge(button, False, -5.5))
    running.loop.turn()
    assert (Press(button, PressKind.OFF) in [item.press for item in heard if isinstance(item, Pressed)]) == off


@pytest.fixture
def pictures(tmp_path):
    """A video of three frames that ends as if the camera were unplugged."""
    file = tmp_path / "room.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for shade in (40, 80, 120):
        writer.write(np.full((48, 64, 3), shade, np.uint8))
    writer.release()
    return str(file)


def until(inbox, wanted):
    """The items of the inbox up to the first wanted one."""
    came = []
    while not came or not wanted(came[-1]):
        came.append(inbox.get(LONG))
        assert came[-1] is not None, came
    return came


def told(source, id):
    def wanted(item):
        return isinstance(item, FaultChanged) and item.source == source and (item.text and item.text.id) == id

    return wanted


def test_a_lost_camera_is_reported_the_game_continues_by_hand_and_the_camera_returns(pictures):
    running, times = Running(begun()), iter(range(1, 10**6))
    camera = ReconnectingCamera(
        lambda: UsbCamera(pictures, backend=cv2.CAP_FFMPEG),
        tell=lambda text: running.inbox.put(FaultChanged("camera", text, 0.0)),
        clock=lambda: float(next(times)),
        rest=lambda seconds: None,
    )
    lookout = CameraThread(
        camera,
        Perception(),
        running.inbox,
        asked=lambda: running.companion.read_request,
        stop=running.stop,
        clock=lambda: 0.0,
    )
    with closing(camera), Workers(running.stop, Worker("camera", lookout.run, running.stop.set)):
        (*_, gone) = until(running.inbox, told("camera", "camera_gone"))
        running.companion.handle(gone)
        assert running.companion.view.alert.id == "camera_gone"
        running.companion.handle(parse_told("play 12 up:1", "button", 1.0))
        (*_, back) = until(running.inbox, told("camera", None))
        running.companion.handle(back)
    assert running.companion.view.alert is None
    assert moves(running.companion) == ["play 12 up:1"]


class Blinking(Perception):
    """A perception that raises an unexpected error at the second frame."""

    frames = 0

    def update(self, frame, aim):
        self.frames += 1
        if self.frames == 2:
            raise ZeroDivisionError("at the second frame")
        return super().update(frame, aim)


def test_a_vision_error_is_logged_reported_and_survived(tmp_path, capfd):
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((48, 64), 100, np.uint8))
    inbox, stop = Inbox(), Event()
    lookout = CameraThread(
        FilesCamera(str(tmp_path)), Blinking(), inbox, asked=lambda: ReadRequest("aim"), stop=stop, clock=lambda: 0.0
    )
    with Workers(stop, Worker("camera", lookout.run)):
        came = until(inbox, told("eyes", None))
        (*_, last) = until(inbox, lambda item: isinstance(item, Observation) and isinstance(item.item, CameraMeasured))
    assert told("eyes", "eyes_failed")(next(item for item in came if isinstance(item, FaultChanged)))
    assert last.aim == ReadRequest("aim")
    assert capfd.readouterr().err.count("ZeroDivisionError: at the second frame") == 1


class Held(FilesCamera):
    """A camera over an untouched table; counts the lock calls."""

    locks = 0

    def lock(self):
        self.locks += 1


def test_exposure_is_locked_once_for_a_known_table(tmp_path):
    bare = frames.picture(frames.BARE)
    cv2.imwrite(str(tmp_path / "0.png"), bare)
    for n in range(1, 30):
        (tmp_path / f"{n}.png").hardlink_to(tmp_path / "0.png")
    camera = Held(str(tmp_path), fps=5)
    CameraThread(camera, Perception(bare), Inbox(), asked=lambda: None, stop=Event(), clock=lambda: 0.0).run()
    assert camera.locks == 1


class MeasuringLight(FilesCamera):
    """Ten frames long after a lock the camera measures the light."""

    rest = 0

    @property
    def settling(self):
        return self.rest > 0

    def lock(self):
        self.rest = 10

    def read(self, timeout_s):
        self.rest = max(0, self.rest - 1)
        return super().read(timeout_s)


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        pytest.param(range(0), 1, id="set-up goes on"),
        pytest.param(range(5, 9), 0, id="set-up is left and entered again"),
    ],
)
def test_the_picture_of_the_empty_table_is_kept_only_in_the_set_up_that_asked_for_it(tmp_path, left, kept):
    bare = frames.picture(frames.BARE)
    cv2.imwrite(str(tmp_path / "0.png"), bare)
    for n in range(1, 30):
        (tmp_path / f"{n}.png").hardlink_to(tmp_path / "0.png")
    pictures = []
    eyes = Perception(bare, on_empty=pictures.append)

    def ask():
        return None if thread.frames in left else ReadRequest("aim")

    camera = MeasuringLight(str(tmp_path), fps=5)
    thread = CameraThread(camera, eyes, Inbox(), asked=ask, stop=Event(), clock=lambda: 0.0)
    thread.keep_empty()
    thread.run()
    assert len(pictures) == kept


def test_pins_that_fail_to_open_are_retried():
    factory, stop, heard, times = MockFactory(), Event(), Inbox(), iter(range(0, 10**6, 60))
    broken = [NoButtons(say("buttons_no_pins"))] * 3

    def pins():
        if broken:
            raise broken.pop()
        return ButtonPins({Button.OK: 13}, heard.put, clock=lambda: 7.0, factory=factory)

    told = Inbox()
    trying = partial(
        retry_pins, pins, tell=lambda text: told.put(FaultChanged("buttons", text, 0.0)), clock=times.__next__
    )
    with Workers(stop, Worker("pins", partial(trying, stop=stop), stop.set)):
        assert told.get(LONG) == FaultChanged("buttons", None, 0.0)
        factory.pin(13).drive_low()
        assert heard.get(LONG) == Edge(Button.OK, True, 7.0)
    assert not broken
    ButtonPins({Button.OK: 13}, heard.put, factory=factory).close()


def test_a_failed_thread_ends_the_program(capfd):
    stop = Event()

    def fall():
        raise ZeroDivisionError("an uncaught error")

    with pytest.raises(LoopFailed, match="camera"), Workers(stop, Worker("camera", fall)):
        assert stop.wait(LONG)
    assert "an uncaught error" in capfd.readouterr().err


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
def test_an_unplugged_panel_is_reported_and_then_shows_the_newest_view():
    bus, running, now = FakeSsd1306(), Running(begun()), [0.0]
    panel = ReconnectingPanel(
        lambda: OledPanel("ssd1306", bus=bus),
        tell=lambda text: running.inbox.put(FaultChanged("panel", text, 0.0)),
        clock=lambda: now[0],
    )
    drawn = Event()

    def draw(shown):
        panel.show(draw_picture(shown))
        drawn.set()

    display = Display(draw)
    with Workers(Event(), Worker("screen", display.run, display.close)):
        for number, (plug, alert) in enumerate([(None, None), (bus.unplug, "panel_silent"), (bus.plug, None)]):
            if plug:
                plug()
            now[0] += 100.0
            shown = ScreenFrame(View(say("lay_cards", n=number)), {})
            drawn.clear()
            display.put(shown)
            assert drawn.wait(LONG)
            if number:
                running.take()
                running.loop.turn()
            assert (running.companion.view.alert and running.companion.view.alert.id) == alert
    assert bus.image() == draw_picture(shown)


def test_a_slow_display_draws_only_the_newest_frame():
    drawn, busy, may = [], Event(), Event()

    def draw(shown):
        drawn.append(shown.view.turn)
        busy.set()
        may.wait(LONG)

    display = Display(draw)
    thread = Thread(target=display.run)
    display.put(ScreenFrame(View(say("lay_cards"), turn=0), {}))
    thread.start()
    assert busy.wait(LONG)
    for turn in (1, 2, 3):
        display.put(ScreenFrame(View(say("lay_cards"), turn=turn), {}))
    display.close()
    may.set()
    thread.join(LONG)
    assert drawn == [0, 3]


DISKS = {
    "full": ({"room": 0}, {"room": 1 << 30}, "journal_full"),
    "dead": ({"broken": True}, {"broken": False}, "journal_disk"),
}


@pytest.mark.parametrize(("worse", "better", "says"), DISKS.values(), ids=DISKS)
def test_a_disk_fault_is_reported_and_no_move_is_lost(tmp_path, worse, better, says):
    disk = Disk()
    with closing(open_journal(tmp_path / JOURNAL_FILE, disk.connect)) as journal:
        running = Running(begun(journal))
        for name, value in worse.items():
            setattr(disk, name, value)
        running.take(parse_told("play 12 up:1", "button", 1.0))
        assert (running.companion.view.alert.id, moves(running.companion)) == (says, ["play 12 up:1"])
        for name, value in better.items():
            setattr(disk, name, value)
        running.companion.handle(Ticked(1.0 + JOURNAL_RETRY_S))
        assert running.companion.view.alert is None
    with closing(open_journal(tmp_path / JOURNAL_FILE, disk.connect)) as journal:
        assert [row.entry for row in journal.rows(1)] == ["play 12 up:1"]


def test_an_end_during_a_game_keeps_it_resumable_and_restores_the_terminal(tmp_path):
    shell, program = pty.openpty()
    termios.tcsetwinsize(program, (40, 100))
    words = ["--camera", "sim", "--seed", "5", "--speed", "50", "--option", "players=2", "--state", str(tmp_path)]
    command = [sys.executable, "-c", "from firmware.cli import main; main()", "run", *words]
    child = subprocess.Popen(command, stdin=program, stdout=program, stderr=program, close_fds=True)
    os.close(program)
    shown = b""
    with os.fdopen(shell, "rb", buffering=0) as terminal:
        while b" to row " not in shown:
            shown += terminal.read(4096)
        child.send_signal(signal.SIGTERM)
        with suppress(OSError):  # the terminal is closed
            while part := terminal.read(4096):
                shown += part
    assert child.wait(LONG) == 0, shown
    assert shown.index(b"\x1b[?1049h") < shown.index(b" to row ") < shown.index(b"\x1b[?1049l")
    assert b"Traceback" not in shown
    with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
        assert journal.error is None
        log = journal.load(journal.running().id, GAMES)
    assert str(log.moves[0]).startswith("deal ")
