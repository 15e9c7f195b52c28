"""Timelines of readings: the table at rest, and when it changes."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.table import Area, Piece, Table
from vision.live.steady_table import (
    DOUBTED_REST_S,
    REST_S,
    SEARCH_S,
    SteadyTable,
    advance,
    split_into_patches,
    start_steady,
)

ROW, SEAT, PILE = Area(0, 0, 300, 100), Area(0, 110, 100, 210), Area(200, 110, 300, 210)
PLAN = {"row": ROW, "seat": SEAT, "pile": PILE}
FIVE, NINE = Piece("5", 30, 50), Piece("9", 250, 160)
SEVEN, STRAY = Piece("7", 50, 150), Piece("7", 150, 150)
HAND = Area(20, 100, 90, 260)
EVERYWHERE = Area(-1000, -1000, 1000, 1000)


@dataclass(frozen=True)
class Scene:
    """What a camera sees for ``lasts`` seconds after the scene before."""

    lasts: float
    seen: tuple[Piece, ...]
    unseen: tuple[Area, ...] = ()
    moving: tuple[Area, ...] = ()


def readings(scenes: tuple[Scene, ...], fps: float) -> Iterator[tuple[float, Scene]]:
    at, end, times = 0.0, 0.0, []
    total = sum(scene.lasts for scene in scenes)
    while at < total:
        times.append(at)
        at += 1 / fps
    starts = []
    for scene in scenes:
        starts.append((end, scene))
        end += scene.lasts
    for time in times:
        yield time, next(scene for begun, scene in reversed(starts) if time >= begun - 1e-9)


def play(
    scenes: tuple[Scene, ...], fps: float = 10, doubt: Callable[[Table], frozenset[str]] | None = None
) -> list[tuple[float, SteadyTable]]:
    steady, out = start_steady(PLAN), []
    for at, scene in readings(scenes, fps):
        steady = advance(steady, at, Table(frozenset(scene.seen), scene.unseen), scene.moving, doubt)
        out.append((at, steady))
    return out


def changes(history: list[tuple[float, SteadyTable]]) -> list[tuple[float, frozenset[Piece]]]:
    """The times at which every zone was seen, and the pieces then, each time they differ."""
    open_looks = [(at, steady.table.seen) for at, steady in history if not steady.table.unseen]
    return open_looks[:1] + [now for before, now in pairwise(open_looks) if now[1] != before[1]]


QUIET = Scene(2, (FIVE, NINE))
REACHING = Scene(1, (FIVE, NINE), (HAND,), (HAND,))
LAID = Scene(3, (FIVE, NINE, SEVEN))

STORIES = {
    "a card laid by a hand counts when the hand has gone": (
        (QUIET, REACHING, LAID),
        [{FIVE, NINE}, {FIVE, NINE, SEVEN}],
    ),
    "a hand that does nothing changes nothing": ((QUIET, REACHING, QUIET), [{FIVE, NINE}]),
    "a card under a hand is not gone": (
        (Scene(2, (FIVE, NINE, SEVEN)), Scene(2, (FIVE, NINE), (HAND,), (HAND,)), LAID),
        [{FIVE, NINE, SEVEN}],
    ),
    "a card taken is gone when the hand has gone": (
        (LAID, REACHING, QUIET),
        [{FIVE, NINE, SEVEN}, {FIVE, NINE}],
    ),
    "a card seen in a single reading does not count": (
        (QUIET, Scene(0.01, (FIVE, NINE, SEVEN)), QUIET),
        [{FIVE, NINE}],
    ),
    "a card missed by two readings is still there": (
        (LAID, Scene(0.2, (FIVE, NINE)), LAID),
        [{FIVE, NINE, SEVEN}],
    ),
    "a card in no zone is not on the table": ((QUIET, Scene(2, (FIVE, NINE, STRAY))), [{FIVE, NINE}]),
    "a card that trembles has not moved": (
        (QUIET, *(Scene(0.1, (Piece("5", 30 + i % 3, 50 - i % 2, i % 4), NINE)) for i in range(20))),
        [{FIVE, NINE}],
    ),
    "a knock is no change": ((QUIET, Scene(3, (), (), (EVERYWHERE,)), QUIET), [{FIVE, NINE}]),
    "a card pushed without a hand in sight moves once": (
        (QUIET, Scene(3, (Piece("5", 60, 50), NINE))),
        [{FIVE, NINE}, {Piece("5", 60, 50), NINE}],
    ),
}


@pytest.mark.parametrize("fps", [5, 10, 30])
@pytest.mark.parametrize("name", STORIES)
def test_a_story_of_readings_gives_these_tables(name: str, fps: float) -> None:
    scenes, said = STORIES[name]
    assert [seen for _, seen in changes(play(scenes, fps))] == said


@pytest.mark.parametrize("fps", [5, 10, 30])
@pytest.mark.parametrize(
    ("doubted", "waits"), [(frozenset(), REST_S), (frozenset({"seat"}), DOUBTED_REST_S)], ids=["legal", "doubtful"]
)
def test_a_change_counts_after_its_time_of_rest(fps: float, doubted: frozenset[str], waits: float) -> None:
    history = play((QUIET, REACHING, LAID), fps, lambda _: doubted)
    at = next(at for at, steady in history if SEVEN in steady.table.seen)
    assert 3 + waits - 1 / fps - 1e-6 <= at <= 3 + waits + 1 / fps


@pytest.mark.parametrize("hidden", [(), (Area(SEVEN.x - 28, SEVEN.y - 43, SEVEN.x + 28, SEVEN.y + 43),)])
def test_a_card_missed_by_the_first_reading_counts_no_later(hidden: tuple[Area, ...]) -> None:
    gone = Scene(0.2, (FIVE, NINE), hidden, (HAND,))
    history = play((QUIET, REACHING, gone, LAID), fps=5)
    assert next(at for at, steady in history if SEVEN in steady.table.seen) == pytest.approx(3 + REST_S)


@pytest.mark.parametrize(
    ("more", "waits"), [(0.2, 0.6), (0.4, 1.0)], ids=["two readings late", "so late that it is new"]
)
def test_a_card_read_late_at_a_place_at_rest_counts_with_its_second_reading(more: float, waits: float) -> None:
    """While something moves elsewhere not everything is read."""
    gone = Scene(0.2, (FIVE, NINE), (), (HAND,))
    history = play((QUIET, REACHING, gone, Scene(more, (FIVE, NINE)), LAID), fps=5)
    assert next(at for at, steady in history if SEVEN in steady.table.seen) == pytest.approx(3 + waits)


def test_other_zones_count_while_one_is_doubted() -> None:
    laid = Scene(DOUBTED_REST_S - 0.1, (FIVE, NINE, SEVEN, Piece("8", 90, 50)))
    history = play((QUIET, Scene(1, (), (), (EVERYWHERE,)), laid), doubt=lambda _: frozenset({"row"}))
    assert history[-1][1].table == Table(frozenset({SEVEN, NINE}), (ROW,))


def test_doubt_is_asked_about_the_table_that_would_be_reported() -> None:
    asked: list[frozenset[Piece]] = []
    play((QUIET, REACHING, LAID), doubt=lambda table: frozenset(asked.append(table.seen) or ()))
    assert asked[-1] == {FIVE, NINE, SEVEN}


def test_only_the_zone_under_the_hand_is_unseen() -> None:
    table = play((QUIET, REACHING))[-1][1].table
    assert table == Table(frozenset({FIVE, NINE}), (SEAT,))


def test_a_mug_hides_its_own_place_only() -> None:
    mug = Area(0, 0, 60, 60)
    table = play((QUIET, Scene(2, (Piece("8", 200, 50), NINE), (mug,))))[-1][1].table
    assert (table.seen, ROW in table.unseen, mug in table.unseen) == ({Piece("8", 200, 50), NINE}, False, True)


def test_the_same_occlusion_may_be_covered_by_other_rectangles() -> None:
    cuts = [
        (Area(0, 0, 60, 60),),
        (Area(0, 0, 30, 60), Area(30, 0, 62, 60)),
        (Area(0, 0, 62, 25), Area(0, 25, 60, 60)),
    ]
    far = Piece("8", 200, 50)
    table = play((QUIET, *(Scene(0.1, (far, NINE), cuts[i % 3]) for i in range(20))))[-1][1].table
    assert (table.seen, ROW in table.unseen) == ({far, NINE}, False)


def test_the_place_of_a_card_under_a_mug_is_unseen() -> None:
    table = play((QUIET, Scene(3, (NINE,), (Area(60, 0, 120, 100),))))[-1][1].table
    assert any(area.contains(FIVE.x, FIVE.y) for area in table.unseen)


def test_the_time_for_which_a_zone_is_hidden_is_measured() -> None:
    history = play((QUIET, Scene(6, (FIVE, NINE), (HAND,), (HAND,))))
    assert {zone: round(time) for zone, time in history[-1][1].measure_hidden().items()} == {"seat": 6}


def test_a_hand_that_creeps_is_not_at_rest() -> None:
    creeping = [Scene(0.1, (NINE,), (Area(10, 0, 40 + 6 * i, 100),)) for i in range(20)]
    assert ROW in play((QUIET, *creeping))[-1][1].table.unseen


def test_everything_is_unseen_at_the_start() -> None:
    assert start_steady(PLAN).table == Table(frozenset(), (ROW, SEAT, PILE))


@pytest.mark.parametrize("at", [-1.0, 0.0, 1.9], ids=["long ago", "at the start", "just before"])
def test_an_older_reading_changes_nothing(at: float) -> None:
    steady = play((QUIET,))[-1][1]
    assert advance(steady, at, Table(frozenset())) == steady


def test_a_failed_reading_changes_nothing() -> None:
    steady = play((QUIET,))[-1][1]
    assert advance(steady, 9.0, None) == steady


def test_a_tile_turned_by_a_sixth_has_not_moved() -> None:
    before, after = Piece("red", 30, 50, 1), Piece("red", 30, 50, 59)
    assert [seen for _, seen in changes(play((Scene(2, (before,)), Scene(2, (after,)))))] == [{before}]


def test_patches_cover_an_area_without_overlapping() -> None:
    zones = list(split_into_patches(Area(-10, 5, 640, 455), 100).values())
    points = [(x + 0.5, y + 0.5) for x in range(-10, 640, 13) for y in range(5, 455, 13)]
    assert {sum(zone.contains(*point) for zone in zones) for point in points} == {1}


spots = st.sampled_from([FIVE, NINE, SEVEN, Piece("8", 120, 40), Piece("6", 270, 190)])
tables = st.frozensets(spots, max_size=5)
hands = st.builds(
    lambda x, y, w, h: Area(x, y, x + w, y + h),
    st.floats(-50, 300),
    st.floats(-50, 200),
    st.floats(20, 200),
    st.floats(20, 200),
)


@settings(max_examples=60)
@given(tables, st.lists(hands, min_size=1, max_size=12), st.sampled_from([5, 10, 30]))
def test_hands_never_change_the_table(lying: frozenset[Piece], waving: list[Area], fps: float) -> None:
    """While hands wave, only pieces on the table are reported, and no piece in full view is missing."""
    scenes = [Scene(1, tuple(lying))]
    for hand in waving:
        under = Area(hand.left - 30, hand.top - 30, hand.right + 30, hand.bottom + 30)
        seen = tuple(s for s in lying if not under.contains(s.x, s.y))
        scenes.append(Scene(0.2, seen, (hand,), (under,)))
    history = play((*scenes, Scene(1, tuple(lying))), fps)
    for at, steady in history:
        table = steady.table
        assert table.seen <= lying
        if at > 0.7:
            for piece in lying - table.seen:
                assert any(area.contains(piece.x, piece.y) for area in table.unseen)
    assert history[-1][1].table == Table(lying)


@settings(max_examples=40)
@given(st.lists(tables, min_size=1, max_size=5))
def test_every_frame_rate_gives_the_same_tables(story: list[frozenset[Piece]]) -> None:
    scenes = []
    for lying in story:
        scenes += [Scene(0.6, (), (), (EVERYWHERE,)), Scene(2.6, tuple(lying))]
    told = [[seen for _, seen in changes(play(tuple(scenes), fps))] for fps in (5, 10, 30)]
    assert told[0] == told[1] == told[2]


@settings(max_examples=60)
@given(st.lists(st.floats(0.02, 0.35), min_size=30, max_size=60), tables)
def test_frames_may_arrive_at_irregular_times(gaps: list[float], lying: frozenset[Piece]) -> None:
    steady, at = start_steady(PLAN), 0.0
    for gap in gaps:
        at += gap
        steady = advance(steady, at, Table(lying))
    assert steady.table == Table(lying)


@settings(max_examples=60)
@given(st.lists(st.one_of(st.none(), tables), max_size=30))
def test_failed_and_older_readings_have_no_effect_anywhere(story: list[frozenset[Piece] | None]) -> None:
    plain = mixed = advance(start_steady(PLAN), 0.0, Table(frozenset()))
    for i, lying in enumerate(story, 1):
        reading = None if lying is None else Table(lying)
        plain = advance(plain, i / 10, reading)
        mixed = advance(advance(mixed, i / 10, reading), mixed.at - 0.2, Table(frozenset({FIVE})))
        mixed = advance(mixed, i / 10 + 0.01, None)
    assert plain == mixed


@pytest.mark.parametrize(
    ("again", "waits"), [(True, REST_S), (False, 2 * REST_S)], ids=["of the same picture", "of another"]
)
def test_an_occlusion_found_in_a_second_reading_is_no_movement(again: bool, waits: float) -> None:
    hidden = (Area(SEVEN.x - 30, SEVEN.y - 30, SEVEN.x + 30, SEVEN.y + 30),)
    steady = start_steady(PLAN)
    for n in range(20):
        at = n * REST_S / 2
        reading = Table(frozenset({FIVE, NINE}), hidden if n >= 2 else ())
        steady = advance(steady, at, reading, searched=PLAN if again and n == 2 else ())
        if "seat" not in {zone for zone, rest in steady.rests.items() if not rest.settled}:
            break
    assert at == pytest.approx(waits)


@pytest.mark.parametrize("fps", [5, 10, 30])
@pytest.mark.parametrize(
    ("search_s", "waits"),
    [
        pytest.param(0.2, REST_S, id="a search that ends in time delays nothing"),
        pytest.param(0.6, 0.6, id="a zone counts once it has been searched"),
        pytest.param(9.0, REST_S + SEARCH_S, id="a search that takes long is not waited for"),
    ],
)
def test_a_zone_waits_for_its_search(fps: float, search_s: float, waits: float) -> None:
    steady, found = start_steady(PLAN), math.inf
    for at, scene in readings((QUIET, REACHING, LAID), fps):
        waiting = {"seat"} if 3 <= at < 3 + search_s - 1e-6 else ()
        steady = advance(steady, at, Table(frozenset(scene.seen), scene.unseen), scene.moving, waiting=waiting)
        if SEVEN in steady.table.seen:
            found = min(found, at)
    assert 3 + waits - 1 / fps - 1e-6 <= found <= 3 + waits + 1 / fps + 1e-6


def test_overlaps_are_told_of_pieces_at_rest() -> None:
    covers = frozenset({("7", "5"), ("9", "5")})
    steady = start_steady(PLAN)
    for tick in range(10):
        steady = advance(steady, tick / 10, Table(frozenset({FIVE, SEVEN}), (), covers))
    assert steady.table.covers == {("7", "5")}


def is_unseen(table: Table, piece: Piece) -> bool:
    return any(area.contains(piece.x, piece.y) for area in table.unseen)


COVER = Area(0, 120, 100, 200)
RESTS_UNDER_A_HAND = (QUIET, Scene(0.6, (FIVE, NINE), (COVER,), (HAND,)), Scene(0.8, (FIVE, NINE), (COVER,)))


def test_a_piece_that_appears_in_a_zone_at_rest_is_neither_there_nor_not_there_until_it_counts() -> None:
    """A hand lies still over a seat, and then is gone without a movement in it."""
    begins = sum(scene.lasts for scene in RESTS_UNDER_A_HAND)
    told = [(at, steady.table) for at, steady in play((*RESTS_UNDER_A_HAND, LAID)) if at >= begins]
    assert all((SEVEN in table.seen) != is_unseen(table, SEVEN) for _, table in told)
    assert SEVEN not in told[0][1].seen
    assert SEVEN in told[-1][1].seen


@pytest.mark.parametrize("hidden_s", [0.5, 0.9])
def test_a_piece_taken_under_a_hand_that_rests_is_not_told_when_the_hand_is_gone(hidden_s: float) -> None:
    lies = (FIVE, NINE, SEVEN)
    under = (Scene(2, lies), Scene(0.2, (FIVE, NINE), (COVER,), (HAND,)), Scene(hidden_s, (FIVE, NINE), (COVER,)))
    begins = sum(scene.lasts for scene in under)
    told = [(at, steady.table) for at, steady in play((*under, Scene(2, (FIVE, NINE)))) if at >= begins]
    assert all(SEVEN not in table.seen for _, table in told)
    assert not told[-1][1].unseen


def test_a_piece_that_a_hand_has_nudged_is_told_where_it_lies_then() -> None:
    nudged = Piece("7", SEVEN.x + 4, SEVEN.y)
    stories = (Scene(1, (SEVEN,)), Scene(1, (), (HAND,), (HAND,)), Scene(1, (nudged,)), Scene(1, (SEVEN,)))
    told = [table.seen for _, steady in play(stories) if not (table := steady.table).unseen]
    assert told[0] == {SEVEN}
    assert {*told[1:]} >= {frozenset({nudged})}
    assert told[-1] == {nudged}, "without a movement a place that sways is noise"
