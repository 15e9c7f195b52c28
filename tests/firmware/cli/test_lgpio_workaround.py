"""lgpio creates pipes in the working directory on import; every command works in a read-only folder."""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from firmware.cli.lgpio_workaround import LGPIO_FOLDER, PIN_FACTORY, absolute_camera, prepare_lgpio
from tests.support.rights import OXEYE, unprivileged

PRETENDED = Path(__file__).parents[2] / "machines/pretended_pins"
BARE = '[camera]\nname = "files:/nowhere"\n[panel]\nchip = "none"\n'


@pytest.fixture
def home(tmp_path):
    """A read-only folder with settings and pictures."""
    home = tmp_path / "home"
    (home / "shots").mkdir(parents=True)
    (home / "config.toml").write_text(BARE, encoding="utf-8")
    for n in range(3):
        Image.fromarray(np.full((60, 80), 128, np.uint8)).save(home / f"shots/{n}.png")
    (tmp_path / "ours").mkdir()
    home.chmod(0o555)
    yield home
    home.chmod(0o755)


def oxeye(home, *words):
    given = {key: value for key, value in os.environ.items() if key not in (LGPIO_FOLDER, PIN_FACTORY)}
    given |= {"PYTHONPATH": str(PRETENDED), "OXEYE_PIPES": str(home.parent / "pipes"), "TMPDIR": str(home.parent)}
    told = unprivileged(*OXEYE, *words)
    return subprocess.run(told, cwd=home, env=given, capture_output=True, text=True, timeout=60)


def test_the_doctor_works_in_a_read_only_folder(home):
    done = oxeye(home, "doctor", "--config", "config.toml", "--state", "../ours")
    assert done.stderr == ""
    assert "lgpio there" in done.stdout.splitlines()[0]
    assert "✓ settings" in done.stdout
    assert not (home.parent / "pipes").exists()


def test_relative_paths_are_found_after_lgpio_changes_the_folder(home):
    words = ["--camera", "files:shots", "--state", "../ours", "--buttons", "pins", "--panel", "dummy", "--page", "none"]
    done = oxeye(home, "run", *words)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    pipes = Path((home.parent / "pipes").read_text(encoding="utf-8"))
    assert pipes.parent == home.parent
    assert not pipes.exists()
    assert [file.name for file in (home.parent / "ours").glob("*.sqlite")] == ["journal.sqlite"]
    assert sorted(os.listdir(home)) == ["config.toml", "shots"]


def test_without_a_temporary_folder_only_the_pin_factory_is_set(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(PRETENDED)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    environ = {}
    prepare_lgpio(environ)
    assert environ == {PIN_FACTORY: "lgpio"}


def test_the_lgpio_folder_of_a_service_is_kept(monkeypatch):
    monkeypatch.syspath_prepend(PRETENDED)
    environ = {LGPIO_FOLDER: "/run/oxeye", PIN_FACTORY: "mock"}
    prepare_lgpio(environ)
    assert environ == {LGPIO_FOLDER: "/run/oxeye", PIN_FACTORY: "mock"}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("files:shots", f"files:{Path.cwd()}/shots"),
        ("video:/films/one.mp4", "video:/films/one.mp4"),
        ("usb:0", "usb:0"),
        ("files:", "files:"),
        ("auto", "auto"),
    ],
)
def test_the_path_of_a_recording_becomes_absolute(name, found):
    assert absolute_camera(name) == found
