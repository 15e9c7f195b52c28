"""The picture of the empty table, kept on disk from one start to the next."""

from pathlib import Path

import cv2
import numpy as np

from engine.text import say
from firmware.machine.atomic_file import write_durably
from hw.errors import DeviceError
from hw.frame import Picture

EMPTY_TABLE_FILE = "empty_table.png"


class EmptyTableError(DeviceError):
    """The picture cannot be saved or read: ``text`` says what to do."""


def save_empty_table(folder: Path, picture: Picture) -> None:
    """Save the picture so that a power cut leaves the old one or the new one."""
    packed = np.asarray(cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1], np.uint8).tobytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_durably(folder / EMPTY_TABLE_FILE, packed)
    except OSError as why:
        raise EmptyTableError(say("empty_not_saved")) from why


def load_empty_table(folder: Path) -> Picture | None:
    """The saved picture; None before the first set-up."""
    try:
        packed = (folder / EMPTY_TABLE_FILE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as why:
        raise EmptyTableError(say("empty_unreadable")) from why
    # libpng would print to stderr about a torn file; a complete file has its end chunk
    whole = packed.startswith(b"\x89PNG") and b"IEND" in packed[-16:]
    try:
        picture = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_UNCHANGED) if whole else None
    except cv2.error:
        picture = None
    if picture is None or picture.dtype != np.uint8:
        raise EmptyTableError(say("empty_unreadable"))
    return np.asarray(picture, np.uint8)
