"""Exposure times without flicker, and the camera controls that measure and hold them."""

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
    "50 Hz: rounded to the nearest, gain compensates": (22_000, 2.0, 50, 20_000, 2.2),
    "50 Hz: at least one half-period": (3_000, 8.0, 50, 10_000, 2.4),
    "50 Hz: rounded up, gain falls": (16_000, 2.0, 50, 20_000, 1.6),
    "50 Hz: rounded down, because up needs a gain below the minimum": (16_000, 1.0, 50, 10_000, 1.6),
    "50 Hz: longer at the maximum gain": (20_000, 16.0, 50, 40_000, 8.0),
    "50 Hz: at most one frame, and darker": (100_000, 100.0, 50, 100_000, 8.0),
    "60 Hz: two half-periods": (16_667, 2.0, 60, 16_666.67, 2.0),
    "60 Hz: from a 50 Hz step": (20_000, 2.0, 60, 16_666.67, 2.4),
    "60 Hz: at most one frame": (200_000, 9.0, 60, 100_000, 8.0),
    "sunlight: shorter than a half-period": (4_000, 1.0, 50, 4_000, 1.0),
    "sunlight: exposure before gain": (1_000, 3.0, 60, 3_000, 1.0),
}


@pytest.mark.parametrize(("exposure", "gain", "mains", "held", "with_gain"), STEPS.values(), ids=STEPS)
def test_exposure_is_a_multiple_of_half_a_mains_period(exposure, gain, mains, held, with_gain):
    light = remove_flicker(Exposure(exposure, gain, 1.5, 2.5, 4.0), mains)
    assert light == Exposure(pytest.approx(held, abs=0.01), pytest.approx(with_gain, rel=1e-3), 1.5, 2.5, 4.0)


@pytest.mark.parametrize("mains", [50, 60])
@pytest.mark.parametrize("gain", [1.0, 2.3, 7.9])
def test_removing_flicker_keeps_the_amount_of_light(mains, gain):
    half = half_period_us(mains)
    for exposure in range(int(half) + 1, 90_000, 1_733):
        found = Exposure(exposure, gain, 1.0, 1.0)
        held = remove_flicker(found, mains)
        steps = held.exposure_us / half
        assert steps == pytest.approx(round(steps))
        assert steps >= 1
        assert 1.0 <= held.gain <= 8.0
        assert held.amount == pytest.approx(found.amount)


def test_the_lowest_gain_of_a_sensor_is_respected():
    assert remove_flicker(Exposure(10_000, 1.2, 1, 1), 50, (1.5, 10.0)) == Exposure(8_000, 1.5, 1, 1)


@pytest.mark.parametrize("mains", [0, 55, 100])
def test_mains_other_than_50_or_60_hz_are_refused(mains):
    with pytest.raises(ValueError, match="50 or 60"):
        remove_flicker(Exposure(10_000, 1, 1, 1), mains)


MEASURING = {
    "a fixed lens": (FIXED, 50, {"AeEnable", "AwbEnable", "FrameDurationLimits"}),
    "a moving lens": (LENS, 50, {"AeEnable", "AwbEnable", "FrameDurationLimits", "AfMode", "AfTrigger"}),
    "a camera with flicker control": (
        NEWER,
        60,
        {"AeEnable", "AwbEnable", "FrameDurationLimits", "AeFlickerMode", "AeFlickerPeriod"},
    ),
    "a virtual camera": (VIRTUAL, 50, {"FrameDurationLimits"}),
}


@pytest.mark.parametrize(("has", "mains", "asked"), MEASURING.values(), ids=MEASURING)
def test_measuring_sets_only_controls_the_camera_has(has, mains, asked):
    controls = measuring_controls(has, mains)
    assert controls.keys() == asked
    assert controls.get("AeEnable", True) is True
    assert controls.get("AeFlickerPeriod", 8333) == 8333


def test_holding_a_fixed_lens_sets_no_focus():
    assert holding_controls(Exposure(20_000.4, 2.5, 1.5, 2.5), FIXED) == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 2.5,
        "AwbEnable": False,
        "ColourGains": (1.5, 2.5),
        "FrameDurationLimits": (100_000, 100_000),
    }


def test_holding_a_moving_lens_keeps_its_position():
    controls = holding_controls(Exposure(10_000, 1.0, 1.5, 2.5, 1.75), LENS)
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 1.75)


def test_holding_without_colour_gains_leaves_white_balance_automatic():
    assert {"AwbEnable", "ColourGains"}.isdisjoint(holding_controls(Exposure(10_000, 1.0, 0, 0), FIXED))


def test_holding_sets_only_controls_the_camera_has():
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
def test_exposure_is_read_from_frame_metadata(metadata, light):
    assert read_light(metadata) == light


def settle(frames, every=0.1):
    """Seconds until the exposure was found, and its exposure time."""
    settling = Settling(since=10.0)
    for n, metadata in enumerate(frames):
        at = 10.0 + n * every
        settling = settling.add(metadata, at)
        if (found := settling.found(at)) is not None:
            return n * every, found.exposure_us
    return None


def test_constant_exposure_is_found_after_the_minimum_time():
    assert settle([told()] * 50) == (pytest.approx(SETTLE_MIN_S + 0.4), 20_000)


def test_exposure_is_found_after_it_stops_changing():
    after, exposure = settle([told(5_000 + 1_000 * min(n, 15)) for n in range(50)])
    assert 1.5 < after < 2.1
    assert exposure == 20_000


def test_a_moving_lens_is_waited_for():
    after, _ = settle([told(AfState=1 if n < 20 else 2) for n in range(50)])
    assert after == pytest.approx(2.3)


NEVER_STILL = {
    "light": [told(10_000 + 5_000 * (n % 2)) for n in range(60)],
    "white balance": [told(red=1.0 + n % 2) for n in range(60)],
    "focus": [told(AfState=1)] * 60,
}


@pytest.mark.parametrize("frames", NEVER_STILL.values(), ids=NEVER_STILL)
def test_changing_exposure_is_accepted_after_the_maximum_time(frames):
    after, _ = settle(frames)
    assert after == pytest.approx(SETTLE_MAX_S, abs=0.11)


def test_a_camera_without_exposure_metadata_times_out():
    assert settle([{}] * 60) is None
    assert Settling(since=10.0).late(14.1)
