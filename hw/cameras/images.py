"""Decode picture files, and make frames of colour pictures."""

import struct
from io import BytesIO

import cv2
import numpy as np

from hw.frame import Frame, Picture

JPEG, JPEG_SCAN, JPEG_END = b"\xff\xd8", b"\xff\xda", b"\xff\xd9"
PNG, PNG_END = b"\x89PNG", b"IEND"
PNG_HEADER, PNG_SIZE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", slice(16, 24)
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "TIFF", "PPM")
MOST_DECODED_PX = 64_000_000
"""Pixels of the largest picture that is decoded: a telephone takes 50 million, and few bytes can claim billions."""
PNG_END_BYTES = 4096
"""The end marker is within the last bytes of a file; some programs append a few of their own."""


def make_frame(picture: Picture, at: float) -> Frame:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return Frame(np.asarray(grey, np.uint8), at, colour=lambda: picture)


def decode_picture(data: bytes) -> Picture | None:
    """The picture, or None if the bytes are no complete picture."""
    size = measure_picture(data)
    if size is None or size[0] * size[1] > MOST_DECODED_PX or is_truncated(data):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def measure_picture(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header says, without the pixels; None if the bytes are no picture of a known format."""
    if data.startswith(PNG_HEADER) and len(data) >= PNG_SIZE.stop:
        width, height = struct.unpack(">II", data[PNG_SIZE])
        return (width, height) if width and height else None
    from PIL import Image  # it takes memory: a PNG, as the box keeps its own pictures, is measured without it

    Image.MAX_IMAGE_PIXELS = None  # it only reads headers here, and a warning of its own would be no answer
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            return picture.size
    except (OSError, ValueError, SyntaxError):
        return None


def is_truncated(data: bytes) -> bool:
    """Is this a truncated JPEG or PNG? OpenCV fills the missing part of a JPEG with grey and reports no error.

    The end marker of a JPEG must follow the last scan, because an embedded thumbnail has an end marker too.
    """
    if data.startswith(PNG):
        return PNG_END not in data[-PNG_END_BYTES:]
    return data.startswith(JPEG) and data.rfind(JPEG_END) <= data.rfind(JPEG_SCAN)
