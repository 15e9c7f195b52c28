"""How often people have done what a screen says, while the game did not go on."""

from collections import Counter

from firmware.simulation.people.screen_reading import Sentence


class RepeatedAdvice:
    """A sentence that returns although they did what it says is not about the pieces, but about the record."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def note(self, advice: Sentence) -> int:
        """They do now what this sentence says; how often was that so before?"""
        before = self._times[str(advice)]
        self._times[str(advice)] += 1
        return before

    def forget(self) -> None:
        """The game goes on."""
        self._times.clear()
