"""Fake lgpio: its import changes to LG_WD and opens a pipe there, as the real one does; no pin works.

The file in ``OXEYE_PIPES`` records that folder.
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
