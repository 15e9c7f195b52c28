"""Messages to systemd: ready with the first view, heartbeats while frames are handled or a fault is known."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from firmware.runtime.watchdog import HEARTBEAT_S, NO_FRAME_TIMEOUT_S, LifeSigns, Watchdog, connect_systemd

WELL = LifeSigns(shown=True, frames=0, fault=False)


class Patient:
    """A watchdog with a settable clock and life signs."""

    def __init__(self):
        self.now, self.signs, self.heard = 0.0, WELL, []
        self.heart = Watchdog(lambda *states: self.heard.extend(states), lambda: self.signs, clock=lambda: self.now)

    def turn(self, at, frames=0, shown=True, fault=False):
        self.now, self.signs = at, LifeSigns(shown, frames, fault)
        self.heard.clear()
        self.heart.turned()
        return [state for state in self.heard if not state.startswith("STATUS=")]


def test_ready_is_sent_once_after_the_first_view():
    patient = Patient()
    assert patient.turn(0.0, shown=False) == []
    assert patient.turn(0.1) == ["READY=1", "WATCHDOG=1"]
    assert patient.turn(0.1 + HEARTBEAT_S, frames=1) == ["WATCHDOG=1"]


def test_heartbeats_have_a_minimum_interval():
    patient = Patient()
    patient.turn(0.0)
    assert patient.turn(HEARTBEAT_S / 2, frames=1) == []
    assert patient.turn(HEARTBEAT_S, frames=2) == ["WATCHDOG=1"]


@pytest.mark.parametrize(
    ("signs", "alive"),
    [
        pytest.param({"frames": 8}, True, id="frames are handled"),
        pytest.param({"frames": 7}, False, id="no frames and no known fault"),
        pytest.param({"frames": 7, "fault": True}, True, id="no frames and a known fault"),
    ],
)
def test_the_heartbeat_needs_frames_or_a_known_fault(signs, alive):
    patient = Patient()
    patient.turn(0.0, frames=7)
    patient.turn(HEARTBEAT_S, frames=7)
    assert (patient.turn(HEARTBEAT_S + NO_FRAME_TIMEOUT_S, **signs) == ["WATCHDOG=1"]) == alive


def test_a_recovered_camera_has_time_for_its_first_frame():
    patient = Patient()
    patient.turn(0.0, frames=7)
    patient.turn(100.0, frames=7, fault=True)
    assert patient.turn(100.0 + NO_FRAME_TIMEOUT_S - 1, frames=7) == ["WATCHDOG=1"]
    assert patient.turn(100.0 + NO_FRAME_TIMEOUT_S + HEARTBEAT_S, frames=7) == []


@pytest.fixture(params=["file", "abstract"])
def post(request, tmp_path):
    """A socket for messages, and its address as systemd writes it."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as box:
        if request.param == "file":
            address = str(tmp_path / "notify")
            box.bind(address)
        else:
            box.bind(f"\0oxeye-{tmp_path}")
            address = f"@oxeye-{tmp_path}"
        box.settimeout(5)
        yield box, address


def test_messages_reach_the_socket_of_systemd(post):
    box, address = post
    connect_systemd({"NOTIFY_SOCKET": address})("READY=1", "STATUS=well")
    assert box.recv(100) == b"READY=1\nSTATUS=well"


@pytest.mark.parametrize("address", ["", "/nowhere/at/all", "vsock:2:1"])
def test_without_a_listener_messages_are_dropped(address):
    assert connect_systemd({"NOTIFY_SOCKET": address})("READY=1") is None


def test_a_full_socket_does_not_block(tmp_path):
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as deaf:
        deaf.bind(str(tmp_path / "deaf"))
        tell = connect_systemd({"NOTIFY_SOCKET": str(tmp_path / "deaf")})
        for _ in range(1000):
            tell("WATCHDOG=1")
    assert Path(tmp_path / "deaf").exists()


@pytest.mark.parametrize("post", ["file"], indirect=True)
def test_safe_mode_sends_ready_and_heartbeats_without_a_camera_and_ends_on_sigterm(post, tmp_path):
    box, address = post
    box.settimeout(30)
    words = "run --safe --panel dummy --buttons none --page none".split()
    program = subprocess.Popen(
        [sys.executable, "-c", "from firmware.cli import main; main()", *words, "--state", str(tmp_path)],
        env=os.environ | {"NOTIFY_SOCKET": address},
        stdout=subprocess.PIPE,
        text=True,
    )
    with program, ExitStack() as stack:
        stack.callback(program.terminate)  # so that a failed assertion does not wait forever
        assert box.recv(100) == b"READY=1"
        assert box.recv(100) == b"WATCHDOG=1\nSTATUS=0 frames handled, camera fault"
        program.send_signal(signal.SIGTERM)
        assert box.recv(100) == b"STOPPING=1"
        assert "Safe mode" in program.stdout.read()
    assert program.returncode == 0
