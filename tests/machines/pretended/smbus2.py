"""Fake smbus2 with an SSD1306 panel.

The file in ``OXEYE_PANEL`` records the time of the first lit pixels and the heavy modules imported by then.
The panel is saved as a picture beside it until a heavy module is imported.
"""

import json
import os
import sys
import time
from pathlib import Path

from hw.fakes.ssd1306 import LARGEST, FakeSsd1306

HEAVY = ("cv2", "numpy", "starlette", "picamera2")


class i2c_msg:
    @staticmethod
    def write(address, data):
        return address, list(data)


class SMBus(FakeSsd1306):
    def __init__(self, port):
        super().__init__()
        self._port = port

    def i2c_rdwr(self, *messages):
        for address, (register, *data) in messages:
            for start in range(0, len(data), LARGEST):
                self.write_i2c_block_data(address, register, data[start : start + LARGEST])
        told = Path(os.environ["OXEYE_PANEL"])
        heavy = [name for name in HEAVY if name in sys.modules]
        if self.image().getbbox() and not heavy:
            self.image().save(told.with_suffix(".png"))
        if self.image().getbbox() and not told.exists():
            told.write_text(json.dumps({"at": time.monotonic(), "heavy": heavy}))
