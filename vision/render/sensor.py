"""Lens and chip: light into the eight bits a camera hands over."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.canvas import Linear, Paint
from vision.render.ground import waves
from vision.render.project import project
from vision.render.scene import Camera, Light, Sensor

WHITE = 4095
_STEPS = np.arange(65536) / WHITE
FROM_LINEAR: Paint = np.clip(
    255 * np.where(_STEPS <= 0.0031308, 12.92 * _STEPS, 1.055 * np.maximum(_STEPS, 1e-9) ** (1 / 2.4) - 0.055) + 0.5,
    0,
    255,
).astype(np.uint8)


def lit(light: Linear, camera: Camera, lamp: Light, seed: int) -> Linear:
    """Multiply by what falls on the table and add what it mirrors."""
    high, wide = light.shape[:2]
    # lighting is smooth: work it out on a small picture and stretch it
    small = (max(2, wide // 16), max(2, high // 16))
    xs, ys = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
    fall = 1 + lamp.slope[0] * xs + lamp.slope[1] * ys - lamp.vignette * (xs**2 + ys**2) / 2
    if lamp.patches:
        rng = np.random.default_rng([seed, 5])
        fall = fall + lamp.patches * waves(rng, small, small[0] / 2.2, small[0] / 2.2)
    gain = np.clip(fall, 0.12, 1.6) * lamp.gain
    tints = np.array([1 - lamp.warmth, 1.0, 1 + lamp.warmth])
    full: Linear = cv2.resize((gain[..., None] * tints).astype(np.float32), (wide, high))
    out: Linear = light * full
    for spot in lamp.glare:
        at = project(camera, np.array([[spot.x, spot.y, 0.0], [spot.x + spot.radius, spot.y, 0.0]]))
        radius = float(np.hypot(*(at[1] - at[0])))
        reach = 3 * radius
        left, right = max(0, int(at[0, 0] - reach)), min(wide, int(at[0, 0] + reach) + 1)
        top, bottom = max(0, int(at[0, 1] - reach)), min(high, int(at[0, 1] + reach) + 1)
        if right > left and bottom > top:
            gx = np.exp(-(((np.arange(left, right) - at[0, 0]) / radius) ** 2))
            gy = np.exp(-(((np.arange(top, bottom) - at[0, 1]) / radius) ** 2))
            spread = np.minimum(1.6 * np.outer(gy, gx), 1.0) * spot.strength
            out[top:bottom, left:right] += spread.astype(np.float32)[..., None]
    return out


def _streak(length: float, angle: float) -> NDArray[np.float32]:
    """The path of a moving point during the exposure, a line of ``length`` px, as weights."""
    reach = math.ceil(length / 2) + 1
    fine = 8
    kernel = np.zeros(((2 * reach + 1) * fine, (2 * reach + 1) * fine), np.float32)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for t in np.linspace(-length / 2, length / 2, max(2, int(length * fine * 2))):
        kernel[round((reach + 0.5 + t * s) * fine), round((reach + 0.5 + t * c) * fine)] += 1
    out = cv2.resize(kernel, (2 * reach + 1, 2 * reach + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(out / out.sum(), np.float32)


def through_lens(light: Linear, sensor: Sensor) -> Linear:
    if sensor.motion > 0:
        light = cv2.filter2D(light, -1, _streak(sensor.motion, sensor.motion_angle))  # type: ignore[assignment]
    sharp: Linear = light
    if sensor.blur > 0:
        sharp = cv2.GaussianBlur(light, (0, 0), sensor.blur)  # type: ignore[assignment]
    if sensor.rim > 0:
        soft = cv2.GaussianBlur(light, (0, 0), math.hypot(sensor.blur, sensor.rim))
        high, wide = light.shape[:2]
        xs, ys = np.linspace(-1, 1, wide), np.linspace(-1, 1, high)
        part = np.clip(np.add.outer(ys**2, xs**2) / 2, 0, 1).astype(np.float32)[..., None]
        sharp = sharp + (soft - sharp) * part
    return sharp


def _mosaic(light: Linear) -> Linear:
    """One colour a pixel: blue and green rows, green and red rows."""
    raw = light[..., 1].copy()
    raw[0::2, 0::2] = light[0::2, 0::2, 0]
    raw[1::2, 1::2] = light[1::2, 1::2, 2]
    return raw


def develop(light: Linear, sensor: Sensor, seed: int) -> Paint:
    """Photons, electrons, numbers: the picture as bytes, blue first."""
    if min(light.shape[:2]) < 4:
        sensor = Sensor(blur=0, noise=sensor.noise, sharpen=0, bayer=False)
    raw = _mosaic(light) if sensor.bayer else light
    if sensor.noise > 0:
        rng = np.random.default_rng([seed, 9])
        sigma = np.sqrt(np.maximum(raw, 0) * 5e-4 + 1e-6) * sensor.noise
        raw = (raw + sigma * rng.standard_normal(raw.shape, np.float32)).astype(np.float32)
    counts = np.clip(raw * WHITE, 0, WHITE).astype(np.uint16)
    if sensor.bayer:
        counts = cv2.cvtColor(counts, cv2.COLOR_BayerRG2BGR)  # type: ignore[assignment]
    paint: Paint = FROM_LINEAR[counts]
    if sensor.sharpen > 0:
        paint = cv2.addWeighted(paint, 1 + sensor.sharpen, cv2.GaussianBlur(paint, (0, 0), 1.0), -sensor.sharpen, 0)  # type: ignore[assignment]
    if sensor.jpeg:
        packed = cv2.imencode(".jpg", paint, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1]
        paint = cv2.imdecode(packed, cv2.IMREAD_COLOR)  # type: ignore[assignment]
    return paint
