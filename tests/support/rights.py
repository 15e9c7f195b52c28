"""A program without the rights of root, also where the tests have them."""

import os
import sys

OXEYE = (sys.executable, "-c", "from firmware.cli import main; main()")


def unprivileged(*words: str) -> list[str]:
    """As root it may then do no more than the owner of a file may: nothing where the owner has no right."""
    without = ["setpriv", "--bounding-set=-all", "--"] if os.geteuid() == 0 else []
    return [*without, *words]
