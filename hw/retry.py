"""When to try a broken device again: soon at first, then less and less often."""

from dataclasses import dataclass

PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds. A plug put back is seen at once; a camera that nobody owns is not asked for all evening."""


@dataclass(frozen=True, slots=True)
class RetryDelay:
    """``next`` is the time of the next try."""

    next: float = 0.0
    failures: int = 0

    def failed(self, now: float) -> "RetryDelay":
        return RetryDelay(now + PAUSES[min(self.failures, len(PAUSES) - 1)], self.failures + 1)

    def left(self, now: float) -> float:
        """Seconds until the next try."""
        return max(0.0, self.next - now)
