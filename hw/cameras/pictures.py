"""Colour pictures as frames, and encoded files as pictures or nothing."""

import cv2
import numpy as np

from hw.frame import Frame, Picture

JPEG, JPEG_END = b"\xff\xd8", b"\xff\xd9"
PNG, PNG_END = b"\x89PNG", b"IEND\xaeB`\x82"


def frame_of(picture: Picture, at: float) -> Frame:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return Frame(np.asarray(grey, np.uint8), at, colour=lambda: picture)


def decode(data: bytes) -> Picture | None:
    """The picture, or None if these bytes are not one or not all of one."""
    if not _whole(data):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def _whole(data: bytes) -> bool:
    """Older OpenCV fills what is missing of a JPEG with grey and calls it a picture."""
    if data.startswith(JPEG):
        return JPEG_END in data[-64:]
    if data.startswith(PNG):
        return PNG_END in data[-64:]
    return bool(data)
