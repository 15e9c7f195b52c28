"""The last moment of the machine: light and screen go out, whatever was written for it and whatever is not there."""

import importlib.util
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "systemd/dark.py"


@pytest.fixture
def dark():
    spec = importlib.util.spec_from_file_location("dark", HERE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """What a pinctrl that only writes down its words was called with."""
    program, heard = tmp_path / "bin/pinctrl", tmp_path / "heard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {heard}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return lambda: heard.read_text().splitlines() if heard.exists() else []


WISHES = {
    "a light": ("light 17,27\n", ["set 17,27 op dl"]),
    "a light of one pin": ("light 5\nscreen 99 60\n", ["set 5 op dl"]),
    "nothing": ("", []),
    "more pins than a light has": ("light 1,2,3,4\n", []),
    "no number": ("light 17;reboot\n", []),
    "a word before it": ("a light 17\n", []),
    "no letters at all": ("light 17\n\xff", []),
}


@pytest.mark.parametrize(("wish", "wanted"), WISHES.values(), ids=WISHES)
def test_numbers_of_pins_are_taken_and_nothing_else(dark, calls, tmp_path, wish, wanted):
    (tmp_path / "wish").write_bytes(wish.encode("latin-1"))
    assert dark.main(tmp_path / "wish") == 0
    assert calls() == wanted


def test_without_a_wish_nothing_happens(dark, calls, tmp_path):
    assert dark.main(tmp_path / "wish") == 0
    assert calls() == []


def test_a_machine_without_pinctrl_and_bus_is_halted_all_the_same(dark, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (tmp_path / "wish").write_text("light 5\nscreen 99 60\n")
    assert dark.main(tmp_path / "wish") == 0


def test_the_screen_is_told_to_switch_off(dark, tmp_path):
    (tmp_path / "i2c-1").touch()
    asked = []
    dark.screen(1, 0x3C, lambda bus, what, address: asked.append((os.fstat(bus).st_ino, what, address)), str(tmp_path))
    assert asked == [((tmp_path / "i2c-1").stat().st_ino, 0x0703, 0x3C)]
    assert (tmp_path / "i2c-1").read_bytes() == b"\x00\xae"


def test_it_is_a_program():
    assert HERE.read_text().startswith("#!/usr/bin/python3\n")
    assert HERE.stat().st_mode & 0o111
