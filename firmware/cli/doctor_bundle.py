"""A zip for a bug report: the findings, the settings, the last game in notation and the places of errors.

It holds no picture and no name of a person: of free text only what the box itself could have written is kept.
"""

import re
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.games import GAMES
from firmware.cli.doctor_checks import Finding, Installation
from firmware.journal.errors import JournalError
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.sqlite_file import CHECK_TIMEOUT_S, read_journal
from firmware.journal.stored_options import format_options
from firmware.machine.config import setting_values
from firmware.machine.config_file import DEFAULTS
from firmware.machine.machine_facts import Machine, installed_versions
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.texts.render import render

SERVICE_UNIT = "oxeye.service"
PRIVATE_KEYS = ("record", "state", "camera.name", "page.host")
"""Settings that may contain the name of a person."""
DEVICE_PATTERNS = ("i2c-*", "spidev*", "gpiochip*", "video*", "media*", "dma_heap/*")
TRACE_LINE = re.compile(
    r'^\s+File ".*?((?:engine|vision|hw|firmware|[\w.-]+-packages)/[\w/.-]+)", (line \d+, in [\w<>]+)$'
)
KNOWN_PACKAGES = "engine|vision|hw|firmware|sqlite3|msgspec|luma|picamera2"
ERROR_LINE = re.compile(rf"^((?:{KNOWN_PACKAGES})(?:\.\w+)*\.[A-Z]\w*|[A-Z]\w*(?:Error|Exception|Warning))(?::|$)")
UNIT_LINE = re.compile(r"^(ActiveState|SubState|Result|NRestarts|ExecMainStatus|MemoryCurrent)=[\w-]*$")


def write_bundle(path: Path, box: Installation, lines: Sequence[Finding]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("doctor.txt", hide_private_words((str(line) for line in lines if line.name != "settings"), box))
        packed.writestr("versions.txt", join_lines(f"{name} {number}" for name, number in installed_versions().items()))
        packed.writestr("settings.txt", list_settings(box))
        packed.writestr("machine.txt", describe_machine(box.machine))
        packed.writestr(
            "errors.txt", extract_errors(box.machine.ask(("journalctl", "-u", SERVICE_UNIT, "-n", "4000", "-o", "cat")))
        )
        packed.writestr("last-game.txt", write_last_game(box.folder / JOURNAL_FILE))


def hide_private_words(lines: Iterable[str], box: Installation) -> str:
    """The lines without the folders of this machine, which often contain the name of a person."""
    private = {key: str(setting_values(box.config)[key]) for key in PRIVATE_KEYS}
    words = {str(box.folder), str(box.path), str(box.path.parent), str(Path.home()), Path.home().name}
    words |= {said for key, said in private.items() if said != DEFAULTS[key]}
    words |= {Path(said.partition(":")[2]).name for said in private.values() if ":" in said}
    text = join_lines(lines)
    for word in sorted(filter(None, words), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "…", text)
    return text


def list_settings(box: Installation) -> str:
    """Each setting that is not the default, without the folders, and the keys of wrong settings."""
    now = setting_values(box.config)
    told = [
        f"{key} = {'…' if key in PRIVATE_KEYS else value}" for key, value in now.items() if value != DEFAULTS[key]
    ]  # fmt: skip
    known = [problem.key for problem in box.problems if problem.key in DEFAULTS]
    others = len(box.problems) - len(known)
    return join_lines([*told, *(f"wrong: {key}" for key in known), f"other problems: {others}"])


def describe_machine(machine: Machine) -> str:
    found = machine.ask(("systemctl", "show", SERVICE_UNIT)) or ""
    unit = [line for line in found.splitlines() if UNIT_LINE.match(line)]
    facts = {
        "model": machine.model() or "-",
        "system": machine.system(),
        "memory": f"{machine.memory_mb() or '-'} MB",
        "throttled": machine.throttled(),
        "celsius": machine.celsius(),
        "devices": " ".join(device.path.name for device in machine.devices(*DEVICE_PATTERNS)),
    }
    return join_lines([*(f"{name}: {fact}" for name, fact in facts.items()), *unit])


def extract_errors(log: str | None) -> str:
    """The place and the type of each error: its message may name a person."""
    if log is None:
        return join_lines(["the log of the service could not be read: sudo oxeye doctor --bundle"])
    told: list[str] = []
    for line in log.splitlines():
        if found := TRACE_LINE.match(line):
            told.append(f"  {found[1]} {found[2]}")
        elif found := ERROR_LINE.match(line):
            told.append(found[1])
    return join_lines(told or ["none in the log of the service"])


def write_last_game(path: Path) -> str:
    """The last game as notation, without names."""
    if not path.exists():
        return join_lines(["no game yet"])
    try:
        with read_journal(path, CHECK_TIMEOUT_S) as db:
            if not (games := read_games(db)):
                return join_lines(["no game yet"])
            entries = read_entries(db, games[-1].id)
    except JournalError as why:
        return join_lines([f"the journal cannot be read: {render(why.text)}"])
    try:
        log = fold_rows(games[-1], entries, GAMES)
    except DamagedRows as bad:
        if bad.good is None:
            return join_lines(["a game that this version does not know"])
        log = bad.good
        damage = [f"row {bad.row} is damaged"]
    else:
        damage = []
    told = {row.number: row.told for row in entries if row.told in ("seen", "button", "web", "cli")}
    moves = [f"{number} {told.get(number, '-')} {move}" for number, move in enumerate(log.entries, 1)]
    return join_lines([f"{log.game.name} {format_options(log.options)}", *moves, *damage])


def join_lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
