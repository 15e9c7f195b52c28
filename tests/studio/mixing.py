"""Mixes the lights of a rendered scene, and what the camera makes of the result: lens, sensor, tone, YUV."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.studio import ranges

Linear = NDArray[np.float32]
Picture = NDArray[np.uint8]
Rng = np.random.Generator

OWN_SPREAD_PX = 0.52
"""Edge spread of the render, of its distortion and of the demosaicing together, measured on Y as in the ranges."""
DEMOSAIC_NOISE = 0.68
"""Share of the noise of a pixel that is left in the brightness of a grey surface after the demosaicing."""
ZERO_LEVEL, LEVELS_OF_ONE, MOST_LEVEL = 2000, 15_000, 62_000
"""What a pixel of the sensor counts without light, what linear brightness 1 adds, and its end, for the demosaicing:
noise goes below zero."""
DARK_LINEAR = 0.012
"""Read noise as a brightness: below it the noise no longer falls with the light."""
WHITE = 0.8
"""Linear brightness of white paper."""
MIDDLE = 0.25
"""Linear brightness to which the exposure control takes the table and the paper."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Everything between the rendered lights and the two pictures; gains are of BGR or by light."""

    light: ranges.LightKind
    shares: Mapping[str, float]
    kelvin: Mapping[str, float]
    cast: tuple[float, float, float]
    exposure: float
    corners: float
    change: Mapping[str, float]
    spread_px: float
    noise_grey: float

    def shares_at(self, *, empty: bool) -> dict[str, float]:
        """The light may have changed since the picture of the empty table."""
        return {name: share * (1.0 if empty else self.change[name]) for name, share in self.shares.items()}


def choose_mix(light: ranges.LightKind, seed: tuple[int, ...]) -> Mix:
    """The mix of one geometry under one kind of light."""
    rng = np.random.default_rng([*seed, 100 + list(ranges.MIXES).index(light)])
    shares = {name: float(rng.uniform(*span)) for name, span in ranges.MIXES[light].items()}
    kelvin = {name: float(rng.uniform(*ranges.LIGHT_K[name])) for name in shares}
    blue = float(rng.uniform(*ranges.CAST)) ** float(rng.choice([-1, 1]))
    drifted = rng.random() < ranges.DRIFT_SHARE
    size = float(rng.uniform(*(ranges.LIGHT_DRIFT if drifted else ranges.LIGHT_CHANGE)))
    size *= float(rng.choice([-1, 1]))
    change = {name: 1 + size * float(rng.uniform(0.85, 1.0)) for name in shares}
    return Mix(
        light,
        shares,
        kelvin,
        (blue, 1.0, blue**-0.5),
        float(rng.uniform(*ranges.EXPOSURE)),
        float(rng.uniform(*ranges.CORNER_FALLOFF)),
        change,
        float(rng.uniform(*ranges.EDGE_SPREAD_PX)),
        float(rng.uniform(*ranges.NOISE_GREY)),
    )


def find_light_colour(kelvin: float) -> NDArray[np.float32]:
    """Linear BGR of a black body, green is 1: Planck's law at three wavelengths, scaled to 6500 K."""
    waves = np.array([450e-9, 545e-9, 605e-9])

    def emitted(temperature: float) -> NDArray[np.float64]:
        return np.asarray(1 / (waves**5 * (np.exp(0.014388 / (waves * temperature)) - 1)))

    colour = emitted(kelvin) / emitted(6500.0)
    return np.asarray(colour / colour[1], np.float32)


def mix_lights(
    lights: Mapping[str, Linear], shares: Mapping[str, float], kelvin: Mapping[str, float], balance: Mapping[str, float]
) -> Linear:
    """The linear picture; the white balance is locked: a surface that is grey under ``balance`` is shown grey."""
    white = np.asarray(sum(share * find_light_colour(kelvin[name]) for name, share in balance.items()), np.float32)
    white /= sum(balance.values())
    total = np.zeros_like(next(iter(lights.values())))
    for name, share in shares.items():
        total += lights[name] * (np.float32(share) * find_light_colour(kelvin[name]) / white)
    return total


def find_exposure(mixed: Linear, shares: Mapping[str, float]) -> float:
    """What the exposure control makes of the bare table."""
    mean = float(np.minimum(mixed[::8, ::8, 1], 2.0).mean())
    return 2 * MIDDLE / (mean + WHITE * sum(shares.values()))


def expose(mixed: Linear, mix: Mix, gain: float, rng: Rng) -> Picture:
    """From light to an 8-bit BGR picture: shading of the lens, blur, Bayer sensor with noise, colour cast, tone."""
    h, w = mixed.shape[:2]
    light = mixed * (shade(h, w, mix.corners) * np.float32(gain * mix.exposure))[..., None]
    sigma = math.sqrt(max(mix.spread_px**2 - OWN_SPREAD_PX**2, 0.0))
    light = cv2.GaussianBlur(light, (0, 0), sigma) if sigma > 0.05 else light
    raw = mosaic(np.asarray(light, np.float32))
    raw += rng.standard_normal((h, w), np.float32) * find_noise(raw, mix.noise_grey)
    return apply_tone(demosaic(raw) * np.array(mix.cast, np.float32))


