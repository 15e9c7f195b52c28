"""Widgets for offers and lists, in several sizes: a list, a single offer, rows side by side."""

from collections.abc import Sequence
from functools import partial

from hw.panel.font import SMALL, TALL, TINY, Font
from hw.panel.icons import draw_mini, mini_width
from hw.panel.line_breaking import truncate
from hw.panel.widgets import MUST, TIGHT, Pen, Widget, break_widgets

Pairs = Sequence[tuple[int, int]]
"""Row and heads."""
Row = tuple[Font, str]
"""A line of a list with its font."""
MOST = 7
"""The largest number of lines on any screen."""
THUMB = 4
"""Columns of the scroll bar."""
FEWER = {1: 14.0, 2: 7.0, 3: 3.0, 4: 1.5, 5: 0.5}
"""Loss of showing only this many of more offers."""


def choice_widgets(labels: Sequence[str], cursor: int, width: int, *, big: bool = False) -> list[Widget]:
    """The offers with the cursor in inverse, and a scroll bar if not all of them fit.

    An empty label repeats the prompt: then the OK badge is enough.
    """
    fonts = (TALL, SMALL, TINY) if big else (SMALL, TINY)
    if len(labels) == 1:
        return [_single(labels[0], width, font, loss) for loss, font in enumerate(fonts)]
    found = []
    for worse, font in enumerate(fonts):
        whole, beside = ([_fitting(label, font, width - 4 - room) for label in labels] for room in (0, THUMB))
        for count in range(min(len(labels), MOST), 0, -1):
            missing = len(labels) - count
            loss = worse * 8.0 + FEWER.get(count, 0.0) * (missing > 0) + 0.2 * missing
            rows = beside if missing else whole
            for tight, pitch in enumerate((font.pitch + 1, font.pitch, TIGHT[font])):
                found.append(_list(labels, rows, cursor, count, font, pitch, loss + 0.4 * tight))
    return found


def list_widgets(lines: Sequence[str], width: int) -> list[Widget]:
    """The next lines, as many as fit; a line that is alone may be broken."""
    alone = break_widgets(lines[0], width) if len(lines) == 1 else []
    return [
        *alone,
        *(
            _dotted(lines, count, width, font, 4.0 * worse + FEWER.get(count, 0) / 3 * (count < len(lines)))
            for worse, font in enumerate((SMALL, TINY))
            for count in range(min(len(lines), MOST), 0, -1)
        ),
    ]


def row_widgets(pairs: Pairs, cursor: int, icon: str) -> list[Widget]:
    """Rows side by side, each with its heads."""
    return [
        Widget(27, 0.0, partial(_tall_cells, pairs, cursor, icon)),
        Widget(11, 6.0, partial(_flat_cells, pairs, cursor)),
    ]


def _single(label: str, width: int, font: Font, loss: float) -> Widget:
    """A single offer: an OK badge and its label."""
    badge = font.width("OK") + 4
    room = width - badge - 3
    shown = truncate(label, font, room)

    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.rectangle((x, y, x + badge - 1, y + font.height + 1), fill=1)
        font.write(pen, x + 2, y + 1, "OK", 0)
        if shown:
            font.write(pen, x + badge + 3, y + 1, shown)
        else:
            draw_mini(pen, x + badge + 3, y + 1, "tick")

    lost = () if shown == label else (label,)
    return Widget(font.pitch + (font == TINY), 3.0 * loss if not lost else MUST, paint, lost, follows=True)


