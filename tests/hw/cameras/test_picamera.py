"""Camera on the ribbon connector of a Pi: its choice, its stream sizes and its frame times."""

import importlib.util
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest

from hw.camera import NoCamera, open_camera
from hw.cameras.picamera import PiCamera, choose_main_size, choose_small_size, compute_frame_time, list_ribbon_cameras

V3 = {"Model": "imx708", "Location": 2, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
HQ = {"Model": "imx477", "Location": 2, "Id": "/base/soc/i2c0mux/i2c@0/imx477@1a", "Num": 1}
WEBCAM = {"Model": "C920", "Location": 2, "Id": r"\_SB_.PCI0.usb-0000:00:14.0-1:1.0-046d:082d", "Num": 0}
OLDER = {"Model": "imx219", "Id": "/base/soc/i2c0mux/i2c@1/imx219@10"}

FOUND = {
    "none": ([], []),
    "one": ([V3], [0]),
    "two connectors": ([V3, HQ], [0, 1]),
    "numbered by position, not by libcamera": ([HQ, V3], [0, 1]),
    "a webcam is not on the ribbon": ([WEBCAM, HQ], [1]),
    "only a webcam": ([WEBCAM], []),
    "an older library without numbers": ([OLDER], [0]),
}


@pytest.mark.parametrize(("infos", "numbers"), FOUND.values(), ids=FOUND)
def test_ribbon_cameras_are_listed_without_webcams(infos, numbers):
    assert list_ribbon_cameras(infos) == numbers


SENSORS = {
    "v1": ((2592, 1944), (2592, 1944), (576, 432)),
    "v2": ((3280, 2464), (3280, 2464), (576, 432)),
    "v3": ((4608, 2592), (4608, 2592), (576, 324)),
    "hq": ((4056, 3040), (4056, 3040), (576, 430)),
    "global shutter": ((1456, 1088), (1456, 1088), (576, 430)),
    "64 megapixels at half": ((9248, 6944), (2312, 1736), (576, 432)),
    "odd": ((641, 481), (640, 480), (576, 432)),
    "tiny": ((320, 240), (320, 240), (320, 240)),
}


@pytest.mark.parametrize(("sensor", "main", "small"), SENSORS.values(), ids=SENSORS)
def test_main_and_small_sizes_fit_the_sensor(sensor, main, small):
    assert choose_main_size(sensor) == main
    assert choose_small_size(main) == small


TIMES = {
    "sensor timestamp": ({"SensorTimestamp": 99_900_000_000}, 99.9),
    "timestamp of another clock": ({"SensorTimestamp": 5_000_000_000}, 100.0),
    "no timestamp": ({}, 100.0),
}


@pytest.mark.parametrize(("metadata", "at"), TIMES.values(), ids=TIMES)
def test_the_frame_time_comes_from_the_sensor_timestamp(metadata, at):
    assert compute_frame_time(metadata, now=100.0) == pytest.approx(at)


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is not None, reason="picamera2 is installed")
@pytest.mark.parametrize(("name", "says"), [("picamera", "camera_no_picamera"), ("picamera:1", "camera_no_picamera")])
def test_a_missing_picamera2_is_reported(name, says):
    with pytest.raises(NoCamera, match=says):
        open_camera(name)


class Device:
    """A camera of 64 x 48 pixels that shows one colour and grants one colour space, whatever it is asked for."""

    sensor_resolution = (64, 48)
    camera_controls = MappingProxyType({})

    def __init__(self, granted, levels):
        self.granted, self.levels, self.asked = granted, levels, {}

    def create_video_configuration(self, **given):
        self.asked = given
        return given

    def configure(self, given):
        pass

    def camera_configuration(self):
        streams = {name: {"format": "YUV420", "size": (64, 48), "stride": 64} for name in ("main", "lores")}
        return streams | {"colour_space": self.granted}

    def start(self):
        pass

    def capture_request(self, wait):
        return None

    def wait(self, job, timeout):
        return self

    def make_buffer(self, name):
        return np.repeat(np.array(self.levels, np.uint8), (64 * 48, 32 * 24, 32 * 24))

    def get_metadata(self):
        return {}

    def release(self):
        pass

    def close(self):
        pass


def space(matrix, extent):
    return SimpleNamespace(ycbcrEncoding=SimpleNamespace(name=matrix), range=SimpleNamespace(name=extent))


SYCC = space("Rec601", "Full")
# red 190, green 30, blue 35 by the equations of each standard
RED = {
    "as asked": (SYCC, (78, 104, 207)),
    "television of standard definition": (space("Rec601", "Limited"), (83, 107, 198)),
    "television of high definition": (space("Rec709", "Limited"), (71, 114, 198)),
}


@pytest.mark.parametrize(("granted", "levels"), RED.values(), ids=RED)
def test_a_red_card_is_red_in_every_colour_space_that_may_be_granted(granted, levels):
    device = Device(granted, levels)
    frame = PiCamera(device, SYCC, clock=lambda: 5.0).read(0.1)
    assert device.asked["colour_space"] is SYCC
    for picture in (frame.colour(), frame.halved()):
        assert np.abs(picture.astype(int) - (35, 30, 190)).max() <= 3


@pytest.mark.parametrize(("granted", "level"), [(SYCC, 255), (space("Rec709", "Limited"), 235)])
def test_burnt_out_is_255_in_both_streams(granted, level):
    frame = PiCamera(Device(granted, (level, 128, 128)), SYCC, clock=lambda: 5.0).read(0.1)
    assert (frame.grey == 255).all()
    assert (frame.small == 255).all()
    assert (frame.colour() == 255).all()
