"""Reading of the settings file: a wrong value is reported and gets its default, so that no mistake stops the box."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from engine.text import Text, say
from firmware.machine.config import KEYS, NONE, SECTIONS, Config, Values, make_config, setting_values
from firmware.machine.errors import PermissionDenied, UnreadableSettings
from firmware.texts.languages import available_languages

BOX_CONFIG = Path("/etc/oxeye/config.toml")
CONFIG_VARIABLE = "OXEYE_CONFIG"
SERVICE_VARIABLE = "NOTIFY_SOCKET"
"""systemd sets it for the service; any other process must not draw on the screen of the box."""
DEFAULTS = setting_values(Config())
LARGEST_FILE_BYTES = 1 << 16
"""A larger file is no settings file."""
PANEL_SIZES = {
    "ssd1306": ("auto", "128x64", "128x32"),
    "sh1106": ("auto", "128x64"),
    "ssd1322": ("auto", "256x64"),
}
I2C_PINS = (2, 3)
SPI_PANEL_PINS = (8, 9, 10, 11, 24, 25)
"""Pins of the screen: always those of the I2C bus, and with an SSD1322 those of SPI."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: ``key`` is empty if the whole file is unusable. ``text`` is for the screen."""

    key: str
    says: str
    text: Text
    line: int | None = None

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line else ""
        return f"{self.key}{where}: {self.says}" if self.key else self.says


@dataclass(frozen=True, slots=True)
class ConfigFile:
    config: Config
    problems: tuple[Problem, ...] = ()


def config_path(path: Path | None = None) -> Path:
    """The given file, else that of the environment variable, else that of the box."""
    return path or Path(os.environ.get(CONFIG_VARIABLE) or BOX_CONFIG).absolute()


