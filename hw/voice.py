"""A voice that says one sentence at a time in any of the languages, where espeak-ng is installed."""

import shutil
import subprocess
from abc import ABC, abstractmethod
from contextlib import suppress

PROGRAM = "espeak-ng"
VOICES = {"en": "en", "de": "de", "pt-BR": "pt-br", "pt-PT": "pt", "it": "it", "ro": "ro"}
PACE = 150
"""Words a minute: slower than its own pace, for a table where people talk."""
UTF_8 = "1"


class Voice(ABC):
    @abstractmethod
    def say(self, sentence: str, language: str = "en") -> None:
        """Speak, and stop what was being said: the newest counts. It does not wait."""

    def close(self) -> None:  # noqa: B027  nothing to stop
        """Silent."""


class Mute(Voice):
    """For a box without a voice: keeps the sentence and says it to nobody."""

    def __init__(self) -> None:
        self.said = ""

    def say(self, sentence: str, language: str = "en") -> None:
        self.said = sentence


class Espeak(Voice):
    """A sentence goes in where a program reads, so that nothing in it is an option."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._speaking: subprocess.Popen[bytes] | None = None

    def say(self, sentence: str, language: str = "en") -> None:
        self.close()
        voice = VOICES.get(language.replace("_", "-"), VOICES["en"])
        command = [self._program, "-v", voice, "-s", str(PACE), "-b", UTF_8, "--stdin"]
        quiet = subprocess.DEVNULL
        try:
            self._speaking = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
        except OSError:  # it was there a moment ago; the game goes on without it
            return
        stdin = self._speaking.stdin
        if stdin is not None:
            with suppress(OSError), stdin:
                stdin.write(sentence.encode())

    def close(self) -> None:
        speaking, self._speaking = self._speaking, None
        if speaking is not None:
            speaking.terminate()
            speaking.wait()


def open_voice() -> Voice:
    """Without the program the box is mute, which is a normal way to run."""
    found = shutil.which(PROGRAM)
    return Espeak(found) if found else Mute()
