"""A command without the permissions it needs reports that in one line, with a remedy."""

import os
import subprocess
from contextlib import closing

import pytest

from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started
from firmware.machine.config_file import CONFIG_VARIABLE
from tests.support.rights import OXEYE, unprivileged

SETTINGS = '[camera]\nname = "files:/nowhere"\n[panel]\nchip = "none"\n[buttons]\nkind = "none"\n'


@pytest.fixture
def shut(tmp_path):
    """A folder without permissions, with settings and a journal, beside readable settings."""
    shut = tmp_path / "shut"
    shut.mkdir()
    (shut / "config.toml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "config.toml").write_text(SETTINGS, encoding="utf-8")
    with closing(open_journal(shut / "journal.sqlite")) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    shut.chmod(0)
    yield shut
    shut.chmod(0o755)


def oxeye(*words, named=""):
    told = unprivileged(*OXEYE, *map(str, words))
    return subprocess.run(told, env=os.environ | {CONFIG_VARIABLE: named}, capture_output=True, text=True, timeout=60)


CLOSED = {
    "a setting to be changed": (("config", "set", "--config", "{}/config.toml", "language", "de"), 1, "try with sudo"),
    "settings named by the environment": (("config", "check"), 1, "try with sudo"),
    "settings to be shown": (("config", "show", "--config", "{}/config.toml"), 0, "try with sudo"),
    "all scores": (("scores", "--journal", "{}/journal.sqlite"), 1, "No access to saved games"),
    "one game": (("log", "1", "--journal", "{}/journal.sqlite"), 1, "No access to saved games"),
    "the folder of the journal": (("doctor", "--config", "{}/../config.toml", "--state", "{}"), 1, "sudo -u oxeye"),
    "a folder in it": (("doctor", "--config", "{}/../config.toml", "--state", "{}/new"), 1, "sudo -u oxeye"),
    "settings of the doctor": (("doctor", "--config", "{}/config.toml", "--state", "{}/.."), 1, "try with sudo"),
    "a bundle": (
        ("doctor", "--config", "{}/../config.toml", "--state", "{}/..", "--bundle", "{}/report.zip"), 1, "/tmp"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "ends", "says"), CLOSED.values(), ids=CLOSED)
def test_missing_permissions_are_reported_with_a_remedy(words, ends, says, shut):
    done = oxeye(*(word.replace("{}", str(shut)) for word in words), named=f"{shut}/config.toml")
    assert "Traceback" not in done.stderr
    assert says in done.stdout + done.stderr
    assert done.returncode == ends
