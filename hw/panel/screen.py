"""A view drawn in dots, for any size of screen: of all that could be shown, the best that fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.view import View
from hw.panel.icons import icon_of
from hw.panel.lists import cells, choice, listed
from hw.panel.pads import pads
from hw.panel.qr import Code, put_square, side
from hw.panel.widgets import MUST, Widget, bar, cited, note, nothing, warning, words

SIZES = ((128, 64), (128, 32), (256, 64))
WIDTH, HEIGHT = SIZES[0]
EDGE = 1
"""The last row and column stay dark: against burn-in the whole picture moves by a dot."""
GAP = 4
"""At most so many dots lie between two parts."""
NO_PADS, NO_PADS_NOW, NO_PADS_LISTED = 23.0, 13.0, 2.0
"""What it costs to leave the scores out, what while something else needs an answer, and what beside a list."""
NO_LIST, NO_NOTE = 5.0, 30.0
"""What it costs to leave a list to longer screens, and what to say nothing of something good to know."""
SIDE_BY_SIDE = 4
CROWD = 6
"""Players, above which a wide screen gives the scores more than half."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The words of a view in the language of this screen: its offers and its list in the order of the view.

    ``ruling`` is that of the alert, or of the prompt where there is none. ``turn`` is the name of who is to act,
    ``note`` is good to know for a moment, ``code`` an address for phones.
    """

    prompt: str
    names: tuple[str, ...] = ()
    alert: str = ""
    offers: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    note: str = ""
    turn: str = ""
    code: Code = ()
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    part: Widget
    x: int
    y: int
    width: int


def draw(view: View, lines: Lines, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False) -> Image.Image:
    """White on black. ``big`` is for eyes that want the words larger, and the scores only where there is room."""
    image = Image.new("1", size)
    pen = ImageDraw.Draw(image)
    for place in layout(view, lines, size, big=big):
        place.part.paint(pen, place.x, place.y, place.width, 1)
    if wide := side(lines.code, size[1] - EDGE):
        put_square(pen, size[0] - EDGE - wide, (size[1] - EDGE - wide) // 2, wide, lines.code)
    elif at := _divide(view, size):
        pen.line((at, 0, at, size[1] - 1 - EDGE), fill=1)
    return image


def filling(
    view: View, lines: Lines, part: float, says: str, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False
) -> Image.Image:
    """The view while a button is held: a bar at its foot that fills, what happens when it is full, and above it
    as much of the rest as fits.
    """
    width, height = size[0] - EDGE, size[1] - EDGE
    shown = [framed for framed in (note(says, width) if says else []) if not framed.cut][:1]
    top = height - 7 - sum(framed.height for framed in shown)
    image = Image.new("1", size)
    if not layout(view, lines, (size[0], top), big=big):  # what is to be done, if nothing else
        view, lines = View(view.prompt), Lines(lines.prompt)
    image.paste(draw(view, lines, (size[0], top), big=big))
    pen = ImageDraw.Draw(image)
    for below in (*shown, bar(part)[0]):
        below.paint(pen, 0, top, width, 1)
        top += below.height
    return image


def lost(view: View, lines: Lines, size: tuple[int, int] = (WIDTH, HEIGHT), *, big: bool = False) -> tuple[str, ...]:
    """Every text that this screen has to cut."""
    return tuple(text for place in layout(view, lines, size, big=big) for text in place.part.cut)


def layout(view: View, lines: Lines, size: tuple[int, int], *, big: bool = False) -> tuple[Placed, ...]:
    """On a wide screen the scores have the right half to themselves."""
    width, height = size[0] - EDGE, size[1] - EDGE
    if wide := side(lines.code, height):
        beside = width - wide - GAP
        return _stack(_spoken(view, lines, beside, big=big), 0, beside, height)
    if at := _divide(view, size):
        left = _stack(_spoken(view, lines, at - 4, big=big), 0, at - 4, height)
        return (*left, *_stack([pads(view, lines.names, width - at - 3, lines.turn)], at + 3, width - at - 3, height))
    wished = _spoken(view, lines, width, big=big)
    if scores := pads(view, lines.names, width, lines.turn):
        wished.append([*scores, nothing(_worth(view, lines, big=big))])
    return _stack(wished, 0, width, height)


def _divide(view: View, size: tuple[int, int]) -> int:
    """Where a wide screen is divided, 0 if it is not."""
    if size[0] == WIDTH or not view.pads:
        return 0
    return size[0] // 2 if len(view.pads) <= CROWD else size[0] * 7 // 16


def _spoken(view: View, lines: Lines, width: int, *, big: bool) -> list[list[Widget]]:
    wished = []
    if lines.prompt:
        by = "" if lines.alert else lines.ruling
        wished.append(cited(lines.prompt, by, lambda text: words(text, width, icon_of(view.prompt), big=big)))
    if lines.alert:
        wished.append(cited(lines.alert, lines.ruling, lambda text: warning(text, width, big=big)))
    if lines.note:
        wished.append([*note(lines.note, width), nothing(NO_NOTE)])
    if others := _others(view, lines.lines):
        wished.append([*listed(others, width), nothing(NO_LIST)])
    if view.bar is not None:
        wished.append(bar(view.bar))
    if lines.offers:
        wished.append(_offers(view, lines.offers, width, big=big))
    return wished


def _others(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Where the prompt is a line of the list, the others are those that follow."""
    return lines[view.lines.index(view.prompt) + 1 :] if view.prompt in view.lines else lines


def _worth(view: View, lines: Lines, *, big: bool) -> float:
    """Of the scores, beside all else that is to be shown."""
    if len(lines.offers) > 2 or lines.lines:
        return NO_PADS_LISTED
    return NO_PADS_NOW if lines.alert or lines.offers[1:] or view.bar is not None or big else NO_PADS


def _offers(view: View, labels: tuple[str, ...], width: int, *, big: bool) -> list[Widget]:
    """Rows with what they cost are a picture, all other offers are words."""
    pairs = [(offer.label.get("row"), offer.label.get("n")) for offer in view.offers]
    rows = [(row, n) for row, n in pairs if isinstance(row, int) and isinstance(n, int)]
    if len(rows) == len(labels) == SIDE_BY_SIDE:
        return [*cells(rows, view.cursor, "bull"), *choice(labels, view.cursor, width)]
    if len(labels) == 1 and view.offers and view.offers[0].label == view.prompt:
        labels = ("",)
    return choice(labels, view.cursor, width, big=big)


def _stack(wished: Sequence[Sequence[Widget]], x: int, width: int, height: int) -> tuple[Placed, ...]:
    """One below the other; the last one stands at the bottom unless it is a list, which follows what it answers."""
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
    """Does what is shown so far end in white?"""
    return next((part.lit for part in reversed(parts) if part.height), False)


def _best(wished: Sequence[Sequence[Widget]], height: int) -> tuple[Widget, ...]:
    """One size of each part, all together no higher than the screen, with the least loss."""
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
