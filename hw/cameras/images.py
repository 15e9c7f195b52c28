"""Colour pictures as frames, and encoded files as pictures or nothing."""

import cv2
import numpy as np

from hw.frame import Frame, Picture

JPEG, JPEG_SCAN, JPEG_END = b"\xff\xd8", b"\xff\xda", b"\xff\xd9"


def frame_of(picture: Picture, at: float) -> Frame:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return Frame(np.asarray(grey, np.uint8), at, colour=lambda: picture)


def decode(data: bytes) -> Picture | None:
    """The picture, or None if these bytes are not one or not all of one."""
    if not data or torn(data):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def torn(data: bytes) -> bool:
    """Is this a JPEG without its end? OpenCV 4.6 would fill what is missing with grey and call it a picture.

    The end must come after the last scan, for the small picture in the head has an end too.
    """
    return data.startswith(JPEG) and data.rfind(JPEG_END) < data.rfind(JPEG_SCAN)
