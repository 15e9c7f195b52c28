"""A recording read back, event by event; where it is damaged the line is named."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.game import Illegal
from engine.notation import BadNotation
from engine.options import BadOption
from firmware.box.box import Box
from firmware.box.flow import Started, Write
from firmware.box.items import Pressed, Told
from firmware.recording.film import Canvas, Patch, Shown, Spoiled, bare
from firmware.recording.head import box_of
from firmware.recording.writing import EMPTY, EVENTS, MARK, PARTS, VERSION
from hw.buttons import Button, Kind, Press
from hw.cameras.pictures import decode
from hw.frame import Frame, Picture


class Damaged(ValueError):
    """What is wrong with a recording, and where."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The pads as they were: player, points by round, all points, and whether he won."""

    pads: tuple[tuple[int, tuple[int, ...], int, bool], ...]


Event = Frame | Pressed | Told | Write | Ended


class Recorded:
    """How it began; ``events`` gives the rest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._lines = (folder / EVENTS).read_text(encoding="utf-8").splitlines()
            self._parts = (folder / PARTS).read_bytes()
        except (OSError, UnicodeDecodeError) as why:
            raise Damaged(f"{folder} holds no recording") from why
        self.box, self.started = self._begin()
        self.empty = self._empty()

    def _begin(self) -> tuple[Box, Started | None]:
        try:
            mark, version, head = json.loads(self._lines[0]) if self._lines else ("", 0, {})
            if (mark, version) != (MARK, VERSION):
                raise Damaged(f"{EVENTS}, line 1: not a recording, or one of a newer Oxeye")
            return box_of(head)
        except (ValueError, KeyError, TypeError, IndexError, BadOption, BadNotation, Illegal) as why:
            if isinstance(why, Damaged):
                raise
            raise Damaged(f"{EVENTS}, line 1: {why}") from why

    def _empty(self) -> Picture | None:
        for ending in (".png", ".webp"):
            file = self.folder / (EMPTY + ending)
            if file.exists():
                picture = decode(file.read_bytes())
                if picture is None:
                    raise Damaged(f"{file.name} is no whole picture")
                return picture
        return None

    def events(self) -> Iterator[Event]:
        canvas = None if self.empty is None else Canvas(self.empty, self.empty)
        shown, at = Shown(), 0
        for number, line in enumerate(self._lines[1:], 2):
            try:
                event: list[Any] = json.loads(line)
                match event:
                    case ["frame", float() | int() as time, int(width), int(height), boxes]:
                        if canvas is None or canvas.still.shape[:2] != (height, width):
                            canvas = bare((height, width))
                        patches = []
                        for x, y, wide, high, coarse, size in boxes:
                            patches.append(Patch(x, y, wide, high, bool(coarse), self._parts[at : at + size]))
                            at += size
                        canvas = canvas.after(tuple(patches))
                        yield shown.frame(canvas, float(time))
                    case ["pressed", float() | int() as time, button, kind]:
                        yield Pressed(Press(Button(button), Kind(kind)), float(time))
                    case ["told", float() | int() as time, str(words), str(by)]:
                        yield Told(words, by, float(time))
                    case ["wrote", entries, str(told)]:
                        yield Write(tuple(map(str, entries)), told)
                    case ["end", pads]:
                        yield Ended(tuple((p, tuple(rounds), total, won) for p, rounds, total, won in pads))
                    case _:
                        raise Spoiled("unknown event")
            except (ValueError, TypeError) as why:
                raise Damaged(f"{EVENTS}, line {number}: {why}") from why
