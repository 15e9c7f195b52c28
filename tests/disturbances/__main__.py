"""Run ``make disturb``; a module of its own, because a spawned process cannot import functions from ``__main__``."""

import sys

from tests.disturbances.run import main

if __name__ == "__main__":
    sys.exit(main())
