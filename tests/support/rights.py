"""Run a program without the privileges of root, also when the tests run as root."""

import os
import sys

OXEYE = (sys.executable, "-c", "from firmware.cli import main; main()")


def unprivileged(*words: str) -> list[str]:
    """The command without capabilities: root then has only the permissions of a file's owner."""
    without = ["setpriv", "--bounding-set=-all", "--"] if os.geteuid() == 0 else []
    return [*without, *words]
