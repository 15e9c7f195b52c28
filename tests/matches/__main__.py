"""Run ``make evening``; a module of its own, because a spawned process cannot import functions from ``__main__``."""

import sys

from tests.matches.run import main

if __name__ == "__main__":
    sys.exit(main())
