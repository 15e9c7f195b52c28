"""Line breaking for a width in dots: between words, and inside a word only if it is too long for a line."""

from functools import lru_cache
from itertools import combinations, pairwise

from hw.panel.font import Font

DOTS = "…"
STOPS = ",:;.!?"
BEFORE = ":"
"""Preferred break inside a word that is too long."""
WORD = 30
"""Extra dots allowed for a line that ends with punctuation."""
MOST_LINES, MOST_WORDS = 4, 14
"""Limits of a sentence; longer texts are broken where a line is full."""


@lru_cache(2048)
def break_lines(text: str, font: Font, width: int) -> tuple[str, ...]:
    """Break a text into lines, after punctuation if possible, else into lines of similar length."""
    lines = _fold(text, font, width)
    words = _words(text)
    sentence = len(words) <= MOST_WORDS and 1 < len(lines) <= min(len(words), MOST_LINES)
    if not sentence or any(font.width(word) > width for word in words):
        return lines
    ways = (_broken(words, (0, *breaks, len(words))) for breaks in combinations(range(1, len(words)), len(lines) - 1))
    fitting = [way for way in ways if all(font.width(line) <= width for line in way)]
    return min(fitting, key=lambda way: _awkward(way, font))


def _words(text: str) -> list[str]:
    """Words of a text; a ruling and the dot before it stay together."""
    return [word.replace("·", "· ") for word in text.replace("· ", "·").split()]


def _broken(words: list[str], at: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(" ".join(words[start:end]) for start, end in pairwise(at))


def _awkward(lines: tuple[str, ...], font: Font) -> int:
    """Cost of these breaks: punctuation at a line end is good, a number separated from its noun is bad."""
    stops = sum(line[-1] in STOPS for line in lines[:-1])
    torn = sum(_torn(above, below) for above, below in pairwise(lines))
    widths = [font.width(line) for line in lines]
    return max(widths) + (max(widths) - min(widths)) // 2 + WORD * (torn - stops)


def _torn(above: str, below: str) -> bool:
    """Does the break separate a number from its word, as in ``row | 3, now`` or ``lay 2 | cards``?"""
    first, *more = below.split()
    names = first[0].isdigit() and (not more or first[-1] in STOPS)
    return names or (above[-1].isdigit() and first[0].islower())


def _fold(text: str, font: Font, width: int) -> tuple[str, ...]:
    lines: list[str] = []
    line = ""
    for word in _words(text):
        longer = f"{line} {word}" if line else word
        if font.width(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        while font.width(word) > width:
            head = _head(word, font, width)
            if (at := head.rfind(BEFORE)) > 0:  # keep the port of an address in one piece
                head = head[:at]
            lines.append(head)
            word = word[len(head) :]
        line = word
    return (*lines, line) if line else tuple(lines)


def truncate(text: str, font: Font, width: int) -> str:
    """As much as fits in one line, with an ellipsis."""
    if font.width(text) <= width:
        return text
    return _head(text, font, width - font.width(DOTS) - 1).rstrip() + DOTS


def clip_name(name: str, font: Font, width: int) -> str:
    """As many first letters of a name as fit, without an ellipsis."""
    return name if font.width(name) <= width else _head(name, font, width, least=0)


def _head(word: str, font: Font, width: int, least: int = 1) -> str:
    count = least
    while count < len(word) and font.width(word[: count + 1]) <= width:
        count += 1
    return word[:count]
