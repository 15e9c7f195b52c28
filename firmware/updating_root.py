"""Alias of ``firmware.machine.update_root`` for one release: the update unit of version 0.1.0 names this module."""

import sys

from firmware.machine.update_root import main

if __name__ == "__main__":
    sys.exit(main())
