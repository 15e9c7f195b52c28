"""What shall be done wrong in an evening, and when: every kind of fault, often enough, spread over its matches."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.games import GAMES
from engine.games.nimmt.moves import Take
from engine.games.six.state import State as SixState
from engine.log import Log
from engine.options import Options
from engine.referee import Follows, judge
from firmware.simulation.mistakes import Mistake, faults
from firmware.simulation.players import DECLARED_MOVES, PLAYERS, Players

Hands = Mapping[int, Sequence[int]]
Chances = Mapping[int, tuple[str, ...]]
"""Number of a move -> the kinds of fault that could be made instead of it."""
Wrongs = Mapping[int, tuple[str, ...]]
"""The same, for those that shall be made."""
ENDED = "after the end"
ROOM = 8
"""So many moves before its end at the latest what shall be done wrong in a match is planned, if it can be."""
SELDOM = 5
"""What can be done at fewer moves than so many times as often as it shall be may not always find its time."""


@dataclass(frozen=True, slots=True)
class Given:
    """A match to be played: ``name`` is what the report calls it; players with ``presses`` name a row with a button
    before they take it."""

    name: str
    game: str
    options: Options
    seed: int
    px_module: float = 1.8
    tilt: float = 7.0
    bystanders: float = 0.0
    presses: bool = False

    @property
    def said(self) -> tuple[type, ...]:
        """What these people tell with a button."""
        return (*DECLARED_MOVES[self.game], *((Take,) if self.presses else ()))

    def log(self) -> Log[Any, Any]:
        return Log(GAMES[self.game], self.options)

    def players(self) -> Players:
        """The same people every time: they play the same match whatever is done wrong in between."""
        return PLAYERS[self.game](self.log().options, random.Random(self.seed))

    def wrongs(self, log: Log[Any, Any], move: Any, hands: Hands, draw: int = 0) -> Iterator[Mistake]:
        """What could be done wrong here; the same draw gives the same.

        After the end people clear the table as they like: only going on is a fault then.
        """
        over = log.game.view(log.state).over
        found = faults(log, move, random.Random(f"{self.seed} {len(log.moves)} {draw}"), hands)
        return (fault for fault in found if not (fault.looks and over) or fault.kind.endswith(ENDED))


def up_to_date(log: Log[Any, Any], truth: Log[Any, Any]) -> bool:
    """Is everything that happened in the record? Where tiles of SIX lie is measured, and never quite the same."""
    state = log.state
    if isinstance(truth.state, SixState):
        state = replace(state, anchor=truth.state.anchor)
    return bool(state == truth.state)


def rehearse(given: Given) -> Chances:
    """Plays the match without a table, to know what could be done wrong at which move."""
    log = truth = given.log()
    players, game = given.players(), log.game
    chances: dict[int, tuple[str, ...]] = {}
    while (move := players.next(truth.state)) is not None:
        if up_to_date(log, truth):
            chances[len(truth.moves)] = tuple(fault.kind for fault in given.wrongs(truth, move, players.hands))
        truth = truth.add(move)
        if isinstance(move, given.said):
            log = log.add(move)
        else:
            verdict = judge(log, game.place(log.state, game.layout(truth.state)))
            if isinstance(verdict, Follows):
                log = log.add(*verdict.moves)
    return chances


def plan(matches: Sequence[Given], often: int, spare: int = 0) -> dict[str, Wrongs]:
    """For each match what shall be done wrong at which move, so that every kind that can be is, ``often`` in all.

    What can be done at few moves is done there again and again, and what can be done at any time finds its time. Of
    what has not many more moves than it needs some are to ``spare``: not at each there is an occasion in the end.
    """
    slots: dict[str, list[tuple[str, int]]] = {}
    lengths: dict[str, int] = {}
    for given in matches:
        chances = rehearse(given)
        lengths[given.name] = max(chances)
        for number, kinds in chances.items():
            for kind in dict.fromkeys(kinds):
                slots.setdefault(kind, []).append((given.name, number))
    wrongs: dict[str, dict[int, tuple[str, ...]]] = {given.name: {} for given in matches}
    for kind, every in slots.items():
        early = [(name, number) for name, number in every if number < lengths[name] - ROOM]
        found = early if len(early) >= often else every
        times = often + (spare if often <= len(found) < SELDOM * often else 0)
        for n in range(times):
            name, number = found[n * len(found) // times if times < len(found) else n % len(found)]
            at = wrongs[name]
            at[number] = (*at.get(number, ()), kind)
    return dict(wrongs)


class Planter:
    """Does at each move of a match what the plan has for it, or as soon after as it can be done; what is ``left``
    could not be made in the end.
    """

    def __init__(self, given: Given, wrongs: Wrongs) -> None:
        self._given = given
        self._wrongs = dict(wrongs)
        self.left = [kind for kinds in wrongs.values() for kind in kinds]
        self._late: list[str] = []

    def __call__(self, log: Log[Any, Any], move: Any, hands: Hands) -> Iterator[Mistake]:
        for number in [number for number in self._wrongs if number <= len(log.moves)]:
            self._late += self._wrongs.pop(number)
        wanted, self._late = self._late, []
        for nth, kind in enumerate(wanted):
            fault = self._made(log, move, hands, kind, nth)
            if fault is None:
                self._late.append(kind)
            else:
                self.left.remove(kind)
                yield fault

    def due(self, number: int) -> bool:
        """Is something to be done wrong before this move?"""
        return number in self._wrongs

    def _made(self, log: Log[Any, Any], move: Any, hands: Hands, kind: str, nth: int) -> Mistake | None:
        """The same kind looks different every time, or as in the rehearsal if chance will have it so."""
        for draw in (nth, nth + 100, nth + 200, 0):
            for fault in self._given.wrongs(log, move, hands, draw):
                if fault.kind == kind:
                    return fault
        return None
