"""Simulated players of every game: legal random play from hidden hands."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from engine.options import Options
from firmware.simulation.players import nimmt, six, the_game


class Players(Protocol):
    """All players of one match, as one source of moves."""

    @property
    def hands(self) -> Mapping[int, Sequence[int]]:
        """The hidden cards of each player."""
        ...

    def next(self, state: Any) -> Any | None:
        """The next move, or None when the match is over."""
        ...


PLAYERS: dict[str, Callable[[Options, random.Random], Players]] = {
    "nimmt": nimmt.Players,
    "thegame": the_game.Players,
    "six": six.Players,
}
DECLARED_MOVES: dict[str, tuple[type, ...]] = {
    "nimmt": nimmt.DECLARED_MOVES,
    "thegame": the_game.DECLARED_MOVES,
    "six": six.DECLARED_MOVES,
}
