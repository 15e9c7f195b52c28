"""Matrices and ranges of a camera's colours against the equations of the standards."""

from types import SimpleNamespace

import numpy as np
import pytest

from hw.cameras.colour_encoding import SYCC, ColourEncoding, read_encoding, stretch_levels
from hw.cameras.yuv_planes import FORMATS, Stream, read_colour, read_grey, read_half_colour, stretch_brightness

COLOURS = {
    "the red of a card": (190, 30, 35),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "warm light at its limit": (255, 236, 170),
    "green": (20, 160, 40),
    "blue": (30, 50, 200),
    "grey": (128, 128, 128),
}
# Y = R + B + G shares; the differences are Y subtracted from blue and from red, scaled to half the span
EQUATIONS = {
    "Rec601": lambda r, g, b: 0.299 * r + 0.587 * g + 0.114 * b,
    "Rec709": lambda r, g, b: 0.2126 * r + 0.7152 * g + 0.0722 * b,
    "Rec2020": lambda r, g, b: 0.2627 * r + 0.6780 * g + 0.0593 * b,
}
DIVISORS = {"Rec601": (1.772, 1.402), "Rec709": (1.8556, 1.5748), "Rec2020": (1.8814, 1.4746)}
ENCODINGS = [ColourEncoding(matrix, full) for matrix in EQUATIONS for full in (True, False)]


def encode(colour, encoding):
    """Brightness and both differences by the equations of ITU-R BT.601, 709 and 2020."""
    red, green, blue = colour
    bright = EQUATIONS[encoding.matrix](red, green, blue)
    to_blue, to_red = DIVISORS[encoding.matrix]
    values = np.array([bright, (blue - bright) / to_blue, (red - bright) / to_red]) / 255
    if encoding.full:
        return np.round(np.clip([255 * values[0], 255 * values[1] + 128, 255 * values[2] + 128], 0, 255))
    return np.round([219 * values[0] + 16, 224 * values[1] + 128, 224 * values[2] + 128])


def buffer_of(levels, stream):
    bright, blue, red = (int(level) for level in levels)
    pair = (red, blue) if stream.format in ("YVU420", "NV21") else (blue, red)
    quarter = stream.width * stream.height // 4
    colours = np.tile(pair, quarter) if stream.format in ("NV12", "NV21") else np.repeat(pair, quarter)
    return np.concatenate([np.full(4 * quarter, bright), colours]).astype(np.uint8)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("encoding", ENCODINGS, ids=str)
@pytest.mark.parametrize("colour", COLOURS.values(), ids=COLOURS)
def test_a_colour_is_decoded_by_the_granted_matrix_and_range(colour, encoding, format):
    stream = Stream(format, 32, 16, 32, encoding)
    buffer = stretch_brightness(buffer_of(encode(colour, encoding), stream), stream)
    for read in (read_colour, read_half_colour):
        shown = read(buffer, stream)
        assert np.abs(shown.astype(int) - colour[::-1]).max() <= 2
    assert np.abs(read_grey(buffer, stream).astype(int) - EQUATIONS[encoding.matrix](*colour)).max() <= 1


@pytest.mark.parametrize("encoding", ENCODINGS, ids=str)
def test_white_is_255_and_black_0_in_every_frame(encoding):
    stream = Stream("YUV420", 32, 16, 32, encoding)
    for colour, level in (((255, 255, 255), 255), ((0, 0, 0), 0)):
        buffer = buffer_of(encode(colour, encoding), stream)
        assert (read_grey(stretch_brightness(buffer, stream), stream) == level).all()


def test_levels_outside_the_limited_range_are_clipped():
    stretched = stretch_levels()
    assert (stretched[:17] == 0).all()
    assert (stretched[235:] == 255).all()
    assert (np.diff(stretched.astype(int)) >= 0).all()


@pytest.mark.parametrize("encoding", [SYCC, ColourEncoding("Rec709", full=False)], ids=str)
def test_stretching_copies_nothing_and_leaves_the_colour_planes(encoding):
    stream = Stream("NV12", 28, 16, 32, encoding)
    buffer = np.random.default_rng(5).integers(16, 236, 32 * 24, np.uint8)
    before = buffer.copy()
    stretched = stretch_brightness(buffer, stream)
    assert stretched is buffer
    assert np.shares_memory(read_grey(stretched, stream), buffer)
    assert (buffer[32 * 16 :] == before[32 * 16 :]).all()
    assert (buffer == before).all() == encoding.full


def space(matrix, extent):
    return SimpleNamespace(ycbcrEncoding=SimpleNamespace(name=matrix), range=SimpleNamespace(name=extent))


GRANTED = {
    "sYCC, as asked": (space("Rec601", "Full"), SYCC),
    "standard definition": (space("Rec601", "Limited"), ColourEncoding("Rec601", full=False)),
    "high definition": (space("Rec709", "Limited"), ColourEncoding("Rec709", full=False)),
    "ultra high definition": (space("Rec2020", "Limited"), ColourEncoding("Rec2020", full=False)),
    "full range of another matrix": (space("Rec709", "Full"), ColourEncoding("Rec709")),
    "colours that are not split": (space("Null", "Full"), SYCC),
    "none": (None, SYCC),
}


@pytest.mark.parametrize(("granted", "encoding"), GRANTED.values(), ids=GRANTED)
def test_the_encoding_is_read_from_the_granted_colour_space(granted, encoding):
    assert read_encoding(granted) == encoding
