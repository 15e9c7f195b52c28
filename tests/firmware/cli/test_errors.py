"""Every error class of Oxeye ends a command with a one-line message and exit code 1."""

import click
import pytest
from click.testing import CliRunner

from engine.errors import InputError, OxeyeError
from engine.game import Illegal
from engine.text import say
from firmware.cli import CommandGroup
from firmware.journal.errors import JournalError
from firmware.machine.errors import SettingRefused, SettingsError
from firmware.recording.reader import DamagedRecording
from firmware.texts.render import render
from hw.camera import NoCamera
from hw.errors import DeviceError

ERRORS = {
    "a device": (NoCamera(say("camera_none")), render(say("camera_none"))),
    "the journal": (JournalError(say("journal_full")), render(say("journal_full"))),
    "the settings": (SettingRefused("panel.chip: abc is not allowed"), "panel.chip: abc is not allowed"),
    "a damaged recording": (DamagedRecording("line 3 is cut"), "line 3 is cut"),
    "a forbidden move": (Illegal("N-5", "wrong_row", "wrong_direction"), "· N-5"),
}


@pytest.mark.parametrize(("error", "says"), ERRORS.values(), ids=ERRORS)
def test_an_error_is_one_sentence_and_exit_code_1(error, says, monkeypatch):
    @click.command()
    def failing():
        raise error

    monkeypatch.setattr(CommandGroup, "get_command", lambda self, ctx, name: failing)
    done = CliRunner().invoke(CommandGroup(), ["fail"])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("branch", [DeviceError, JournalError, SettingsError, InputError])
def test_every_error_base_derives_from_oxeye_error(branch):
    assert issubclass(branch, OxeyeError)
