"""The newest state of the journal, remembered in a small file beside it, so that an older copy in its place is noticed.

The file has two slots that are written in turn without fsync: after a power cut it may be behind the journal, never
ahead of it.
"""

import os
import struct
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from engine.text import Text, say
from firmware.journal.seal_sql import Ledger
from firmware.machine.regular_file import open_regular

HEAD_SUFFIX = ".head"
_SLOT = struct.Struct(">Q32s8s")


def remember_head(path: Path, ledger: Ledger) -> None:
    """Remember that the journal ``path`` has reached this state; ``OSError`` if that is not possible."""
    body = struct.pack(">Q32s", ledger.commits, ledger.total)
    with closing(open_regular(_head_path(path), os.O_RDWR | os.O_CREAT)) as file:
        file.seek(ledger.commits % 2 * _SLOT.size)
        file.write(body + _checksum(body))


def read_head(path: Path) -> Ledger | None:
    """The newest state that was remembered, None if there is none that is undamaged."""
    try:
        with closing(open_regular(_head_path(path), os.O_RDONLY)) as file:
            return max(_read_slots(file), key=lambda ledger: ledger.commits, default=None)
    except OSError:
        return None


def forget_head(path: Path) -> None:
    """Forget what was remembered, after its loss was shown."""
    with suppress(OSError):
        _head_path(path).unlink(missing_ok=True)


def find_head_loss(path: Path, now: Ledger) -> Text | None:
    """A notice if the journal is older than what is remembered, or another one."""
    before = read_head(path)
    if before is None or before.commits < now.commits or before == now:
        return None
    if before.commits == now.commits:
        return say("journal_exchanged")
    return say("journal_older", n=before.commits - now.commits)


def _head_path(path: Path) -> Path:
    return path.with_name(path.name + HEAD_SUFFIX)


def _read_slots(file: BinaryIO) -> list[Ledger]:
    found = []
    for _ in range(2):
        slot = file.read(_SLOT.size)
        if len(slot) == _SLOT.size and _checksum(slot[:40]) == slot[40:]:
            commits, total, _ = _SLOT.unpack(slot)
            found.append(Ledger(commits, total))
    return found


def _checksum(body: bytes) -> bytes:
    return sha256(body).digest()[:8]
