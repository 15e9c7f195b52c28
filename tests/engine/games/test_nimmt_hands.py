"""6 nimmt! under honest hands in bad light: never a false refusal, and the record is true in the end."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import ROWS
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, judge
from firmware.simulation.players.nimmt import DECLARED_MOVES, Players
from tests.support.light import arm, hidden, without

GAME = Nimmt()
VARIANTS = {
    "base": (2, 10),
    "professional": (2, 6),
    "halves": (4, 7),
    "anniversary": (2, 8),
}
CALM = (m.Reveal, m.Spread, m.Deal, m.Pick, m.Special, m.Swap)
"""After these moves the players wait until the box has seen them: a card that comes and goes unseen is asked for."""


class Watcher:
    """A referee that sees what the light lets through, and its presses: moves that could not be seen."""

    def __init__(self, options, rng, *, glare=False):
        self.log = Log(GAME, options)
        self.plan = GAME.plan(options)
        self.rng = rng
        self.presses = 0
        self.looks = 0
        self.glare = (arm(rng, self.plan),) if glare else ()

    def look(self, layout, *, clear=False):
        if not clear and self.rng.random() < 0.35:
            return  # the table was not read
        table = GAME.place(self.log.state, layout)
        if not clear and self.rng.random() < 0.5:
            table = hidden(table, arm(self.rng, self.plan))
        self.judge(hidden(table, *self.glare) if self.glare else table)

    def judge(self, table):
        self.looks += 1
        verdict = judge(self.log, table)
        assert not isinstance(verdict, Refused), (verdict, self.log.moves[-6:])
        assert not isinstance(verdict, Unclear) or asks_of_used_special(verdict.stories), verdict
        if isinstance(verdict, Follows):
            self.log = self.log.add(*verdict.moves)

    def catch_up(self, truth):
        """What is not seen in full light either is told with a press, one move each."""
        table = GAME.place(truth.state, GAME.layout(truth.state))
        self.judge(hidden(table, *self.glare) if self.glare else table)
        while self.log.state != truth.state:
            behind = missed(truth.moves, self.log.moves)
            if behind is None:
                break  # only litter is still to be seen gone
            self.presses += 1
            self.tidy(truth)
            if self.log.state != truth.state:
                self.log = self.log.add(behind)
            self.judge(table)

    def tidy(self, truth):
        """A press for what is gone by now as well."""
        state, now = self.log.state, truth.state
        for piece, zone in dict.fromkeys(state.lying):
            spent = not is_in_force(state, piece, zone)
            gone = (piece, zone) not in now.lying or is_in_force(now, piece, zone)
            if spent and gone and any(zone == at for _, at in self.log.state.lying):
                self.log = self.log.add(m.Tidy(zone))


def asks_of_used_special(stories):
    """Is the only question whether a used special that still lies there is a new one, and with which card it came?"""
    plain, *others = stories
    new = [[move for move in story if not isinstance(move, m.Tidy | m.Mark) or move in plain] for story in others]
    return bool(others) and all(tuple(story) == plain for story in new)


def missed(happened, recorded):
    """The first thing that happened and is not in the record; litter is seen to in its own time."""
    known = Counter(recorded)
    for move in happened:
        known[move] -= 1
        if known[move] < 0 and not isinstance(move, m.Tidy | m.Sweep):
            return move
    return None


def play(options, seed, *, glare=False, most=400):
    """A match; after every move its motions are seen or not. Returns the true log and the watcher."""
    rng = random.Random(seed)
    truth = Log(GAME, options)
    players = Players(truth.options, rng)
    watcher = Watcher(options, rng, glare=glare)
    while (move := players.next(truth.state)) is not None and len(truth.moves) < most:
        before = GAME.layout(truth.state)
        truth = truth.add(move)
        after = GAME.layout(truth.state)
        if isinstance(move, DECLARED_MOVES):
            watcher.catch_up(truth.take_back(1))
            watcher.log = watcher.log.add(move)
            continue
        for layout in motions(rng, before, after):
            watcher.look(layout)
        watcher.look(after)
        if isinstance(move, CALM) or truth.state.phase in ("choose", "half", "over"):
            watcher.catch_up(truth)
        elif rng.random() < 0.3:
            lying = [(p, z) for z, held in after.zones.items() for p in held if is_number_card(p)]
            watcher.look(
                without(after, *rng.sample(lying, min(1, len(lying))))
            )  # a player takes up a card to look at it
    watcher.catch_up(truth)
    return truth, watcher


def motions(rng, before, after):
    """What is in the air on the way: a card, then cards of a row one by one."""
    gone = [(p, z) for z, held in before.zones.items() for p in held if p not in after.zones.get(z, ())]
    rng.shuffle(gone)
    for count in range(1, len(gone) + 1):
        yield without(before, *gone[:count])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(6))
def test_honest_play_is_never_refused_and_is_recorded_as_it_was(variant, seed):
    rng = random.Random(seed)
    truth, watcher = play({"players": rng.randint(*VARIANTS[variant]), "variant": variant}, seed)
    assert watcher.log.state.pads == truth.state.pads
    assert watcher.log.state.piles == truth.state.piles
    assert watcher.log.state.rows == truth.state.rows
    assert watcher.presses <= watcher.looks / 20


@pytest.mark.parametrize("seed", range(4))
def test_permanent_glare_over_part_of_the_table_never_causes_a_refusal(seed):
    truth, watcher = play({"players": 4}, seed, glare=True)
    assert watcher.log.state.piles == truth.state.piles
    assert watcher.log.state.rows == truth.state.rows


@pytest.mark.parametrize("seed", range(60))
def test_clumsy_hands_are_always_refused(seed):
    """Every wrong row, wrong order and wrong take, seen in full light, is refused or asked to be finished."""
    rng = random.Random(seed)
    deck = rng.sample(range(1, 105), 60)
    log = Log(GAME, {"players": 4})
    start = log.state
    rows = tuple(tuple(sorted(deck.pop() for _ in range(rng.randint(1, 5)))) for _ in range(4))
    log = Log(GAME, {"players": 4}, origin=_position(start, (*rows, ())))
    shown = {p: deck.pop() for p in range(1, 5)}
    log = log.add(*(m.Reveal(p, c) for p, c in shown.items()))
    due = find_due_action(log.state)
    layout = GAME.layout(log.state)
    for player, card in shown.items():
        at_seat = (str(card), f"seat:{log.state.seats[player - 1]}")
        for row in ROWS[:4]:
            for lifted in (0, *ROWS[:4]):
                zones = dict(without(layout, at_seat).zones)
                if lifted:
                    zones.pop(f"row:{lifted}")
                zones[f"row:{row}"] = (*zones.get(f"row:{row}", ()), str(card))
                verdict = judge(log, GAME.place(log.state, type(layout)(zones)))
                right_row = row in due.choices if due.choices else row == due.row
                right = card == due.card and right_row and (lifted == row) == due.take
                if right:
                    assert isinstance(verdict, Follows), (card, row, lifted, verdict)
                    assert verdict.moves
                    continue
                assert not (isinstance(verdict, Follows) and verdict.moves), (card, row, lifted, verdict)
                if not lifted or (card == due.card and not due.choices and row == lifted != due.row):
                    unfinished = card == due.card and row == due.row
                    assert isinstance(verdict, Refused) != unfinished, (card, row, lifted, verdict)
                    assert (verdict.hint if unfinished else verdict.why).ruling.startswith("N-")


def _position(state, rows):
    return replace(state, phase="choose", rows=rows)
