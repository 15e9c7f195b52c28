"""Exposures that do not flicker, and the controls that find and hold them."""

import pytest

from hw.cameras.exposure import (
    SETTLE_MAX_S,
    SETTLE_MIN_S,
    Exposure,
    Settling,
    half_period_us,
    holding_controls,
    measuring_controls,
    read_light,
    remove_flicker,
)

FIXED = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits"}
LENS = FIXED | {"AfMode", "AfTrigger", "LensPosition"}
NEWER = FIXED | {"AeFlickerMode", "AeFlickerPeriod"}
VIRTUAL = {"FrameDurationLimits", "FaceDetectMode"}

# exposure, gain, mains -> exposure, gain
STEPS = {
    "50 Hz: two half-periods stay": (20_000, 2.0, 50, 20_000, 2.0),
    "50 Hz: to the nearest, gain makes up": (22_000, 2.0, 50, 20_000, 2.2),
    "50 Hz: never less than one": (3_000, 8.0, 50, 10_000, 2.4),
    "50 Hz: up, and the gain falls": (16_000, 2.0, 50, 20_000, 1.6),
    "50 Hz: up would need a gain below the least": (16_000, 1.0, 50, 10_000, 1.6),
    "50 Hz: longer when the gain is at its end": (20_000, 16.0, 50, 40_000, 8.0),
    "50 Hz: no longer than a frame, and darker": (100_000, 100.0, 50, 100_000, 8.0),
    "60 Hz: two half-periods": (16_667, 2.0, 60, 16_666.67, 2.0),
    "60 Hz: from a 50 Hz step": (20_000, 2.0, 60, 16_666.67, 2.4),
    "60 Hz: no longer than a frame": (200_000, 9.0, 60, 100_000, 8.0),
    "the sun: shorter than a half-period": (4_000, 1.0, 50, 4_000, 1.0),
    "the sun: all from the exposure": (1_000, 3.0, 60, 3_000, 1.0),
}


@pytest.mark.parametrize(("exposure", "gain", "mains", "held", "with_gain"), STEPS.values(), ids=STEPS)
def test_exposure_is_whole_half_periods(exposure, gain, mains, held, with_gain):
    light = remove_flicker(Exposure(exposure, gain, 1.5, 2.5, 4.0), mains)
    assert light == Exposure(pytest.approx(held, abs=0.01), pytest.approx(with_gain, rel=1e-3), 1.5, 2.5, 4.0)


@pytest.mark.parametrize("mains", [50, 60])
@pytest.mark.parametrize("gain", [1.0, 2.3, 7.9])
def test_no_light_is_lost_between_the_sun_and_the_dark(mains, gain):
    half = half_period_us(mains)
    for exposure in range(int(half) + 1, 90_000, 1_733):
        found = Exposure(exposure, gain, 1.0, 1.0)
        held = remove_flicker(found, mains)
        steps = held.exposure_us / half
        assert steps == pytest.approx(round(steps))
        assert steps >= 1
        assert 1.0 <= held.gain <= 8.0
        assert held.amount == pytest.approx(found.amount)


def test_the_least_gain_of_a_sensor_counts():
    assert remove_flicker(Exposure(10_000, 1.2, 1, 1), 50, (1.5, 10.0)) == Exposure(8_000, 1.5, 1, 1)


@pytest.mark.parametrize("mains", [0, 55, 100])
def test_mains_have_50_or_60_hertz(mains):
    with pytest.raises(ValueError, match="50 or 60"):
        remove_flicker(Exposure(10_000, 1, 1, 1), mains)


MEASURING = {
    "a fixed lens": (FIXED, 50, {"AeEnable", "AwbEnable", "FrameDurationLimits"}),
    "a lens that moves": (LENS, 50, {"AeEnable", "AwbEnable", "FrameDurationLimits", "AfMode", "AfTrigger"}),
    "a camera that knows the mains": (
        NEWER,
        60,
        {"AeEnable", "AwbEnable", "FrameDurationLimits", "AeFlickerMode", "AeFlickerPeriod"},
    ),
    "a virtual one": (VIRTUAL, 50, {"FrameDurationLimits"}),
}


