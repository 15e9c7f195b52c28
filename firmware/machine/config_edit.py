"""One setting changed in its file: comments, order and the format of everything else stay as they are."""

import tomllib
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from firmware.machine.atomic_file import write_durably
from firmware.machine.config import KEYS
from firmware.machine.config_file import (
    Problem,
    check_tables,
    convert_value,
    describe_allowed,
    may_exist,
    parse_toml,
    read_text,
)
from firmware.machine.errors import PermissionDenied, SettingRefused, UnreadableSettings


def change_setting_in_file(path: Path, key: str, typed: str) -> str:
    """Set a key in the file; the value as it stands there now. ``SettingRefused`` leaves the file as it was."""
    if key not in KEYS:
        raise SettingRefused(str(check_tables({key: typed}).problems[0]))
    written = format_toml_value(key, typed)
    try:
        before = read_text(path) if may_exist(path) else ""
        old = parse_toml(before)
        after = set_value(before, key, written)
        new = parse_toml(after)
    except PermissionDenied as why:
        raise SettingRefused(f"{path} {why}") from why
    except UnreadableSettings as why:
        raise SettingRefused(f"{path}: {why}. Correct it by hand first") from why
    if new != _with(old, key, _parsed(written)):
        raise SettingRefused(f"{key} stands in the file in a form that this command cannot change: edit {path} by hand")
    known = {str(problem) for problem in check_tables(old).problems}
    if worse := [problem for problem in check_tables(new).problems if _counts(problem, key, known)]:
        raise SettingRefused(str(worse[0]))
    try:
        write_durably(path, after.encode())
    except OSError as why:
        raise SettingRefused(f"{path} cannot be written ({why.strerror}): try with sudo") from why
    return written


def format_toml_value(key: str, typed: str) -> str:
    """The typed value as TOML: quotes and brackets may be left out."""
    text = typed.strip()
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    for form in (text, f"[{text}]", quoted):
        with suppress(SettingRefused):
            if convert_value(key, _parsed(form)) is not None:
                return form
    raise SettingRefused(f"{key}: {typed} is not {describe_allowed(key)}")


def set_value(text: str, key: str, written: str) -> str:
    """The same text with this value at its key; a comment behind the old value stays."""
    section, _, name = key.rpartition(".")
    try:
        document = tomlkit.parse(text)
        table: MutableMapping[str, Any] = document
        if section:
            if section not in document:
                document[section] = tomlkit.table()
            table = document[section]
        tail = _take_tail(table) if name not in table else []
        table[name] = tomlkit.value(written)
        if isinstance(table, Table):
            table.value.body.extend(tail)
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError) as why:  # a TypeError where the section is no table
        raise UnreadableSettings(f"not TOML that can be changed: {why}") from why


def _take_tail(table: MutableMapping[str, Any]) -> list[Any]:
    """Take away the comments and empty lines at the end of a table: they belong to the next one."""
    tail: list[Any] = []
    if isinstance(table, Table):
        body = table.value.body
        while body and body[-1][0] is None:
            tail.insert(0, body.pop())
    return tail


def _counts(problem: Problem, key: str, known: set[str]) -> bool:
    """Does this change bring the problem?"""
    return str(problem) not in known or problem.key == key


def _with(given: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    section, _, name = key.rpartition(".")
    if not section:
        return given | {name: value}
    table = given.get(section, {})
    return given | {section: table | {name: value}} if isinstance(table, dict) else given


def _parsed(written: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {written}")
    except (ValueError, RecursionError) as why:
        raise SettingRefused(str(why)) from why
    if len(parsed) != 1:
        raise SettingRefused(f"{written!r} is more than one value")
    return parsed["value"]