def _list(
    labels: Sequence[str], rows: Sequence[Row], cursor: int, count: int, font: Font, pitch: int, loss: float
) -> Widget:
    first = min(max(cursor - count // 2, 0), len(labels) - count)
    scrolls = count < len(labels)
    lost = tuple(label for label, (_, shown) in zip(labels, rows, strict=True) if shown != label)
    smaller = sum(used != font for used, _ in rows)

    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        wide = w - (THUMB if scrolls else 0)
        for at in range(first, first + count):
            used, shown = rows[at]
            if at == cursor:
                _pill(pen, x, y, wide, max(pitch, font.height + 2))
            used.write(pen, x + 2, y + _foot(font, used), shown, int(at != cursor))
            y += pitch
        if scrolls:
            top = y - count * pitch
            _thumb(pen, x + w - 2, top, count * pitch, first, count, len(labels))

    high = count * pitch + int(pitch <= font.pitch)  # descenders of the last line
    return Widget(high, loss + smaller if not lost else MUST, paint, lost, follows=True)


def _pill(pen: Pen, x: int, y: int, wide: int, high: int) -> None:
    """The cursor: a rectangle with rounded corners, unlike a warning."""
    pen.rectangle((x + 1, y, x + wide - 2, y + high - 1), fill=1)
    pen.rectangle((x, y + 1, x + wide - 1, y + high - 2), fill=1)


def _foot(font: Font, used: Font) -> int:
    """Offset that aligns the baselines of two fonts."""
    return 1 + font.height - used.height


def _fitting(label: str, font: Font, room: int) -> Row:
    """A label that is too long gets a smaller font before it is truncated."""
    for used in (TALL, SMALL, TINY):
        if used.pitch <= font.pitch and used.width(label) <= room:
            return used, label
    return TINY, truncate(label, TINY, room)


def _thumb(pen: Pen, x: int, y: int, height: int, first: int, count: int, total: int) -> None:
    pen.line((x, y, x, y + height - 1), fill=0)
    for dot in range(y, y + height, 3):
        pen.point((x, dot), fill=1)
    top = y + first * height // total
    pen.rectangle((x - 1, top, x + 1, top + max(count * height // total, 3) - 1), fill=1)


def _dotted(lines: Sequence[str], count: int, width: int, font: Font, loss: float) -> Widget:
    rows = [_fitting(line, font, width - 6) for line in lines[:count]]
    lost = tuple(line for line, (_, shown) in zip(lines, rows, strict=False) if line != shown)

    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        for used, shown in rows:
            pen.rectangle((x + 1, y + font.height // 2, x + 2, y + font.height // 2 + 1), fill=ink)
            used.write(pen, x + 6, y + _foot(font, used), shown, ink)
            y += font.pitch

    return Widget(count * font.pitch + 1, loss if not lost else MUST, paint, lost, follows=True)


def _tall_cells(
    pairs: Sequence[tuple[int, int]], cursor: int, icon: str, pen: Pen, x: int, y: int, w: int, ink: int
) -> None:
    wide = w // len(pairs)
    for at, (row, n) in enumerate(pairs):
        box = (x + at * wide, y, x + (at + 1) * wide - 2, y + 26)
        pen.rectangle(box, fill=int(at == cursor), outline=1)
        _centred(pen, box, y + 3, "row", str(row), SMALL, int(at != cursor))
        _centred(pen, box, y + 14, icon, str(n), TALL, int(at != cursor))


def _flat_cells(pairs: Pairs, cursor: int, pen: Pen, x: int, y: int, w: int, ink: int) -> None:
    wide = w // len(pairs)
    for at, (row, n) in enumerate(pairs):
        left = x + at * wide
        pen.rectangle((left, y, left + wide - 2, y + 10), fill=int(at == cursor))
        SMALL.write(pen, left + 3, y + 2, f"{row}: {n}", int(at != cursor))


def _centred(pen: Pen, box: tuple[int, int, int, int], y: int, icon: str, text: str, font: Font, ink: int) -> None:
    wide = mini_width(icon) + 2 + font.width(text)
    x = (box[0] + box[2] - wide) // 2 + 1
    draw_mini(pen, x, y + (font.height - 7) // 2, icon, ink)
    font.write(pen, x + mini_width(icon) + 2, y, text, ink)
