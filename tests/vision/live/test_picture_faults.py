"""Faults of the picture: reported when they last, the gravest first, and over when they are gone for a while."""

import pytest

from engine.text import say
from vision.live.picture_faults import AT_ONCE_S, LASTING_S, OVER_S, FaultTracker, update_faults

DARK, LIGHT = (say("picture_dark"), AT_ONCE_S), (say("picture_light"), LASTING_S)
PACE = 0.25


def reported(*readings):
    """What is reported after each reading, one every quarter of a second."""
    faults, found = FaultTracker(), []
    for n, now in enumerate(readings):
        faults = update_faults(faults, n * PACE, now)
        text = faults.find_lasting(n * PACE)
        found.append(text and text.id)
    return found


def test_a_fault_that_prevents_reading_is_reported_sooner():
    readings = 12
    assert reported(*[(DARK,)] * readings).index("picture_dark") == AT_ONCE_S / PACE
    assert reported(*[(LIGHT,)] * readings).index("picture_light") == LASTING_S / PACE


def test_the_gravest_fault_is_reported_first():
    found = reported(*[(DARK, LIGHT)] * 10, *[(LIGHT,)] * 5)
    assert found[9] == "picture_dark"
    assert found[-1] == "picture_light"


@pytest.mark.parametrize(
    ("gaps", "ends"),
    [
        pytest.param(1, "picture_light", id="one reading without it does not end it"),
        pytest.param(int(OVER_S / PACE) + 1, None, id="gone for a while, it ends and starts again"),
    ],
)
def test_a_fault_ends_only_after_it_was_gone_for_a_while(gaps, ends):
    assert reported(*[(LIGHT,), *[()] * gaps] * 8, (LIGHT,))[-1] == ends
