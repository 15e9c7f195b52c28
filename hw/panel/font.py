"""Pixel fonts: measure and draw every letter that the languages and names of players need."""

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from types import ModuleType

from PIL import Image, ImageDraw

from hw.panel import font_small, font_tall, font_tiny

ABOVE = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "line",
    "\u0306": "bow",
    "\u0307": "dot",
    "\u0308": "dots",
    "\u030a": "ring",
    "\u030b": "twice",
    "\u030c": "caron",
}
BELOW = {"\u0326": "comma", "\u0327": "cedilla", "\u0328": "tail"}
DOTLESS = {"i": "\u0131", "j": "\u0237"}
UNKNOWN = "□"
BLANKS = " \u00a0\u2009\u202f"

Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glyph:
    """``top`` is the row of its first line of dots; row 0 is the top of capitals."""

    rows: Rows
    top: int = 0

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def bottom(self) -> int:
        return self.top + len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """``height`` is the height of capitals; accents reach above and descenders below, within ``pitch``."""

    data: ModuleType

    @property
    def height(self) -> int:
        return int(self.data.HEIGHT)

    @property
    def small(self) -> int:
        return int(self.data.SMALL)

    @property
    def pitch(self) -> int:
        return int(self.data.PITCH)

    def width(self, text: str) -> int:
        """Width in dots, without the gap after the last letter."""
        return _width(self, text)

    def advance(self, letter: str) -> int:
        return (self.small + 3) // 2 if letter in BLANKS else _glyph(self, letter).width + 1

    def has(self, letter: str) -> bool:
        return letter in BLANKS or _found(self, letter) is not None

    def write(self, pen: ImageDraw.ImageDraw, x: int, y: int, text: str, ink: int = 1) -> None:
        """``y`` is the top row of capitals."""
        for letter in unicodedata.normalize("NFC", text):
            if letter not in BLANKS:
                pen.bitmap((x, y + _glyph(self, letter).top), _stamp(self, letter), fill=ink)
            x += self.advance(letter)


SMALL, TALL, TINY = Font(font_small), Font(font_tall), Font(font_tiny)


def parse_drawings(drawing: str) -> dict[str, Rows]:
    """Parse drawings that stand side by side below their names, in blocks separated by empty lines."""
    found: dict[str, Rows] = {}
    for block in drawing.strip().split("\n\n"):
        names, *rows = (line.split() for line in block.splitlines())
        found |= dict(zip(names, zip(*rows, strict=True), strict=True))
    return found


@cache
def _drawn(font: Font, part: str) -> dict[str, Rows]:
    return parse_drawings(getattr(font.data, part))


@lru_cache(4096)
def _width(font: Font, text: str) -> int:
    return sum(font.advance(letter) for letter in unicodedata.normalize("NFC", text)) - 1 if text else 0


def _glyph(font: Font, letter: str) -> Glyph:
    return _found(font, letter) or Glyph(_drawn(font, "GLYPHS")[UNKNOWN])


@cache
def _found(font: Font, letter: str) -> Glyph | None:
    glyphs = _drawn(font, "GLYPHS")
    if letter in glyphs:
        return Glyph(glyphs[letter])
    base, *marks = [*unicodedata.normalize("NFD", letter)]
    if not marks or base not in glyphs or not all(mark in ABOVE or mark in BELOW for mark in marks):
        return None
    above = [mark for mark in marks if mark in ABOVE]
    short = _drawn(font, "SHORT")
    if above and base in short:
        glyph = Glyph(short[base], font.height - font.small)
    else:
        glyph = Glyph(glyphs[DOTLESS.get(base, base) if above else base])
    for mark in marks:
        glyph = _marked(font, glyph, mark)
    return glyph


def _marked(font: Font, glyph: Glyph, mark: str) -> Glyph:
    """Compose a letter with its mark: accents above, a cedilla attached below, a comma below with a gap."""
    if mark in ABOVE:
        dots = _drawn(font, "ABOVE")[ABOVE[mark]]
        top = font.height - font.small - 1 - len(dots)
    else:
        dots, top = _drawn(font, "BELOW")[BELOW[mark]], font.height
    return _over(glyph, Glyph(dots, top))


def _over(glyph: Glyph, mark: Glyph) -> Glyph:
    """Overlay two drawings, the narrower centred."""
    width = max(glyph.width, mark.width)
    top, bottom = min(glyph.top, mark.top), max(glyph.bottom, mark.bottom)
    dots = [["."] * width for _ in range(bottom - top)]
    for part in (glyph, mark):
        left = (width - part.width + (part is mark)) // 2
        for y, row in enumerate(part.rows, part.top - top):
            for x, dot in enumerate(row, left):
                if dot == "#":
                    dots[y][x] = dot
    return Glyph(tuple(map("".join, dots)), top)


@cache
def _stamp(font: Font, letter: str) -> Image.Image:
    return make_stamp(_glyph(font, letter).rows)


def make_stamp(rows: Rows) -> Image.Image:
    """The dots as a bitmap."""
    image = Image.new("1", (len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            image.putpixel((x, y), dot == "#")
    return image
