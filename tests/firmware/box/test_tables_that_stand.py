"""*The table is right* when all show the next cards and a card lies wrong (R-4): no turn and no card is lost."""

import random
from itertools import chain

import pytest

from engine.game import Illegal
from engine.referee import Follows, Refused, adopt_table, judge
from firmware.box.games import ui_of
from tests.support.nimmt import begin, look

SPECIALS = (None, None, "move", "move", "block", "insert", "seven")


class Turn:
    """A turn laid on real rows in the order of its cards, some of them in any row; then all show the next cards."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.players = rng.choice((2, 3, 4, 5))
        deck = rng.sample(range(1, 80), 20 + 2 * self.players)
        self.rows = [sorted(deck.pop() for _ in range(rng.choice((1, 3, 4, 4, 5)))) for _ in range(4)]
        self.shown = tuple(deck.pop() for _ in range(self.players))
        self.next = {player: deck.pop() for player in range(1, self.players + 1)}
        self.variant = rng.choice(("base", "anniversary"))
        self.special = rng.choice(SPECIALS) if self.variant == "anniversary" else None
        self.owner = rng.randint(1, self.players)
        self.lie = [list(row) for row in self.rows]
        wrong = rng.sample(self.shown, rng.choice((1, 1, 1, 2)))
        for card in sorted(self.shown):
            self._lay(card, rng, at_random=card in wrong)

    def _lay(self, card, rng, *, at_random):
        lower = [row for row in self.lie if row[-1] < card]
        row = max(lower, key=lambda row: row[-1]) if lower else rng.choice(self.lie)
        if at_random:
            row = rng.choice(self.lie)
        if row not in lower or len(row) >= 5:
            row.clear()
        row.append(card)

    def begin(self):
        rows = tuple(map(tuple, self.rows))
        return begin(rows, shown=self.shown, players=self.players, variant=self.variant, turns=3)

    def look(self, log):
        beside = {self.owner: self.special} if self.special else None
        return look(log, tuple(map(tuple, self.lie)), self.next, beside=beside)

    def cards(self):
        return {*chain(*self.rows), *self.shown, *self.next.values()}


def record(log, table):
    """What the referee records of this table by itself, and its last verdict."""
    while isinstance(verdict := judge(log, table), Follows) and verdict.moves:
        log = log.add(*verdict.moves)
    return log, verdict


def adopt(log, table):
    """As the box does: the cards that are gone have an owner before the table is adopted."""
    gone = sum(ui_of("nimmt").unowned(log, table), ())
    return adopt_table(log, table, (("pile:1", gone),) if gone else ())


def test_of_many_turns_with_wrong_cards_no_turn_and_no_card_is_lost():
    stood = refused = 0
    for seed in range(300):
        turn = Turn(seed)
        log = turn.begin()
        table = turn.look(log)
        log, verdict = record(log, table)
        if isinstance(verdict, Follows):
            continue
        refused += 1
        stood += bool(isinstance(verdict, Refused) and verdict.why and verdict.why.stands)
        after = adopt(log, table)
        state = after.state
        assert (state.turns, state.slot.card) == (4, min(turn.next.values())), (seed, after.moves[-1])
        assert [set(row) for row in state.rows[:4]] == [set(row) for row in turn.lie], seed
        assert state.numbers() == turn.cards(), seed
        assert judge(after, table) == Follows(()), seed
    assert 50 <= stood < refused


TAKEN = begin(((10,), (20, 21, 22, 23), (50,), (70,)), shown=(24, 26), turns=3)
"""24 comes to row 1; then 26, which belongs behind it, takes row 1 instead: 24 is in no row, and not in the record."""
TAKEN_TABLE = look(TAKEN, ((26,), (20, 21, 22, 23), (50,), (70,)), {1: 80, 2: 81})


def test_a_card_that_was_laid_and_taken_is_asked_for_as_well_as_the_row():
    assert ui_of("nimmt").unowned(TAKEN, TAKEN_TABLE) == (("10",), ("24",))
    after = adopt_table(TAKEN, TAKEN_TABLE, (("pile:2", ("10", "24")),))
    assert (after.state.turns, after.state.slot.card, after.state.piles) == (4, 80, ((), (10, 24)))


def test_without_its_owner_the_table_is_not_adopted():
    with pytest.raises(Illegal, match="who_has card=24"):
        adopt_table(TAKEN, TAKEN_TABLE, (("pile:2", ("10",)),))


@pytest.mark.parametrize(
    ("seats", "hide"),
    [
        pytest.param({1: 80}, (), id="a player who shows no card may hold it"),
        pytest.param({1: 80, 2: "back"}, (), id="a player with a card face down may hold it"),
        pytest.param({1: 80, 2: 81}, ("row:3",), id="it may lie in a hidden row"),
    ],
)
def test_a_card_that_may_be_elsewhere_was_not_taken(seats, hide):
    table = look(TAKEN, ((10, 26), (20, 21, 22, 23), (50,), (70,)), seats, hide=hide)
    assert ui_of("nimmt").unowned(TAKEN, table) == ()
