"""The state folder, which holds the journal: the same for every command. Simulated games have one of their own."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from engine.errors import InputError
from engine.text import say
from firmware.machine.config import Config
from firmware.machine.config_file import config_path, may_exist, read_config

SYSTEM_FOLDER = Path("/var/lib/oxeye")
JOURNAL_FILE = "journal.sqlite"
SIMULATED = "simulated"
"""Name of the folder of the simulated table, within that of this user: its games never mix with real ones."""


def state_folder() -> Path:
    """The folder that systemd gives, else that of the box, else one of this user."""
    return _box_folder(os.environ) or user_folder()


def user_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "oxeye"


def simulated_folder() -> Path:
    """The folder of the games at the simulated table."""
    return user_folder() / SIMULATED


def chosen_folder(config: Config | None = None) -> Path:
    """The state folder that the settings name, so that every command finds the journal of the box.

    On a computer that is no box, it is the folder of the last game, at a real or at the simulated table.
    """
    if config is None:
        config = read_config(file).config if may_exist(file := config_path()) else Config()
    if config.state != "auto":
        return Path(config.state)
    if (box := _box_folder(os.environ)) is not None:
        return box
    return max(user_folder(), simulated_folder(), key=_last_change)


def set_state_aside(folder: Path, at: float) -> Path | None:
    """Rename the folder by the time ``at``, so that a new state can begin; None if there is none yet."""
    if not folder.exists():
        return None
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(at))
    names = (f"{folder.name}-{stamp}{f'-{n}' if n else ''}" for n in range(1000))
    aside = next(path for name in names if not (path := folder.with_name(name)).exists())
    try:
        folder.rename(aside)
    except OSError as why:
        raise InputError(say("fresh_not_moved", value=str(folder))) from why
    return aside


def _box_folder(environ: Mapping[str, str]) -> Path | None:
    given = environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.partition(":")[0])
    return SYSTEM_FOLDER if SYSTEM_FOLDER.is_dir() and os.access(SYSTEM_FOLDER, os.W_OK) else None


def _last_change(folder: Path) -> float:
    """When the journal was last written, with what SQLite keeps beside it."""
    return max((path.stat().st_mtime for path in folder.glob(f"{JOURNAL_FILE}*")), default=0.0)
