"""The physical table: hands, lamp and knocks change it while it runs, and each act is whole."""

import random
from collections import Counter
from threading import Event, Thread

import pytest

from engine.games import GAMES
from engine.table import BACK, Area
from firmware.runtime.clock import ScaledClock
from firmware.simulation.table.physical_table import ImpossibleAct, PhysicalTable
from firmware.simulation.table.piece_places import InHand, InPile, InStock, OnTable
from firmware.simulation.table_camera import TableCamera
from firmware.simulation.table_pace import TablePace
from vision.live.perception import Perception
from vision.live.perception_events import TableSeen
from vision.live.read_request import ReadRequest
from vision.render.incremental_rendering import SceneRenderer

SMALL = Area(0, 0, 600, 450)
NUMBERS = {"nimmt": 132, "thegame": 102, "six": 42}


def table(game="nimmt", **more):
    return PhysicalTable(game, SMALL, seed=3, **more)


def seen(some):
    return Counter(piece.piece for piece in some.true_table().seen)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_piece_of_the_game_is_in_a_stock_first(game):
    some = table(game)
    assert len(some.pieces()) == NUMBERS[game]
    assert all(isinstance(it.place, InStock) for it in some.pieces())
    assert not some.true_table().seen


def test_a_piece_is_at_one_place_only():
    some = table()
    some.take(["33", "34"], 2)
    some.lay("33", 100, 100)
    some.win(["34"], 1)
    assert some.hand(2) == ()
    assert some.pile(1) == ("34",)
    assert some.piece("34").place == InPile(1)
    assert [it.id for it in some.lying()] == ["33"]
    some.put_back(["33"], "box")
    assert some.stock("box") == ("33",)
    assert "33" not in some.stock()


def test_a_hand_keeps_the_order_in_which_cards_came():
    some = table()
    some.take(["9", "3"], 1)
    some.take(["5"], 1)
    some.take(["9"], 1)
    assert some.hand(1) == ("3", "5", "9")
    assert some.piece("9").place == InHand(1)


def test_a_shuffled_stock_has_the_same_pieces():
    some = table()
    before = some.stock()
    some.shuffle("cards", random.Random(1))
    assert some.stock() != before
    assert sorted(some.stock()) == sorted(before)


def test_a_card_laid_on_a_sticker_hides_it_and_one_slipped_under_does_not():
    some = table()
    some.lay("10", 200, 200)
    some.lay("11", 200, 200)
    assert seen(some) == {"11": 1}
    some.slip_under("11", "10")
    assert seen(some) == {"10": 1}
    some.push(["10"], 120, 0)
    assert seen(some) == {"10": 1, "11": 1}


def test_a_card_laid_under_another_keeps_the_order_of_the_rest():
    some = table()
    for card in ("1", "2", "3"):
        some.lay(card, 200, 200)
    some.lay("4", 200, 200, under="2")
    assert [it.id for it in some.lying()] == ["1", "4", "2", "3"]


def test_a_card_turned_over_shows_its_back():
    some = table()
    some.lay("10", 200, 200, face_down=True)
    assert seen(some) == {BACK: 1}
    some.turn_over("10")
    assert seen(some) == {"10": 1}


def test_covers_name_the_upper_card_first():
    some = table()
    some.lay("10", 200, 200)
    some.lay("11", 240, 200)
    assert some.true_table().covers == {("11", "10")}


@pytest.mark.parametrize(
    ("hide", "show"),
    [
        (lambda t: t.reach("me", 200, 200), lambda t: t.withdraw("me")),
        (lambda t: t.put_object("tea", "mug", 200, 200), lambda t: t.remove_object("tea")),
        (lambda t: t.set_lamp("off"), lambda t: t.set_lamp("daylight")),
    ],
    ids=["an arm", "a mug", "the lamp switched off"],
)
def test_what_hides_a_card_makes_its_place_unseen(hide, show):
    some = table()
    some.lay("10", 200, 200)
    hide(some)
    hidden = some.true_table()
    assert not hidden.seen
    assert any(area.contains(200, 200) for area in hidden.unseen)
    show(some)
    assert seen(some) == {"10": 1}
    assert not some.true_table().unseen


