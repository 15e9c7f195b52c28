"""*The table is right* in 6 nimmt! with seats on (R-4): no turn is skipped, and no card is asked for twice."""

import random

import pytest

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.turn_of_table import list_laid_unseen
from engine.referee import Follows, Refused, adopt_table, fill_hidden, judge
from engine.table import Layout
from tests.support.nimmt import DEAL, begin, look

R1, R2, R3, R4 = DEAL


def record(log, table):
    """What the referee records of this table by itself."""
    while isinstance(verdict := judge(log, table), Follows) and verdict.moves:
        log = log.add(*verdict.moves)
    return log


def told(player, card):
    return ((f"pile:{player}", (str(card),)),)


# A card laid from the hand before all have shown


IN_ROW_4 = (R1, R2, R3, (40, 55))


@pytest.fixture
def one_laid():
    return adopt_table(begin(), look(begin(), IN_ROW_4), told(1, 55))


def test_a_card_that_any_player_may_have_laid_is_not_adopted_without_its_player():
    with pytest.raises(Illegal, match="whose_card card=55"):
        adopt_table(begin(), look(begin(), IN_ROW_4))


def test_a_card_adopted_while_the_players_choose_is_laid_in_this_turn(one_laid):
    state = one_laid.state
    assert (state.phase, state.turns, state.list_unshown(), str(one_laid.moves[-1])) == (
        "choose", 0, (2,), "adopt row:1=10 row:2=20 row:3=30 row:4=40|55 turn=0 laid:1=55",
    )  # fmt: skip
    assert str(one_laid.game.view(state).prompt) == "waiting_for players=2"


def test_the_last_card_of_the_turn_ends_it_when_it_is_adopted_too(one_laid):
    after = adopt_table(one_laid, look(one_laid, (R1, R2, (30, 35), (40, 55))))
    assert (after.state.phase, after.state.turns, after.state.list_unshown()) == ("choose", 1, (1, 2))


def test_the_card_that_the_last_player_shows_is_due(one_laid):
    table = look(one_laid, IN_ROW_4, {2: 35})
    after = record(one_laid, table)
    assert (after.state.phase, after.state.slot.card, after.state.turns) == ("lay", 35, 0)
    done = record(after, look(after, (R1, R2, (30, 35), (40, 55))))
    assert (done.state.phase, done.state.turns, done.state.list_unshown()) == ("choose", 1, (1, 2))


def test_who_has_laid_shows_the_next_card_only_after_the_turn(one_laid):
    with pytest.raises(Illegal, match="finish_laying card=60"):
        one_laid.add(m.Reveal(1, 60))
    assert one_laid.add(m.Choose(1)).state.chosen == {1}


SHOWN = begin(players=3).add(m.Reveal(1, 55))
WRONG_ROW = (R1, (20, 55), R3, R4)


def test_a_shown_card_that_is_adopted_in_a_row_is_its_players_card_of_the_turn():
    after = adopt_table(SHOWN, look(SHOWN, WRONG_ROW))
    assert (after.state.turns, after.state.list_unshown(), after.state.laid_early) == (0, (2, 3), ((1, 55),))
    after = record(after, look(after, WRONG_ROW, {2: 35, 3: 70}))
    assert (after.state.phase, after.state.slot.card) == ("lay", 35)
    after = after.add(m.Lay(35, 3), m.Lay(70, 2))
    assert (after.state.phase, after.state.turns, after.state.list_unshown()) == ("choose", 1, (1, 2, 3))


def test_the_one_player_who_shows_no_card_has_laid_it():
    log = begin(players=2)
    after = adopt_table(log, look(log, IN_ROW_4, {2: 35}))
    assert (after.state.phase, after.state.slot.card, after.state.turns) == ("lay", 35, 0)


def test_where_all_show_a_card_of_this_turn_another_one_came_earlier():
    log = begin(shown=(12, 33))
    after = adopt_table(log, look(log, IN_ROW_4, {1: 12, 2: 33})).state
    assert (after.turns, after.slot.card, after.laid_early) == (0, 12, ())


def test_a_player_lays_one_card_in_a_turn():
    table = look(SHOWN, WRONG_ROW, {1: 70})
    with pytest.raises(Illegal, match="finish_laying card=70"):
        adopt_table(SHOWN, table)


# A card that is entered, and is at its seat still


