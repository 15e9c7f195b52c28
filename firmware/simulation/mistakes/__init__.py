"""Mistakes that players can make at the table, each with the ruling that a human arbiter would cite."""

# The expected ruling follows from the rulebook and from how the mistake is made, never from the referee under test. No
# mistake is listed for these rulings, because neither camera nor button can show that they are broken:
#   say how the referee works.
#   Hands, talk and stock are not visible: N-1, N-2, P-8, H-1 to H-4, A-2 to, G-1, G-2, G-13, G-23.
#   Counted, not placed on the table: N-20 to N-23, N-25 to N-27, H-6, A-82, A-95, G-17, G-19, G-20, S-1.
#   Shapes and ends are found by the box, not claimed: S-5 to S-9, S-19 to S-21. Playing on after one is a mistake.
#   They only allow or define: N-4, N-11, N-13, N-14, P-3, P-7, A-12, A-22, A-30, A-54 to, G-3,
#   G-7, G-9, G-15, G-25, S-13, S-17. A player who acts otherwise breaks the rule that they are about.
#   N-18 is broken together with N-12 or N-16, which are cited; A-7 with N-28.
#   P-1 and other numbers of players are refused before the first card; N-30 covers the rest.
#   Nothing changes on the table when a tile returns to its own cell (S-12), a card to its place, for a second
#   back at a seat (N-5), or when a turn is not taken (S-18). S-12, A-70 and S-18 can be entered with a button.

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.log import Log
from firmware.simulation.mistakes import nimmt, six, the_game
from firmware.simulation.mistakes.mistake import Mistake

__all__ = ["Mistake", "list_mistakes"]

Hands = Mapping[int, Sequence[int]]
MISTAKES_BY_GAME: dict[str, Callable[[Log[Any, Any], Any, random.Random, Hands], Iterator[Mistake]]] = {
    "nimmt": nimmt.list_mistakes,
    "thegame": the_game.list_mistakes,
    "six": six.list_mistakes,
}


def list_mistakes(log: Log[Any, Any], move: Any, rng: random.Random, hands: Hands | None = None) -> Iterator[Mistake]:
    """Mistakes that can be made here instead of ``move``, one of each possible kind.

    The log must be up to date with the table and with all entries. ``hands`` are the hidden hands that are known, by
    player: two cards placed together come from one hand, any other card may come from any hand.
    """
    kinds: set[str] = set()
    if log.game.name not in MISTAKES_BY_GAME:  # a game without a list of mistakes
        return
    for mistake in MISTAKES_BY_GAME[log.game.name](log, move, rng, hands or {}):
        if mistake.kind not in kinds:
            kinds.add(mistake.kind)
            yield mistake
