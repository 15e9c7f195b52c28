"""lgpio as far as its import goes: it moves to LG_WD, makes a pipe there and opens it; and no pin works.

The file that ``OXEYE_PIPES`` names tells where that was.
"""

import os
from contextlib import suppress
from pathlib import Path

PIPE = ".lgd-nfy-3"
if folder := os.environ.get("LG_WD"):
    os.chdir(folder)
with suppress(OSError):
    os.mkfifo(PIPE)
    if told := os.environ.get("OXEYE_PIPES"):
        Path(told).write_text(os.getcwd(), encoding="utf-8")
pipe = os.open(PIPE, os.O_RDWR | os.O_NONBLOCK)


def __getattr__(name: str) -> int:
    return -1
