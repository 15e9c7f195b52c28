"""The tuning of a sensor without the parts of libcamera that adapt to what a picture shows."""

import copy
from typing import Any

Tuning = dict[str, Any]
FIXED: dict[str, Tuning] = {
    # lens shading: no pass that evens out the colours of the scene, only the table measured for the lens
    "rpi.alsc": {"n_iter": 0},
    # contrast: no stretching of the histogram, only the curve of the tuning
    "rpi.contrast": {"ce_enable": 0},
}
"""Algorithms that go on adapting when exposure and white balance are held, and the settings that stop them.

No control stops them. A dark card would brighten the rest of the table, and a red one would turn its surroundings blue.
"""


def fix_tuning(tuning: Tuning) -> Tuning:
    """A copy of a tuning with the ``FIXED`` settings; algorithms that it does not have stay left out.

    In the first version of the format the algorithms are keys of the file, later they are a list of it.
    """
    fixed = copy.deepcopy(tuning)
    for algorithms in fixed.get("algorithms", [fixed]):
        for name, settings in FIXED.items():
            if name in algorithms:
                algorithms[name] |= settings
    return fixed
