"""Cuts the power of a simulated disk between any two calls, and kills a playing process at any moment."""

import random
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from firmware.journal.journal import open_journal
from tests.powercut.disk import FATES, Disk, PowerSupply
from tests.powercut.known_matches import NOTHING, Progress, find_losses, play_on_box, write_matches

FILE = "journal.sqlite"
ROOT = Path(__file__).parents[2]
MAX_LIFE_S = 0.25
"""Seconds that a process may play before it is killed, at most."""


@dataclass
class CutResult:
    """Counts of a run; ``lost`` counts endings after which a confirmed step was missing or wrong."""

    what: str
    endings: int = 0
    lost: int = 0
    reached: Progress = NOTHING
    faults: list[str] = field(default_factory=list)

    def add(self, label: str, found: list[str]) -> None:
        self.endings += 1
        self.lost += bool(found)
        self.faults += [f"{label}: {fault}" for fault in found]

    def __str__(self) -> str:
        game, row, _ = self.reached
        return f"{self.endings} {self.what}, {self.lost} with a loss or damage, reached game {game} row {row}"


def record_matches(disk: Disk, folder: Path, games: int, checkpoint: int = 1000) -> None:
    """Record an evening on this disk. A small ``checkpoint`` makes SQLite copy rows into the main file often."""

    def connect(path: Path) -> sqlite3.Connection:
        db = disk.connect(path)
        db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
        return db

    journal = open_journal(folder / FILE, connect)
    write_matches(journal, lambda word, progress: disk.note((word, progress)), games)
    journal.close()


def make_memory_folder() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder in memory if the system has one: checking a cut needs no real disk."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="oxeye-powercut-", dir=memory if memory.is_dir() else None)


def cut_power(disk: Disk, points: int, folder: Path, *, fates: tuple[str, ...] = FATES, seed: int = 1) -> CutResult:
    """Cut the power at ``points`` random calls, with every fate of the unsynced writes."""
    rng = random.Random(seed)
    chosen = set(rng.sample(range(len(disk.ops)), min(points, len(disk.ops))))
    power, known, result = (
        PowerSupply(),
        {"done": NOTHING, "try": NOTHING},
        CutResult(f"endings at {len(chosen)} points"),
    )
    for at, op in enumerate(disk.ops):
        if at in chosen:
            for fate in fates:
                place = folder / f"{at}-{fate}"
                place.mkdir()
                for name, held in power.off(fate, rng).items():
                    (place / name).write_bytes(held)
                found = find_losses(place / FILE, known["done"], known["try"]) or _one_more(place / FILE)
                result.add(f"call {at}, {fate}", found)
                for left in place.iterdir():
                    left.unlink()
                place.rmdir()
        if op.verb == "note":
            known[op.note[0]] = op.note[1]
        power.follow(op)
    result.reached = known["done"]
    return result


def _one_more(path: Path) -> list[str]:
    """Check that the journal records one more step after the cut."""
    steps: list[Progress] = []

    class Enough(Exception):
        """Ends the play after one step."""

    def tell(word: str, progress: Progress) -> None:
        steps.append(progress)
        if word == "done":
            raise Enough

    journal = open_journal(path)
    try:
        write_matches(journal, tell, 99)
    except Enough:
        pass
    finally:
        journal.close()
    return find_losses(path, steps[-1], steps[-1])


def kill_players(lives: int, path: Path, *, seed: int = 1) -> CutResult:
    """Kill a playing box at random moments, also while it opens the journal; the next one resumes the game."""
    rng, result, known = random.Random(seed), CutResult("lives"), {"done": NOTHING, "try": NOTHING}
    for life in range(lives):
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.powercut.run", "--play", str(path)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert child.stdout
        said = child.stdout.readline()
        assert said == b"ready\n"
        end = time.monotonic() + rng.uniform(0, MAX_LIFE_S)
        heard = b""
        while (left := end - time.monotonic()) > 0:
            if select.select([child.stdout], [], [], left)[0]:
                heard += child.stdout.read1()
        child.send_signal(signal.SIGKILL)
        heard += child.stdout.read()
        ended = child.wait()
        child.stdout.close()
        for line in heard.decode().split("\n")[:-1]:
            word, *numbers = line.split()
            known[word] = (int(numbers[0]), int(numbers[1]), int(numbers[2]))
        by_itself = [] if ended == -signal.SIGKILL else [f"the process ended by itself with {ended}"]
        result.add(f"life {life}", by_itself + find_losses(path, known["done"], known["try"]))
    result.reached = known["done"]
    return result


def play_until_killed(path: Path) -> None:
    print("ready", flush=True)
    journal = open_journal(path)
    play_on_box(journal, lambda word, progress: print(word, *progress, flush=True), 10**6)
