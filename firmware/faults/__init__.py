"""Everything somebody can do wrong at the table, each with the ruling that a human arbiter would cite.

What is expected comes from the rulebook, by how a fault is made, never from the referee it is to prove. What no
camera and no button can show is not here:

* hands, talk and stock: N-1, N-2, N-5 (one card of the hand), P-8, H-2 to H-4, A-2 to A-6, G-2, G-4, G-12, G-13,
  G-21 (how many were drawn), G-23, and whether a Replace came from the hand;
* a back too many at a seat: backs lie on backs (N-5, ``chosen_already``);
* what is read but not laid: scores, totals, winners, ends and audits (N-20 to N-27, A-95, G-19, G-20, R-6);
* what leaves no trace: a tile lifted and laid in its own cell (S-12), a card put back where it lay (A-70), nothing at
  all done on one's turn (S-18, told only), two tiles in one cell (they lie off the lattice: S-3);
* choices before the match: ``player_count`` but for somebody joining late.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.log import Log
from firmware.faults import nimmt, six, thegame
from firmware.faults.fault import Fault
from firmware.faults.kinds import KINDS

__all__ = ["KINDS", "Fault", "faults"]

Hands = Mapping[int, Sequence[int]]
GAMES: dict[str, Callable[[Log[Any, Any], Any, random.Random, Hands], Iterator[Fault]]] = {
    "nimmt": nimmt.faults,
    "thegame": thegame.faults,
    "six": six.faults,
}


def faults(log: Log[Any, Any], move: Any, rng: random.Random, hands: Hands | None = None) -> Iterator[Fault]:
    """What somebody could do wrong here instead of ``move``: each kind that is possible, once.

    The record must be up to date: everything that lies, and everything that was told so far. ``hands`` is what is
    known of hidden hands, by player: two cards laid at once come out of one; any other card may be anybody's.
    """
    kinds: set[str] = set()
    for fault in GAMES[log.game.name](log, move, rng, hands or {}):
        if fault.kind not in kinds:
            kinds.add(fault.kind)
            yield fault
