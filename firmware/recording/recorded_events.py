"""The lines of a recording after its header: encodes events and decodes them with checks."""

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
from hw.button_presses import Button, Press, PressKind
from vision.live.fault_sources import FaultSource
from vision.live.perception_events import CameraMeasured, FaultChanged, TableSeen

Side = Annotated[int, msgspec.Meta(ge=16, le=8192)]
"""Width or height in pixels that a camera may deliver."""
Bit = Annotated[int, msgspec.Meta(ge=0, le=1)]
Entry = Annotated[str, msgspec.Meta(pattern=r"\S")]
RecordedPads = tuple[tuple[int, tuple[int, ...], int, bool], ...]
"""For each pad the player, points by round, total, and whether the player won."""
NOT_KEPT, HIDDEN_CODE = "-", "000000"
"""Placeholders for what is not recorded: an address, the code for a phone, the path of a device."""


class RecordedLine(msgspec.Struct, frozen=True, array_like=True):
    """A JSON array; its first element is the kind of line."""


class FrameLine(RecordedLine, frozen=True, tag="frame"):
    """For each patch x, y, width, height, whether it is coarse, and its number of bytes in the file of parts."""

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
    """``text`` is the id of a text and its numbers."""

    at: float
    source: FaultSource
    text: tuple[str, dict[str, int | str]] | None


class ServedLine(RecordedLine, frozen=True, tag="served"):
    """The status of the page; ``code`` says whether there is a pairing code, not which."""

    at: float
    code: bool
    until: float
    paired: float | None


class LookedUpLine(RecordedLine, frozen=True, tag="looked up"):
    """The facts of the box; recorded is only whether it could count its games, which is a line more on the screen."""

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
    """The line of this event; None for what a replay gets from the pictures."""
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
