"""A sensor's tuning keeps everything but what adapts to the scene."""

import copy

import pytest

from hw.cameras.picamera import load_fixed_tuning
from hw.cameras.tuning import fix_tuning

ALGORITHMS = {
    "rpi.black_level": {"black_level": 4096},
    "rpi.alsc": {
        "omega": 1.3,
        "n_iter": 100,
        "luminance_strength": 0.8,
        "calibrations_Cr": [{"ct": 3000, "table": [1]}],
    },
    "rpi.contrast": {"ce_enable": 1, "gamma_curve": [0, 0, 65535, 65535]},
    "rpi.awb": {"bayes": 1},
}
NEW = {"version": 2.0, "target": "bcm2835", "algorithms": [{name: value} for name, value in ALGORITHMS.items()]}
FORMATS = {"the first version": ALGORITHMS, "a list of algorithms": NEW}


def algorithms(tuning):
    found = {}
    for part in tuning.get("algorithms", [tuning]):
        found |= part
    return found


@pytest.mark.parametrize("tuning", FORMATS.values(), ids=FORMATS)
def test_lens_shading_and_contrast_are_fixed_and_the_rest_is_kept(tuning):
    before = copy.deepcopy(tuning)
    fixed = fix_tuning(tuning)
    assert tuning == before
    wanted = copy.deepcopy(ALGORITHMS)
    wanted["rpi.alsc"]["n_iter"] = 0
    wanted["rpi.contrast"]["ce_enable"] = 0
    assert algorithms(fixed) == wanted
    assert {name: value for name, value in fixed.items() if name in ("version", "target")} == {
        name: value for name, value in before.items() if name in ("version", "target")
    }


def test_settings_that_a_file_leaves_to_the_library_are_fixed_too():
    assert fix_tuning({"rpi.alsc": {}, "rpi.contrast": {}}) == {
        "rpi.alsc": {"n_iter": 0},
        "rpi.contrast": {"ce_enable": 0},
    }


def test_a_tuning_without_these_algorithms_gains_none():
    assert fix_tuning({"version": 2.0, "algorithms": [{"rpi.awb": {}}]}) == {
        "version": 2.0,
        "algorithms": [{"rpi.awb": {}}],
    }


def test_the_tuning_is_that_of_the_sensor():
    asked = []

    def load(name):
        asked.append(name)
        return NEW

    assert algorithms(load_fixed_tuning(load, {"Model": "imx708_wide"}))["rpi.contrast"]["ce_enable"] == 0
    assert asked == ["imx708_wide.json"]


@pytest.mark.parametrize("why", [RuntimeError("Tuning file not found"), OSError("unreadable"), ValueError("no JSON")])
def test_without_a_readable_file_the_library_chooses(why):
    def load(name):
        raise why

    assert load_fixed_tuning(load, {"Model": "imx708"}) is None