@pytest.mark.parametrize(
    "act",
    [
        lambda t: t.lay("105", 10, 10),
        lambda t: t.lay("10", 9000, 10),
        lambda t: t.push(["10"], 9000, 0),
        lambda t: t.turn_over("11"),
        lambda t: t.take(["10", "no such"], 1),
        lambda t: t.put_object("x", "elephant", 10, 10),
        lambda t: t.lay("12", 10, 10, under="11"),
        lambda t: t.set_lamp("disco"),
    ],
    ids=["no such card", "off the table", "pushed off", "not on the table", "one of two", "object", "under", "light"],
)
def test_an_impossible_act_says_so_and_changes_nothing(act):
    some = table()
    some.lay("10", 200, 200)
    before = some.pieces(), some.scene()
    with pytest.raises(ImpossibleAct, match=r"[a-z]"):
        act(some)
    assert (some.pieces(), some.scene()) == before


def test_another_game_brings_its_own_pieces():
    some = table()
    some.lay("10", 200, 200)
    some.bring_game("six")
    assert not some.lying()
    some.lay("red 1", 100, 100)
    assert seen(some) == {"red": 1}
    some.clear()
    assert len(some.stock("red")) == 21


def test_the_picture_never_shows_half_an_act():
    some, stop, pictures = table(), Event(), []
    cards = [str(n) for n in range(1, 9)]
    for n, card in enumerate(cards):
        some.lay(card, 40 + 60 * n, 100)

    def draw():
        while not stop.is_set():
            pictures.append({card.y for card in some.scene().cards})

    watching = Thread(target=draw)
    watching.start()
    for n in range(300):
        some.push(cards, 0, 30 if n % 2 == 0 else -30)
    stop.set()
    watching.join()
    assert pictures
    assert all(len(rows) == 1 for rows in pictures)


@pytest.mark.parametrize("game", ["nimmt", "thegame"])
def test_the_box_reads_from_frames_what_lies_there(game):
    some = PhysicalTable(game, SMALL, seed=3)
    eyes = Perception(SceneRenderer(1).render(some.empty_scene()))
    camera = TableCamera(some)
    places = {"table": SMALL}
    some.lay("10", 150, 150)
    some.lay("77", 300, 200, 90)
    read = []
    for _ in range(12):
        read += eyes.update(camera.read(1.0), ReadRequest("read", game, places))
    last = [event.table for event in read if isinstance(event, TableSeen)][-1]
    assert {piece.piece for piece in last.seen} == {"10", "77"}
    assert {(round(p.x / 10), round(p.y / 10)) for p in last.seen} == {(15, 15), (30, 20)}


def test_the_camera_gives_frames_at_its_pace_and_none_in_a_pause():
    pace, moved = TablePace(), []
    camera = TableCamera(table("six"), pace=pace, before_frame=moved.append)
    assert [camera.read(0.0).at for _ in range(3)] == [0.2, 0.4, 0.6]
    pace.pause()
    assert camera.read(0.0) is None
    pace.step()
    assert camera.read(0.0).at == 0.8
    pace.end_act()
    assert camera.read(0.0) is None
    pace.go_on()
    assert camera.read(0.0).at == 1.0
    assert moved == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert not camera.over


def test_a_pause_shows_what_the_person_changes_and_nobody_else_moves():
    pace, moved, some = TablePace(), [], table("six")
    camera = TableCamera(some, pace=pace, before_frame=moved.append)
    first = camera.read(0.0)
    pace.pause()
    some.lay("red 1", 300, 200)
    shown = camera.read(0.0)
    assert shown.at == 0.4
    assert (shown.grey != first.grey).any()
    assert camera.read(0.0) is None
    assert moved == [0.2]


def test_a_piece_that_changed_hands_is_on_the_table_where_it_was_laid():
    some = table()
    some.lay("7", 111, 222, 15)
    place = some.piece("7").place
    assert isinstance(place, OnTable)
    assert (place.spot, place.angle, place.face_down) == ((111, 222), 15, False)


def test_a_clock_goes_on_from_where_it_is_when_its_speed_changes():
    real = [0.0]
    clock = ScaledClock(clock=lambda: real[0])
    real[0] = 10.0
    clock.change_speed(4.0)
    real[0] = 11.0
    assert clock() == 14.0
    clock.change_speed(0.5)
    real[0] = 13.0
    assert clock() == 15.0
