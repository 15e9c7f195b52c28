"""Widgets for prompt, warning, note and bar, each in several sizes with a loss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import ImageDraw

from hw.panel.font import SMALL, TALL, TINY, Font
from hw.panel.icons import draw_icon, icon_width
from hw.panel.line_breaking import break_lines, truncate

Pen = ImageDraw.ImageDraw
Paint = Callable[[Pen, int, int, int, int], None]
"""Arguments: pen, x, y, width, ink."""

TIGHT = {SMALL: 9, TALL: 13, TINY: 6}
NO_RULING = 2.0
"""Loss of omitting the ruling."""
MUST = 1000.0
"""Loss of a widget that truncates a text: taken only if nothing else fits."""

Size = tuple[Font, int, float]
"""Font, number of lines, loss."""
PROMPT: tuple[Size, ...] = (
    *((TALL, 1, 0.0), (TALL, 2, 1.5), (TALL, 3, 3.0)),
    *((SMALL, 1, 3.5), (SMALL, 2, 4.5), (SMALL, 3, 5.5), (SMALL, 4, 7.0), (SMALL, 5, 9.0)),
    *((TINY, 1, 12.0), (TINY, 2, 13.0), (TINY, 3, 16.0), (TINY, 4, 18.0), (TINY, 5, 20.0)),
)
PROMPT_BIG: tuple[Size, ...] = (
    *((TALL, 1, 0.2), (TALL, 2, 0.4), (TALL, 3, 0.6), (TALL, 4, 0.8)),
    *((SMALL, 1, 9.0), (SMALL, 2, 10.0), (SMALL, 3, 11.0), (SMALL, 4, 12.0), (SMALL, 5, 14.0)),
    *((TINY, 1, 18.0), (TINY, 2, 19.0), (TINY, 3, 22.0), (TINY, 4, 24.0), (TINY, 5, 26.0)),
)
WARNING: tuple[Size, ...] = (
    *((SMALL, 1, 0.0), (SMALL, 2, 0.0), (SMALL, 3, 1.0)),
    *((TINY, 1, 20.0), (TINY, 2, 20.0), (TINY, 3, 22.0)),
)
WARNING_BIG: tuple[Size, ...] = (
    *((TALL, 1, 0.0), (TALL, 2, 0.0), (TALL, 3, 0.5)),
    *((SMALL, 1, 8.0), (SMALL, 2, 8.0), (SMALL, 3, 9.0)),
    *((TINY, 1, 28.0), (TINY, 2, 28.0), (TINY, 3, 30.0)),
)


@dataclass(frozen=True, slots=True)
class Widget:
    """One size of a part of the screen; ``loss`` says how much worse than its best it is, ``cut`` has truncated texts.

    ``follows``: it stays directly below the widget above. ``lit``: it ends in white, so the next widget must not
    touch it.
    """

    height: int
    loss: float
    paint: Paint
    cut: tuple[str, ...] = ()
    follows: bool = False
    lit: bool = False


def empty_widget(loss: float) -> Widget:
    return Widget(0, loss, lambda pen, x, y, w, ink: None)


def with_ruling(text: str, ruling: str, parts: Callable[[str], list[Widget]]) -> list[Widget]:
    """The widgets of a text with its ruling appended, if that fits, or without it."""
    if not ruling:
        return parts(text)
    whole = [part for part in parts(f"{text} · {ruling}") if not part.cut]
    return [*whole, *(replace(part, loss=part.loss + NO_RULING) for part in parts(text))]


def prompt_widgets(text: str, width: int, icon: str = "", *, big: bool = False) -> list[Widget]:
    """Prompt widgets: from tall letters with an icon to tiny letters in several lines."""
    found = []
    for font, lines, loss in PROMPT_BIG if big else PROMPT:
        for drawn in (icon, "") if icon and font != TINY else ("",):
            folded = break_lines(text, font, width - icon_width(drawn) - (3 if drawn else 0))
            if len(folded) != lines:
                continue
            less = loss + (1.2 if icon and not drawn else 0)
            found.append(_text(folded, font, font.pitch, less, drawn))
            if lines > 1:
                found.append(_text(folded, font, TIGHT[font], less + 1, drawn))
            if font == TINY:
                found.append(_text(folded, font, TIGHT[font], less + 4, top=0))
    return found + [_cut(text, width, TINY, lines) for lines in (3, 2, 1)]


def warning_widgets(text: str, width: int, *, big: bool = False) -> list[Widget]:
    """Alert widgets, in inverse."""
    found = []
    for font, lines, loss in WARNING_BIG if big else WARNING:
        for icon in ("warning", "") if font != TINY and lines > 1 else ("",):
            folded = break_lines(text, font, width - 4 - (icon_width(icon) + 3 if icon else 0))
            if len(folded) == lines:
                less = loss if icon else loss + 1.0
                found.append(_inverse(_text(folded, font, font.pitch, less, icon), 1))
                found.append(_inverse(_text(folded, font, TIGHT[font], less + 1.5, icon), 0))
    return found + [_inverse(_cut(text, width - 4, TINY, lines), 0) for lines in (2, 1)]


def bar_widgets(full: float) -> list[Widget]:
    """Progress bar widgets; ``full`` is 0 to 1."""

    def framed(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.rectangle((x, y, x + w - 1, y + 6), outline=ink)
        if (filled := round(min(max(full, 0.0), 1.0) * (w - 4))) > 0:
            pen.rectangle((x + 2, y + 2, x + 1 + filled, y + 4), fill=ink)

    def thin(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.point([(dot, y + 1) for dot in range(x, x + w, 3)], fill=ink)
        if (filled := round(min(max(full, 0.0), 1.0) * w)) > 0:
            pen.rectangle((x, y, x + filled - 1, y + 2), fill=ink)

    return [Widget(7, 0, framed), Widget(3, 4, thin)]


def note_widgets(text: str, width: int) -> list[Widget]:
    """Transient message widgets, in a frame."""
    found = []
    for loss, font in enumerate((SMALL, TINY)):
        folded = break_lines(text, font, width - 6)
        if len(folded) <= 2:
            found.append(_framed(_text(folded, font, font.pitch, 6.0 * loss)))
    return [*found, _framed(_cut(text, width - 6, TINY, 1))]


def break_widgets(text: str, width: int) -> list[Widget]:
    """A sentence in the background, broken into two lines."""
    folded = [(worse, font, break_lines(text, font, width)) for worse, font in enumerate((SMALL, TINY))]
    return [_text(lines, font, font.pitch, 4.0 * worse) for worse, font, lines in folded if len(lines) == 2]


def _text(
    lines: Sequence[str],
    font: Font,
    pitch: int,
    loss: float,
    icon: str = "",
    *,
    cut: tuple[str, ...] = (),
    top: int = 1,
) -> Widget:
    """``top`` dots stay free above capitals for accents; without them descenders have no room either."""
    last = font.pitch if top else font.height
    height = (len(lines) - 1) * pitch + max(last, 12 if icon else 0)

    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        if icon:
            draw_icon(pen, x, y + 1 + (max(height - 12, 0) // 2 if icon == "warning" else 0), icon, ink)
            x += icon_width(icon) + 3
        for line in lines:
            font.write(pen, x, y + top, line, ink)
            y += pitch

    return Widget(height, loss, paint, cut)


def _cut(text: str, width: int, font: Font, lines: int) -> Widget:
    folded = break_lines(text, font, width)
    whole = len(folded) <= lines
    kept = folded if whole else (*folded[: lines - 1], truncate(" ".join(folded[lines - 1 :]), font, width))
    return _text(
        kept, font, font.pitch - (1 if lines == 1 else 0), 40.0 if whole else MUST, cut=() if whole else (text,)
    )


def _inverse(part: Widget, edge: int) -> Widget:
    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.rectangle((x, y, x + w - 1, y + part.height + 2 * edge - 1), fill=ink)
        part.paint(pen, x + 2, y + edge, w - 4, 1 - ink)

    return replace(part, height=part.height + 2 * edge, paint=paint, lit=True)


def _framed(part: Widget) -> Widget:
    def paint(pen: Pen, x: int, y: int, w: int, ink: int) -> None:
        pen.rectangle((x, y, x + w - 1, y + part.height + 1), outline=1)
        part.paint(pen, x + 3, y + 1, w - 6, ink)

    return replace(part, height=part.height + 2, paint=paint)
