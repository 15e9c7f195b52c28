"""Stickers, markers and mats as PDF, made by ``oxeye print`` in a process of its own: perception never waits."""

import asyncio
import shutil
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory

from engine.errors import InputError
from engine.games import GAMES
from firmware.printing.paper_sizes import MAT_PAPERS, SHEET_PAPERS
from vision.pieces import has_tiles

LOW_PRIORITY = ("nice", "-n", "19") if shutil.which("nice") else ()
"""Every other process goes first."""
PRINT_TIMEOUT_S = 120.0
MAX_CACHED = 8
"""PDFs that are kept: the same one is often asked for again."""
MAX_WAITING = 2
"""Requests at once, with the one that is being made."""


def print_options() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The options of each print and their values, in the words of the command line."""
    games = tuple(GAMES)
    return {
        "stickers": {"game": games, "paper": SHEET_PAPERS, "specials": ("yes",)},
        "markers": {"paper": SHEET_PAPERS},
        "mat": {"game": games, "paper": MAT_PAPERS},
        "cards": {"game": tuple(game for game in games if not has_tiles(game)), "paper": SHEET_PAPERS},
    }


class PrintQueueFull(RuntimeError):
    """``MAX_WAITING`` requests are being served already."""


class UnknownPrint(InputError):
    """There is no such print; the text says why."""


class PrintQueue:
    """Makes one PDF at a time, lets one more request wait, and caches the last PDFs."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, ...], bytes] = {}
        self._waiting = 0
        self._lock = asyncio.Lock()

    async def make(self, sheet: str, options: Mapping[str, str]) -> bytes:
        arguments = print_arguments(sheet, options)
        if arguments in self._made:
            return self._made[arguments]
        if self._waiting >= MAX_WAITING:
            raise PrintQueueFull
        self._waiting += 1
        try:
            async with self._lock:
                if arguments not in self._made:
                    made = await _run_print(arguments)
                    self._made = dict([*self._made.items(), (arguments, made)][-MAX_CACHED:])
                return self._made[arguments]
        finally:
            self._waiting -= 1


def print_arguments(sheet: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """The arguments of ``oxeye print``: only listed words get there."""
    offered = print_options()
    if sheet not in offered:
        raise UnknownPrint(f"there are {', '.join(offered)}")
    arguments = [sheet]
    for name, value in sorted(options.items()):
        if value not in offered[sheet].get(name, ()):
            raise UnknownPrint(f"{name} is one of {', '.join(offered[sheet].get(name, ())) or 'nothing here'}")
        arguments += [f"--{name}"] if name == "specials" else [f"--{name}", value]
    return tuple(arguments)


async def _run_print(arguments: tuple[str, ...]) -> bytes:
    with TemporaryDirectory(prefix="oxeye-print-") as folder:
        out = f"{folder}/{arguments[0]}.pdf"
        program = (sys.executable, "-c", "from firmware.cli import main; main()")
        command = (*LOW_PRIORITY, *program, "print", *arguments, "--out", out)
        null, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=null, stdout=null, stderr=pipe)
        try:
            async with asyncio.timeout(PRINT_TIMEOUT_S):
                _, errors = await process.communicate()
        except TimeoutError:
            raise UnknownPrint("it took too long") from None
        finally:
            if process.returncode is None:  # after the timeout, or when the client has gone
                process.kill()
                await process.wait()
        if process.returncode:
            raise UnknownPrint(errors.decode(errors="replace").strip().split("\n")[-1].removeprefix("Error: "))
        with open(out, "rb") as file:
            return file.read()
