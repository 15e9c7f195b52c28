"""The browser of this computer: opened only where a person would see it."""

import os

import pytest

from firmware.machine.browser import find_opener, open_browser

CASES = {
    "a display": ({"DISPLAY": ":0"}, True),
    "a Wayland display": ({"WAYLAND_DISPLAY": "wayland-0"}, True),
    "no display": ({}, False),
    "over ssh without a display": ({"SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, False),
    "an empty display": ({"DISPLAY": ""}, False),
    "a service": ({"DISPLAY": ":0", "NOTIFY_SOCKET": "/run/x"}, False),
}


@pytest.fixture
def programs(tmp_path):
    """A folder of programs with an xdg-open that notes what it was given."""
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/told\n')
    opener.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("environ", "found"), CASES.values(), ids=CASES)
def test_a_browser_is_opened_with(programs, environ, found):
    opener = find_opener({**environ, "PATH": str(programs)}, "linux")
    assert opener == (str(programs / "xdg-open") if found else None)


def test_without_a_program_for_it_no_browser_is_opened(tmp_path):
    assert find_opener({"DISPLAY": ":0", "PATH": str(tmp_path)}, "linux") is None
    assert open_browser("http://127.0.0.1:8480", str(tmp_path / "xdg-open")) is False


def test_the_browser_gets_the_address(programs, tmp_path):
    os.mkfifo(told := tmp_path / "told")  # to read it is to wait for the program
    assert open_browser("http://127.0.0.1:8480", str(programs / "xdg-open"))
    assert told.read_text() == "http://127.0.0.1:8480\n"
