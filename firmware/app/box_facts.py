"""The facts that the screen "About this box" shows."""

import socket
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from firmware.box.events import BoxFacts
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal
from firmware.machine.machine_facts import free_mb
from firmware.web.server import outgoing_address


def collect_facts(folder: Path, journal: Journal, page: Callable[[], str] | None) -> BoxFacts:
    """``page`` returns the present address of the page. Without a network there is no address."""
    out = outgoing_address()
    address = page() if out and page else out or ""
    name = socket.gethostname().partition(".")[0]
    return BoxFacts(f"{name}.local", address, metadata.version("oxeye"), _room(free_mb(folder)), _games(journal))


def _room(mb: int) -> str:
    return f"{mb} MB" if mb < 1000 else f"{mb / 1000:.0f} GB"


def _games(journal: Journal) -> int | None:
    try:
        return len(journal.history())
    except JournalError:
        return None
