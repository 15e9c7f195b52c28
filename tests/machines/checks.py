"""Results of the checks on a machine: prints each one and counts the failures."""

import time


class Checks:
    def __init__(self) -> None:
        self.failed = 0
        self._start = time.monotonic()

    def __call__(self, what: str, held: bool, why: object = "") -> None:
        print(f"{'ok     ' if held else 'FAILED '} {time.monotonic() - self._start:4.0f} s  {what}", flush=True)
        if not held:
            print(f"        {why}")
            self.failed += 1

    def finish(self, left_out: tuple[tuple[str, str], ...]) -> int:
        """Print what was not run and how many checks failed; return the exit code."""
        for what, why in left_out:
            print(f"not run         {what}: {why}")
        print(f"{self.failed} failed" if self.failed else "all checks passed")
        return 1 if self.failed else 0
