"""What a picture lacks is told when it lasts, the gravest first, and is over when it is gone for a while."""

import pytest

from engine.text import say
from vision.live.picture_faults import AT_ONCE_S, LASTING_S, OVER_S, FaultTracker, update_faults

DARK, LIGHT = (say("picture_dark"), AT_ONCE_S), (say("picture_light"), LASTING_S)
PACE = 0.25


def told(*looks):
    """What is told after each look, one every quarter of a second."""
    faults, found = FaultTracker(), []
    for n, now in enumerate(looks):
        faults = update_faults(faults, n * PACE, now)
        text = faults.find_lasting(n * PACE)
        found.append(text and text.id)
    return found


def test_what_keeps_from_reading_is_told_sooner_than_what_does_not():
    looks = 12
    assert told(*[(DARK,)] * looks).index("picture_dark") == AT_ONCE_S / PACE
    assert told(*[(LIGHT,)] * looks).index("picture_light") == LASTING_S / PACE


def test_the_gravest_is_told_and_the_other_when_it_is_over():
    found = told(*[(DARK, LIGHT)] * 10, *[(LIGHT,)] * 5)
    assert found[9] == "picture_dark"
    assert found[-1] == "picture_light"


@pytest.mark.parametrize(
    ("gaps", "ends"),
    [
        pytest.param(1, "picture_light", id="a look that misses it is no end of it"),
        pytest.param(int(OVER_S / PACE) + 1, None, id="gone for a while, it is over and begins anew"),
    ],
)
def test_what_comes_and_goes(gaps, ends):
    assert told(*[(LIGHT,), *[()] * gaps] * 8, (LIGHT,))[-1] == ends
