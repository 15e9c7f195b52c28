"""Brightness and colour from buffers with padded rows, in each format of a camera."""

import cv2
import numpy as np
import pytest

from hw.cameras.colour_encoding import ColourEncoding
from hw.cameras.yuv_planes import FORMATS, Stream, read_colour, read_grey, read_half_colour, stretch_brightness

LIMITED = ColourEncoding("Rec601", full=False)
"""What OpenCV writes into such a buffer."""


def scene(width, height):
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, : width // 2] = (30, 40, 220)
    picture[:, width // 2 :] = (210, 60, 20)
    picture[: height // 4] = (90, 200, 90)
    return picture


def buffer_of(picture, format, stride, spare=0):
    """A buffer as a camera fills it, with noise as padding."""
    height, width = picture.shape[:2]
    flat = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    y, rest = flat[:height], flat[height:].reshape(-1)
    u, v = (
        rest[: rest.size // 2].reshape(height // 2, width // 2),
        rest[rest.size // 2 :].reshape(height // 2, width // 2),
    )
    noise = np.random.default_rng(3)

    def pad(rows, to):
        return np.hstack([rows, noise.integers(0, 255, (rows.shape[0], to - rows.shape[1]), np.uint8)]).reshape(-1)

    mixed = {"NV12": (u, v), "NV21": (v, u)}.get(format)
    if mixed:
        colours = [pad(np.dstack(mixed).reshape(height // 2, width), stride)]
    else:
        colours = [pad(p, stride // 2) for p in ((u, v) if format == "YUV420" else (v, u))]
    return np.concatenate([pad(y, stride), *colours, np.zeros(spare, np.uint8)]), y


SIZES = {
    "rows as long as the picture": (128, 96, 128, 0),
    "v2, padded": (3280 // 8, 2464 // 8, 448, 0),
    "hq, padded": (4056 // 12, 3040 // 8, 384, 0),
    "whole pages of memory": (128, 96, 192, 4096),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("width", "height", "stride", "spare"), SIZES.values(), ids=SIZES)
def test_padded_rows_are_read_correctly(format, width, height, stride, spare):
    stream = Stream(format, width, height, stride, LIMITED)
    buffer, y = buffer_of(scene(width, height), format, stride, spare)
    seen = read_grey(buffer, stream)
    assert (seen == y).all()
    assert np.shares_memory(seen, buffer)
    shown = read_colour(stretch_brightness(buffer, stream), stream)
    assert shown.shape == (height, width, 3)
    away = abs(shown.astype(int) - scene(width, height))
    assert np.median(away) <= 3
    assert away.mean() < 4


@pytest.mark.parametrize(
    "given",
    [("RGB888", 64, 48, 64), ("MJPEG", 64, 48, 64), ("NV12", 66, 48, 64), ("NV12", 63, 48, 64), ("NV12", 64, 47, 64)],
    ids=["no brightness plane", "compressed", "wider than its rows", "odd width", "odd height"],
)
def test_an_impossible_stream_is_refused(given):
    with pytest.raises(ValueError, match=r"set the camera to|give even sizes"):
        Stream(*given)


def test_a_buffer_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="does not hold"):
        read_grey(np.zeros(64 * 71, np.uint8), Stream("NV12", 64, 48, 64))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("width", "height", "stride", "spare"), SIZES.values(), ids=SIZES)
def test_the_half_size_picture_equals_the_scaled_full_picture(format, width, height, stride, spare):
    stream = Stream(format, width, height, stride, LIMITED)
    coarse = np.random.default_rng(1).integers(40, 215, (height // 16, width // 16, 3), np.uint8)
    buffer, _ = buffer_of(cv2.resize(coarse, (width, height)), format, stride, spare)
    buffer, size = stretch_brightness(buffer, stream), (width // 2, height // 2)
    wanted = cv2.resize(np.ascontiguousarray(read_colour(buffer, stream)), size, interpolation=cv2.INTER_AREA)
    assert abs(read_half_colour(buffer, stream).astype(int) - wanted).max() <= 1