def test_a_card_of_the_turn_that_was_over_takes_it_back_to_that_turn():
    log = begin(((3,), R2, R3, R4), shown=(41, 5), turns=1).add(m.Lay(5, 1), m.Lay(41, 4))
    assert log.state.turns == 2
    after = adopt_table(log, look(log, ((3,), R2, R3, (40, 41)), {1: "back", 2: 5}))
    state = after.state
    assert (state.turns, state.phase, state.slot.card, state.chosen, state.laid_early) == (1, "lay", 5, {1}, ((1, 41),))
    done = after.add(m.Lay(5, 1)).state
    assert (done.turns, done.list_unshown(), done.chosen) == (2, (1, 2), {1})


def test_a_card_of_an_older_turn_is_of_no_turn():
    log = begin(((3,), R2, R3, R4), shown=(41, 5)).add(m.Lay(5, 1), m.Lay(41, 4))
    log = log.add(m.Reveal(1, 60), m.Reveal(2, 61), m.Lay(60, 4), m.Lay(61, 4))
    with pytest.raises(Illegal, match="seen_before card=5"):
        adopt_table(log, look(log, ((3,), R2, R3, (40, 41, 60, 61)), {2: 5}))


def test_a_card_that_went_back_to_the_hand_is_asked_for_again():
    log = begin(shown=(12, 33))
    after = adopt_table(log, look(log, ((10,), (20, 22), R3, R4), {2: 33}))
    assert (after.state.phase, after.state.slot.card) == ("lay", 33)
    gone = adopt_table(log, look(log, ((10, 12), R2, R3, R4)))
    assert (gone.state.turns, gone.state.list_unshown()) == (0, (2,))


BACK_AT_SEAT_2 = (R1, (20, 22), (30, 31), R4)


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(begin(shown=(22, 42)).add(m.Lay(22, 2), m.Lay(42, 4), m.Reveal(1, 31)), id="shown before"),
        pytest.param(begin(shown=(22, 42)).add(m.Lay(22, 2), m.Lay(42, 4)), id="unseen before"),
    ],
)
def test_a_turn_that_goes_on_does_not_end_by_a_card_that_was_laid_too_early(log):
    with pytest.raises(Illegal, match="finish_laying card=31"):
        adopt_table(log, look(log, BACK_AT_SEAT_2, {2: 42}))


def test_two_cards_back_at_their_seats_leave_no_card_without_its_turn():
    log = begin(shown=(22, 42, 25)).add(m.Lay(22, 2), m.Lay(25, 2), m.Lay(42, 4), m.Reveal(1, 31))
    with pytest.raises(Illegal, match="finish_laying card=31"):
        adopt_table(log, look(log, BACK_AT_SEAT_2, {2: 42, 3: 25}))


def test_two_cards_of_two_players_are_asked_about_and_never_shared_out():
    log = begin(players=4)
    table = look(log, BACK_AT_SEAT_2, {3: 55, 4: 56})
    with pytest.raises(Illegal, match="whose_card card=22"):
        adopt_table(log, table)
    after = adopt_table(log, table, told(2, 22) + told(1, 31)).state
    assert sorted(after.laid_early) == [(1, 31), (2, 22)]


def test_who_begins_two_rows_is_not_taken_for_the_player_of_both_cards():
    log = begin(((10, 11), (20,), (30, 35), (40,)), players=5)
    table = look(log, ((3,), (20, 66), (5,), (40,)))
    piles = {"pile:1": ("10", "11", "30", "35")}
    asked = list_laid_unseen(log.states, Layout({**fill_hidden(log, table).zones, **piles}))
    assert asked == ("3", "5", "66")
    rows = (("pile:2", ("10", "11", "3")), ("pile:3", ("30", "35", "5")), ("pile:1", ("66",)))
    assert sorted(adopt_table(log, table, rows).state.laid_early) == [(1, 66), (2, 3), (3, 5)]


# The record


BOTH_SHOWN = begin(shown=(12, 33))


@pytest.mark.parametrize(
    ("entry", "then", "turns"),
    [
        pytest.param("row:1=10|12 row:2=20 row:3=30 row:4=40 seat:1=45 seat:2=50", "lay 45 4", 0, id="a card is gone"),
        pytest.param(
            "row:1=10|12 row:2=20 row:3=30|33|35 row:4=40 seat:2=50", "reveal 1 60", 1, id="the next card lies already"
        ),
    ],
)
def test_a_stored_entry_replays_as_it_was_played(entry, then, turns):
    log = BOTH_SHOWN.recall(BOTH_SHOWN.parse(f"adopt {entry}"))
    assert log.state.turns == turns
    log.recall(log.parse(then))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("turn=7", "not_now"),
        ("turn=back", "not_now"),
        ("turn=0|1", "not_now"),
        ("laid:1=55", "not_now"),
        ("turn=0 laid:7=55", "not_now"),
        ("turn=0 laid:1=55|40", "not_now"),
        ("turn=0 laid:1=56", "not_shown card=56"),
        ("turn=0 laid:2=55 seat:2=70", "finish_laying card=70"),
    ],
)
def test_a_turn_that_cannot_be_is_refused(entry, why):
    log = begin()
    with pytest.raises(Illegal, match=why):
        log.add(log.parse(f"adopt row:1=10 row:2=20 row:3=30 row:4=40|55 {entry}"))


