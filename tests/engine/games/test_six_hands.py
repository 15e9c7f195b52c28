"""SIX under honest hands in bad light: no false refusal, and a true record whenever the whole table is visible."""

import cmath
import math
import random

import pytest

from engine.game import Illegal
from engine.games.six.lattice import frame_of
from engine.games.six.moves import Keep, Lay, Lose, Move, Slide, Start
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, judge
from engine.table import Area
from firmware.simulation.players.six import Players
from tests.support.six import GAME, look


class Hands:
    """What lies on the table, moved by hands that a camera watches now and then."""

    def __init__(self, seed, glare=False):
        self.rng = random.Random(seed)
        self.log = Log(GAME, {})
        self.tiles = {}
        self.at, self.degrees, self.pitch = 0j, 0.0, 38.0
        self.glare = ()
        self.accused = []
        if glare:
            x, y = 300 + self.rng.uniform(-90, 90), 225 + self.rng.uniform(-90, 90)
            self.glare = (Area(x, y, x + 60, y + 45),)

    def table(self, hide=()):
        return look(self.tiles, self.at, self.degrees, self.pitch, hide=(*self.glare, *hide), jitter=self.rng)

    def watch(self, hide=()):
        table = self.table(hide)
        verdict = judge(self.log, table)
        if isinstance(verdict, Refused | Unclear):
            self.accused.append((verdict, self.log.moves[-4:]))
        if isinstance(verdict, Follows):
            self.log = self.log.add(*verdict.moves)

    def glance(self):
        """A look that may be skipped or partly hidden by an arm; each touch moves the tiles a little."""
        self.at += complex(self.rng.uniform(-1, 1), self.rng.uniform(-1, 1))
        self.degrees += self.rng.uniform(-0.4, 0.4)
        if self.rng.random() < 0.4:
            return
        hide = []
        if self.rng.random() < 0.4:
            x, y = 300 + self.rng.uniform(-200, 200), 225 + self.rng.uniform(-200, 200)
            hide = [Area(x, y, x + self.rng.uniform(40, 200), y + self.rng.uniform(40, 200))]
        self.watch(hide)

    def tell(self, move, after):
        """Under permanent glare players tell the box, by button, what it cannot see."""
        for told in (move, GAME.parse("clear")):
            if self.log.state.game != after.game or (self.log.state.litter and not after.litter):
                try:
                    self.log = self.log.add(told)
                except Illegal:
                    continue

    def settle(self):
        for _ in range(3):
            self.watch()


def act(hands, before, move, after):
    """One true move, done by hand in a likely order."""
    rng = hands.rng
    match move:
        case Start(x, y, angle, pitch):
            hands.at, hands.degrees, hands.pitch = complex(x, y), angle / 10, pitch / 10
            for cell, colour in sorted(after.tiles):
                hands.tiles[cell] = colour
        case Slide():
            # the true lattice is pushed as the players' record was
            old, new = frame_of(before.anchor), frame_of(after.anchor)
            turn = new.side / old.side
            hands.at = new.base + (hands.at - old.base) * turn
            hands.degrees += math.degrees(cmath.phase(turn))
        case Lay(colour, q, r):
            if rng.random() < 0.2:  # a player lifts a tile to look at it, and puts it back
                cell = rng.choice(sorted(hands.tiles))
                held = hands.tiles.pop(cell)
                hands.glance()
                hands.tiles[cell] = held
            hands.tiles[q, r] = colour
        case Move(q, r, to_q, to_r):
            goes = [cell for cell, _ in after.litter]
            acts = [(q, r), *rng.sample(goes, len(goes))]
            acts.insert(rng.randrange(1, len(acts) + 1), None)
            colour = before.game.turn
            for cell in acts:
                if cell is None:
                    hands.tiles[to_q, to_r] = colour
                else:
                    del hands.tiles[cell]
                hands.glance()
        case _:
            for cell in [c for c in hands.tiles if c not in dict(after.lying)]:
                del hands.tiles[cell]
    hands.glance()


def play(hands):
    """A whole match; the truth is folded beside the referee's record."""
    rng = hands.rng
    players = Players({}, rng)
    players.games = 1
    truth = GAME.start({})
    while True:
        move = players.next(truth)
        if move is None:
            return truth
        after = GAME.play(truth, move)
        if isinstance(move, Keep):
            truth = hands_say(hands, truth, after)
            continue
        if isinstance(move, Move) and after.game.split:
            lose = Lose(*min(rng.choice(after.game.split)))
            after = GAME.play(after, lose)
        elif isinstance(move, Lose):
            raise AssertionError("decided with the move")
        act(hands, truth, move, after)
        if isinstance(move, Move) and after.litter:
            after = GAME.play(after, GAME.parse("clear"))
        truth = after
        hands.settle()
        if hands.glare:
            hands.tell(move, after)
        compare(hands, truth)


def hands_say(hands, truth, after):
    """Said aloud: the box is told too."""
    source, keep = after.announced
    hands.log = hands.log.add(Keep(*source, *keep))
    return after


def compare(hands, truth):
    if not hands.glare:
        assert not hands.accused, hands.accused[0]
        got, want = hands.log.state, truth
        assert got.game.board == want.game.board
        assert (got.game.turn, got.game.hands, got.game.end, got.litter) == (
            want.game.turn,
            want.game.hands,
            want.game.end,
            want.litter,
        )


@pytest.mark.parametrize("seed", range(60))
def test_a_whole_match_by_hand(seed):
    hands = Hands(seed)
    truth = play(hands)
    assert hands.log.state.game.end == truth.game.end


def test_a_pair_pushed_under_a_hand_is_not_two_tiles_laid():
    """The old place is hidden, the pair shows a cell further on: nothing is recorded until all of it is seen."""
    hands = Hands(91936)
    truth = play(hands)
    assert hands.log.state.game.board == truth.game.board


@pytest.mark.parametrize("seed", range(20))
def test_permanent_glare_never_causes_a_refusal(seed):
    """What happens under the glare is unknown, and never refused."""
    hands = Hands(seed, glare=True)
    play(hands)
    assert not hands.accused, hands.accused[0]
