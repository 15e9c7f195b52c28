"""Simulated players of every game: legal play from hidden hands, for the simulated table, the demo and the proofs."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from engine.options import Options
from firmware.simulation.players import nimmt, six, thegame


class Players(Protocol):
    """Somebody to play: asked for the next move until there is none."""

    @property
    def hands(self) -> Mapping[int, Sequence[int]]:
        """What each player holds and nobody sees."""
        ...

    def next(self, state: Any) -> Any | None: ...


PLAYERS: dict[str, Callable[[Options, random.Random], Players]] = {
    "nimmt": nimmt.Players,
    "thegame": thegame.Players,
    "six": six.Players,
}
DECLARED_MOVES: dict[str, tuple[type, ...]] = {
    "nimmt": nimmt.DECLARED_MOVES,
    "thegame": thegame.DECLARED_MOVES,
    "six": six.DECLARED_MOVES,
}
PLAYER_NAMES = dict(enumerate("Ana Ben Clea Dov Eli Fay Gus Hana Ivo Jun".split(), 1))
