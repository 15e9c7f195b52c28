"""Damages a journal at random, and finds damage that changed what the box says without a word about it."""

import contextlib
import io
import random
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from engine.games import GAMES
from firmware.app.restore import restore_session
from firmware.cli import main
from firmware.journal.copies import copy_journal
from firmware.journal.errors import JournalError
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, Started, WriteEntries
from tests.powercut.known_matches import NAMES, START_TIME, play_known_match

NAME = "journal.sqlite"
OLDER = "older.sqlite"
GAMES_PLAYED = 9
Damage = Callable[[random.Random, bytes], bytes]
COMMANDS = (("scores", "--json"), ("scores",), ("log", "3"), ("log", "--text", "8"), ("backup",), ("restore", "--yes"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person is told of a journal: the results, and everything that says that something is wrong."""

    results: tuple[Any, ...]
    warnings: tuple[str, ...]
    tracebacks: tuple[str, ...] = ()


def write_evening(folder: Path, games: int = GAMES_PLAYED) -> Path:
    """A journal of some matches with names, the last of them unfinished. ``older.sqlite`` is as it was half way."""
    path = folder / NAME
    with closing(open_journal(path)) as journal:
        for number in range(1, games + 1):
            if number == games // 2:
                copy_journal(path, folder / OLDER)
            start, lines = play_known_match(number)
            game = journal.begin(Started(start.game.name, start.options, NAMES), START_TIME + number)
            last = number == games
            journal.apply(WriteEntries(lines[: len(lines) // 2] if last else lines, "seen"), game, START_TIME + number)
            if not last:
                journal.apply(EndGame("finished"), game, START_TIME + number)
    return path


def ask_box(path: Path) -> Answer:
    """Start the box on this journal: the results that it shows, and its notices."""
    told: list[str] = []
    results: list[Any] = []
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors), closing(open_journal(path)) as journal:
            known, damages = restore_session(journal, START_TIME)
            told += [text.id for text in (*journal.notices(), *damages)]
            told += [journal.error.text.id] if journal.error else []
            for played in journal.history():
                try:
                    log = journal.load(played.id, GAMES)
                except JournalError as why:
                    told.append(why.text.id)
                else:
                    results.append((played.name, dict(played.names), played.how, log.game.view(log.state)))
            results.append(tuple((stopped.id, stopped.log.state) for stopped in known.stopped))
    except JournalError as why:
        told.append(why.text.id)
    except Exception:
        return Answer((), tuple(told), (traceback.format_exc(),))
    return Answer(tuple(results), tuple(told))


def ask_commands(path: Path) -> Answer:
    """Run the commands on this journal: what they print, and their errors."""
    results: list[Any] = []
    warnings: list[str] = []
    tracebacks: list[str] = []
    for command in COMMANDS:
        done = CliRunner().invoke(main, [*command, "--journal", str(path)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            tracebacks.append(f"{command}: {''.join(traceback.format_exception(done.exception))}")
        if done.exit_code:
            warnings.append(f"{command[0]}: {done.output.strip()}")
        elif command[0] in ("scores", "log"):
            results.append(done.output)
    return Answer(tuple(results), tuple(warnings), tuple(tracebacks))


def flip_bit(rng: random.Random, whole: bytes) -> bytes:
    at = rng.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]


def flip_first_page(rng: random.Random, whole: bytes) -> bytes:
    at = rng.randrange(4096)
    return whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :]


def truncate(rng: random.Random, whole: bytes) -> bytes:
    return whole[: rng.randrange(len(whole))]


def punch_hole(rng: random.Random, whole: bytes) -> bytes:
    size = rng.choice((16, 512, 4096, 8192))
    at = rng.randrange(max(1, len(whole) - size))
    return whole[:at] + bytes(size) + whole[at + size :]


DAMAGES: dict[str, Damage] = {
    "bit flips": flip_bit,
    "bit flips in page 1": flip_first_page,
    "truncations": truncate,
    "holes": punch_hole,
}


def examine(work: Path, damage: str, count: int, seed: int, *, commands: bool) -> Iterator[tuple[str, str]]:
    """Damage the journal so often: gives for each time its outcome and what is wrong with it."""
    source = write_evening(work)
    head = source.with_name(NAME + ".head")
    whole = source.read_bytes()
    truth_box, truth_commands = ask_box(_lay_out(work / "truth", whole, head)), None
    if commands:
        truth_commands = ask_commands(_lay_out(work / "truth", whole, head))
    rng = random.Random(f"{damage} {seed}")
    for number in range(count):
        spoiled = DAMAGES[damage](rng, whole) if damage in DAMAGES else source.with_name(OLDER).read_bytes()
        path = _lay_out(work / "case", spoiled, head)
        if commands:
            assert truth_commands is not None
            yield judge(ask_commands(path), truth_commands, number)
            path = _lay_out(work / "case", spoiled, head)
        yield judge(ask_box(path), truth_box, number)


def judge(found: Answer, truth: Answer, number: int) -> tuple[str, str]:
    if found.tracebacks:
        return "traceback", f"{number}: {found.tracebacks[0]}"
    if found.results == truth.results:
        return "same" if found.warnings == truth.warnings else "same, with a warning", ""
    if set(found.warnings) - set(truth.warnings):
        return "told", ""
    shown = [one for one in found.results if one not in truth.results]
    # a game that is listed with its damage is told
    if shown and all("(game " in str(one) or '"damage": "game' in str(one) for one in shown):
        return "told", ""
    return "silent", f"{number}: {str(shown)[:400]}"


def _lay_out(folder: Path, content: bytes, head: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / NAME).write_bytes(content)
    shutil.copy(head, folder / head.name)
    return folder / NAME


def run(work: Path, counts: dict[str, int], seed: int, *, commands: bool) -> int:
    """Print one line for each kind of damage; the number of failures."""
    wrong = 0
    for damage, count in counts.items():
        outcomes: Counter[str] = Counter()
        for outcome, why in examine(work / "files", damage, count, seed, commands=commands):
            outcomes[outcome] += 1
            if outcome in ("silent", "traceback"):
                print(f"  {damage} {why}", file=sys.stderr)
                wrong += 1
        print(f"{damage:22} {count:5}: " + ", ".join(f"{name} {n}" for name, n in sorted(outcomes.items())), flush=True)
        shutil.rmtree(work / "files", ignore_errors=True)
    return wrong
