"""The examiner of The Game finds a referee that is wrong: each case is one bug of a referee."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.advice import Act
from engine.game import Illegal
from engine.referee import Follows, Refused, Waiting, judge
from engine.table import Piece
from tests.tabletop import thegame_examination, thegame_mending, thegame_session
from tests.tabletop.docket import ACCUSATION, DEAD_END, MISLEADING, WRONG_RECORD, Docket
from tests.tabletop.thegame_faults import Fault
from tests.tabletop.thegame_record import count_orders, looks_legal, read_record
from tests.tabletop.thegame_session import CardSession
from tests.tabletop.thegame_table import Card


def takes_one_pile_for_another(log, table):
    verdict = judge(log, table)
    if isinstance(verdict, Follows) and [str(move).endswith("up:1") for move in verdict.moves] == [True]:
        other = replace(verdict.moves[0], pile="up:2")
        with suppress(Illegal):
            log.add(other)
            return Follows((other,))
    return verdict


def never_believes_the_trick(log, table):
    verdict = judge(log, table)
    tricky = [m for m in getattr(verdict, "moves", ()) if str(m).startswith("play") and m.card % 10 == 0]
    return Refused(((str(tricky[0].card), tricky[0].pile),), (), None) if tricky else verdict


def waits_for_ever(log, table):
    verdict = judge(log, table)
    return Waiting(()) if len(log.moves) > 20 else verdict


def is_blind_on_the_right(log, table):
    return judge(log, replace(table, seen=frozenset(p for p in table.seen if p.x < 360)))


def cures_the_wrong_card(log, table):
    verdict = judge(log, table)
    if isinstance(verdict, Refused):
        return replace(verdict, cure=tuple(replace(act, piece="2") for act in verdict.cure))
    return verdict


def accepts_every_card(log, table):
    verdict = judge(log, table)
    return Follows(()) if isinstance(verdict, Refused) and isinstance(verdict.why, Illegal) else verdict


def refuses_a_lifted_pile(log, table):
    verdict = judge(log, table)
    lifted = isinstance(verdict, Waiting) and verdict.missing and verdict.hint is None and not table.unseen
    return Refused(verdict.missing, (), None) if lifted else verdict


@cache
def count_failures():
    return sum((thegame_examination.play_round(seed, "standard:3")[0] for seed in range(4)), Counter())


@pytest.mark.parametrize(("referee", "kind"), [
    (takes_one_pile_for_another, WRONG_RECORD),
    (never_believes_the_trick, ACCUSATION),
    (waits_for_ever, DEAD_END),
    (is_blind_on_the_right, WRONG_RECORD),
    (cures_the_wrong_card, MISLEADING),
    (accepts_every_card, WRONG_RECORD),
    (refuses_a_lifted_pile, ACCUSATION),
])  # fmt: skip
def test_a_wrong_referee_is_found(referee, kind, monkeypatch):
    honest = count_failures()[kind]
    monkeypatch.setattr(thegame_session, "judge", referee)
    assert count_failures.__wrapped__()[kind] > honest


def test_the_record_is_read_from_its_notation():
    lines = ["play 39 up:1", "play 24 down:1", "under 25 24 down:1", "under 41 43 up:1", "done 1 3"]
    piles = read_record(lines)
    assert (piles["up:1"], piles["down:1"]) == ([39, 41], [25, 24])


@pytest.mark.parametrize(("covers", "count"), [((), 2), ((("59", "69"),), 1), ((("69", "59"),), 1)])
def test_what_covers_what_leaves_one_order(covers, count):
    assert count_orders("up:1", [39], [59, 69], covers) == count


def test_a_card_under_a_pile_that_did_not_show_it_looks_legal_only_where_it_fits():
    assert looks_legal("up:1", [40, 47], [40, 45, 47], ())
    assert not looks_legal("up:1", [40, 47], [40, 48, 47], ())
    assert not looks_legal("up:1", [40, 47], [40, 45, 47], [("45", "47")])


@pytest.fixture
def session():
    return CardSession(Random(1), Docket("thegame", "test", 1), {"players": 2})


def test_a_square_pile_shows_its_top_alone(session):
    session.table.piles["up:1"] = [Card("30", 60, 225), Card("40", 61, 224)]
    assert [card.name for card in session.table.in_sight("up:1")] == ["40"]


def test_a_card_that_lies_to_the_right_leaves_the_sticker_below_in_sight(session):
    session.table.piles["up:1"] = [Card("30", 40, 225), Card("40", 75, 225)]
    assert [card.name for card in session.table.in_sight("up:1")] == ["30", "40"]
    session.table.habits.told = 1.0
    assert session.table.picture().covers == {("40", "30")}


def test_what_is_under_an_arm_is_not_read(session):
    session.table.beside.clear()
    session.table.piles["up:1"] = [Card("30", 60, 225)]
    session.table.reach_over("up:1")
    table = session.table.picture()
    assert not [piece for piece in table.seen if piece == Piece("30", piece.x, piece.y)]
    assert table.unseen[0].contains(60, 260)


def lay_wrong(session, taken):
    """30, 40 and 50 are recorded; 50 may be taken away, and 20 is laid."""
    session.log = session.log.add(
        *map(session.log.parse, [*(f"play {card} up:1" for card in (30, 40, 50)), "bare 20 up:1"])
    )
    session.table.piles["up:1"] = [Card(name, 60, 225) for name in (("30", "40") if taken else ("30", "40", "50"))]
    wrong = Card("20", 60, 225)
    session.table.piles["up:1"].append(wrong)
    return Fault("20 laid", 2 if taken else 1, lambda: session.table.piles["up:1"].remove(wrong))


def test_a_card_gone_from_under_a_wrong_one_is_missed_once_that_is_taken_away(session):
    fault = lay_wrong(session, taken=True)
    table, verdict = session.judge()
    assert thegame_mending._obey(session, fault, verdict, table)
    assert session.truth["up:1"] == [30, 40, 50]


def test_no_card_is_asked_for_that_lies_there(session):
    fault = lay_wrong(session, taken=False)
    table, verdict = session.judge()
    assert not thegame_mending._obey(session, fault, replace(verdict, cure=(Act("40", "", "up:1"),)), table)
    assert session.docket.counts[MISLEADING] == 1


@pytest.mark.parametrize(("name", "beside", "told"), [("30", (), False), ("1", (), False), ("1", ("1", "1"), True)])
def test_a_second_card_exactly_on_its_pile_looks_like_a_lifted_pile(session, name, beside, told):
    session.log = session.log.add(*(session.log.parse(f"play {card} up:1") for card in (30, 40, 50)))
    session.table.piles["up:1"] = [Card(card, 60, 225) for card in ("30", "40", "50", name)]
    session.table.beside[:] = [Card(card, 515, 60 + 100 * n) for n, card in enumerate(beside)]
    again = Fault(f"another {name} on up:1", 1, lambda: None)
    table, verdict = session.judge()
    thegame_mending._obey(session, again, replace(verdict, cure=(Act("50", "", "up:1"),)), table)
    assert session.docket.counts[MISLEADING] == told
