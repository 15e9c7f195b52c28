"""Small files that claim huge pictures: refused by their header, before a pixel is decoded."""

import re
import struct
import tracemalloc
import zlib

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli import main
from hw.cameras.images import MOST_DECODED_PX, decode_picture, measure_picture

MEMORY_BYTES = 5_000_000


def png_header(width, height):
    """A PNG of so many pixels whose rows are missing."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def bmp_header(width, height):
    return (
        b"BM"
        + struct.pack("<IHHI", 54, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    )


def pnm_header(width, height):
    return f"P6 {width} {height} 255\n".encode() + bytes(100)


HUGE = {
    "PNG": png_header(65_000, 65_000),
    "PNG just too large": png_header(8000, MOST_DECODED_PX // 8000 + 1),
    "PNG of a hundred million": png_header(10_000, 10_000),
    "PNG, one row": png_header(2_000_000_000, 1),
    "BMP": bmp_header(30_000, 30_000),
    "PPM": pnm_header(100_000, 100_000),
}


@pytest.mark.parametrize("data", HUGE.values(), ids=HUGE)
def test_a_picture_that_claims_too_many_pixels_is_not_decoded(data, tmp_path):
    tracemalloc.start()
    try:
        assert decode_picture(data) is None
        assert tracemalloc.get_traced_memory()[1] < MEMORY_BYTES
    finally:
        tracemalloc.stop()
    path = tmp_path / "photo"
    path.write_bytes(data)
    done = CliRunner().invoke(main, ["read", str(path)])
    assert done.exit_code == 1
    assert re.search("pixels: save it smaller|not a picture|cut short", done.output)


@pytest.mark.parametrize("ending", [".png", ".jpg", ".webp", ".bmp", ".tiff", ".ppm"])
def test_the_size_is_in_the_header_of_every_format_that_is_read(ending):
    _, packed = cv2.imencode(ending, np.zeros((30, 40, 3), np.uint8))
    assert measure_picture(packed.tobytes()) == (40, 30)


@pytest.mark.parametrize("data", [b"", b"\x89PNG", b"\xff\xd8\xff", b"text", bytes(5000)])
def test_bytes_that_are_no_picture_have_no_size(data):
    assert measure_picture(data) is None
