"""Logs and tables as readable text, written and parsed; a truncated file keeps its complete lines."""

from collections.abc import Mapping
from typing import Any

from engine.errors import InputError
from engine.game import Game, Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.options import BadOption, format_value, list_written
from engine.table import Area, Cover, Piece, Table
from engine.text import Text, say

LOG_HEADER = "oxeye log 1"


class BadLog(InputError):
    """A log that cannot be read to its end: ``line`` and ``text`` say where and why, ``good`` is all before it."""

    text: Text

    def __init__(self, line: int, text: Text, good: Log[Any, Any] | None) -> None:
        super().__init__(text)
        self.line = line
        self.good = good


def write_log(log: Log[Any, Any]) -> str:
    head = [LOG_HEADER, f"game {log.game.name}"]
    for name, value in list_written(log.game.options, log.options).items():
        head.append(f"option {name} {format_value(value) or '-'}")
    return "\n".join([*head, *map(str, log.entries), ""])


def read_log(text: str, games: Mapping[str, Game[Any, Any]]) -> Log[Any, Any]:
    """Parse the text of ``write_log``; ``BadLog`` holds the part before the first bad line."""
    lines = text.split("\n")
    torn = lines.pop()
    if not lines or lines[0] != LOG_HEADER:
        raise BadLog(1, say("log_head", wanted=LOG_HEADER), None)
    kind, _, name = (lines[1] if len(lines) > 1 else "").partition(" ")
    if kind != "game" or name not in games:
        raise BadLog(2, say("log_game", known=" ".join(sorted(games))), None)
    given: dict[str, str] = {}
    at = 2
    while at < len(lines) and lines[at].startswith("option "):
        _, option, *value = lines[at].split(" ", 2)
        given[option] = "" if value in ([], ["-"]) else value[0]
        at += 1
    try:
        log: Log[Any, Any] = Log(games[name], given)
    except BadOption as bad:
        row = next((n for n, line in enumerate(lines, 1) if line.startswith(f"option {bad.name} ")), at)
        raise BadLog(row, bad.text, None) from bad
    except Illegal as why:
        raise BadLog(at, why.text, None) from why
    for number, line in enumerate(lines[at:], at + 1):
        try:
            log = log.recall(log.parse(line))
        except BadNotation as bad_line:
            raise BadLog(number, say("log_line", says=str(bad_line)), log) from bad_line
        except Illegal as why:
            raise BadLog(number, why.text, log) from why
    if torn:
        raise BadLog(len(lines) + 1, say("log_torn", line=torn), log)
    return log


def write_table(table: Table) -> str:
    seen = sorted(table.seen, key=lambda s: (s.piece, s.x, s.y, s.angle))
    pieces = (f"{s.piece}@{s.x!r},{s.y!r},{s.angle!r}" for s in seen)
    dark = (f"unseen@{a.left!r},{a.top!r},{a.right!r},{a.bottom!r}" for a in table.unseen)
    covers = (f"covers@{upper},{lower}" for upper, lower in sorted(table.covers))
    return " ".join(("table", *pieces, *dark, *covers))


def read_table(text: str) -> Table:
    verb, *words = text.split() or [""]
    if verb != "table":
        raise BadNotation(f"'{text}': say 'table 33@120.0,50.0,0.0 unseen@0.0,0.0,90.0,60.0'")
    seen: set[Piece] = set()
    unseen: list[Area] = []
    covers: set[Cover] = set()
    for word in words:
        piece, _, numbers = word.partition("@")
        try:
            if piece == "covers":
                upper, lower = numbers.split(",")
                covers.add((upper, lower))
                continue
            values = tuple(float(n) for n in numbers.split(","))
            if piece == "unseen":
                left, top, right, bottom = values
                unseen.append(Area(left, top, right, bottom))
            else:
                x, y, angle = values
                seen.add(Piece(piece, x, y, angle))
        except ValueError:
            raise BadNotation(
                f"'{word}': say piece@x,y,angle, unseen@left,top,right,bottom or covers@upper,lower"
            ) from None
    return Table(frozenset(seen), tuple(unseen), frozenset(covers))