def may_exist(path: Path) -> bool:
    """Does the file exist? True without permission to look: reading it then gives the error."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def read_config(path: Path) -> ConfigFile:
    """The settings of a file, never an error: each wrong value gets its default and becomes a problem."""
    try:
        text = read_text(path)
        found = check_tables(parse_toml(text))
        return replace(found, problems=tuple(replace(one, line=find_key_line(text, one.key)) for one in found.problems))
    except UnreadableSettings as why:
        return ConfigFile(Config(), (Problem("", f"{path}: {why}", say("config_file")),))


def read_text(path: Path) -> str:
    try:
        if not path.is_file():
            raise UnreadableSettings("this is not a file" if may_exist(path) else "there is no such file")
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise UnreadableSettings(f"more than {LARGEST_FILE_BYTES // 1024} KB: this is no settings file")
        return path.read_bytes().decode("utf-8-sig")  # Windows editors begin a file with a byte order mark
    except PermissionError as why:
        raise PermissionDenied("cannot be read by this user: try with sudo") from why
    except OSError as why:
        raise UnreadableSettings(f"cannot be read: {why.strerror}") from why
    except UnicodeDecodeError as why:
        raise UnreadableSettings(f"byte {why.start} is not UTF-8: save the file as UTF-8") from why


def parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as why:  # ValueError: not TOML, or a number of thousands of digits
        raise UnreadableSettings(f"not TOML: {str(why).partition(';')[0]}") from why


def find_key_line(text: str, key: str) -> int | None:
    """The line where a key or a table begins; None if it has no line of its own, as in an inline table."""
    lines = text.splitlines()
    name = key.rpartition(".")[2]
    for number, line in enumerate(lines, 1):
        if name not in line:
            continue
        written, equals, _ = line.partition("=")
        with suppress(UnreadableSettings):
            before = parse_toml("\n".join(lines[: number - 1]))
            now = parse_toml("\n".join([*lines[: number - 1], f"{written}= 0" if equals else line]))
            if key in dict(_flat(now)) and key not in dict(_flat(before)):
                return number
    return None


def check_tables(given: Mapping[str, Any]) -> ConfigFile:
    """The settings and the problems in parsed TOML."""
    found: Values = {}
    problems: list[Problem] = []
    for key, value in _flat(given):
        if key in SECTIONS:
            problems.append(wrong_value(key, f"is a table: write [{key}] above its keys"))
        elif key not in KEYS:
            problems.append(_unknown(key))
        elif (right := convert_value(key, value)) is None:
            problems.append(wrong_value(key, f"{_short(value)} is not {describe_allowed(key)}"))
        else:
            found[key] = right[0]
    while clashing := [*_clashes(DEFAULTS | found)]:
        for problem in clashing:
            problems.append(problem)
            found.pop(problem.key, None)
    return ConfigFile(make_config(found), tuple(problems))


def convert_value(key: str, value: Any) -> tuple[Any] | None:
    """The value converted for the key, in a tuple; None if it is not allowed."""
    try:
        return (msgspec.convert(value, KEYS[key]),)
    except msgspec.ValidationError:
        return None


def describe_allowed(key: str) -> str:
    """The allowed values of a key as text."""
    if key == "language":
        return " or ".join(available_languages())
    if key in ("record", "state"):
        return f'"{DEFAULTS[key]}" or an absolute folder'
    if key == "page.host":
        return "lan, localhost or a numeric address of this computer"
    if key == "camera.name":
        return "auto, picamera, picamera:N, usb:N, usb:PATH, files:DIR or video:FILE"
    return _allowed(inspect.type_info(KEYS[key]))


def _allowed(kind: inspect.Type) -> str:
    match kind:
        case inspect.UnionType(types):
            return " or ".join(map(_allowed, types))
        case inspect.LiteralType(choices):
            return " or ".join(f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in choices)
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least:g} to {most:g}"
        case inspect.BoolType():
            return "true or false"
        case inspect.VarTupleType(item_type=item):
            return f"[], one pin or three for red, green and blue, each {_allowed(item)}"
        case _:
            return "a word"


def _flat(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        if isinstance(value, dict) and name in SECTIONS:
            for key, inner in value.items():
                yield f"{name}.{key}", inner
        else:
            yield name, value


def _clashes(now: Values) -> Iterator[Problem]:
    """Problems of values that are allowed alone but not together; only keys without their default are blamed."""
    if now["language"] not in available_languages():
        yield wrong_value("language", f'"{now["language"]}" is not {describe_allowed("language")}')
    if not _is_host(now["page.host"]):
        yield wrong_value("page.host", f'"{_short(now["page.host"])}" is not {describe_allowed("page.host")}')
    chip, size = now["panel.chip"], now["panel.size"]
    if size not in PANEL_SIZES.get(chip, (size,)):
        yield wrong_value("panel.size", f'"{size}" is not {" or ".join(PANEL_SIZES[chip])}, which an {chip} has')
    if len(now["signs.led"]) == 2:
        yield wrong_value("signs.led", f"two pins are not {describe_allowed('signs.led')}")
    pins = [(key, pin) for key in PIN_KEYS for pin in _pins(now[key])]
    screen = I2C_PINS + (SPI_PANEL_PINS if chip == "ssd1322" else ())
    for key in dict.fromkeys(key for key, _ in pins if now[key] != DEFAULTS[key]):
        for pin in _pins(now[key]):
            others = [other for other, its in pins if its == pin and other != key]
            if pin in screen:
                yield wrong_value(key, f"GPIO{pin} is a wire of the screen: take another pin")
                break
            if others or _pins(now[key]).count(pin) > 1:
                yield wrong_value(key, f"GPIO{pin} is also that of {others[0] if others else key}: take another pin")
                break


PIN_KEYS = (*(key for key in KEYS if key.startswith("buttons.") and key != "buttons.kind"), "signs.led", "signs.buzzer")


def _is_host(host: str) -> bool:
    try:
        return host in ("lan", "localhost") or bool(ip_address(host))
    except ValueError:
        return False


def _pins(value: Any) -> tuple[int, ...]:
    return () if value == NONE else value if isinstance(value, tuple) else (value,)


def wrong_value(key: str, says: str) -> Problem:
    return Problem(key, says, say("config_key", value=key))


def _unknown(key: str) -> Problem:
    """A problem that suggests the nearest known key."""
    near = get_close_matches(key, KEYS, 1, 0.5) or [k for k in KEYS if k.endswith(f".{key.rpartition('.')[2]}")]
    meant = f"; is {near[0]} meant?" if near else ""
    return Problem(key, f"there is no such key{meant}", say("config_no_key", value=_short(key)))


def _short(value: Any) -> str:
    try:
        text = str(value)
    except ValueError:  # Python writes no number of thousands of digits
        text = "such a number"
    said = "".join(letter if letter.isprintable() else "·" for letter in text)
    return said if len(said) <= 24 else said[:23] + "…"
