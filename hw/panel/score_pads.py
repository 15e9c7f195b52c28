"""Score pad widgets, in several sizes: a score is never truncated, a name only in the smallest size."""

from dataclasses import dataclass

from engine.view import Pad, View
from hw.panel.font import SMALL, TALL, TINY, Font
from hw.panel.icons import draw_mini, mini_width
from hw.panel.line_breaking import clip_name
from hw.panel.widgets import Paint, Pen, Widget

GAP = 3
SIZES = (
    (TALL, 13, 1),
    *((SMALL, row, columns) for columns in (1, 2, 3) for row in (10, 9)),
    *((TINY, 7, columns) for columns in (1, 2, 3, 4, 5)),
)
"""Font, row height and number of columns, the best first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One player's line; ``now`` is the score of the current round."""

    name: str
    score: str
    now: str = ""
    mark: str = ""
    lit: bool = False
    gone: bool = False


def pad_widgets(view: View, names: tuple[str, ...], width: int, turn: str = "") -> list[Widget]:
    """``turn`` is the name of the player to act, for a team that shares one pad."""
    entries = tuple(_entries(view, names))
    if not entries:
        return []
    if [pad.player for pad in view.pads] == [0]:
        return _team(view.pads[0], turn, bool(view.winners))
    found = []
    for at, (font, row, columns) in enumerate(SIZES):
        if columns > len(entries):
            continue
        room = (width - GAP * (columns - 1)) // columns
        high = row * -(-len(entries) // columns) + (2 if font == TALL else 1)  # descenders of the last name
        marks = _marks(entries, font, columns)
        if all(_least(entry, marks, font) + font.width(entry.name) <= room for entry in entries):
            found.append(Widget(high, 0.4 * at + (4 if font == TINY else 0), _table(entries, font, row, columns)))
        elif all(_least(entry, marks, font) <= room for entry in entries):
            lost = tuple(e.name for e in entries if _least(e, marks, font) + font.width(e.name) > room)
            found.append(Widget(high, 17 + columns / 2, _table(entries, font, row, columns), lost))
    return found


def _entries(view: View, names: tuple[str, ...]) -> list[Entry]:
    running = any(pad.now for pad in view.pads)
    return [
        Entry(
            names[at] if at < len(names) else str(pad.player),
            str(pad.total + pad.now),
            f"+{pad.now}" if running else "",
            "cup" if pad.player in view.winners else "turn" if pad.player == view.turn else "",
            pad.player == view.turn or pad.player in view.winners,
            pad.gone,
        )
        for at, pad in enumerate(view.pads)
    ]


def _marks(entries: tuple[Entry, ...], font: Font, columns: int) -> int:
    """Width of the mark column; all lines have it, so that names align."""
    cups = any(entry.mark == "cup" for entry in entries)
    if font == TINY:
        return 4 if cups else 3
    if cups and columns > 1:  # a small cup leaves more room for names
        return 2 + mini_width("tiny_cup")
    return 2 + max((mini_width(entry.mark) for entry in entries if entry.mark), default=mini_width("turn"))


def _least(entry: Entry, marks: int, font: Font) -> int:
    return marks + font.width(entry.score) + (5 if font != TINY else 3)


def _table(entries: tuple[Entry, ...], font: Font, high: int, columns: int) -> Paint:
    """Fill column by column, in the order of the seats."""
    rows = -(-len(entries) // columns)
    marks = _marks(entries, font, columns)

    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        room = (w - GAP * (columns - 1)) // columns
        for at, entry in enumerate(entries):
            column, row = divmod(at, rows)
            _entry(pen, x + column * (room + GAP), y + row * high, room, high, entry, marks, font, columns == 1)

    return paint


def _entry(pen: Pen, x: int, y: int, room: int, high: int, entry: Entry, marks: int, font: Font, full: bool) -> None:
    ink = int(not entry.lit)
    if entry.lit:
        pen.rectangle((x, y, x + room - 1, y + high - 1), fill=1)
    base = y + 1
    right = x + room - 1 - font.width(entry.score)
    if entry.mark:
        _put_mark(pen, x, base, entry.mark, font, ink, full)
    left = x + marks
    name = clip_name(entry.name, font, right - left - (3 if font != TINY else 2))
    font.write(pen, left, base, name, ink)
    if entry.gone and name:
        pen.line((left, base + font.height // 2, left + font.width(name) - 1, base + font.height // 2), fill=ink)
    font.write(pen, right, base, entry.score, ink)
    beside = right - 5 - TINY.width(entry.now)
    if full and entry.now and font != TINY and beside > left + font.width(name) + 3:
        TINY.write(pen, beside, base + font.height - TINY.height, entry.now, ink)


def _put_mark(pen: Pen, x: int, y: int, mark: str, font: Font, ink: int, full: bool) -> None:
    if font == TINY:
        draw_mini(pen, x, y + 1, f"tiny_{mark}", ink)
    elif mark == "cup" and not full:
        draw_mini(pen, x + 1, y + 2, "tiny_cup", ink)
    else:
        draw_mini(pen, x + 1, y + (font.height - 7) // 2, mark, ink)


def _team(pad: Pad, turn: str, won: bool) -> list[Widget]:
    """The pad of a team: the player to act, the cards left, and a bar of the cards laid."""
    mark = "cup" if won else "card"

    def count(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        draw_mini(pen, x, y + 3, mark, ink)
        left = x + mini_width(mark) + 4
        TALL.write(pen, left, y + 1, str(pad.total), ink)
        left += TALL.width("00") + 5
        right = x + w - 1
        done = (right - left - 4) * pad.cards // max(pad.cards + pad.total, 1)
        pen.rectangle((left, y + 3, right, y + 9), outline=ink)
        pen.rectangle((left + 2, y + 5, left + 2 + done, y + 7), fill=ink)

    def both(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.rectangle((x, y, x + w - 1, y + 9), fill=ink)
        draw_mini(pen, x + 1, y + 1, "turn", 1 - ink)
        SMALL.write(pen, x + mini_width("turn") + 3, y + 1, turn, 1 - ink)
        count(pen, x, y + 11, w, ink)

    def short(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        right = x + w - TALL.width(str(pad.total))
        draw_mini(pen, x, y + 3, "turn", ink)
        SMALL.write(pen, x + mini_width("turn") + 2, y + 3, turn, ink)
        draw_mini(pen, right - 4 - mini_width(mark), y + 3, mark, ink)
        TALL.write(pen, right, y, str(pad.total), ink)

    return [Widget(23, 0, both), Widget(11, 2, short)] if turn else [Widget(12, 0, count)]
