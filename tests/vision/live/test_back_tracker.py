"""Face-down cards over time: kept while nothing changes at their places, whatever moves beside them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.table import Area, Piece
from tests.support.true_calibration import calibrate_by_truth
from vision.frame import Picture, shrink_frame, to_grey
from vision.live.back_tracker import BackTracker, outline_back
from vision.live.empty_table import EmptyTable
from vision.live.frame_reading import view_empty_table
from vision.render import Arm, DrawnCard, RenderCamera, Scene, Sensor, printed_textures, render_scene
from vision.tags.codebook import CODES
from vision.tags.placement import PlacedTag
from vision.tags.reader import DecodedTag

SIZE = (57.0, 87.0)
SEATS = {"seat:1": Area(0, 0, 150, 150), "seat:2": Area(150, 0, 300, 150)}
CAMERA = RenderCamera.over(Area(-20, -20, 320, 220), 2.0, tilt=5)
CALIBRATION = calibrate_by_truth(CAMERA, Area(0, 0, 300, 200))
TABLE = Scene(CAMERA, "wood", 5, sensor=Sensor())
CARD = DrawnCard("nimmt", "9", 75, 75, 8, face_down=True)


class Shot:
    """One frame in colour."""

    halved = small_colour = None
    at = 0.0

    def __init__(self, scene: Scene) -> None:
        self._picture = render_scene(scene)
        self.grey = to_grey(self._picture)
        self.small = shrink_frame(self.grey)

    def colour(self) -> Picture:
        return self._picture


def tracker() -> BackTracker:
    bare = render_scene(replace(TABLE, seed=9))
    empty = EmptyTable(CALIBRATION, lambda: bare, view_empty_table(to_grey(bare), CALIBRATION, shrink_frame(bare)))
    return BackTracker(empty, SEATS, SIZE)


def test_a_back_is_found_once_and_kept_while_a_hand_moves_beside_it() -> None:
    tracked = tracker()
    first = tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, (), ())
    (back,) = first
    assert (back.piece, back.x, back.y) == ("back", pytest.approx(75, abs=2.5), pytest.approx(75, abs=2.5))
    assert tracked.update(Shot(replace(TABLE, cards=(CARD,), seed=3)), CALIBRATION, (), ()) == first
    for reach in (190, 165, 148):
        scene = replace(TABLE, cards=(CARD,), arms=(Arm((110, 240), (110, reach)),))
        assert tracked.update(Shot(scene), CALIBRATION, (), [SEATS["seat:1"]]) == first
        assert tracked.update(Shot(scene), CALIBRATION, (), ()) == first


def test_while_something_moves_elsewhere_the_search_waits_for_two_frames() -> None:
    tracked, shot, elsewhere = tracker(), Shot(replace(TABLE, cards=(CARD,))), [Area(310, 160, 320, 170)]
    found = [len(tracked.update(shot, CALIBRATION, (), elsewhere)) for _ in range(4)]
    assert found == [0, 0, 1, 1]


def test_a_back_that_was_taken_is_gone() -> None:
    tracked = tracker()
    assert tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, (), ())
    assert tracked.update(Shot(TABLE), CALIBRATION, (), [SEATS["seat:1"]])
    assert tracked.update(Shot(TABLE), CALIBRATION, (), ()) == frozenset()


def test_a_back_that_was_moved_is_at_its_new_place() -> None:
    tracked = tracker()
    tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, (), ())
    moved = replace(CARD, x=90.0, angle=-20.0)
    after = Shot(replace(TABLE, cards=(moved,)))
    tracked.update(after, CALIBRATION, (), [SEATS["seat:1"]])
    (back,) = tracked.update(after, CALIBRATION, (), ())
    assert back.x == pytest.approx(90, abs=2.5)


@pytest.fixture
def one_way_backs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Backs that are another picture upside down."""
    draw = printed_textures._draw_back

    def draw_half(size: tuple[float, float]) -> Picture:
        paint = draw(size)
        paint[60 : len(paint) // 2, 60:-60] = (40, 90, 60)
        return paint

    monkeypatch.setattr(printed_textures, "_draw_back", draw_half)
    printed_textures.paint_card.cache_clear()
    yield
    printed_textures.paint_card.cache_clear()


@pytest.mark.usefixtures("one_way_backs")
def test_the_first_backs_teach_what_a_back_looks_like() -> None:
    tracked, other = tracker(), replace(CARD, x=225.0, angle=184.0)
    assert not tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, (), ())
    everywhere = list(SEATS.values())
    both, alone = Shot(replace(TABLE, cards=(CARD, other))), Shot(replace(TABLE, cards=(replace(CARD, x=82.0),)))
    tracked.update(both, CALIBRATION, (), everywhere)
    assert len(tracked.update(both, CALIBRATION, (), ())) == 2
    tracked.update(alone, CALIBRATION, (), everywhere)
    (back,) = tracked.update(alone, CALIBRATION, (), ())
    assert back.x == pytest.approx(82, abs=2.5)


def test_a_card_that_was_read_at_a_seat_is_no_back() -> None:
    tracked = tracker()
    tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, (), ())
    code = next(code for code in CODES if code.piece == "9")
    tag = DecodedTag(code.payload, ((0, 0), (1, 0), (1, 1), (0, 1)), "match")
    face = PlacedTag(tag, "9", (75.0, 75.0), 8.0)
    assert tracked.update(Shot(replace(TABLE, cards=(CARD,))), CALIBRATION, [face], ()) == frozenset()


def test_the_outline_of_a_back_has_its_long_side_along_its_angle() -> None:
    outline = outline_back(Piece("back", 100, 50, 90), SIZE)
    assert sorted((round(x, 1), round(y, 1)) for x, y in outline) == [
        (71.5, 6.5),
        (71.5, 93.5),
        (128.5, 6.5),
        (128.5, 93.5),
    ]
