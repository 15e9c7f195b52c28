"""A failed or missing camera is reported once, retried with growing pauses, and recovers."""

import cv2
import numpy as np
import pytest

from engine.text import say
from hw.camera import Camera, CameraGone, open_camera
from hw.cameras.files import FilesCamera
from hw.cameras.reconnecting import ReconnectingCamera
from hw.cameras.usb import UsbCamera


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def rest(self, seconds):
        self.now += seconds


class Desk:
    """A reconnecting camera on ``opening``; records each report with its time."""

    def __init__(self, opening):
        self.clock = Clock()
        self.told = []
        self.tries = []
        self.opening = opening
        self.camera = ReconnectingCamera(self.open, tell=self.hear, clock=self.clock, rest=self.clock.rest)

    def open(self):
        self.tries.append(self.clock.now)
        return self.opening()

    def hear(self, trouble):
        self.told.append((self.clock.now, trouble and trouble.id))


@pytest.fixture
def stream(tmp_path):
    file = tmp_path / "stream.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(3):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    return str(file)


def test_a_missing_camera_is_reported_once_and_retried_with_growing_pauses(tmp_path):
    desk = Desk(lambda: open_camera(f"files:{tmp_path / 'late'}"))
    while desk.clock.now < 120:
        assert desk.camera.read(0.5) is None
    assert desk.told == [(0.0, "camera_no_folder")]
    assert desk.tries == [0, 1, 3, 8, 18, 48, 78, 108]
    assert desk.camera.trouble.id == "camera_no_folder"


def test_a_camera_that_appears_later_is_opened(tmp_path):
    desk = Desk(lambda: open_camera(f"files:{tmp_path}"))
    assert desk.camera.read(0.5) is None
    cv2.imwrite(str(tmp_path / "look.png"), np.zeros((48, 64, 3), np.uint8))
    while (frame := desk.camera.read(0.5)) is None:
        assert desk.clock.now < 5
    assert frame.grey.shape == (48, 64)
    assert desk.told == [(0.0, "camera_no_pictures"), (1.0, None)]
    assert desk.camera.trouble is None


def test_an_unplugged_camera_is_opened_again(stream):
    desk = Desk(lambda: UsbCamera(stream, clock=desk.clock, backend=cv2.CAP_FFMPEG))
    shown = [desk.camera.read(0.25) for _ in range(20)]
    assert [frame is not None for frame in shown[:8]] == [True] * 3 + [False] * 5
    assert shown[8] is not None
    assert desk.told[:3] == [(0.0, "camera_gone"), (1.0, None), (1.0, "camera_gone")]
    assert desk.tries == [0.0, 1.0, 2.0]


def test_the_end_of_a_recording_is_no_fault(tmp_path):
    cv2.imwrite(str(tmp_path / "look.png"), np.zeros((48, 64, 3), np.uint8))
    desk = Desk(lambda: open_camera(f"files:{tmp_path}"))
    assert desk.camera.read(0.5) is not None
    assert desk.camera.read(0.5) is None
    assert desk.camera.over
    assert desk.told == []
    assert desk.tries == [0.0]


def test_a_read_never_waits_longer_than_its_timeout():
    desk = Desk(lambda: open_camera("usb:97"))
    for _ in range(30):
        before = desk.clock.now
        assert desk.camera.read(0.2) is None
        assert desk.clock.now - before <= 0.2 + 1e-9


class Stubborn(Camera):
    """A camera whose read and close both fail."""

    def __init__(self):
        self.locks = 0

    def lock(self):
        self.locks += 1

    def read(self, timeout):
        raise CameraGone(say("camera_gone", value="stubborn"))

    def close(self):
        raise OSError("no such device")


def test_an_error_on_close_is_ignored():
    desk = Desk(Stubborn)
    assert desk.camera.read(0.5) is None
    assert desk.told == [(0.0, "camera_gone")]
    desk.camera.close()


def test_a_reopened_camera_is_locked_again():
    opened = []

    def opening():
        opened.append(Stubborn())
        return opened[-1]

    desk = Desk(opening)
    desk.camera.lock()
    while len(opened) < 2:
        desk.camera.read(0.5)
    assert [camera.locks for camera in opened] == [1, 1]


def test_a_camera_settles_from_the_lock_call(tmp_path):
    class Slow(FilesCamera):
        def lock(self):
            self.settling = True

    cv2.imwrite(str(tmp_path / "look.png"), np.zeros((48, 64, 3), np.uint8))
    desk = Desk(lambda: Slow(str(tmp_path)))
    assert desk.camera.read(0.5) is not None
    assert not desk.camera.settling
    desk.camera.lock()
    assert desk.camera.settling


def test_after_close_the_camera_is_not_opened_again(tmp_path):
    cv2.imwrite(str(tmp_path / "look.png"), np.zeros((48, 64, 3), np.uint8))
    desk = Desk(lambda: open_camera(f"files:{tmp_path}"))
    with desk.camera as camera:
        assert camera.read(0.5) is not None
    assert desk.camera.read(0.5) is None
    assert desk.tries == [0.0]
