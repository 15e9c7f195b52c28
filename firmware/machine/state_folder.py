"""The state folder, which holds the journal: the same for every command."""

import os
from pathlib import Path

from firmware.machine.config import Config
from firmware.machine.config_file import config_path, may_exist, read_config

SYSTEM_FOLDER = Path("/var/lib/oxeye")
JOURNAL_FILE = "journal.sqlite"


def state_folder() -> Path:
    """The folder that systemd gives, else that of the box, else one of this user."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.partition(":")[0])
    if SYSTEM_FOLDER.is_dir() and os.access(SYSTEM_FOLDER, os.W_OK):
        return SYSTEM_FOLDER
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "oxeye"


def chosen_folder(config: Config | None = None) -> Path:
    """The state folder that the settings name, so that every command finds the journal of the box."""
    if config is None:
        config = read_config(file).config if may_exist(file := config_path()) else Config()
    return state_folder() if config.state == "auto" else Path(config.state)
