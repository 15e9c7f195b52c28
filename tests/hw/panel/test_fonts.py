"""The bitmap fonts: all letters of six languages and of names, in three sizes, no two alike; and line breaking."""

import string

import pytest
from PIL import Image, ImageDraw

from hw.panel.font import SMALL, TALL, TINY
from hw.panel.line_breaking import break_lines, clip_name, truncate

FONTS = {"small": SMALL, "tall": TALL, "tiny": TINY}
every_font = pytest.mark.parametrize("font", FONTS.values(), ids=FONTS)

ALPHABETS = {
    "ascii": string.ascii_letters + string.digits + string.punctuation + " ",
    "german": "äöüÄÖÜß„“»«",
    "portuguese": "áàâãçéêíóôõúÁÀÂÃÇÉÊÍÓÔÕÚºª"[:-2],
    "italian": "àèéìíîòóùúÀÈÉÌÒÙ",
    "romanian": "ăâîșțĂÂÎȘȚ„”",
    "names of neighbours": "ñÑøØåÅæÆœłŁčćžšřěůőűąęëïðþđżźśńÝýŽŠČ",
    "signs": "…·•°→←↑↓¿¡€£—",
}


def dots(font, text):
    image = Image.new("1", (40, 40))
    font.write(ImageDraw.Draw(image), 10, 12, text)
    return image


@every_font
@pytest.mark.parametrize("letters", ALPHABETS.values(), ids=ALPHABETS)
def test_every_letter_is_in_the_font(font, letters):
    assert [letter for letter in letters if not font.has(letter)] == []


@every_font
def test_a_missing_letter_is_drawn_as_a_box(font):
    assert not font.has("字")
    assert dots(font, "字") == dots(font, "□")


SIGNS = " —·•.',`\"„“”|"
"""Signs that may look alike at this size."""


@every_font
def test_no_two_letters_look_the_same(font):
    letters = sorted(set("".join(ALPHABETS.values())) - set(SIGNS))
    shapes = {}
    for letter in letters:
        shapes.setdefault(dots(font, letter).tobytes(), []).append(letter)
    assert [same for same in shapes.values() if len(same) > 1] == []


@every_font
def test_letters_stay_within_the_line_height(font):
    """Three rows below the baseline for descenders and commas, one or two above the top for accents."""
    for letter in set("".join(ALPHABETS.values())) - {" "}:
        _, top, _, bottom = dots(font, letter).getbbox()
        assert top >= 12 - 2, letter
        assert bottom <= 12 + font.height + 4, letter


@every_font
@pytest.mark.parametrize("text", ["Ștefăniță", "Maximilian", "104", "a b", "i"])
def test_the_measured_width_is_the_drawn_width(font, text):
    image = Image.new("1", (200, 40))
    font.write(ImageDraw.Draw(image), 0, 12, text)
    assert image.getbbox()[2] in (font.width(text), font.width(text) - 1)


@every_font
def test_decomposed_letters_are_composed(font):
    assert dots(font, "s\u0326") == dots(font, "ș")
    assert font.width("s\u0326") == font.width("ș")


@every_font
def test_a_comma_below_differs_from_a_cedilla(font):
    assert dots(font, "ș") != dots(font, "ş")


LINES = {
    "empty": ("", 100, ()),
    "one line": ("Lay 44", 100, ("Lay 44",)),
    "after a comma": ("44 to row 3, behind 43", 90, ("44 to row 3,", "behind 43")),
    "a number stays with its word": ("Take the card to row 3 now", 80, ("Take the card", "to row 3 now")),
    "a number stays with the word it counts": ("Lay on the table 2 cards now", 82, ("Lay on the table", "2 cards now")),
    "an address breaks before its port": (
        "Code 123456: 192.168.178.123:8480",
        80,
        ("Code 123456:", "192.168.178.123", ":8480"),
    ),
    "lines of similar length": ("one two three four five six", 110, ("one two three", "four five six")),
    "a word longer than the line": ("W" * 12, 60, ("W" * 10, "W" * 2)),
}


@pytest.mark.parametrize(("text", "width", "lines"), LINES.values(), ids=LINES)
def test_lines_break_at_natural_places(text, width, lines):
    assert break_lines(text, SMALL, width) == lines


def test_truncated_text_ends_in_an_ellipsis():
    assert truncate("Christiane", SMALL, 200) == "Christiane"
    assert truncate("Christiane", SMALL, 30) == "Chris…"
    assert SMALL.width(truncate("Christiane", SMALL, 30)) <= 30


def test_a_name_is_clipped_at_its_end():
    assert clip_name("Christiane", TINY, 16) == "Chri"
    assert clip_name("Ada", TINY, 1) == ""
