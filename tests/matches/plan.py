"""Plan of the mistakes in all matches: every kind often enough, spread over the matches."""

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
from firmware.simulation.mistakes import Mistake, list_mistakes
from firmware.simulation.players import DECLARED_MOVES, PLAYERS, Players

Hands = Mapping[int, Sequence[int]]
PossibleMistakes = Mapping[int, tuple[str, ...]]
"""Number of a move -> kinds of mistake that can be made instead of it."""
PlannedMistakes = Mapping[int, tuple[str, ...]]
"""Number of a move -> kinds of mistake that are planned before it."""
AFTER_END = "after the end"
LAST_MOVES = 8
"""Moves at the end of a match in which no mistake is planned, if it can be made earlier."""
RARE_FACTOR = 5
"""A kind with fewer occasions than this many times its planned number gets spare mistakes."""


@dataclass(frozen=True, slots=True)
class MatchCase:
    """A match to be played: ``name`` is its title in the report; with ``names_rows`` players name a row with a button
    before they take it.
    """

    name: str
    game: str
    options: Options
    seed: int
    px_module: float = 1.8
    tilt: float = 7.0
    bystander_share: float = 0.0
    names_rows: bool = False

    @property
    def declared(self) -> tuple[type, ...]:
        """Moves that these players enter with a button."""
        return (*DECLARED_MOVES[self.game], *((Take,) if self.names_rows else ()))

    def log(self) -> Log[Any, Any]:
        return Log(GAMES[self.game], self.options)

    def players(self) -> Players:
        """The same players every time: they play the same match whatever mistakes are made in between."""
        return PLAYERS[self.game](self.log().options, random.Random(self.seed))

    def list_mistakes(self, log: Log[Any, Any], move: Any, hands: Hands, draw: int = 0) -> Iterator[Mistake]:
        """Possible mistakes here; the same ``draw`` gives the same ones.

        After the end players may clear the table in any way: only playing on is a mistake.
        """
        over = log.game.view(log.state).over
        found = list_mistakes(log, move, random.Random(f"{self.seed} {len(log.moves)} {draw}"), hands)
        return (mistake for mistake in found if not (mistake.layouts and over) or mistake.kind.endswith(AFTER_END))


def is_up_to_date(log: Log[Any, Any], truth: Log[Any, Any]) -> bool:
    """Does the log hold everything that happened? The measured position of the tiles of SIX is not compared."""
    state = log.state
    if isinstance(truth.state, SixState):
        state = replace(state, anchor=truth.state.anchor)
    return bool(state == truth.state)


def list_possible_mistakes(given: MatchCase) -> PossibleMistakes:
    """Play the match without a table; returns the mistakes that are possible at each move."""
    log = truth = given.log()
    players, game = given.players(), log.game
    possible: dict[int, tuple[str, ...]] = {}
    while (move := players.next(truth.state)) is not None:
        if is_up_to_date(log, truth):
            possible[len(truth.moves)] = tuple(
                mistake.kind for mistake in given.list_mistakes(truth, move, players.hands)
            )
        truth = truth.add(move)
        if isinstance(move, given.declared):
            log = log.add(move)
        else:
            verdict = judge(log, game.place(log.state, game.layout(truth.state)))
            if isinstance(verdict, Follows):
                log = log.add(*verdict.moves)
    return possible


def plan_mistakes(matches: Sequence[MatchCase], often: int, spare: int = 0) -> dict[str, PlannedMistakes]:
    """Plan the mistakes before each move of each match, so that every possible kind is made ``often`` times in all.

    A kind with few occasions is planned several times at each. A kind with hardly more occasions than mistakes gets
    ``spare`` ones, because not every occasion still exists when its move comes.
    """
    slots: dict[str, list[tuple[str, int]]] = {}
    lengths: dict[str, int] = {}
    for given in matches:
        possible = list_possible_mistakes(given)
        lengths[given.name] = max(possible)
        for number, kinds in possible.items():
            for kind in dict.fromkeys(kinds):
                slots.setdefault(kind, []).append((given.name, number))
    planned: dict[str, dict[int, tuple[str, ...]]] = {given.name: {} for given in matches}
    for kind, every in slots.items():
        early = [(name, number) for name, number in every if number < lengths[name] - LAST_MOVES]
        found = early if len(early) >= often else every
        times = often + (spare if often <= len(found) < RARE_FACTOR * often else 0)
        for n in range(times):
            name, number = found[n * len(found) // times if times < len(found) else n % len(found)]
            at = planned[name]
            at[number] = (*at.get(number, ()), kind)
    return dict(planned)


class Planter:
    """Gives the mistakes that are planned before a move, or later as soon as they are possible.

    ``left`` are the kinds that were not possible any more.
    """

    def __init__(self, given: MatchCase, planned: PlannedMistakes) -> None:
        self._given = given
        self._planned = dict(planned)
        self.left = [kind for kinds in planned.values() for kind in kinds]
        self._late: list[str] = []

    def __call__(self, log: Log[Any, Any], move: Any, hands: Hands) -> Iterator[Mistake]:
        for number in [number for number in self._planned if number <= len(log.moves)]:
            self._late += self._planned.pop(number)
        wanted, self._late = self._late, []
        for nth, kind in enumerate(wanted):
            mistake = self._made(log, move, hands, kind, nth)
            if mistake is None:
                self._late.append(kind)
            else:
                self.left.remove(kind)
                yield mistake

    def due(self, number: int) -> bool:
        """Is a mistake planned before this move?"""
        return number in self._planned

    def _made(self, log: Log[Any, Any], move: Any, hands: Hands, kind: str, nth: int) -> Mistake | None:
        """A mistake of this kind, drawn differently each time if possible."""
        for draw in (nth, nth + 100, nth + 200, 0):
            for mistake in self._given.list_mistakes(log, move, hands, draw):
                if mistake.kind == kind:
                    return mistake
        return None
