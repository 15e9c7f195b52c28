"""Each disturbance changes the picture as its name says, and a deceived box is detected."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.table import Area
from hw.cameras.images import make_frame
from hw.frame import Picture
from tests.disturbances import run as disturbances
from tests.disturbances.catalogue import (
    DISTURBANCES,
    DUSK_FRAMES,
    DUSK_STOPS,
    KNOCK_PERIOD_S,
    SWAY_S,
    Disturbance,
    Moment,
    ShiftPicture,
    add_hand,
    bump,
    dim_light,
    find_free_spot,
    make_blur,
    make_defocus,
    make_gains,
    shift_picture,
    sway,
)
from tests.disturbances.match import Match, MatchCase, MatchResult
from tests.disturbances.oracle import is_unreadable
from tests.disturbances.run import format_line, list_missed_bars, main
from vision.render import DrawnCard, RenderCamera, Scene, render_scene
from vision.tags.codebook import CODES

AREA = Area(0, 0, 300, 200)
NOW = Moment(0, 0.0, AREA, (150.0, 100.0), (30.0, 30.0), True, False)
BARE = Scene(RenderCamera.over(AREA, 0.5))
GOOD = MatchResult(moves=20, final=True)
SMALL = MatchCase("thegame", {"players": 2, "width": 600, "height": 450}, 2, 3)


def dotted() -> Picture:
    picture = np.full((60, 80, 3), 100, np.uint8)
    picture[30, 40] = 200
    return picture


@pytest.mark.parametrize(
    ("gain", "level", "becomes"),
    [
        pytest.param((0.6, 0.9, 1.0), 100, (60, 90, 100), id="a warm bulb reduces blue and green"),
        pytest.param((0.5, 0.5, 0.5), 101, (51, 51, 51), id="half of every channel"),
        pytest.param((1.4, 1.4, 1.4), 200, (255, 255, 255), id="saturated at white"),
    ],
)
def test_channels_are_multiplied(gain: tuple[float, float, float], level: int, becomes: tuple[int, int, int]) -> None:
    picture = np.full((4, 4, 3), level, np.uint8)
    assert make_gains(*gain)(picture, NOW)[2, 2].tolist() == list(becomes)
    assert make_gains(*gain)(picture, replace(NOW, on=False)) is picture


@pytest.mark.parametrize(
    ("move", "at", "found"),
    [
        pytest.param(bump, 0.0, (21, 52), id="bumped by 15 px"),
        pytest.param(sway, 0.0, (21, 52), id="largest at the knock"),
        pytest.param(sway, SWAY_S, (30, 40), id="at rest after three seconds"),
        pytest.param(sway, KNOCK_PERIOD_S, (21, 52), id="knocked again"),
    ],
)
def test_a_knock_shifts_the_picture(move: ShiftPicture, at: float, found: tuple[int, int]) -> None:
    moved = shift_picture(dotted(), *move(replace(NOW, at=at)))
    assert np.unravel_index(moved[..., 0].argmax(), moved.shape[:2]) == found


def test_dusk_reduces_the_light_until_a_lamp_is_turned_on() -> None:
    left = [dim_light(BARE, replace(NOW, look=look)).sensor.exposure for look in (0, DUSK_FRAMES // 2, DUSK_FRAMES)]
    assert left == [1.0, 2 ** -(DUSK_STOPS / 2), 2**-DUSK_STOPS]
    assert dim_light(BARE, replace(NOW, look=DUSK_FRAMES, on=False, eased=True)).sensor.exposure > 0.5


def test_a_hand_is_in_every_fourth_frame() -> None:
    assert [len(add_hand(BARE, replace(NOW, look=look)).arms) for look in range(8)] == [1, 0, 0, 0, 1, 0, 0, 0]


def test_a_free_spot_is_far_from_all_zones() -> None:
    zones = {"row:1": Area(0, 0, 300, 60), "seat:1": Area(0, 60, 100, 200)}
    x, y = find_free_spot(AREA, zones)
    assert not any(zone.contains(x, y) for zone in zones.values())
    assert x > 200
    assert y > 130


def test_every_row_of_the_peer_is_a_row_here() -> None:
    assert len({it.name for it in DISTURBANCES}) == len(DISTURBANCES)
    assert {it.peer for it in DISTURBANCES} == {"79/79", "0/79", "52/79", "59/79", "43/79", "-"}


@pytest.mark.parametrize(
    ("change", "nothing"),
    [
        pytest.param(lambda it: it, False, id="a good picture"),
        pytest.param(lambda it: make_gains(0.5, 0.5, 0.5)(it, NOW), False, id="half as bright"),
        pytest.param(lambda it: make_gains(0.1, 0.1, 0.1)(it, NOW), True, id="night"),
        pytest.param(lambda it: make_blur(9)(it, NOW), False, id="soft"),
        pytest.param(lambda it: make_defocus(17)(it, NOW), True, id="out of focus"),
    ],
)
def test_an_unreadable_picture_is_recognised(change: Callable[[Picture], Picture], nothing: bool) -> None:
    code = next(code for code in CODES if code.game == "nimmt")
    card = DrawnCard("nimmt", code.piece, 60, 55, payload=code.payload)
    scene = Scene(RenderCamera.over(Area(0, 0, 120, 110), 2.8), cards=(card,))
    picture = shift_picture(change(render_scene(scene)), 12, -9)
    assert is_unreadable(make_frame(picture, 0.0).grey, scene, (12, -9)) == nothing


@pytest.mark.parametrize(
    ("results", "says"),
    [
        pytest.param([GOOD, GOOD], "", id="no bar missed"),
        pytest.param([GOOD, replace(GOOD, wrong=1)], "wrong score without a warning after 1 moves", id="silent"),
        pytest.param([replace(GOOD, accused=2)], "2 false accusations", id="accused"),
        pytest.param([GOOD, replace(GOOD, told=3)], "3 of 40 moves were not read", id="unseen"),
        pytest.param([GOOD, replace(GOOD, told=9, unseen=9)], "", id="entered while the table is unreadable"),
        pytest.param([GOOD, replace(GOOD, final=False)], "not what was played", id="lost"),
    ],
)
def test_a_row_that_misses_a_bar_names_it(results: list[MatchResult], says: str) -> None:
    faults = list_missed_bars(results)
    assert len(faults) == bool(says)
    assert says in "".join(faults)
    assert format_line(DISTURBANCES[0], results).startswith("none")


class Frozen:
    """A camera that repeats its first picture."""

    def __init__(self) -> None:
        self._first: Picture | None = None

    def __call__(self, picture: Picture, when: Moment) -> Picture:
        if self._first is None:
            self._first = picture
        return self._first


def swapped(scene: Scene, when: Moment) -> Scene:
    """Each card has the sticker of the next one."""
    codes = [code.payload for code in CODES if code.game == "thegame" and 1 < int(code.piece) < 100]
    cards = tuple(
        replace(card, payload=codes[(codes.index(card.payload) + 1) % 98]) if card.payload in codes else card
        for card in scene.cards
    )
    return replace(scene, cards=cards)


@pytest.mark.parametrize(
    ("disturbance", "deceived"),
    [
        pytest.param(Disturbance("none"), False, id="a good camera"),
        pytest.param(Disturbance("frozen", taken=Frozen()), True, id="a frozen camera"),
        pytest.param(Disturbance("swapped", drawn=swapped), True, id="cards with the wrong stickers"),
    ],
)
def test_a_deceived_box_is_detected(disturbance: Disturbance, deceived: bool) -> None:
    result = Match(SMALL, disturbance).play()
    assert result.moves > 0
    assert bool(result.wrong) == deceived
    assert result.final != deceived or result.told


def test_a_row_is_played_in_another_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disturbances, "MATCHES", (replace(SMALL, moves=1),))
    assert main(["--only", "blue +15", "--jobs", "1"]) == 0
    assert "1/1  52/79" in capsys.readouterr().out


def test_a_missing_word_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only"])
    assert "expected one argument" in capsys.readouterr().err
