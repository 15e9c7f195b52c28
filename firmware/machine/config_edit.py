"""One setting changed in its file: comments and order stay, and the file is the old one or the new one, whole."""

import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware.machine.config import KEYS
from firmware.machine.config_file import (
    Problem,
    allowed,
    fit,
    is_there,
    settings,
    tables,
    text_of,
)
from firmware.machine.errors import PermissionDenied, SettingRefused, UnreadableSettings

VALUE = r"""("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|[^#]*?)"""


def change(path: Path, key: str, words: str) -> str:
    """What stands in the file now."""
    if key not in KEYS:
        raise SettingRefused(str(settings({key: words}).problems[0]))
    written = as_toml(key, words)
    try:
        before = text_of(path) if is_there(path) else ""
        old = tables(before)
        after = put(before, key, written)
        new = tables(after)
    except PermissionDenied as why:
        raise SettingRefused(f"{path} {why}") from why
    except UnreadableSettings as why:
        raise SettingRefused(f"{path}: {why}. Mend it by hand first") from why
    if new != _with(old, key, _parsed(written)):
        raise SettingRefused(f"{key} is written in a way that only a person can change: edit {path}")
    told = {str(problem) for problem in settings(old).problems}
    if worse := [problem for problem in settings(new).problems if _counts(problem, key, told)]:
        raise SettingRefused(str(worse[0]))
    try:
        replace(path, after)
    except OSError as why:
        raise SettingRefused(f"{path} cannot be written ({why.strerror}): try with sudo") from why
    return written


def as_toml(key: str, words: str) -> str:
    """What somebody typed, as the file wants it: quotes and brackets may be left out."""
    text = words.strip()
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    for way in (text, f"[{text}]", quoted):
        with suppress(SettingRefused):
            value = _parsed(way)
            if fit(key, value) is not None:
                return way
    raise SettingRefused(f"{key}: {words} is not {allowed(key)}")


def put(text: str, key: str, written: str) -> str:
    """The same text with this value at its key, where a comment behind the old one stays."""
    section, _, name = key.rpartition(".")
    lines = text.splitlines(keepends=True)
    first, end = _part(lines, section)
    if first is None:
        gap = "\n" if text and not text.endswith("\n") else ""
        return f"{text}{gap}\n[{section}]\n{name} = {written}\n"
    line = re.compile(rf"(\s*{name}\s*=\s*){VALUE}(\s*(?:#.*)?)", re.DOTALL)
    for at in range(first, end):
        if found := line.fullmatch(lines[at]):
            lines[at] = f"{found[1]}{written}{found[3]}"
            return "".join(lines)
    if first and not lines[first - 1].endswith("\n"):
        lines[first - 1] += "\n"
    return "".join([*lines[:first], f"{name} = {written}\n", *lines[first:]])


def replace(path: Path, text: str) -> None:
    """A power cut leaves the old file or the new one; rights and owner stay, and a link leads where it led."""
    path = path.resolve()
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            was = path.stat()
            fresh.chmod(was.st_mode & 0o7777)
            with suppress(PermissionError):
                os.chown(fresh, was.st_uid, was.st_gid)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _part(lines: list[str], section: str) -> tuple[int | None, int]:
    """The lines of a section without its head; those above every head are the section without a name."""
    heads = [(at, found[1]) for at, line in enumerate(lines) if (found := re.match(r"\s*\[([^\[\]]+)\]", line))]
    starts = {"": 0} | {name.strip(): at + 1 for at, name in reversed(heads)}
    first = starts.get(section)
    if first is None:
        return None, 0
    return first, next((at for at, _ in heads if at >= first), len(lines))


def _parsed(written: str) -> Any:
    try:
        found = tomllib.loads(f"value = {written}")
    except tomllib.TOMLDecodeError:
        found = {}
    if found.keys() != {"value"}:
        raise SettingRefused(f"{written} is not a value")
    return found["value"]


def _with(old: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    section, _, name = key.rpartition(".")
    if not section:
        return old | {name: value}
    return old | {section: {**old.get(section, {}), name: value}}


def _counts(problem: Problem, key: str, before: set[str]) -> bool:
    """A problem that was there before is no reason to refuse another key."""
    return problem.key == key or str(problem) not in before
