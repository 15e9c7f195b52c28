"""The root of every error that Oxeye raises on purpose; each says what is wrong and what helps.

::

    OxeyeError
    ├── DeviceError       hw.errors: camera, buttons, screen, light, buzzer, picture of the empty table
    ├── JournalError      firmware.journal.errors: the journal is missing, damaged, full or in use
    ├── SettingsError     firmware.machine.errors: the settings file, and addresses that it names
    └── InputError        what a person gave: a move, an option, an address, a photo, a recording, a package

A screen shows the text in its language. The command line prints it as one sentence and exits with code 1.
"""

from engine.text import Text


class OxeyeError(Exception):
    """``text`` says what is wrong and what helps: plain English where only the command line shows it."""

    text: Text | str

    def __init__(self, text: Text | str) -> None:
        super().__init__(str(text))
        self.text = text


class InputError(OxeyeError, ValueError):
    """A person gave something that cannot be used."""
