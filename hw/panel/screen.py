"""Lay out and draw a view on a screen of any size: the combination of widgets with the least loss that fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.view import View
from hw.panel.icons import choose_icon
from hw.panel.offers_and_lists import choice_widgets, list_widgets, row_widgets
from hw.panel.qr import QrRows, draw_qr, qr_size
from hw.panel.score_pads import pad_widgets
from hw.panel.widgets import (
    MUST,
    Widget,
    bar_widgets,
    empty_widget,
    note_widgets,
    prompt_widgets,
    warning_widgets,
    with_ruling,
)

SIZES = ((128, 64), (128, 32), (256, 64))
WIDTH, HEIGHT = SIZES[0]
EDGE = 1
"""The last row and column stay dark, because the picture shifts by a dot against burn-in."""
GAP = 4
"""Largest gap in dots between two widgets."""
NO_PADS, NO_PADS_NOW, NO_PADS_LISTED = 23.0, 13.0, 2.0
"""Loss of omitting the scores: in general, beside a question, and beside a list."""
NO_LIST, NO_NOTE, NO_NEWS = 5.0, 30.0, 10.0
"""Loss of omitting a list, a transient message, and of omitting news."""
SIDE_BY_SIDE = 4
CROWD = 6
"""With more players a wide screen gives the scores more than half."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The texts of a view in the language of this screen; offers and list are in the order of the view.

    ``ruling`` belongs to the alert, or to the prompt if there is no alert. ``turn`` is the name of the player to act,
    ``note`` a transient message, ``news`` what is announced as long as it is true, ``code`` the QR code of an address
    for phones.
    """

    prompt: str
    names: tuple[str, ...] = ()
    alert: str = ""
    offers: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    note: str = ""
    news: tuple[str, ...] = ()
    turn: str = ""
    code: QrRows = ()
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    part: Widget
    x: int
    y: int
    width: int


def draw_screen(view: View, lines: Lines, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False) -> Image.Image:
    """Draw white on black. ``big`` prefers large letters and shows the scores only if there is room."""
    image = Image.new("1", size)
    pen = ImageDraw.Draw(image)
    for place in lay_out_screen(view, lines, size, big=big):
        place.part.paint(pen, place.x, place.y, place.width, 1)
    if wide := qr_size(lines.code, size[1] - EDGE):
        draw_qr(pen, size[0] - EDGE - wide, (size[1] - EDGE - wide) // 2, wide, lines.code)
    elif at := _divide(view, size):
        pen.line((at, 0, at, size[1] - 1 - EDGE), fill=1)
    return image


def draw_hold_bar(
    view: View, lines: Lines, part: float, says: str, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False
) -> Image.Image:
    """The view while a button is held: a progress bar and its action at the bottom, above it what fits of the view."""
    width, height = size[0] - EDGE, size[1] - EDGE
    shown = [framed for framed in (note_widgets(says, width) if says else []) if not framed.cut][:1]
    top = height - 7 - sum(framed.height for framed in shown)
    image = Image.new("1", size)
    if not lay_out_screen(view, lines, (size[0], top), big=big):  # at least the prompt
        view, lines = View(view.prompt), Lines(lines.prompt)
    image.paste(draw_screen(view, lines, (size[0], top), big=big))
    pen = ImageDraw.Draw(image)
    for below in (*shown, bar_widgets(part)[0]):
        below.paint(pen, 0, top, width, 1)
        top += below.height
    return image


def list_cut_texts(
    view: View, lines: Lines, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False
) -> tuple[str, ...]:
    """Every text that this screen truncates."""
    return tuple(text for place in lay_out_screen(view, lines, size, big=big) for text in place.part.cut)


def lay_out_screen(view: View, lines: Lines, size: tuple[int, int], *, big: bool = False) -> tuple[Placed, ...]:
    """Place the widgets; on a wide screen the scores have the right half."""
    width, height = size[0] - EDGE, size[1] - EDGE
    if wide := qr_size(lines.code, height):
        beside = width - wide - GAP
        return _stack(_text_widgets(view, lines, beside, big=big), 0, beside, height)
    if at := _divide(view, size):
        left = _stack(_text_widgets(view, lines, at - 4, big=big), 0, at - 4, height)
        return (
            *left,
            *_stack([pad_widgets(view, lines.names, width - at - 3, lines.turn)], at + 3, width - at - 3, height),
        )
    wished = _text_widgets(view, lines, width, big=big)
    if scores := pad_widgets(view, lines.names, width, lines.turn):
        wished.append([*scores, empty_widget(_loss_without_pads(view, lines, big=big))])
    return _stack(wished, 0, width, height)


def _divide(view: View, size: tuple[int, int]) -> int:
    """Column at which a wide screen is divided, 0 if it is not."""
    if size[0] == WIDTH or not view.pads:
        return 0
    return size[0] // 2 if len(view.pads) <= CROWD else size[0] * 7 // 16


def _text_widgets(view: View, lines: Lines, width: int, *, big: bool) -> list[list[Widget]]:
    wished = []
    if lines.prompt:
        by = "" if lines.alert else lines.ruling
        wished.append(
            with_ruling(lines.prompt, by, lambda text: prompt_widgets(text, width, choose_icon(view.prompt), big=big))
        )
    if lines.alert:
        wished.append(with_ruling(lines.alert, lines.ruling, lambda text: warning_widgets(text, width, big=big)))
    if lines.note:
        wished.append([*note_widgets(lines.note, width), empty_widget(NO_NOTE)])
    elif lines.news and not lines.alert:
        wished.append([*note_widgets(lines.news[0], width), empty_widget(NO_NEWS)])
    if others := _others(view, lines.lines):
        wished.append([*list_widgets(others, width), empty_widget(NO_LIST)])
    if view.bar is not None:
        wished.append(bar_widgets(view.bar))
    if lines.offers:
        wished.append(_offers(view, lines.offers, width, big=big))
    return wished


def _others(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """If the prompt is a line of the list, only the lines after it."""
    return lines[view.lines.index(view.prompt) + 1 :] if view.prompt in view.lines else lines


def _loss_without_pads(view: View, lines: Lines, *, big: bool) -> float:
    """Loss of omitting the scores beside everything else in the view."""
    if len(lines.offers) > 2 or lines.lines:
        return NO_PADS_LISTED
    return NO_PADS_NOW if lines.alert or lines.offers[1:] or view.bar is not None or big else NO_PADS


def _offers(view: View, labels: tuple[str, ...], width: int, *, big: bool) -> list[Widget]:
    """Four rows with their heads are drawn side by side, all other offers as a list."""
    pairs = [(offer.label.get("row"), offer.label.get("n")) for offer in view.offers]
    rows = [(row, n) for row, n in pairs if isinstance(row, int) and isinstance(n, int)]
    if len(rows) == len(labels) == SIDE_BY_SIDE:
        return [*row_widgets(rows, view.cursor, "bull"), *choice_widgets(labels, view.cursor, width)]
    if len(labels) == 1 and view.offers and view.offers[0].label == view.prompt:
        labels = ("",)
    return choice_widgets(labels, view.cursor, width, big=big)


def _stack(wished: Sequence[Sequence[Widget]], x: int, width: int, height: int) -> tuple[Placed, ...]:
    """Stack widgets; the last one is at the bottom unless it is a list, which follows its question."""
    shown = [part for part in _best(wished, height) if part.height]
    spare = height - sum(part.height for part in shown)
    apart = spare >= (white := sum(part.lit for part in shown[:-1]))
    spare -= white * apart
    if len(shown) == 1:
        return (Placed(shown[0], x, spare // 2, width),)
    gap = min(spare // max(len(shown) - 1, 1), GAP)
    places, y = [], 0
    for part in shown:
        places.append(Placed(part, x, y, width))
        y += part.height + max(gap, int(part.lit and apart))
    if shown and not shown[-1].follows:
        places[-1] = Placed(shown[-1], x, height - shown[-1].height, width)
    return tuple(places)


def _lit(parts: Sequence[Widget]) -> bool:
    """Does the stack so far end in white?"""
    return next((part.lit for part in reversed(parts) if part.height), False)


def _best(wished: Sequence[Sequence[Widget]], height: int) -> tuple[Widget, ...]:
    """One size of each widget with the least total loss that fits the height."""
    for between, edge in ((1, 1), (0, 1), (0, 0)):
        best: dict[int, tuple[float, tuple[Widget, ...]]] = {0: (0.0, ())}
        for at, sizes in enumerate(wished):
            longer: dict[int, tuple[float, tuple[Widget, ...]]] = {}
            for used, (loss, parts) in best.items():
                for part in sizes:
                    apart = between or edge * _lit(parts)
                    high = used + part.height + (apart if at and part.height else 0)
                    worse = loss + part.loss
                    if high <= height and (high not in longer or worse < longer[high][0]):
                        longer[high] = (worse, (*parts, part))
            best = longer
        loss, parts = min(best.values(), key=lambda found: found[0], default=(MUST, ()))
        if loss < MUST:
            break
    return parts
