"""A whole match at the simulated table as acts: hands move pieces, make and correct mistakes, and press buttons."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.table import Area, Layout, Piece, Table
from firmware.simulation.mistakes import Mistake, list_mistakes
from firmware.simulation.mistakes.frequency import MEND_FIRST_SHARE
from firmware.simulation.players import DECLARED_MOVES, PLAYERS, Players
from firmware.simulation.players.piece_handling import habits_of
from firmware.simulation.table.arm_positions import Spot, make_arm, make_bystander_arm
from firmware.simulation.table.camera_position import PX_MODULE, TILT_DEG, place_camera, place_markers
from firmware.simulation.table.cards import SimulatedPieces
from firmware.simulation.table.drawing import draw_table
from firmware.simulation.table.free_space import LaidPiece
from firmware.simulation.table.hand_timing import ARM_S, ASKED_S, REFUSED_S, REST_RANGE_S
from firmware.simulation.table.placing_accuracy import NEAT_HAND, SimulatedHand
from firmware.simulation.table.tiles import SimulatedTiles
from vision.render import Scene, SceneLight, Sensor

MAX_TOGETHER, MAX_ARMS = 4, 2
"""Moves that are made together at most, and arms that are over the table at the same time."""
Hands = Mapping[int, Sequence[int]]
MistakePlanner = Callable[[Log[Any, Any], Any, Hands], Iterable[Mistake]]
"""Gives the mistakes to be made before this move, in order."""


@dataclass(frozen=True, slots=True)
class SimulatedAct:
    """One picture of the table for ``seconds``; ``entry`` is what a player enters with a button at its beginning.

    ``reaching``: a hand is at the pieces. ``wrong``: the last layout of a ``mistake`` is on the table.
    ``cards`` is how many cards the last hand placed; ``pair``: two of them on each other.
    """

    scene: Scene
    seconds: float
    entry: str = ""
    wrong: bool = False
    reaching: bool = False
    mistake: Mistake | None = None
    cards: int = 0
    pair: bool = False


class SimTable:
    """Plays a whole match as acts. ``truth`` is the log of what really happened.

    ``planner`` plans mistakes; without one a legal move is preceded by a mistake with the probability
    ``mistake_share``. ``pair_share`` is the share of moves that may be made in pairs, ``bystander_share`` that of rests
    with an arm over another part of the table. ``declared`` are the moves that players enter with a button; ``due``
    says whether a mistake is planned before the move with this number.
    """

    def __init__(
        self,
        log: Log[Any, Any],
        rng: random.Random,
        *,
        hand: SimulatedHand = NEAT_HAND,
        px_module: float = PX_MODULE,
        tilt: float = TILT_DEG,
        mistake_share: float = 0.03,
        planner: MistakePlanner | None = None,
        bystander_share: float = 0.0,
        players: Players | None = None,
        pair_share: float = 0.0,
        declared: tuple[type, ...] | None = None,
        due: Callable[[int], bool] | None = None,
    ) -> None:
        self.truth = log
        self._game = log.game
        self._rng, self._mistake_share = rng, mistake_share
        self._planner, self._due = planner or self._plan_at_random, due
        self._bystander_share = bystander_share
        self._pair_share = pair_share
        self._declared = DECLARED_MOVES[log.game.name] if declared is None else declared
        self._players = players or PLAYERS[log.game.name](log.options, rng)
        plan = log.game.plan(log.options)
        self._zones = plan.zones
        self.area = Area(0.0, 0.0, plan.width, plan.height)
        eye = place_camera(self.area, px_module, tilt=tilt, towards=rng.uniform(0, 360), turn=rng.uniform(-2, 2))
        self.empty = Scene(
            eye,
            "wood",
            3,
            markers=place_markers(self.area),
            light=SceneLight(),
            sensor=Sensor(blur=0.6),
            seed=rng.randrange(99),
        )
        self._habits = habits_of(log.game.name)
        cells = self._habits.tiles
        self.laid = SimulatedTiles(self.area, rng, hand, cells) if cells else SimulatedPieces(log, rng, hand)
        self._pending: Any | None = None
        self._planned: tuple[Mistake, ...] = ()
        self._spots: tuple[Spot, ...] = ()

    def acts(self) -> Iterator[SimulatedAct]:
        """All acts of the match, to its end."""
        yield SimulatedAct(self.empty, REST_RANGE_S[1])
        yield from self._change(self._game.layout(self.truth.state))
        while (move := self._next()) is not None:
            yield from self._make_mistakes(self._planned)
            moves = self._with_others(move)
            if isinstance(move, self._declared):
                self.truth = self.truth.add(move)
                yield from self._still((), entry=str(move))
            else:
                self.truth = self.truth.add(*moves)
                pair = len(moves) > 1 and isinstance(move, self._habits.paired)
                yield from self._change(self._game.layout(self.truth.state), pair=pair)

    def show_under(self, zone: str) -> Iterator[SimulatedAct]:
        """A player lifts the top card of a pile, so that the card under it is visible, and puts it back."""
        now = self._game.layout(self.truth.state)
        lifted = Layout({z: held[:-1] if z == zone else held for z, held in now.zones.items()})
        before = dict(self.laid.pieces)
        yield from self._change(lifted)
        yield from self._put_back(before)

    def true_table(self) -> Table:
        """The table as perfect perception would read it."""
        tops: dict[str, Piece] = {}
        for lies in sorted(self.laid.pieces.values(), key=lambda lies: lies.over):
            pile = lies.zone.partition(":")[0] in self._habits.stacks
            piece = lies.name if lies.piece.partition(".")[0] in self._habits.copies else lies.piece
            tops[lies.zone if pile else lies.name] = Piece(piece, *lies.spot, lies.angle)
        return Table(frozenset(tops.values()))

    def _next(self) -> Any | None:
        """The next move; the mistakes before it go to ``_planned``."""
        if fresh := self._pending is None:
            self._pending, self._planned = self._players.next(self.truth.state), ()
        if self._pending is not None and (
            fresh or self._due
        ):  # a due mistake waits until the moves before it are on the table
            self._planned = tuple(self._planner(self.truth, self._pending, self._players.hands))
        move, self._pending = self._pending, None
        return move

    def _with_others(self, move: Any) -> tuple[Any, ...]:
        """The move and those that are made together with it: cards shown at once, or two cards on one pile."""
        moves, after = [move], self.truth
        pairs = self._rng.random() < self._pair_share
        together = (*self._habits.together, *(self._habits.paired if pairs else ()))
        self._planned = ()
        while isinstance(moves[-1], together) and len(moves) < (2 if pairs else MAX_TOGETHER):
            after = after.add(moves[-1])
            self._pending = self._players.next(after.state)
            if self._pending is None:
                break
            if self._due is None:
                self._planned = tuple(self._planner(after, self._pending, self._players.hands))
            if self._planned or not isinstance(self._pending, together) or (self._due and self._due(len(after.moves))):
                break
            paired: list[Any] = [move for move in (*moves, self._pending) if isinstance(move, self._habits.paired)]
            if len({move.pile for move in paired}) > 1:
                break
            moves.append(self._pending)
            self._pending = None
        return tuple(moves)

    def _plan_at_random(self, log: Log[Any, Any], move: Any, hands: Hands) -> Iterator[Mistake]:
        if self._rng.random() < self._mistake_share:
            seen = [
                mistake
                for mistake in list_mistakes(log, move, self._rng, hands)
                if mistake.layouts and not mistake.soft
            ]
            if seen:
                yield self._rng.choice(seen)

    def _make_mistakes(self, wrongs: Sequence[Mistake]) -> Iterator[SimulatedAct]:
        """Mistakes, each for as long as the box needs to react; the hand that corrects one may make the next."""
        before = dict(self.laid.pieces)
        for mistake in wrongs:
            if self.laid.pieces != before and (mistake.entry or self._rng.random() < MEND_FIRST_SHARE):
                yield from self._put_back(before)
            if mistake.entry:
                yield from self._still((), entry=mistake.entry, mistake=mistake, seconds=2 * ARM_S)
                continue
            for number, look in enumerate(mistake.layouts, 1):
                last = number == len(mistake.layouts)
                lasts = (ASKED_S if mistake.soft else REFUSED_S) if last else None
                if number == 1:
                    old, touched = draw_table(self.empty, self.laid, self._game.name), self.laid.restore(before)
                    yield from self._change(look, old, touched, mistake=mistake, wrong=last, seconds=lasts)
                else:
                    yield from self._change(look, None, self._spots, mistake=mistake, wrong=last, seconds=lasts)
        yield from self._put_back(before)

    def _put_back(self, before: Mapping[str, LaidPiece]) -> Iterator[SimulatedAct]:
        """Put every piece back to where it was."""
        old = draw_table(self.empty, self.laid, self._game.name)
        if spots := self.laid.restore(before):
            yield from self._arms(spots, old)
            yield from self._still(spots)

    def _change(
        self,
        layout: Layout,
        old: Scene | None = None,
        touched: tuple[Spot, ...] = (),
        *,
        mistake: Mistake | None = None,
        wrong: bool = False,
        seconds: float | None = None,
        pair: bool = False,
    ) -> Iterator[SimulatedAct]:
        """Hands change the table to this layout."""
        old = old or draw_table(self.empty, self.laid, self._game.name)
        table = self._game.place(self.truth.state, layout) if "spread" in layout.zones else None
        spread = {seen.piece: (seen.x, seen.y) for seen in table.seen} if table else {}
        names = set(self.laid.pieces.items())
        spots = tuple(dict.fromkeys((*self.laid.lay_out(layout, spread), *touched)))
        self._spots = spots
        if not spots:
            return
        laid = len(set(self.laid.pieces.items()) - names)
        yield from self._arms(spots, old)
        yield from self._still(spots, mistake=mistake, wrong=wrong, seconds=seconds, cards=laid, pair=pair)

    def _arms(self, spots: tuple[Spot, ...], before: Scene) -> Iterator[SimulatedAct]:
        """Arms over the old table, then over the new one, sometimes also on their way back."""
        some = self._rng.sample(spots, min(MAX_ARMS, len(spots)))
        now = draw_table(self.empty, self.laid, self._game.name)
        at = tuple(make_arm(self._rng, self.area, spot) for spot in some)
        yield SimulatedAct(replace(before, arms=at), ARM_S, reaching=True)
        moved = tuple(make_arm(self._rng, self.area, (x + 4, y - 6)) for x, y in some)
        yield SimulatedAct(replace(now, arms=moved), ARM_S, reaching=True)
        if self._rng.random() < 0.2:
            gone = tuple(make_arm(self._rng, self.area, spot, 0.55) for spot in some)
            yield SimulatedAct(replace(now, arms=gone), ARM_S, reaching=True)

    def _still(
        self,
        spots: tuple[Spot, ...],
        *,
        entry: str = "",
        mistake: Mistake | None = None,
        wrong: bool = False,
        seconds: float | None = None,
        cards: int = 0,
        pair: bool = False,
    ) -> Iterator[SimulatedAct]:
        """A rest: no hand is at the pieces, but a bystander's arm may be over another part of the table."""
        scene, clear = draw_table(self.empty, self.laid, self._game.name), self._clear(spots)
        lasts = self._rng.uniform(*REST_RANGE_S) if seconds is None else seconds
        arm = make_bystander_arm(self._rng, self.area, clear) if self._rng.random() < self._bystander_share else None
        yield SimulatedAct(replace(scene, arms=(arm,) if arm else ()), lasts, entry, wrong, False, mistake, cards, pair)

    def _clear(self, spots: tuple[Spot, ...]) -> tuple[Area, ...]:
        """The areas that are judged now: the zones of these places, or on a table without zones their surroundings."""
        zones = self._zones.values() if len(self._zones) > 1 else ()
        held = (area for area in zones if any(area.contains(*spot) for spot in spots))
        return (*held, *(Area(x - 30, y - 30, x + 30, y + 30) for x, y in spots))
