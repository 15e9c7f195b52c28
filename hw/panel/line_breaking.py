"""Words set in lines of so many dots: whole words first, letters only where a word alone is too long."""

from functools import lru_cache
from itertools import combinations, pairwise

from hw.panel.font import Font

DOTS = "…"
STOPS = ",:;.!?"
BEFORE = ":"
"""Where a word that is too long is broken first, if it can be."""
WORD = 30
"""Dots by which a line may be longer to end with a stop."""
MOST_LINES, MOST_WORDS = 4, 14
"""Of a sentence: more is a list, and broken where a line is full."""


@lru_cache(2048)
def fold(text: str, font: Font, width: int) -> tuple[str, ...]:
    """As many lines as it needs, broken where one would stop in speaking, else of much the same length."""
    lines = _fold(text, font, width)
    words = _words(text)
    sentence = len(words) <= MOST_WORDS and 1 < len(lines) <= min(len(words), MOST_LINES)
    if not sentence or any(font.width(word) > width for word in words):
        return lines
    ways = (_broken(words, (0, *breaks, len(words))) for breaks in combinations(range(1, len(words)), len(lines) - 1))
    fitting = [way for way in ways if all(font.width(line) <= width for line in way)]
    return min(fitting, key=lambda way: _awkward(way, font))


def _words(text: str) -> list[str]:
    """A ruling and the dot before it stay together."""
    return [word.replace("·", "· ") for word in text.replace("· ", "·").split()]


def _broken(words: list[str], at: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(" ".join(words[start:end]) for start, end in pairwise(at))


def _awkward(lines: tuple[str, ...], font: Font) -> int:
    """A line that ends with a stop reads well; a number that is torn from the word before, or from what it counts,
    does not.
    """
    stops = sum(line[-1] in STOPS for line in lines[:-1])
    torn = sum(_torn(above, below) for above, below in pairwise(lines))
    widths = [font.width(line) for line in lines]
    return max(widths) + (max(widths) - min(widths)) // 2 + WORD * (torn - stops)


def _torn(above: str, below: str) -> bool:
    """``row | 3, now`` is, and so is ``lay 2 | cards``."""
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
            if (at := head.rfind(BEFORE)) > 0:  # the port of an address stays whole
                head = head[:at]
            lines.append(head)
            word = word[len(head) :]
        line = word
    return (*lines, line) if line else tuple(lines)


def cut(text: str, font: Font, width: int) -> str:
    """What fits in one line; dots stand for the rest."""
    if font.width(text) <= width:
        return text
    return _head(text, font, width - font.width(DOTS) - 1).rstrip() + DOTS


def squeeze(name: str, font: Font, width: int) -> str:
    """As many letters of a name as there is room for: it is known from its beginning."""
    return name if font.width(name) <= width else _head(name, font, width, least=0)


def _head(word: str, font: Font, width: int, least: int = 1) -> str:
    count = least
    while count < len(word) and font.width(word[: count + 1]) <= width:
        count += 1
    return word[:count]
