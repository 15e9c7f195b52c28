"""Plays predetermined matches into a journal, and compares a recovered journal with them."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import count
from pathlib import Path

from engine.games import GAMES
from engine.log import Log
from firmware.app.restore import restore_session
from firmware.box.events import parse_told
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.match_start import begin_command
from firmware.journal.errors import JournalError
from firmware.journal.journal import Journal, open_journal
from firmware.journal.log_from_rows import DamagedRows
from firmware.journal.operation_types import EndGame, PauseGame, ResumeGame, Started, WriteEntries
from firmware.journal.row_types import Played
from firmware.journal.sqlite_file import open_readonly
from firmware.runtime.companion import Companion
from firmware.simulation.players import PLAYERS
from vision.live.perception import Perception

MATCHES = (
    ("thegame", {"players": 3}),
    ("six", {}),
    ("nimmt", {"players": 4}),
    ("nimmt", {"players": 3, "variant": "anniversary"}),
)
START_TIME = 1.8e9
NAMES = {1: "Ana", 2: "Ben"}
PAUSE_SHARE = 0.1
"""Probability of a pause before the next move."""

Progress = tuple[int, int, int]
"""The number of the last game, its rows, and whether it has ended. All games before it are complete."""
NOTHING: Progress = (0, 0, 0)
Tell = Callable[[str, Progress], None]


@lru_cache
def play_known_match(number: int) -> tuple[Log, tuple[str, ...]]:
    """Game ``number`` of the evening, from 1: its log before the first move, and all moves. No player leaves early."""
    name, options = MATCHES[(number - 1) % len(MATCHES)]
    start = log = Log(GAMES[name], options)
    for seed in count(number, 1000):
        players, log = PLAYERS[name](log.options, random.Random(seed)), start
        # moves after the end of a match are not played by a box
        while not log.game.view(log.state).over and (move := players.next(log.state)) is not None:
            log = log.add(move)
        lines = tuple(map(str, log.entries))
        if not any(line.startswith("leave") for line in lines):
            return start, lines
    raise AssertionError("a player leaves in every match")


def write_matches(journal: Journal, tell: Tell, games: int) -> None:
    """Continue from the journal: reports ``try`` before each step and ``done`` once it is confirmed.

    Writes directly into the journal, sometimes several rows at once.
    """
    while (number := len(journal.history()) + (_running(journal) is None)) <= games:
        start, lines = play_known_match(number)
        rng = random.Random(number)
        if (running := _running(journal)) is None:
            tell("try", (number, 0, 0))
            game, at = (
                journal.begin(Started(start.game.name, start.options, {1: "Ana", 2: "Ben"}), START_TIME + number),
                0,
            )
            _confirm(journal, tell, (number, 0, 0))
        else:
            game, at = running.id, len(journal.rows(running.id))
        while at < len(lines):
            more = min(at + rng.choice((1, 1, 1, 1, 3)), len(lines))
            tell("try", (number, more, 0))
            journal.apply(WriteEntries(lines[at:more], "seen"), game, START_TIME + more)
            _confirm(journal, tell, (number, more, 0))
            at = more
            if rng.random() < PAUSE_SHARE:
                journal.apply(PauseGame(), game, 0.0)
                journal.apply(ResumeGame(game), game, 0.0)
        tell("try", (number, at, 1))
        journal.apply(EndGame("finished"), game, START_TIME)
        _confirm(journal, tell, (number, at, 1))


def _running(journal: Journal) -> Played | None:
    """The running game; a game that was paused at the power cut is resumed first."""
    for rests in journal.stopped():
        if not rests.runs:
            journal.apply(ResumeGame(rests.id), rests.id, 0.0)
    return journal.running()


def play_on_box(journal: Journal, tell: Tell, games: int) -> None:
    """Play the same evening through the companion; after a kill the running game is resumed and continued."""
    known = replace(restore_session(journal, START_TIME)[0], names=NAMES, last=None)
    companion = Companion(Box(known, (Home(),)), Perception(), journal, clock=lambda: START_TIME)
    while (number := len(journal.history()) + (journal.running() is None)) <= games:
        start, lines = play_known_match(number)
        if (running := journal.running()) is None:
            tell("try", (number, 0, 0))
            at = 0
            words = str(begin_command(start.game.name, start.options))
        else:
            at = len(journal.rows(running.id))
            words = f"game:resume {running.id}"
        companion.handle(parse_told(words, "button", 0.0))
        companion.handle(parse_told("table:all-is-right", "button", 0.0))
        _confirm(journal, tell, (number, at, 0))
        for more, line in enumerate(lines[at:], at + 1):
            tell("try", (number, more, int(more == len(lines))))
            companion.handle(parse_told(line, "button", float(more)))
            assert companion.log is not None
            assert len(companion.log.entries) == more, (number, line, str(companion.view.alert))
            _confirm(journal, tell, (number, more, int(more == len(lines))))
        companion.handle(parse_told("game:leave", "button", 0.0))


def _confirm(journal: Journal, tell: Tell, now: Progress) -> None:
    if journal.error is None:
        tell("done", now)


def find_losses(path: Path, done: Progress, tried: Progress) -> list[str]:
    """Faults of the recovered journal, if ``done`` was confirmed and ``tried`` was the last step begun."""
    journal = open_journal(path)
    try:
        wrong = [str(journal.error)] if journal.error else []
        wrong += [f"set aside: {notice}" for notice in journal.notices() if done > NOTHING]
        return wrong or _compare(journal, done, tried)
    except (JournalError, DamagedRows) as why:
        return [str(why)]
    finally:
        journal.close()


def _compare(journal: Journal, done: Progress, tried: Progress) -> list[str]:
    wrong = []
    look_at = open_readonly(journal.path)
    checked = look_at.execute("PRAGMA integrity_check").fetchone()[0]
    look_at.close()
    if checked != "ok":
        wrong.append(f"corrupt: {checked}")
    found, heads = NOTHING, journal.history()
    for number, head in enumerate(heads, 1):
        start, lines = play_known_match(number)
        rows = tuple(row.entry for row in journal.rows(head.id))
        found = (number, len(rows), int(head.ended is not None))
        if (head.id, head.name, head.names) != (number, start.game.name, NAMES):
            wrong.append(f"game {number} has a different head")
        if rows != lines[: len(rows)]:
            wrong.append(f"game {number} has different moves")
        if number < len(heads) and (rows != lines or head.how != "finished"):
            wrong.append(f"game {number} has lost its last moves or its end")
    if heads:
        again = journal.load(heads[-1].id, GAMES)
        if again != start.add(*map(start.parse, lines[: found[1]])):
            wrong.append("the log does not equal its rows")
    if not done <= found <= tried:
        wrong.append(f"confirmed {done}, tried {tried}, found {found}")
    return wrong
