"""Stickers, markers and mats as PDF, made by a process of its own: the table is watched meanwhile as ever."""

import asyncio
import shutil
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory

from engine.errors import InputError

SHEETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "stickers": {
        "game": ("nimmt", "thegame", "six"),
        "paper": ("a4", "letter"),
        "specials": ("yes",),
    },
    "markers": {"paper": ("a4", "letter")},
    "mat": {"game": ("nimmt", "thegame", "six"), "paper": ("a4", "a3", "letter", "a2", "a1")},
    "cards": {"game": ("nimmt", "thegame"), "paper": ("a4", "letter")},
}
"""What may be asked for, in words of the command line alone."""
LOW_PRIORITY = ("nice", "-n", "19") if shutil.which("nice") else ()
"""Whatever else wants to run goes first."""
PRINT_TIMEOUT_S = 120.0
MAX_CACHED = 8
"""Prints that are kept: nobody asks for them once."""


class PrintQueueFull(RuntimeError):
    """Two are made already."""


class UnknownPrint(InputError):
    """There is no such print; the words say why."""


class PrintQueue:
    """One at a time, one waiting, and those of late kept."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, ...], bytes] = {}
        self._waiting = 0
        self._one = asyncio.Lock()

    async def make(self, sheet: str, wishes: Mapping[str, str]) -> bytes:
        asked = print_arguments(sheet, wishes)
        if asked in self._made:
            return self._made[asked]
        if self._waiting >= 2:
            raise PrintQueueFull
        self._waiting += 1
        try:
            async with self._one:
                if asked not in self._made:
                    made = await _run_print(asked)
                    self._made = dict([*self._made.items(), (asked, made)][-MAX_CACHED:])
                return self._made[asked]
        finally:
            self._waiting -= 1


def print_arguments(sheet: str, wishes: Mapping[str, str]) -> tuple[str, ...]:
    """The words of ``oxeye print``; nothing else than is listed gets there."""
    if sheet not in SHEETS:
        raise UnknownPrint(f"there are {', '.join(SHEETS)}")
    words = [sheet]
    for name, value in sorted(wishes.items()):
        if value not in SHEETS[sheet].get(name, ()):
            raise UnknownPrint(f"{name} is one of {', '.join(SHEETS[sheet].get(name, ())) or 'nothing here'}")
        words += [f"--{name}"] if name == "specials" else [f"--{name}", value]
    return tuple(words)


async def _run_print(words: tuple[str, ...]) -> bytes:
    with TemporaryDirectory(prefix="oxeye-print-") as folder:
        out = f"{folder}/{words[0]}.pdf"
        run = (
            *LOW_PRIORITY,
            sys.executable,
            "-c",
            "from firmware.cli import main; main()",
            "print",
            *words,
            "--out",
            out,
        )
        nothing = asyncio.subprocess.DEVNULL
        made = await asyncio.create_subprocess_exec(*run, stdin=nothing, stdout=nothing, stderr=asyncio.subprocess.PIPE)
        try:
            async with asyncio.timeout(PRINT_TIMEOUT_S):
                _, said = await made.communicate()
        except TimeoutError:
            raise UnknownPrint("it took too long") from None
        finally:
            if made.returncode is None:  # it took too long, or nobody waits for it any more
                made.kill()
                await made.wait()
        if made.returncode:
            raise UnknownPrint(said.decode(errors="replace").strip().split("\n")[-1].removeprefix("Error: "))
        with open(out, "rb") as file:
            return file.read()
