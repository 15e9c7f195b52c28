"""Lens and chip: from light to the eight bits that a camera delivers."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import SMALL_PX
from vision.render.layer_compositing import Linear, Paint, PixelBox
from vision.render.scene import Sensor

Counts = NDArray[np.uint16]
WHITE_COUNTS = 4095
_STEPS = np.arange(65536) / WHITE_COUNTS
FROM_LINEAR: Paint = np.clip(
    255 * np.where(_STEPS <= 0.0031308, 12.92 * _STEPS, 1.055 * np.maximum(_STEPS, 1e-9) ** (1 / 2.4) - 0.055) + 0.5,
    0,
    255,
).astype(np.uint8)
DEVELOP_REACH_PX = 4
"""Pixels around one that its development depends on: neighbours in the mosaic, and sharpening."""
HAS_WIDE_TABLES = int(cv2.__version__.split(".")[0]) >= 5
"""Older versions of OpenCV look up bytes only."""


@dataclass(frozen=True, slots=True)
class Wobble:
    """A camera on an arm that swings after a hand has touched the table.

    ``reach`` is the first swing in pixels of the low-resolution stream, ``angle`` its direction in degrees, ``turn``
    the share of it by which the left and the right end of the picture move up and down. A swing has lost two thirds
    of its reach after ``decay_s``. The sensor needs ``readout_s`` for all of its rows, so each has its own time.
    """

    reach: float
    hertz: float = 8.0
    angle: float = 0.0
    phase: float = 0.0
    decay_s: float = 1.0
    readout_s: float = 0.05
    turn: float = 0.0


def swing_picture(picture: NDArray[np.uint8], wobble: Wobble, at_s: float) -> NDArray[np.uint8]:
    """A picture, grey or in colour, that is taken this many seconds after the touch."""
    rows, columns = picture.shape[:2]
    when = at_s + np.linspace(0, wobble.readout_s, rows)
    swing = np.exp(-when / wobble.decay_s) * np.sin(2 * math.pi * wobble.hertz * when + wobble.phase)
    swing *= wobble.reach * max(rows, columns) / SMALL_PX
    across, down = math.cos(math.radians(wobble.angle)), math.sin(math.radians(wobble.angle))
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    at_x = xs - (across * swing)[:, None].astype(np.float32)
    at_y = ys - np.outer(swing, down + wobble.turn * np.linspace(-1, 1, columns)).astype(np.float32)
    return np.asarray(cv2.remap(picture, at_x, at_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def fit_sensor(sensor: Sensor, frame: PixelBox) -> Sensor:
    """The sensor for a frame: a chip of a few pixels has no mosaic and does not sharpen."""
    return replace(sensor, sharpen=0.0, bayer=False, jpeg=0) if min(frame.size) < 4 else sensor


def find_lens_reach(sensor: Sensor) -> int:
    """Pixels around one from which the lens takes light."""
    moved = math.ceil(sensor.motion / 2) + 1 if sensor.motion > 0 else 0
    return moved + math.ceil(4 * math.hypot(sensor.blur, sensor.rim)) + 1


def _streak(length: float, angle: float) -> Linear:
    """Weights of motion blur: the path of a point during the exposure, a line of ``length`` px."""
    reach = math.ceil(length / 2) + 1
    fine = 8
    kernel = np.zeros(((2 * reach + 1) * fine, (2 * reach + 1) * fine), np.float32)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for t in np.linspace(-length / 2, length / 2, max(2, int(length * fine * 2))):
        kernel[round((reach + 0.5 + t * s) * fine), round((reach + 0.5 + t * c) * fine)] += 1
    out = cv2.resize(kernel, (2 * reach + 1, 2 * reach + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(out / out.sum(), np.float32)


def apply_lens(light: Linear, sensor: Sensor, part: PixelBox, frame: PixelBox) -> Linear:
    """The light that arrives on ``part`` of the chip."""
    if sensor.motion > 0:
        light = np.asarray(cv2.filter2D(light, -1, _streak(sensor.motion, sensor.motion_angle)), np.float32)
    sharp = light
    if sensor.blur > 0:
        sharp = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur), np.float32)
    if sensor.rim > 0:
        soft = np.asarray(cv2.GaussianBlur(light, (0, 0), math.hypot(sensor.blur, sensor.rim)), np.float32)
        wide, high = frame.size
        xs = np.linspace(-1, 1, wide)[part.left : part.right]
        ys = np.linspace(-1, 1, high)[part.top : part.bottom]
        share = np.clip(np.add.outer(ys**2, xs**2) / 2, 0, 1).astype(np.float32)[..., None]
        sharp = sharp + (soft - sharp) * share
    return sharp


def count_light(light: Linear, sensor: Sensor) -> Linear:
    """The counts of the chip without noise, with fractions; one colour per pixel behind a mosaic."""
    if not sensor.bayer:
        return light * np.float32(WHITE_COUNTS)
    # blue and green rows, green and red rows
    raw = light[..., 1] * np.float32(WHITE_COUNTS)
    np.multiply(light[0::2, 0::2, 0], np.float32(WHITE_COUNTS), out=raw[0::2, 0::2])
    np.multiply(light[1::2, 1::2, 2], np.float32(WHITE_COUNTS), out=raw[1::2, 1::2])
    return raw


def estimate_noise(raw: Linear, sensor: Sensor) -> Linear:
    """Standard deviation of the noise of each count: shot noise and read noise."""
    dark, bright = 1e-6 * WHITE_COUNTS**2 * sensor.noise**2, 5e-4 * WHITE_COUNTS * sensor.noise**2
    power = np.maximum(raw, 0) * np.float32(bright) + np.float32(dark)
    return np.asarray(np.sqrt(power, out=power), np.float32)


def read_counts(raw: Linear, noise: Linear) -> Counts:
    """Counts with noise as integers, truncated, up to the limit of the chip."""
    counts = cv2.addWeighted(raw, 1.0, noise, 1.0, -0.5, dtype=cv2.CV_16U)
    return np.asarray(cv2.threshold(counts, WHITE_COUNTS, WHITE_COUNTS, cv2.THRESH_TRUNC, dst=counts)[1], np.uint16)


def develop_counts(counts: Counts, sensor: Sensor) -> Paint:
    """Counts to bytes, blue first; the part of the frame must start on an even row and column."""
    if sensor.bayer:
        counts = np.asarray(cv2.cvtColor(counts, cv2.COLOR_BayerRG2BGR), np.uint16)
    paint = np.asarray(cv2.LUT(counts, FROM_LINEAR) if HAS_WIDE_TABLES else FROM_LINEAR[counts], np.uint8)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(paint, (0, 0), 1.0)
        paint = np.asarray(cv2.addWeighted(paint, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8)
    return paint


def pack_picture(paint: Paint, sensor: Sensor) -> Paint:
    """The picture as it leaves the camera, through JPEG if the sensor compresses."""
    if not sensor.jpeg:
        return paint
    packed = cv2.imencode(".jpg", paint, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
