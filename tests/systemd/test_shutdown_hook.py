"""The shutdown hook switches off light and screen, and ignores invalid requests and missing tools."""

import importlib.util
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "systemd/shutdown_hook.py"


@pytest.fixture
def dark():
    spec = importlib.util.spec_from_file_location("dark", HERE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """The arguments of each call of a pinctrl stub."""
    program, heard = tmp_path / "bin/pinctrl", tmp_path / "heard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {heard}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return lambda: heard.read_text().splitlines() if heard.exists() else []


REQUESTS = {
    "a light": ("light 17,27\n", ["set 17,27 op dl"]),
    "a light of one pin": ("light 5\nscreen 99 60\n", ["set 5 op dl"]),
    "empty": ("", []),
    "too many pins": ("light 1,2,3,4\n", []),
    "a shell command": ("light 17;reboot\n", []),
    "text before the keyword": ("a light 17\n", []),
    "not ASCII": ("light 17\n\xff", []),
}


@pytest.mark.parametrize(("request_text", "wanted"), REQUESTS.values(), ids=REQUESTS)
def test_only_pin_numbers_are_read_from_the_request(dark, calls, tmp_path, request_text, wanted):
    (tmp_path / "until-off").write_bytes(request_text.encode("latin-1"))
    assert dark.main(tmp_path / "until-off") == 0
    assert calls() == wanted


def test_without_a_request_nothing_is_called(dark, calls, tmp_path):
    assert dark.main(tmp_path / "until-off") == 0
    assert calls() == []


def test_missing_pinctrl_and_bus_do_not_fail_the_shutdown(dark, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (tmp_path / "until-off").write_text("light 5\nscreen 99 60\n")
    assert dark.main(tmp_path / "until-off") == 0


def test_the_screen_receives_display_off(dark, tmp_path):
    (tmp_path / "i2c-1").touch()
    asked = []
    dark.screen(1, 0x3C, lambda bus, what, address: asked.append((os.fstat(bus).st_ino, what, address)), str(tmp_path))
    assert asked == [((tmp_path / "i2c-1").stat().st_ino, 0x0703, 0x3C)]
    assert (tmp_path / "i2c-1").read_bytes() == b"\x00\xae"


def test_the_hook_is_an_executable_script():
    assert HERE.read_text().startswith("#!/usr/bin/python3\n")
    assert HERE.stat().st_mode & 0o111
