"""The dots of a screen as Braille characters of two by four dots, for small terminals."""

from PIL import Image

EMPTY = 0x2800
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of each dot of a character, by row and column."""


def to_braille(image: Image.Image) -> str:
    """128 by 64 dots give 64 columns and 16 lines."""
    dots = image.convert("1")
    wide, high = (dots.width + 1) // 2, (dots.height + 3) // 4
    letters = [[EMPTY] * wide for _ in range(high)]
    lit = dots.load()
    for y in range(dots.height):
        for x in range(dots.width):
            if lit is not None and lit[x, y]:
                letters[y // 4][x // 2] |= BITS[y % 4][x % 2]
    return "\n".join("".join(map(chr, row)) for row in letters)
