"""The lines of a recording behind its first one, as they are written, and checked when they are read."""

from typing import Annotated

import msgspec

from engine.text import Arg, Text
from firmware.box.events import (
    BoxEvent,
    BoxFacts,
    FactsReady,
    PageChanged,
    PageStatus,
    Pressed,
    Ticked,
    Told,
    parse_told,
)
from hw.buttons import Button, Press, PressKind
from vision.live.events import CameraMeasured, FaultChanged, FaultSource, TableSeen

Side = Annotated[int, msgspec.Meta(ge=16, le=8192)]
"""Pixels of a picture that a camera may give."""
Bit = Annotated[int, msgspec.Meta(ge=0, le=1)]
Entry = Annotated[str, msgspec.Meta(pattern=r"\S")]
RecordedPads = tuple[tuple[int, tuple[int, ...], int, bool], ...]
"""Of each pad the player, points by round, all points, and whether he won."""
NOT_KEPT, HIDDEN_CODE = "-", "000000"
"""What stands for words that are not kept: an address, the code of a phone, the path of a device."""


class RecordedLine(msgspec.Struct, frozen=True, array_like=True):
    """An array; its first word says which."""


class FrameLine(RecordedLine, frozen=True, tag="frame"):
    """Of each part x, y, width, height, whether it is coarse, and how many bytes it has in the file of parts."""

    at: float
    width: Side
    height: Side
    parts: tuple[tuple[int, int, int, int, Bit, int], ...]


class PressedLine(RecordedLine, frozen=True, tag="pressed"):
    at: float
    button: Button
    kind: PressKind


class ToldLine(RecordedLine, frozen=True, tag="told"):
    at: float
    words: str
    by: str


class TickedLine(RecordedLine, frozen=True, tag="ticked"):
    at: float


class TroubleLine(RecordedLine, frozen=True, tag="trouble"):
    """``text`` is the name of a sentence, and the numbers in it."""

    at: float
    source: FaultSource
    text: tuple[str, dict[str, int | str]] | None


class ServedLine(RecordedLine, frozen=True, tag="served"):
    """There is a page; ``code`` is whether a phone is asked in with one, not which."""

    at: float
    code: bool
    until: float
    paired: float | None


class LookedUpLine(RecordedLine, frozen=True, tag="looked up"):
    """The box can say of itself how things stand; of that only whether it could count its games, a line more."""

    at: float
    counted: bool


class WroteLine(RecordedLine, frozen=True, tag="wrote"):
    entries: tuple[Entry, ...]
    told: str


class EndLine(RecordedLine, frozen=True, tag="end"):
    pads: RecordedPads


EventLine = PressedLine | ToldLine | TickedLine | TroubleLine | ServedLine | LookedUpLine
AnyLine = FrameLine | EventLine | WroteLine | EndLine


def encode_event(item: BoxEvent) -> EventLine | None:
    """None for what is seen anew when the pictures are."""
    match item:
        case Pressed(press, at):
            return PressedLine(at, press.button, press.kind)
        case Told(command, by, at):
            return ToldLine(at, str(command), by)
        case Ticked(at):
            return TickedLine(at)
        case PageChanged(page, at):
            return ServedLine(at, bool(page.code), page.until, page.paired)
        case FactsReady(facts, at):
            return LookedUpLine(at, facts.games is not None)
        case TableSeen() | CameraMeasured() | FaultChanged("picture", _, _):
            return None
        case FaultChanged(source, text, at):
            return TroubleLine(at, source, (text.id, dict(map(_number, text.args))) if text else None)


def decode_event(line: EventLine) -> BoxEvent:
    match line:
        case PressedLine(at, button, kind):
            return Pressed(Press(button, kind), at)
        case ToldLine(at, words, by):
            return parse_told(words, by, at)
        case TickedLine(at):
            return Ticked(at)
        case ServedLine(at, code, until, paired):
            return PageChanged(PageStatus(NOT_KEPT, HIDDEN_CODE if code else "", until, paired), at)
        case LookedUpLine(at, counted):
            return FactsReady(BoxFacts(NOT_KEPT, NOT_KEPT, NOT_KEPT, NOT_KEPT, 0 if counted else None), at)
        case TroubleLine(at, source, text):
            return FaultChanged(source, Text(text[0], tuple(text[1].items())) if text else None, at)


def _number(arg: tuple[str, Arg]) -> tuple[str, int | str]:
    name, value = arg
    return name, value if isinstance(value, int) else NOT_KEPT
