"""Reading one frame: places, hands, duplicates, hidden areas, and a still frame that costs nothing."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine.table import Area, Table
from vision.frame import shrink_frame
from vision.live.frame_reading import (
    EVERYWHERE,
    FrameReading,
    ReadingSetup,
    read_frame,
    sort_into_zones,
    view_empty_table,
)
from vision.live.picture_notes import measure_paper, note_brightness
from vision.reading_overlay import draw_overlay
from vision.render import Arm, DrawnCard, DrawnMarker, RenderCamera, Scene, Sensor, StrayObject, render_scene
from vision.tags.codebook import BOOK, CODES
from vision.tags.placement import outline_paper

WIDE, HIGH, OUT = 480.0, 330.0, 20.0
FACES = [code for code in CODES if code.game == "nimmt"][10:90:8]


def card(number: int, x: float, y: float, angle: float = 0.0, **more: float) -> DrawnCard:
    code = FACES[number]
    return DrawnCard(code.game, code.piece, x, y, angle, payload=code.payload, **more)


CARDS = (
    card(0, 80, 90),
    card(1, 130, 92, 4.0),
    card(2, 230, 90, 180.0),
    card(3, 90, 230, -8.0),
    card(4, 200, 235, 90.0),
)
CORNERS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
BASE = Scene(
    RenderCamera.over(Area(-90, -90, WIDE + 90, HIGH + 90), 2.6, tilt=7.0),
    "wood",
    2,
    markers=tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(CORNERS)),
    sensor=Sensor(noise=0.8),
)


@cache
def picture(scene: Scene) -> np.ndarray:
    return cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)


def setup(**more: object) -> ReadingSetup:
    bare = picture(replace(BASE, seed=77))
    calibration = read_frame(bare).calibration
    assert calibration is not None
    return ReadingSetup(sticker_mm=18.0, empty=view_empty_table(bare, calibration), calibration=calibration, **more)  # type: ignore[arg-type]


def seen(found: FrameReading) -> dict[str, tuple[float, float, float]]:
    return {one.piece: (one.x, one.y, one.angle) for one in found.table.seen}


@pytest.mark.parametrize("known", [True, False], ids=["against the empty table", "without an empty table"])
def test_cards_are_read_at_their_places(known: bool) -> None:
    found = read_frame(picture(replace(BASE, cards=CARDS)), setup() if known else ReadingSetup())
    places = seen(found)
    assert set(places) == {one.piece for one in CARDS}
    for one in CARDS:
        x, y, angle = places[one.piece]
        assert (x, y) == pytest.approx((one.x, one.y), abs=3.0)
        assert (angle - one.angle + 180) % 360 - 180 == pytest.approx(0, abs=2.0)
    assert found.table.unseen == ()
    assert found.notes == ()
    assert found.error_mm is not None
    assert found.error_mm < 0.3


@pytest.mark.parametrize(
    ("more", "at"),
    [
        pytest.param({"arms": (Arm((380, 420), (350, 200)),)}, (350, 260), id="an arm"),
        pytest.param({"objects": (StrayObject("mug", 380, 110),)}, (380, 110), id="a mug"),
        pytest.param({"objects": (StrayObject("phone", 370, 230),)}, (370, 230), id="a phone"),
        pytest.param({"cards": (*CARDS, card(5, 380, 110, face_down=True))}, (380, 110), id="a card face down"),
    ],
)
def test_an_object_hides_its_own_place_only(more: dict[str, object], at: tuple[float, float]) -> None:
    found = read_frame(picture(replace(BASE, **{"cards": CARDS, **more})), setup())
    assert set(seen(found)) == {one.piece for one in CARDS}
    assert any(area.contains(*at) for area in found.table.unseen)
    for one in CARDS:
        assert not any(area.contains(one.x, one.y) for area in found.table.unseen)


def test_burnt_out_marker_paper_hides_nothing() -> None:
    burnt, known = picture(replace(BASE, cards=CARDS)).copy(), setup()
    assert known.calibration is not None
    reaching_in = known.calibration.to_px(np.array([(0, 0), (13, 0), (13, 13), (0, 13)], np.float64))
    cv2.fillConvexPoly(burnt, np.round(reaching_in).astype(np.int32), 255)
    assert read_frame(burnt, known).table.unseen == ()


def test_without_markers_tags_are_read_with_a_note() -> None:
    found = read_frame(picture(replace(BASE, cards=CARDS, markers=())))
    assert {piece.piece for piece in found.pieces} == {one.piece for one in CARDS}
    assert {piece.mm for piece in found.pieces} == {None}
    assert found.table.seen == frozenset()
    assert found.table.unseen == (EVERYWHERE,)
    assert [note.code for note in found.notes] == ["no-calibration"]


def test_a_hidden_marker_is_guessed_with_a_note() -> None:
    found = read_frame(picture(replace(BASE, cards=CARDS, markers=BASE.markers[:3])))
    assert [note.code for note in found.notes] == ["marker-hidden"]
    for one in CARDS:
        assert seen(found)[one.piece][:2] == pytest.approx((one.x, one.y), abs=5.0)


def test_with_all_markers_covered_the_whole_table_is_unseen() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    then = read_frame(picture(replace(BASE, cards=CARDS, markers=())), known, first)
    assert then.table == Table(frozenset(), (EVERYWHERE,))
    assert "lost-calibration" in [note.code for note in then.notes]


def test_a_corner_marked_twice_is_refused_with_a_note() -> None:
    found = read_frame(picture(replace(BASE, cards=CARDS, markers=(*BASE.markers, DrawnMarker(1, 330, 180)))))
    assert found.calibration is None
    assert [note.code for note in found.notes] == ["marker-twice"]


def test_unknown_marker_size_is_noted() -> None:
    assert "marker-size" in [note.code for note in read_frame(picture(BASE), ReadingSetup(marker_mm=None)).notes]


def test_a_card_seen_twice_does_not_count() -> None:
    double = replace(CARDS[0], x=380.0, y=230.0)
    found = read_frame(picture(replace(BASE, cards=(*CARDS, double))), setup())
    assert CARDS[0].piece not in seen(found)
    doubtful = [piece for piece in found.pieces if piece.doubtful]
    assert [piece.piece for piece in doubtful] == [CARDS[0].piece] * 2
    assert all(any(area.contains(*piece.mm) for area in found.table.unseen) for piece in doubtful), "nor is it gone"
    assert "seen-twice" in [note.code for note in found.notes]


def test_a_card_held_in_a_hand_is_not_on_the_table() -> None:
    held = card(6, 380, 150, tilt=50.0, lift=40.0)
    found = read_frame(picture(replace(BASE, cards=(*CARDS, held))), setup())
    assert held.piece not in {piece.piece for piece in found.pieces}
    assert set(seen(found)) == {one.piece for one in CARDS}


def test_a_card_outside_every_zone_is_not_on_the_table() -> None:
    plan = {"row:1": Area(0, 0, WIDE, 165), "row:2": Area(0, 165, 150, HIGH)}
    found = read_frame(picture(replace(BASE, cards=CARDS)), setup(plan=plan))
    assert set(seen(found)) == {one.piece for one in CARDS[:4]}
    assert {piece.piece: piece.zone for piece in found.pieces}[CARDS[4].piece] is None
    later = sort_into_zones(read_frame(picture(replace(BASE, cards=CARDS)), setup()), setup(plan=plan))
    assert seen(later) == seen(found)


def test_a_still_frame_returns_the_last_reading() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    again = picture(replace(BASE, cards=CARDS, seed=5))
    assert read_frame(again, known, first, shrink_frame(again)) is first


def test_a_table_that_becomes_dark_is_unseen() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    black = np.asarray(picture(replace(BASE, cards=CARDS)) * 0.02, np.uint8)
    night = read_frame(black, known, first)
    assert "dark" in [note.code for note in night.notes]
    assert night.table.unseen == (EVERYWHERE,)
    assert read_frame(black, known, night) is night


def test_a_card_of_another_game_hides_its_place_and_is_no_piece() -> None:
    found = read_frame(picture(replace(BASE, cards=CARDS)), setup(game="thegame"))
    assert seen(found) == {}
    assert all(any(area.contains(one.x, one.y) for area in found.table.unseen) for one in CARDS)
    assert "other-game" in [note.code for note in found.notes]


def test_two_markers_suffice_after_all_were_covered() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    lost = read_frame(picture(replace(BASE, cards=CARDS, markers=())), known, first)
    assert lost.calibration is None
    found = read_frame(picture(replace(BASE, cards=CARDS, markers=BASE.markers[:2])), known, lost)
    assert set(seen(found)) == {one.piece for one in CARDS}


def test_a_lost_calibration_returns_only_when_markers_confirm_it() -> None:
    known = setup()
    first = read_frame(picture(BASE), known)
    away = replace(BASE, camera=replace(BASE.camera, x=BASE.camera.x + 12), markers=BASE.markers[:2])
    lost = read_frame(picture(away), known, first)
    assert lost.calibration is None
    assert read_frame(picture(replace(away, cards=CARDS[:1])), known, lost).calibration is None


def test_a_new_card_is_read_and_its_place_is_reported_as_moving() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS[:-1])), known)
    then = read_frame(picture(replace(BASE, cards=CARDS, seed=6)), known, first)
    assert set(seen(then)) - set(seen(first)) == {CARDS[-1].piece}
    assert set(seen(first)) < set(seen(then))
    assert any(area.contains(CARDS[-1].x, CARDS[-1].y) for area in then.moving)
    assert not any(area.contains(CARDS[0].x, CARDS[0].y) for area in then.moving)


def test_a_removed_card_is_gone() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    then = read_frame(picture(replace(BASE, cards=CARDS[1:], seed=6)), known, first)
    assert set(seen(first)) - set(seen(then)) == {CARDS[0].piece}


def test_a_bumped_camera_is_noticed_and_calibrated_again() -> None:
    known = setup()
    first = read_frame(picture(replace(BASE, cards=CARDS)), known)
    camera = replace(BASE.camera, x=BASE.camera.x + 12, turn=1.5)
    then = read_frame(picture(replace(BASE, cards=CARDS, camera=camera)), known, first)
    assert "bumped" in [note.code for note in then.notes]
    for one in CARDS:
        assert seen(then)[one.piece][:2] == pytest.approx((one.x, one.y), abs=3.0)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param({"light": replace(BASE.light, gain=0.015)}, "dark", id="too dark"),
        pytest.param({"sensor": Sensor(blur=2.2)}, "blurred", id="out of focus"),
        pytest.param({"light": replace(BASE.light, gain=0.2)}, "light", id="much darker than when empty"),
    ],
)
def test_faults_of_a_picture_are_noted(change: dict[str, object], why: str) -> None:
    fresh = replace(setup(), calibration=None)
    assert why in [note.code for note in read_frame(picture(replace(BASE, cards=CARDS, **change)), fresh).notes]


@pytest.mark.parametrize(("share", "dark"), [(1.0, False), (0.3, True)], ids=["in the light", "in the dark"])
def test_a_black_table_is_too_dark_to_read_only_where_the_paper_of_its_markers_is_dark(
    share: float, dark: bool
) -> None:
    calibration = setup().calibration
    assert calibration is not None
    paper = measure_paper(np.asarray(picture(BASE) * share, np.uint8), calibration)
    black = np.full((60, 80), 30, np.uint8)
    assert [note.code for note in note_brightness(black, paper)] == ["dark"] * dark


@pytest.mark.parametrize("corner", ["TL", "BR"])
@pytest.mark.parametrize(
    ("left", "least", "most"),
    [
        pytest.param(0.6, 0.9, 1.0, id="the shadow of a person on one marker does not make the paper dark"),
        pytest.param(0.25, 0.0, 0.55, id="a table of which one corner is in the dark has dark paper"),
    ],
)
def test_the_darkest_markers_tell_how_light_the_paper_is(corner: str, left: float, least: float, most: float) -> None:
    calibration, grey = setup().calibration, picture(BASE).copy()
    assert calibration is not None
    ring = np.round(calibration.to_px(np.array(outline_paper(calibration.markers[corner])))).astype(np.int32)
    shadow = cv2.fillPoly(np.zeros_like(grey), [ring], 1) > 0
    grey[shadow] = (grey[shadow] * left).astype(np.uint8)
    assert least <= measure_paper(grey, calibration) / measure_paper(picture(BASE), calibration) <= most


def test_the_overlay_does_not_show_cards_outside_the_zones() -> None:
    grey = picture(replace(BASE, cards=CARDS))
    found = read_frame(grey, setup(plan={"row:1": Area(0, 0, WIDE, 165)}))
    hands = tuple(piece for piece in found.pieces if piece.zone is None)
    assert len(hands) == 2
    others = tuple(piece for piece in found.pieces if piece.zone)
    assert (draw_overlay(grey, found) == draw_overlay(grey, replace(found, pieces=others))).all()


def test_the_overlay_names_every_card_and_fits_a_screen() -> None:
    grey = picture(replace(BASE, cards=CARDS, arms=(Arm((380, 420), (350, 200)),)))
    found = read_frame(grey, setup())
    drawn = draw_overlay(grey, found)
    plain = draw_overlay(grey, replace(found, pieces=(), table=replace(found.table, unseen=())))
    assert max(drawn.shape[:2]) <= 1920
    scale = drawn.shape[1] / grey.shape[1]
    for piece in found.pieces:
        x, y = (int(v * scale) for v in piece.tag.centre)
        near = (slice(y - 40, y + 40), slice(x - 40, x + 40))
        assert (drawn[near] != plain[near]).any()
    assert BOOK[found.pieces[0].tag.payload].piece == found.pieces[0].piece


@pytest.mark.parametrize("shape", [(1, 5000), (4000, 3), (1, 1)], ids=["a-line", "a-stripe", "a-dot"])
def test_a_picture_too_narrow_to_shrink_is_read_at_full_size(shape):
    seen = read_frame(np.full(shape, 200, np.uint8))
    assert seen.pieces == ()
    assert seen.notes


def test_a_card_as_bright_as_the_table_is_found_once_the_picture_is_still():
    """An arm came and went; in the shrunken picture the place looks bare."""
    camera = RenderCamera.over(Area(-50, -50, 350, 350), 2.2 * 25 / 18)
    corners = ((-20, -20), (320, -20), (320, 320), (-20, 320))
    bare = Scene(camera, "wood", 3, markers=tuple(DrawnMarker(n, x, y) for n, (x, y) in enumerate(corners)), seed=1)
    pictures = [
        cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)
        for scene in (
            bare,
            replace(bare, arms=(Arm((150, 600), (150, 150)),)),
            replace(bare, cards=(DrawnCard("thegame", "11", 150, 150, payload="1T0115GSTM"),), seed=2),
        )
    ]
    empty, arm, card = pictures
    calibration = read_frame(empty, ReadingSetup(sticker_mm=18)).calibration
    setup = ReadingSetup(
        plan={"pile": Area(0, 0, 300, 300)},
        sticker_mm=18,
        empty=view_empty_table(empty, calibration),
        calibration=calibration,
    )
    seen = read_frame(arm, setup, read_frame(empty, setup))
    moved = read_frame(card, setup, seen)
    assert moved.pending
    still = read_frame(card, setup, moved)
    assert [piece.piece for piece in still.pieces] == ["11"]
    assert not still.pending
    assert read_frame(card, setup, still) is still


BELOW, ABOVE = card(6, 400, 90), card(7, 354.0, 92)
"""The card above leaves hardly more than half of the code below it in view."""


def test_a_known_card_stays_known_while_half_of_its_code_is_in_view() -> None:
    known = setup()
    before = read_frame(picture(replace(BASE, cards=(*CARDS, BELOW))), known)
    after = read_frame(picture(replace(BASE, cards=(*CARDS, BELOW, ABOVE), seed=3)), known, before)
    assert {BELOW.piece, ABOVE.piece} <= set(seen(after))
    gone = read_frame(picture(replace(BASE, cards=(*CARDS, ABOVE), seed=4)), known, after)
    assert BELOW.piece not in seen(gone)
    covered = read_frame(picture(replace(BASE, cards=(*CARDS, BELOW, replace(ABOVE, x=380.0)), seed=5)), known, after)
    assert BELOW.piece not in seen(covered)


def test_a_card_with_half_of_its_code_in_view_is_searched_once_the_picture_is_still() -> None:
    known, cards = setup(), (*CARDS, BELOW, ABOVE)
    bare = read_frame(picture(replace(BASE, seed=78)), known)
    first = read_frame(picture(replace(BASE, cards=cards)), known, bare)
    assert BELOW.piece not in seen(first)
    still = read_frame(picture(replace(BASE, cards=cards, seed=6)), known, first)
    assert set(seen(still)) == {one.piece for one in cards}
    assert {piece.tag.by for piece in still.pieces if piece.piece == BELOW.piece} == {"covered"}