@pytest.mark.parametrize(("has", "mains", "asked"), MEASURING.values(), ids=MEASURING)
def test_measuring_asks_only_for_what_a_camera_has(has, mains, asked):
    controls = measuring_controls(has, mains)
    assert controls.keys() == asked
    assert controls.get("AeEnable", True) is True
    assert controls.get("AeFlickerPeriod", 8333) == 8333


def test_holding_a_fixed_lens_says_nothing_of_focus():
    assert holding_controls(Exposure(20_000.4, 2.5, 1.5, 2.5), FIXED) == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 2.5,
        "AwbEnable": False,
        "ColourGains": (1.5, 2.5),
        "FrameDurationLimits": (100_000, 100_000),
    }


def test_holding_a_lens_keeps_its_place():
    controls = holding_controls(Exposure(10_000, 1.0, 1.5, 2.5, 1.75), LENS)
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 1.75)


def test_holding_without_colour_gains_leaves_the_white_balance_alone():
    assert {"AwbEnable", "ColourGains"}.isdisjoint(holding_controls(Exposure(10_000, 1.0, 0, 0), FIXED))


def test_holding_a_camera_without_controls_asks_for_nothing_it_lacks():
    assert holding_controls(Exposure(10_000, 1.0, 1, 1), VIRTUAL).keys() == {"FrameDurationLimits"}


def told(exposure=20_000, gain=2.0, red=1.5, blue=2.5, **more):
    return {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (red, blue), **more}


READINGS = {
    "everything": (told(DigitalGain=1.5, LensPosition=2.0), Exposure(20_000, 3.0, 1.5, 2.5, 2.0)),
    "no lens": (told(), Exposure(20_000, 2.0, 1.5, 2.5)),
    "no colours": ({"ExposureTime": 9, "AnalogueGain": 1.0}, Exposure(9, 1.0, 0.0, 0.0)),
    "a virtual camera": ({"SensorTimestamp": 5}, None),
    "nothing": ({}, None),
}


@pytest.mark.parametrize(("metadata", "light"), READINGS.values(), ids=READINGS)
def test_what_a_frame_says_of_its_light(metadata, light):
    assert read_light(metadata) == light


def settle(frames, every=0.1):
    """When the light was found, and what it is."""
    settling = Settling(since=10.0)
    for n, metadata in enumerate(frames):
        at = 10.0 + n * every
        settling = settling.add(metadata, at)
        if (found := settling.found(at)) is not None:
            return n * every, found.exposure_us
    return None


def test_light_that_holds_still_is_found_soon():
    assert settle([told()] * 50) == (pytest.approx(SETTLE_MIN_S + 0.4), 20_000)


def test_light_is_found_after_it_stopped_changing():
    after, exposure = settle([told(5_000 + 1_000 * min(n, 15)) for n in range(50)])
    assert 1.5 < after < 2.1
    assert exposure == 20_000


def test_a_lens_on_its_way_is_waited_for():
    after, _ = settle([told(AfState=1 if n < 20 else 2) for n in range(50)])
    assert after == pytest.approx(2.3)


NEVER_STILL = {
    "light": [told(10_000 + 5_000 * (n % 2)) for n in range(60)],
    "white balance": [told(red=1.0 + n % 2) for n in range(60)],
    "focus": [told(AfState=1)] * 60,
}


@pytest.mark.parametrize("frames", NEVER_STILL.values(), ids=NEVER_STILL)
def test_what_never_holds_still_is_taken_as_it_is_at_last(frames):
    after, _ = settle(frames)
    assert after == pytest.approx(SETTLE_MAX_S, abs=0.11)


def test_a_camera_that_does_not_tell_its_light_is_given_up():
    assert settle([{}] * 60) is None
    assert Settling(since=10.0).late(14.1)
