"""What shall be done wrong in an evening, and when: every kind of mistake, often enough, spread over its matches."""

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
"""Number of a move -> the kinds of mistake that could be made instead of it."""
PlannedMistakes = Mapping[int, tuple[str, ...]]
"""The same, for those that shall be made."""
AFTER_END = "after the end"
LAST_MOVES = 8
"""So many moves before its end at the latest what shall be done wrong in a match is planned, if it can be."""
RARE_FACTOR = 5
"""What can be done at fewer moves than so many times as often as it shall be may not always find its time."""


@dataclass(frozen=True, slots=True)
class MatchCase:
    """A match to be played: ``name`` is what the report calls it; players with ``presses`` name a row with a button
    before they take it."""

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
        """What these people tell with a button."""
        return (*DECLARED_MOVES[self.game], *((Take,) if self.names_rows else ()))

    def log(self) -> Log[Any, Any]:
        return Log(GAMES[self.game], self.options)

    def players(self) -> Players:
        """The same people every time: they play the same match whatever is done wrong in between."""
        return PLAYERS[self.game](self.log().options, random.Random(self.seed))

    def list_mistakes(self, log: Log[Any, Any], move: Any, hands: Hands, draw: int = 0) -> Iterator[Mistake]:
        """What could be done wrong here; the same draw gives the same.

        After the end people clear the table as they like: only going on is a mistake then.
        """
        over = log.game.view(log.state).over
        found = list_mistakes(log, move, random.Random(f"{self.seed} {len(log.moves)} {draw}"), hands)
        return (mistake for mistake in found if not (mistake.layouts and over) or mistake.kind.endswith(AFTER_END))


def is_up_to_date(log: Log[Any, Any], truth: Log[Any, Any]) -> bool:
    """Is everything that happened in the record? Where tiles of SIX lie is measured, and never quite the same."""
    state = log.state
    if isinstance(truth.state, SixState):
        state = replace(state, anchor=truth.state.anchor)
    return bool(state == truth.state)


def list_possible_mistakes(given: MatchCase) -> PossibleMistakes:
    """Plays the match without a table, to know what could be done wrong at which move."""
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
    """For each match what shall be done wrong at which move, so that every kind that can be is, ``often`` in all.

    What can be done at few moves is done there again and again, and what can be done at any time finds its time. Of
    what has not many more moves than it needs some are to ``spare``: not at each there is an occasion in the end.
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
    """Does at each move of a match what the plan has for it, or as soon after as it can be done; what is ``left``
    could not be made in the end.
    """

    def __init__(self, given: MatchCase, planned: PlannedMistakes) -> None:
        self._given = given
        self._wrongs = dict(planned)
        self.left = [kind for kinds in planned.values() for kind in kinds]
        self._late: list[str] = []

    def __call__(self, log: Log[Any, Any], move: Any, hands: Hands) -> Iterator[Mistake]:
        for number in [number for number in self._wrongs if number <= len(log.moves)]:
            self._late += self._wrongs.pop(number)
        wanted, self._late = self._late, []
        for nth, kind in enumerate(wanted):
            mistake = self._made(log, move, hands, kind, nth)
            if mistake is None:
                self._late.append(kind)
            else:
                self.left.remove(kind)
                yield mistake

    def due(self, number: int) -> bool:
        """Is something to be done wrong before this move?"""
        return number in self._wrongs

    def _made(self, log: Log[Any, Any], move: Any, hands: Hands, kind: str, nth: int) -> Mistake | None:
        """The same kind looks different every time, or as in the rehearsal if chance will have it so."""
        for draw in (nth, nth + 100, nth + 200, 0):
            for mistake in self._given.list_mistakes(log, move, hands, draw):
                if mistake.kind == kind:
                    return mistake
        return None
