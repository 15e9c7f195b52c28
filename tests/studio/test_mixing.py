"""The sensor of the studio delivers the spread, noise and colour that its ranges promise."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.studio import ranges
from tests.studio.mixing import (
    OWN_SPREAD_PX,
    Mix,
    apply_tone,
    choose_mix,
    expose,
    find_exposure,
    find_light_colour,
    mix_lights,
    shade,
    shrink,
    to_yuv420,
)


def make_mix(**changes):
    one = {"window": 1.0}
    plain = Mix("window", one, {"window": 6500.0}, (1.0, 1.0, 1.0), 1.0, 1.0, {"window": 1.05}, 0.6, 1.3)
    return replace(plain, **changes)


def linear_of(grey):
    table = apply_tone(np.linspace(0, 1, 100001, dtype=np.float32))
    return float(np.searchsorted(table, grey)) / 100000


@pytest.mark.parametrize("grey", [0.9, 1.3, 1.7])
def test_the_noise_on_a_middle_grey_is_the_one_asked_for(grey):
    flat = np.full((400, 400, 3), 0.2, np.float32)
    shot = expose(flat, make_mix(noise_grey=grey), 1.0, np.random.default_rng(1))
    y, _, _ = to_yuv420(shot, "sycc")
    assert y[20:-20, 20:-20].std() == pytest.approx(grey, rel=0.15)


@pytest.mark.parametrize("spread", [0.56, 0.62, 0.70])
@pytest.mark.parametrize("slope", [0.13, -0.3, 0.6])
def test_the_edge_spread_is_the_one_asked_for(spread, slope):
    """A slanted edge of a box filter, resampled as by the distortion, through the whole sensor."""
    y, x = np.mgrid[0:240, 0:240].astype(np.float32)
    sharp = (np.clip(find_distance(x, y, slope) + 0.5, 0, 1) * 0.3 + 0.1).astype(np.float32)
    places = x + 0.37 + 0.004 * y, y + 0.21
    moved = cv2.remap(sharp, *places, cv2.INTER_CUBIC)
    mix = make_mix(spread_px=spread, noise_grey=0.01)
    luma, _, _ = to_yuv420(expose(np.dstack([moved] * 3), mix, 1.0, np.random.default_rng(1)), "sycc")
    levels, first = np.unique(apply_tone(np.linspace(0, 1, 4096, dtype=np.float32)), return_index=True)
    inside = (slice(40, 200), slice(40, 200))
    linear = np.interp(luma[inside], levels, first)
    bins = np.round(find_distance(*places, slope)[inside] * 8)
    edge = np.array([linear[bins == n].mean() for n in range(-32, 33)])
    share = np.maximum.accumulate((edge - edge[:8].mean()) / (edge[-8:].mean() - edge[:8].mean()))
    low, high = np.interp([0.1, 0.9], share, np.arange(-32, 33) / 8)
    assert (high - low) / 2.563 == pytest.approx(spread, abs=0.06)


def find_distance(x, y, slope):
    return (x - 119.5 - (y - 119.5) * slope) / np.hypot(1, slope)


def test_the_own_spread_leaves_room_for_the_smallest_asked_for():
    assert ranges.EDGE_SPREAD_PX[0] > OWN_SPREAD_PX


@pytest.mark.parametrize("blue", [1.8, 1 / 1.8])
def test_a_grey_surface_has_the_cast_that_is_asked_for(blue):
    flat = np.full((64, 64, 3), 0.15, np.float32)
    shot = expose(flat, make_mix(cast=(blue, 1.0, 1.0), noise_grey=0.01), 1.0, np.random.default_rng(1))
    b, g = (linear_of(int(shot[32, 32, n])) for n in (0, 1))
    assert b / g == pytest.approx(blue, rel=0.06)


def test_warm_light_has_less_blue_and_more_red():
    warm = find_light_colour(2700.0)
    assert warm[0] < 0.6 < 1 < warm[2]
    assert find_light_colour(6500.0) == pytest.approx([1, 1, 1])


def test_a_locked_white_balance_shows_a_change_of_the_light():
    lights = {"window": np.full((8, 8, 3), 0.4, np.float32), "lamp": np.full((8, 8, 3), 0.4, np.float32)}
    kelvin = {"window": 6500.0, "lamp": 2700.0}
    before = {"window": 1.0, "lamp": 1.0}
    grey = mix_lights(lights, before, kelvin, before)
    warmer = mix_lights(lights, {"window": 0.5, "lamp": 1.0}, kelvin, before)
    assert np.ptp(grey[0, 0]) == pytest.approx(0, abs=1e-5)
    assert warmer[0, 0, 2] > warmer[0, 0, 0]


def test_the_exposure_brings_a_bright_table_down():
    white, dark = (np.full((64, 64, 3), tone, np.float32) for tone in (0.8, 0.02))
    assert find_exposure(white, {"window": 1.0}) < find_exposure(dark, {"window": 1.0})


@pytest.mark.parametrize("corners", [0.62, 1.5])
def test_corners_fall_off_as_asked(corners):
    shading = shade(1296, 2304, corners)
    assert shading[0, 0] == pytest.approx(corners, abs=0.01)
    assert shading[648, 1152] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("light", ranges.MIXES)
def test_a_mix_is_in_its_ranges_and_comes_again(light):
    mix = choose_mix(light, (1, 2, 3))
    assert mix == choose_mix(light, (1, 2, 3))
    assert 1 / 1.8 <= mix.cast[0] <= 1.8
    assert all(0.017 <= abs(change - 1) <= 0.36 for change in mix.change.values())
    assert mix.shares_at(empty=True) == dict(mix.shares)


@pytest.mark.parametrize(("standard", "black", "white"), [("sycc", 0, 255), ("rec709", 16, 235)])
def test_yuv_has_the_range_of_its_standard(standard, black, white):
    half = np.zeros((8, 8, 3), np.uint8)
    half[:, 4:] = 255
    y, u, v = to_yuv420(half, standard)
    assert (y.min(), y.max()) == (black, white)
    assert u.shape == v.shape == (4, 4)
    assert {*u.ravel(), *v.ravel()} == {128}


def test_full_range_yuv_turns_back_into_the_colour():
    colour = np.full((4, 4, 3), (40, 120, 200), np.uint8)
    y, u, v = (float(plane[0, 0]) for plane in to_yuv420(colour, "sycc"))
    assert y + 1.402 * (v - 128) == pytest.approx(200, abs=2)
    assert y + 1.772 * (u - 128) == pytest.approx(40, abs=2)


def test_the_low_resolution_stream_is_even():
    assert shrink(np.zeros((1520, 2028, 3), np.uint8)).shape == (380, 506, 3)
