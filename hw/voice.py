"""Speech output with espeak-ng, one sentence at a time, in any language of the catalogues."""

import shutil
import subprocess
from abc import ABC, abstractmethod
from contextlib import suppress

PROGRAM = "espeak-ng"
VOICES = {"en": "en", "de": "de", "pt-BR": "pt-br", "pt-PT": "pt", "it": "it", "ro": "ro"}
PACE = 150
"""Words a minute: slower than the default, for a table where people talk."""
UTF_8 = "1"


class Voice(ABC):
    @abstractmethod
    def say(self, sentence: str, language: str = "en") -> None:
        """Start to speak and stop the previous sentence; returns at once."""

    def close(self) -> None:  # noqa: B027  nothing to stop
        """Stop speaking."""


class DummyVoice(Voice):
    """For a box without a voice: stores the sentence."""

    def __init__(self) -> None:
        self.said = ""

    def say(self, sentence: str, language: str = "en") -> None:
        self.said = sentence


class EspeakVoice(Voice):
    """The sentence goes through standard input, so that no part of it is taken for an option."""

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
        except OSError:  # espeak-ng was removed meanwhile; the game goes on without it
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
    """espeak-ng if it is installed, else a dummy: a box without a voice is a normal way to run."""
    found = shutil.which(PROGRAM)
    return EspeakVoice(found) if found else DummyVoice()
