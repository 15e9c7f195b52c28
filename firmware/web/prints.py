"""Stickers, markers and mats as PDF, made by a process of its own: the table is watched meanwhile as ever."""

import asyncio
import shutil
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory

from engine.errors import InputError
from engine.games import GAMES
from vision.pieces import has_tiles


def print_wishes() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """What may be asked for, in words of the command line alone."""
    games = tuple(GAMES)
    return {
        "stickers": {"game": games, "paper": ("a4", "letter"), "specials": ("yes",)},
        "markers": {"paper": ("a4", "letter")},
        "mat": {"game": games, "paper": ("a4", "a3", "letter", "a2", "a1")},
        "cards": {"game": tuple(game for game in games if not has_tiles(game)), "paper": ("a4", "letter")},
    }


LAST = ("nice", "-n", "19") if shutil.which("nice") else ()
"""Whatever else wants to run goes first."""
PATIENCE = 120.0
KEPT = 8
"""Prints that are kept: nobody asks for them once."""


class Busy(RuntimeError):
    """Two are made already."""


class Unprintable(InputError):
    """There is no such print; the words say why."""


class Prints:
    """One at a time, one waiting, and those of late kept."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, ...], bytes] = {}
        self._waiting = 0
        self._one = asyncio.Lock()

    async def make(self, sheet: str, wishes: Mapping[str, str]) -> bytes:
        asked = command(sheet, wishes)
        if asked in self._made:
            return self._made[asked]
        if self._waiting >= 2:
            raise Busy
        self._waiting += 1
        try:
            async with self._one:
                if asked not in self._made:
                    made = await _made(asked)
                    self._made = dict([*self._made.items(), (asked, made)][-KEPT:])
                return self._made[asked]
        finally:
            self._waiting -= 1


def command(sheet: str, wishes: Mapping[str, str]) -> tuple[str, ...]:
    """The words of ``oxeye print``; nothing else than is listed gets there."""
    offered = print_wishes()
    if sheet not in offered:
        raise Unprintable(f"there are {', '.join(offered)}")
    words = [sheet]
    for name, value in sorted(wishes.items()):
        if value not in offered[sheet].get(name, ()):
            raise Unprintable(f"{name} is one of {', '.join(offered[sheet].get(name, ())) or 'nothing here'}")
        words += [f"--{name}"] if name == "specials" else [f"--{name}", value]
    return tuple(words)


async def _made(words: tuple[str, ...]) -> bytes:
    with TemporaryDirectory(prefix="oxeye-print-") as folder:
        out = f"{folder}/{words[0]}.pdf"
        run = (*LAST, sys.executable, "-c", "from firmware.cli import main; main()", "print", *words, "--out", out)
        nothing = asyncio.subprocess.DEVNULL
        made = await asyncio.create_subprocess_exec(*run, stdin=nothing, stdout=nothing, stderr=asyncio.subprocess.PIPE)
        try:
            async with asyncio.timeout(PATIENCE):
                _, said = await made.communicate()
        except TimeoutError:
            raise Unprintable("it took too long") from None
        finally:
            if made.returncode is None:  # it took too long, or nobody waits for it any more
                made.kill()
                await made.wait()
        if made.returncode:
            raise Unprintable(said.decode(errors="replace").strip().split("\n")[-1].removeprefix("Error: "))
        with open(out, "rb") as file:
            return file.read()
