"""lgpio makes pipes in the working directory when it is imported: every command works where nobody may write."""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from firmware.cli.paths import LGPIO_FOLDER, PIN_FACTORY, absolute_camera, prepare_lgpio
from tests.support.rights import OXEYE, unprivileged

PRETENDED = Path(__file__).parents[2] / "machines/pretended_pins"
BARE = '[camera]\nname = "files:/nowhere"\n[panel]\nchip = "none"\n'


@pytest.fixture
def home(tmp_path):
    """Of somebody else, with settings and a film in it."""
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


def test_the_doctor_is_well_in_a_folder_that_nobody_may_write(home):
    done = oxeye(home, "doctor", "--config", "config.toml", "--state", "../ours")
    assert done.stderr == ""
    assert "lgpio there" in done.stdout.splitlines()[0]
    assert "✓ settings" in done.stdout
    assert not (home.parent / "pipes").exists()


def test_what_is_named_from_there_is_found_once_lgpio_has_gone_elsewhere(home):
    words = ["--camera", "files:shots", "--state", "../ours", "--buttons", "pins", "--panel", "dummy", "--page", "none"]
    done = oxeye(home, "run", *words)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    pipes = Path((home.parent / "pipes").read_text(encoding="utf-8"))
    assert pipes.parent == home.parent
    assert not pipes.exists()
    assert [file.name for file in (home.parent / "ours").glob("*.sqlite")] == ["journal.sqlite"]
    assert sorted(os.listdir(home)) == ["config.toml", "shots"]


def test_without_room_for_a_folder_there_is_an_answer_all_the_same(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(PRETENDED)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    environ = {}
    prepare_lgpio(environ)
    assert environ == {PIN_FACTORY: "lgpio"}


def test_a_service_keeps_the_folder_it_has(monkeypatch):
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
def test_a_recording_is_a_file_from_the_root_on(name, found):
    assert absolute_camera(name) == found