def mosaic(light: Linear) -> Linear:
    """What each pixel of a Bayer sensor measures."""
    raw = np.empty(light.shape[:2], np.float32)
    raw[0::2, 0::2] = light[0::2, 0::2, 0]
    raw[0::2, 1::2] = light[0::2, 1::2, 1]
    raw[1::2, 0::2] = light[1::2, 0::2, 1]
    raw[1::2, 1::2] = light[1::2, 1::2, 2]
    return raw


def demosaic(raw: Linear) -> Linear:
    """All colours of each pixel, along the edges."""
    return np.asarray((_demosaic_levels(raw).astype(np.float32) - ZERO_LEVEL) / LEVELS_OF_ONE, np.float32)


def demosaic_noise(raw: Linear, noise: Linear) -> Linear:
    """What noise of the sensor adds to each colour of each pixel."""
    both, alone = _demosaic_levels(raw + noise), _demosaic_levels(raw)
    added = np.asarray(cv2.subtract(both, alone, dtype=cv2.CV_32F), np.float32)
    added /= LEVELS_OF_ONE
    return added


def _demosaic_levels(raw: Linear) -> NDArray[np.uint16]:
    levels = raw * np.float32(LEVELS_OF_ONE)
    levels += np.float32(ZERO_LEVEL)
    np.clip(levels, 0, MOST_LEVEL, out=levels)
    return np.asarray(cv2.cvtColor(levels.astype(np.uint16), cv2.COLOR_BayerBGGR2BGR_EA), np.uint16)


def shade(h: int, w: int, corners: float) -> Linear:
    """1 in the middle and ``corners`` in the corners."""
    y = (np.arange(h, dtype=np.float32)[:, None] + 0.5) / h * 2 - 1
    x = (np.arange(w, dtype=np.float32)[None] + 0.5) / w * 2 - 1
    r2 = (x * x * (w / h) ** 2 + y * y) / (1 + (w / h) ** 2)
    return np.asarray(1 + (corners - 1) * r2, np.float32)


def find_noise(raw: Linear, grey: float) -> Linear:
    """Deviation of the noise for each brightness; ``grey`` levels of 255 at a middle grey of 0.2 linear."""
    slope = 255 * float(_tone(np.array([0.201], np.float32))[0] - _tone(np.array([0.199], np.float32))[0]) / 0.002
    middle = grey / slope / DEMOSAIC_NOISE
    return np.asarray(middle * np.sqrt((np.maximum(raw, 0) + DARK_LINEAR) / (0.2 + DARK_LINEAR)), np.float32)


def _tone(linear: Linear) -> Linear:
    x = np.clip(linear, 0, 1)
    return np.asarray(np.where(x < 0.0031308, 12.92 * x, 1.055 * np.power(x, 1 / 2.4) - 0.055), np.float32)


_TONES = np.round(_tone(np.linspace(0, 1, 16384, dtype=np.float32)) * 255).astype(np.uint8)


def apply_tone(linear: Linear) -> Picture:
    places = linear * np.float32(len(_TONES) - 1)
    np.clip(places, 0, len(_TONES) - 1, out=places)
    return np.asarray(_TONES[places.astype(np.uint16)])


def decode_tone(picture: Picture) -> Linear:
    level = np.arange(256) / 255
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return np.asarray(cv2.LUT(picture, linear.astype(np.float32)), np.float32)


Planes = tuple[Picture, Picture, Picture]
STANDARDS: dict[str, tuple[float, float, bool]] = {"sycc": (0.299, 0.114, True), "rec709": (0.2126, 0.0722, False)}
"""Weight of red and blue, and whether brightness takes the full range of 0 to 255."""


def to_yuv420(bgr: Picture, standard: str) -> Planes:
    """Y, U and V as a camera delivers them; colour has half the width and height."""
    red, blue, full = STANDARDS[standard]
    b, g, r = (bgr[..., n].astype(np.float32) for n in range(3))
    y = red * r + (1 - red - blue) * g + blue * b
    u = (b - y) / (2 * (1 - blue))
    v = (r - y) / (2 * (1 - red))
    luma, chroma, floor = (1.0, 1.0, 0.0) if full else (219 / 255, 224 / 255, 16.0)
    half = (bgr.shape[1] // 2, bgr.shape[0] // 2)

    def level(plane: Linear) -> Picture:
        return np.clip(np.round(plane), 0, 255).astype(np.uint8)

    u, v = (cv2.resize(plane, half, interpolation=cv2.INTER_AREA) for plane in (u, v))
    return level(y * luma + floor), level(u * chroma + 128), level(v * chroma + 128)


def shrink(bgr: Picture) -> Picture:
    """The low-resolution stream: a quarter of the width and height, both even."""
    h, w = bgr.shape[:2]
    size = (w // ranges.LOW_RESOLUTION & ~1, h // ranges.LOW_RESOLUTION & ~1)
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
