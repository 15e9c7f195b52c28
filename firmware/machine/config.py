"""The settings with their types and defaults; the field names are the keys of the settings file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

from firmware.machine.network_addresses import PAGE_PORT
from hw.button_pins import DEFAULT_PINS
from hw.button_presses import Button
from vision.sticker_and_marker_sizes import (
    LARGEST_MARKER_MM,
    LARGEST_STICKER_MM,
    MARKER_MM,
    SMALLEST_MARKER_MM,
    SMALLEST_STICKER_MM,
    STICKER_MM,
)

NONE: Final = "none"

FILE_NAME_CHARACTER: Final = r"[^\x00-\x1f\x7f]"
"""A character of a file name: NUL is never allowed, and control characters are typing errors."""
GPIO = Annotated[int, Meta(ge=0, le=27)]
Pin = GPIO | Literal["none"]
Sticker = Annotated[float, Meta(ge=SMALLEST_STICKER_MM, le=LARGEST_STICKER_MM)]
Marker = Annotated[float, Meta(ge=SMALLEST_MARKER_MM, le=LARGEST_MARKER_MM)]
Address = Annotated[int, Meta(ge=0x08, le=0x77)]
CameraName = Annotated[str, Meta(pattern=rf"^(auto|picamera(:[0-3])?|(usb|files|video):{FILE_NAME_CHARACTER}+)\Z")]
FolderOrOff = Annotated[str, Meta(pattern=rf"^(off|/{FILE_NAME_CHARACTER}*)\Z")]
FolderOrAuto = Annotated[str, Meta(pattern=rf"^(auto|/{FILE_NAME_CHARACTER}*)\Z")]


class CameraSettings(Struct, frozen=True):
    name: CameraName = "auto"
    mains_hz: Literal[50, 60] = 50


class PaperSettings(Struct, frozen=True):
    """What was printed."""

    sticker_mm: Sticker = STICKER_MM
    marker_mm: Marker = MARKER_MM


class PanelSettings(Struct, frozen=True):
    chip: Literal["ssd1306", "sh1106", "ssd1322", "terminal", "none"] = "ssd1306"
    size: Literal["auto", "128x64", "128x32", "256x64"] = "auto"
    port: Annotated[int, Meta(ge=0, le=22)] = 1
    address: Address = 0x3C
    big: bool = False


class ButtonSettings(Struct, frozen=True):
    kind: Literal["pins", "keys", "none"] = "pins"
    up: GPIO = DEFAULT_PINS[Button.UP]
    down: GPIO = DEFAULT_PINS[Button.DOWN]
    ok: GPIO = DEFAULT_PINS[Button.OK]
    back: GPIO = DEFAULT_PINS[Button.BACK]
    power: Pin = NONE


class SignSettings(Struct, frozen=True):
    led: Annotated[tuple[GPIO, ...], Meta(max_length=3)] = ()
    buzzer: Pin = NONE
    voice: bool = False


class PageSettings(Struct, frozen=True):
    off: bool = False
    host: str = "lan"
    port: Annotated[int, Meta(ge=1, le=65535)] = PAGE_PORT


@dataclass(frozen=True, slots=True)
class Sockets:
    """Where the devices are wired: the GPIO of each button, and the I2C port and address of the screen."""

    pins: Mapping[Button, int] = field(default_factory=lambda: DEFAULT_PINS)
    port: int = PanelSettings().port
    address: int = PanelSettings().address


@dataclass(frozen=True, slots=True)
class Optics:
    """The mains frequency, at which lamps flicker, and the printed sizes of stickers and markers."""

    mains_hz: int = CameraSettings().mains_hz
    sticker_mm: float = PaperSettings().sticker_mm
    marker_mm: float = PaperSettings().marker_mm


class Config(Struct, frozen=True):
    """``record`` and ``state`` are folders."""

    language: str = "en"
    record: FolderOrOff = "off"
    state: FolderOrAuto = "auto"
    camera: CameraSettings = CameraSettings()
    paper: PaperSettings = PaperSettings()
    panel: PanelSettings = PanelSettings()
    buttons: ButtonSettings = ButtonSettings()
    signs: SignSettings = SignSettings()
    page: PageSettings = PageSettings()


def panel_name(config: Config) -> str:
    """The name by which ``open_panel`` knows the screen."""
    match config.panel.chip, config.panel.size:
        case "none", _:
            return "dummy"
        case "terminal", _:
            return "terminal"
        case "ssd1306", "128x32":
            return "oled:ssd1306:128x32"
        case chip, _:
            return f"oled:{chip}"


def _keys() -> dict[str, Any]:
    kinds: dict[str, Any] = {}
    for name, kind in get_type_hints(Config, include_extras=True).items():
        if isinstance(kind, type) and issubclass(kind, Struct):
            kinds |= {f"{name}.{key}": of for key, of in get_type_hints(kind, include_extras=True).items()}
        else:
            kinds[name] = kind
    return kinds


KEYS = _keys()
"""The type of each key, as in ``panel.chip``."""
SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in KEYS if "." in key))

Values = dict[str, Any]


def setting_values(config: Config) -> Values:
    """The value of each key."""
    found: Values = {}
    for key in KEYS:
        section, _, name = key.rpartition(".")
        found[key] = getattr(getattr(config, section) if section else config, name)
    return found


def make_config(given: Values) -> Config:
    """The settings with these values, which must be valid; every other key has its default."""
    nested: dict[str, Any] = {}
    for key, value in given.items():
        section, _, name = key.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[name] = value
    return msgspec.convert(nested, Config)
