"""Simulated players of SIX: legal matches from the start pair to the last tile, some with a rematch."""

import random

from engine.games.six import Six
from engine.games.six.lattice import frame_of
from engine.games.six.moves import Act, Clear, Draw, Keep, Lay, Lose, Move, Pass, Rematch, Slide, Start
from engine.games.six.repetition import is_repeated
from engine.games.six.rules import Position, find_free_cells
from engine.games.six.state import Anchor, State
from engine.options import Options, fill_options

DECLARED_MOVES: tuple[type[Act], ...] = (Keep, Lose, Pass, Draw, Rematch)

PUSH_SHARE = 0.02
EDGE_PITCHES = 1.7
"""Tile pitches from the edge of the table at which the group is pushed back to the middle."""
KEEP_SHARE = 0.5
REMATCH_SHARE = 0.25
PITCH_RANGE = (250, 450)


class Players:
    """They place tiles at random, sometimes push the whole group, and play until one player has won."""

    def __init__(self, options: Options, rng: random.Random) -> None:
        start = Six().start(fill_options(Six.options, options))
        self.rng = rng
        self.width, self.height = start.terms.width, start.terms.height
        self.games = 1 + (rng.random() < REMATCH_SHARE)

    @property
    def hands(self) -> dict[int, tuple[int, ...]]:
        """Nothing: tiles are public."""
        return {}

    def next(self, state: State) -> Act | None:
        game = state.game
        if game is None:
            return (
                Clear()
                if state.litter
                else Start(*self._middle(), self.rng.randrange(3600), self.rng.randint(*PITCH_RANGE))
            )
        if game.split:
            return Lose(*min(self.rng.choice(game.split)))
        if state.litter:
            return Clear()
        if game.end:
            return Rematch() if len(state.winners) + 1 < self.games else None
        if is_repeated(state):
            return Draw()
        if back := self._back(state):
            return back
        if self.rng.random() < PUSH_SHARE:
            return self._push(state)
        if any(game.hands):
            return Lay(game.turn, *self.rng.choice(list(game.board.cells(game.legal()))))
        return self._move(state, game)

    def _move(self, state: State, game: Position) -> Act:
        board = game.board
        source = state.announced[0] if state.announced else self.rng.choice(list(board.cells(board.own(game.turn))))
        lift = game.lift(source)
        stay = [group for group in lift.stay if not state.announced or group >> board.spot(state.announced[1]) & 1]
        if len(stay) > 1 and self.rng.random() < KEEP_SHARE:
            keep = self.rng.choice(stay)
            return Keep(*source, *next(board.cells(keep)))
        free = find_free_cells(board, self.rng.choice(stay))
        return Move(*source, *self.rng.choice(list(board.cells(free))))

    def _middle(self) -> tuple[int, int]:
        return self.width // 2 + self.rng.randrange(-40, 41), self.height // 2 + self.rng.randrange(-40, 41)

    def _back(self, state: State) -> Slide | None:
        """Push the group to the middle of the table before a tile could cross its edge."""
        if self._room(state, state.anchor) > EDGE_PITCHES:
            return None
        back = self._centred(state, state.anchor)
        better = self._room(state, back) > self._room(state, state.anchor) + EDGE_PITCHES / 2
        return Slide(*back) if better else None  # else the group fills the table

    def _push(self, state: State) -> Slide:
        """Push the group so that a random tile is near the middle, turned by up to 20 degrees."""
        tile, _ = self.rng.choice(sorted(state.tiles))
        angle, pitch = (state.anchor[2] + self.rng.randrange(-200, 201)) % 3600, state.anchor[3]
        x, y = self._middle()
        base = complex(x, y) - frame_of((0, 0, angle, pitch)).at(tile)
        to = round(base.real), round(base.imag), angle, pitch
        return Slide(*(to if self._room(state, to) > 1 else self._centred(state, to)))

    def _centred(self, state: State, anchor: Anchor) -> Anchor:
        """The anchor with equal margins on the left and right, and above and below."""
        left, top, right, bottom = _around(state, anchor)
        x, y, angle, pitch = anchor
        return round(x + (self.width - left - right) / 2), round(y + (self.height - top - bottom) / 2), angle, pitch

    def _room(self, state: State, anchor: Anchor) -> float:
        """Distance from the edge of the table to the nearest tile centre, in pitches."""
        left, top, right, bottom = _around(state, anchor)
        return min(left, top, self.width - right, self.height - bottom) / abs(frame_of(anchor).side)


def _around(state: State, anchor: Anchor) -> tuple[float, float, float, float]:
    spots = [frame_of(anchor).at(tile) for tile, _ in state.tiles]
    across, along = [z.real for z in spots], [z.imag for z in spots]
    return min(across), min(along), max(across), max(along)
