"""A random id of this box, which other computers know it by: two boxes may have the same host name."""

import re
import secrets
from contextlib import suppress
from pathlib import Path

from firmware.machine.atomic_file import write_durably
from firmware.machine.regular_file import read_regular

BOX_ID_FILE = "box-id"
ID_BYTES = 8
ID_PATTERN = re.compile(r"[0-9a-f]{16}")


def read_box_id(folder: Path) -> str:
    """The id in the state folder, empty if there is none yet."""
    try:
        found = read_regular(folder / BOX_ID_FILE, 64).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return found if ID_PATTERN.fullmatch(found) else ""


def ensure_box_id(folder: Path) -> str:
    """The id of this box; a new one is kept, if the folder can be written."""
    if found := read_box_id(folder):
        return found
    made = secrets.token_hex(ID_BYTES)
    with suppress(OSError):
        write_durably(folder / BOX_ID_FILE, f"{made}\n".encode(), 0o644)
    return made
