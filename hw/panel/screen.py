"""A view drawn as 128 by 64 dots: what to do, whose turn, the scores, and in inverse what is wrong."""

from dataclasses import dataclass
from functools import cache
from textwrap import wrap

from PIL import Image, ImageDraw, ImageFont

from engine.view import View

WIDTH, HEIGHT = 128, 64
COLUMNS = 21
LINE = 11
INK, PAPER = 1, 0
TURN, WON = ">", "*"


@dataclass(frozen=True, slots=True)
class Lines:
    """The words of a view in the language of this screen: its offers and its list in the order of the view."""

    prompt: str
    names: tuple[str, ...] = ()
    alert: str = ""
    offers: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def draw(view: View, lines: Lines) -> Image.Image:
    """Five lines: two for the prompt, one for the choice, two for the scores, which an alert covers."""
    image = Image.new("1", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    _write(pen, 0, _fold(lines.prompt, 2))
    if lines.offers:
        _write(pen, 2 * LINE + 1, [f"OK {lines.offers[view.cursor]}"])
        pen.line((0, 2 * LINE, WIDTH, 2 * LINE), fill=INK)
    top = HEIGHT - 2 * LINE - 4
    if lines.alert:
        pen.rectangle((0, top, WIDTH, HEIGHT), fill=INK)
        _write(pen, top + 2, _fold(lines.alert, 2), PAPER)
    else:
        _scores(pen, top + 2, view, lines.names)
    return image


def _scores(pen: ImageDraw.ImageDraw, top: int, view: View, names: tuple[str, ...]) -> None:
    """Side by side in two rows, as many letters of each name as there is room; who is to act has a mark."""
    scores = view.scores
    if not scores:
        return
    abreast = (len(scores) + 1) // 2
    room = WIDTH // abreast
    for at, pad in enumerate(view.pads):
        mark = WON if pad.player in view.winners else TURN if pad.player == view.turn else ""
        number = f"{mark}{scores[at]}"
        name = names[at] if at < len(names) else str(pad.player)
        row, column = divmod(at, abreast)
        place = (1 + column * room, top + row * LINE)
        pen.text(place, _plain(_squeeze(name, number, (room - 1) // _letter())), font=_font(), fill=INK)


def _squeeze(name: str, number: str, room: int) -> str:
    """A score is never cut; with ten players only a letter of the name is left."""
    letters = room - len(number)
    return f"{name[: letters - 2]} {number}" if letters > 3 else f"{name[: max(letters, 0)]}{number}"


def _write(pen: ImageDraw.ImageDraw, top: int, rows: list[str], ink: int = INK) -> None:
    for row, text in enumerate(rows):
        pen.text((1, top + row * LINE), _plain(text[:COLUMNS]), font=_font(), fill=ink)


def _fold(text: str, rows: int) -> list[str]:
    """In whole words; two dots stand for what does not fit."""
    return wrap(text, COLUMNS, max_lines=rows, placeholder="..")


def _plain(text: str) -> str:
    """This font has the letters of Western Europe."""
    return text.encode("latin-1", "replace").decode("latin-1")


@cache
def _font() -> ImageFont.ImageFont:
    return ImageFont.load_default_imagefont()


@cache
def _letter() -> int:
    return int(_font().getlength("0"))