def test_an_entry_that_names_no_turn_means_what_it_meant():
    log = begin()
    after = log.recall(log.parse("adopt row:1=10 row:2=20 row:3=30 row:4=40|55")).state
    assert (after.turns, after.list_unshown(), after.entered) == (0, (1, 2), 5)


def test_the_entry_is_read_again_as_it_was_written(one_laid):
    entry = one_laid.moves[-1]
    assert begin().add(begin().parse(str(entry))).state == one_laid.state


# Any round: what came to the rows is what was laid


class Round:
    """Players who lay before all have shown, take cards up again and say that the table is right."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.players = self.rng.choice((2, 3, 4))
        self.deck = self.rng.sample(range(41, 104), 10 * self.players)
        self.rows = [[card] for card in (10, 20, 30, 40)]
        self.log = begin(players=self.players)
        self.now: dict[int, int] = {}
        self.laid: dict[int, int] = {}
        self.taken: dict[int, tuple[str, ...]] = {}
        self.done = 0
        self.asked = 0

    def table(self):
        seats = {player: card for player, card in self.now.items() if player not in self.laid}
        return look(self.log, tuple(map(tuple, self.rows)), seats)

    def check(self):
        state = self.log.state
        laid = len(self.laid)
        assert state.entered - 4 == self.done * self.players + laid, self.log.moves[-1]
        if state.phase == "choose":
            assert state.turns == self.done, self.log.moves[-1]
            asked = {player for player in range(1, self.players + 1) if player not in self.now}
            assert set(state.list_unshown()) == asked, self.log.moves[-1]
        else:
            assert (state.turns, sorted(state.order())) == (
                self.done, sorted((p, c) for p, c in self.now.items() if p not in self.laid),
            ), self.log.moves[-1]  # fmt: skip

    def show(self):
        player = self.rng.choice([p for p in range(1, self.players + 1) if p not in self.now])
        self.now[player] = self.deck.pop()
        return player

    def lay(self, player):
        card = self.now[player]
        row = self.rng.choice(self.rows)
        if row[-1] > card or len(row) > 4:
            if not self.log.state.numbers().issuperset(row):
                return
            self.taken[player] = (*self.taken.get(player, ()), *map(str, row))
            row.clear()
        row.append(card)
        self.laid[player] = card

    def take_up(self):
        player = self.rng.choice(sorted(self.laid))
        row = next((row for row in self.rows if self.laid[player] in row and len(row) > 1), None)
        if row:
            row.remove(self.laid.pop(player))

    def adopt(self):
        table = self.table()
        new = {card: player for player, card in self.laid.items()}
        piles = {f"pile:{player}": cards for player, cards in self.taken.items()}
        asked = list_laid_unseen(self.log.states, Layout({**fill_hidden(self.log, table).zones, **piles}))
        for card in asked:
            pile = f"pile:{new[int(card)]}"
            piles[pile] = (*piles.get(pile, ()), card)
        self.log = adopt_table(self.log, table, tuple(piles.items()))
        self.taken = {}
        self.asked += len(asked)

    def play(self):
        for _ in range(40):
            self.step()
            self.adopt()
            if len(self.laid) == self.players:
                self.done, self.now, self.laid = self.done + 1, {}, {}
                if self.done == 8:
                    break
            self.check()
            assert not isinstance(judge(self.log, self.table()), Refused), self.log.moves[-1]

    def step(self):
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            waiting = [player for player in self.now if player not in self.laid]
            acts = [self.show] * (len(self.now) < self.players) + [None] * bool(waiting)
            acts += [self.take_up] * bool(self.laid and self.rng.random() < 0.3)
            if not acts:
                return
            act = self.rng.choice(acts)
            if act is None:
                self.lay(self.rng.choice(waiting))
            else:
                act()


def test_over_many_rounds_of_adopted_tables_no_turn_and_no_card_is_lost():
    rounds = [Round(seed) for seed in range(50)]
    for played in rounds:
        played.play()
    assert sum(played.done for played in rounds) > 150
    assert sum(played.asked for played in rounds) > 25
