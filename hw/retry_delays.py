"""Retry delays for a broken device: short at first, then longer."""

from dataclasses import dataclass

RETRY_PAUSES_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""A reconnected plug works within a second; a camera that does not exist is not polled all evening."""


@dataclass(frozen=True, slots=True)
class RetryDelay:
    """``next`` is the time of the next try."""

    next: float = 0.0
    failures: int = 0

    def after_failure(self, now: float) -> "RetryDelay":
        return RetryDelay(now + RETRY_PAUSES_S[min(self.failures, len(RETRY_PAUSES_S) - 1)], self.failures + 1)

    def seconds_left(self, now: float) -> float:
        """Seconds until the next try."""
        return max(0.0, self.next - now)
