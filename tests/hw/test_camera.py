"""Every camera name opens its camera or reports a remedy; importing the modules opens nothing."""

import importlib.util
import os
import subprocess
import sys

import cv2
import numpy as np
import pytest

from hw.camera import CameraGone, NoCamera, open_camera
from hw.cameras.usb import UsbCamera

NAMES = {
    "": "camera_unknown",
    "auto:1": "camera_unknown",
    "webcam": "camera_unknown",
    "usb": "camera_unknown",
    "usb:": "camera_unknown",
    "files:": "camera_unknown",
    "video:": "camera_unknown",
    "picamera:x": "camera_unknown",
    "usb:97": "camera_no_usb value=usb:97",
    "usb:/dev/nothing": "camera_no_usb value=usb:/dev/nothing",
    "usb:/dev/null": "camera_no_usb value=usb:/dev/null",
    "files:/nowhere": "camera_no_folder value=nowhere",
    "video:/nowhere.mp4": "camera_no_file value=nowhere.mp4",
}


@pytest.mark.parametrize(("name", "says"), NAMES.items(), ids=lambda v: v or "nothing")
def test_a_camera_that_cannot_be_opened_is_reported_with_a_remedy(name, says):
    with pytest.raises(NoCamera) as caught:
        open_camera(name)
    assert str(caught.value).startswith(says)


def test_a_folder_without_pictures_is_reported(tmp_path):
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(NoCamera, match=r"^camera_no_pictures"):
        open_camera(f"files:{tmp_path}")


def test_a_file_that_is_not_a_video_is_reported(tmp_path):
    (tmp_path / "a.mp4").write_bytes(b"not a video at all" * 20)
    with pytest.raises(NoCamera, match=r"^camera_no_video value=a.mp4"):
        open_camera(f"video:{tmp_path / 'a.mp4'}")


@pytest.mark.skipif(
    importlib.util.find_spec("picamera2") is not None or os.path.exists("/dev/video0"), reason="there is a camera"
)
def test_a_machine_without_a_camera_reports_what_to_plug_in():
    with pytest.raises(NoCamera, match="camera_none"):
        open_camera("auto")


def test_importing_the_camera_modules_imports_no_camera_library():
    code = "import hw.camera, hw.frame, hw.cameras.reconnecting, sys; print({'cv2', 'picamera2'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"


@pytest.fixture
def stream(tmp_path):
    """A video that OpenCV reads like a webcam, and that ends as if it were unplugged."""
    file = tmp_path / "stream.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for shade in (40, 80, 120):
        writer.write(np.full((48, 64, 3), shade, np.uint8))
    writer.release()
    return str(file)


def test_a_webcam_stamps_its_frames_and_reports_being_unplugged(stream):
    clock = iter((10.0, 10.1, 10.2)).__next__
    with UsbCamera(stream, clock=clock, backend=cv2.CAP_FFMPEG) as camera:
        shown = [camera.read(1) for _ in range(3)]
        assert [frame.at for frame in shown] == [10.0, 10.1, 10.2]
        assert [round(float(frame.grey.mean()), -1) for frame in shown] == [40, 80, 120]
        assert shown[0].colour().shape == (48, 64, 3)
        with pytest.raises(CameraGone, match="camera_gone"):
            camera.read(1)
    with UsbCamera(stream, backend=cv2.CAP_FFMPEG) as again:
        assert again.read(1) is not None
