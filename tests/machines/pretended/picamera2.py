"""Fake Picamera2 with a Camera Module 3; reads two YUV420 streams from the file in ``OXEYE_TABLE``."""

import os
import time
from types import MappingProxyType

import numpy as np

FPS = 10


class Request:
    def __init__(self, streams):
        self._streams = streams
        self._file = open(os.environ["OXEYE_TABLE"], "rb")  # noqa: SIM115  closed when the request is released
        self._taken = time.monotonic_ns()

    def make_buffer(self, name):
        """A copy of the buffer, as the real library returns."""
        sizes = [width * height * 3 // 2 for width, height in self._streams.values()]
        which = [*self._streams].index(name)
        return np.fromfile(self._file, np.uint8, sizes[which], offset=sum(sizes[:which]) - self._file.tell())

    def get_metadata(self):
        return {"SensorTimestamp": self._taken}

    def release(self):
        self._file.close()


class Picamera2:
    sensor_resolution = (4608, 2592)
    camera_controls = MappingProxyType({})

    def __init__(self, number, tuning=None):
        self._streams = {}
        self._colour_space = None
        self._next = time.monotonic()

    @staticmethod
    def global_camera_info():
        return [{"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}]

    @staticmethod
    def load_tuning_file(name):
        raise RuntimeError("Tuning file not found")

    def create_video_configuration(self, **given):
        return given

    def configure(self, given):
        self._streams = {name: given[name]["size"] for name in ("main", "lores")}
        self._colour_space = given["colour_space"]

    def camera_configuration(self):
        streams = {name: {"format": "YUV420", "size": size, "stride": size[0]} for name, size in self._streams.items()}
        return streams | {"colour_space": self._colour_space}

    def start(self):
        self._next = time.monotonic()

    def capture_request(self, wait):
        return object()

    def wait(self, job, timeout):
        left = self._next - time.monotonic()
        if left > timeout:
            time.sleep(timeout)
            raise TimeoutError
        time.sleep(max(left, 0.0))
        self._next = max(self._next + 1 / FPS, time.monotonic())
        return Request(self._streams)

    def set_controls(self, controls):
        pass

    def close(self):
        pass
