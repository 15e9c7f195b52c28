"""The sway of the camera: measured for each row, undone, and told from what moves on the table."""

import cv2
import numpy as np
import pytest

from vision.changes.changed_areas import find_changes, find_changes_beyond_sway, measure_usual_gain
from vision.changes.sway import KNOTS, fit_sway
from vision.frame import SMALL_PX, shrink_frame
from vision.render import render_scene
from vision.render.card_scenes import deal_cards
from vision.render.sensor import Wobble, swing_picture

SCENE = deal_cards(3, 2.5, tags=40, ground="wood")
WHOLE = np.asarray(cv2.cvtColor(render_scene(SCENE), cv2.COLOR_BGR2GRAY), np.uint8)
NOISE = np.random.default_rng(4)


def take(picture, gain=1.0):
    noisy = gain * picture + NOISE.normal(0, 1.5, picture.shape)
    return shrink_frame(np.clip(np.round(noisy), 0, 255).astype(np.uint8))


def changes_beyond_sway(now):
    gain = measure_usual_gain(now, REST)
    steady = fit_sway(now, REST, gain).undo(now, cv2.INTER_LINEAR)
    return find_changes_beyond_sway(steady, REST, WHOLE.shape, gain)


def rows_of(knots, rows):
    return np.interp(np.linspace(0, KNOTS - 1, rows), np.arange(KNOTS), knots)


REST = take(WHOLE)
WOBBLES = {
    "still": Wobble(0.0),
    "barely": Wobble(0.1, 6.0, 20.0),
    "slow": Wobble(0.3, 4.0, 100.0, 1.0),
    "fast, and a slow sensor": Wobble(0.5, 12.0, 200.0, 2.0, readout_s=0.1),
    "far": Wobble(0.8, 8.0, 300.0, 1.5, readout_s=0.06),
    "turning": Wobble(0.6, 7.0, 0.0, 1.0, turn=0.5),
}


@pytest.mark.parametrize("wobble", WOBBLES.values(), ids=WOBBLES)
def test_the_sway_of_each_row_is_measured_to_a_tenth_of_a_pixel(wobble):
    at = 0.05
    sway = fit_sway(take(swing_picture(WHOLE, wobble, at)), REST)
    rows = REST.shape[0]
    when = at + np.linspace(0, wobble.readout_s, rows)
    swing = np.exp(-when / wobble.decay_s) * np.sin(2 * np.pi * wobble.hertz * when + wobble.phase)
    swing *= wobble.reach * max(WHOLE.shape) / SMALL_PX * REST.shape[1] / WHOLE.shape[1]
    angle = np.radians(wobble.angle)
    for knots, share in zip(sway.knots, (np.cos(angle), 0.0, np.sin(angle), wobble.turn), strict=True):
        assert np.abs(rows_of(knots, rows) - share * swing).max() < 0.1


@pytest.mark.parametrize("wobble", WOBBLES.values(), ids=WOBBLES)
@pytest.mark.parametrize("gain", [1.0, 0.93])
def test_a_swaying_camera_shows_no_change(wobble, gain):
    now = take(swing_picture(WHOLE, wobble, 0.05), gain)
    assert not changes_beyond_sway(now)
    assert bool(find_changes(now, REST, WHOLE.shape)) == (wobble.reach > 0)


def with_patch(left, top, wide, high, level):
    picture = WHOLE.copy()
    picture[top : top + high, left : left + wide] = level
    return picture


def moved_part(by):
    """Part of the table, about as large as a card, moved to the right by pixels of the low-resolution stream."""
    px = round(by * WHOLE.shape[1] / REST.shape[1])
    picture = WHOLE.copy()
    picture[200:500, 200 + px : 400 + px] = WHOLE[200:500, 200:400]
    return picture


CORNER = int(WHOLE[:180, :120].mean())
CHANGES = {
    "a card on the table": with_patch(300, 300, 120, 180, 235),
    "a card a little brighter than the table": with_patch(0, 0, 120, 180, CORNER + 40),
    "a dark thing as wide as a finger": with_patch(300, 0, 40, 600, 20),
    "a hand over a third of the picture": with_patch(0, 400, WHOLE.shape[1] // 2, WHOLE.shape[0] - 400, 150),
    "a card that slides by three pixels": moved_part(3),
}


@pytest.mark.parametrize("wobble", WOBBLES.values(), ids=WOBBLES)
@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_a_change_is_found_beyond_the_sway(changed, wobble):
    now = take(swing_picture(changed, wobble, 0.05))
    found = changes_beyond_sway(now)
    assert found
    ys, xs = np.nonzero(np.abs(changed.astype(int) - WHOLE) > 20)
    for left, top, right, bottom in found:
        assert min(xs.max() - left, right - xs.min(), ys.max() - top, bottom - ys.min()) > -40


@pytest.mark.parametrize("seed", range(6))
def test_noise_and_a_new_card_are_no_sway(seed):
    noise = np.random.default_rng([seed, 17])
    changed = WHOLE if seed == 0 else CHANGES["a card on the table"]
    now = shrink_frame(np.clip(changed + noise.normal(0, 2.0, WHOLE.shape), 0, 255).astype(np.uint8))
    assert fit_sway(now, REST).largest() == 0


def test_a_sway_of_a_twentieth_of_a_pixel_is_no_noise():
    px = 0.05 * WHOLE.shape[1] / REST.shape[1]
    shifted = cv2.warpAffine(
        WHOLE, np.array([[1, 0, px], [0, 1, 0]]), WHOLE.shape[::-1], None, cv2.INTER_CUBIC, cv2.BORDER_REPLICATE
    )
    assert fit_sway(take(shifted), REST).knots[0].mean() == pytest.approx(0.05, abs=0.03)


def test_two_colours_are_put_back_as_the_grey_picture_is():
    now = take(swing_picture(WHOLE, WOBBLES["far"], 0.05))
    sway = fit_sway(now, REST)
    assert np.array_equal(sway.undo(np.dstack([now, now, now]))[..., 1], sway.undo(now))


def test_a_picture_without_texture_has_no_sway():
    plain = np.full((432, 576), 120, np.uint8)
    noisy = [np.clip(plain + NOISE.normal(0, 1.0, plain.shape), 0, 255).astype(np.uint8) for _ in range(2)]
    assert fit_sway(*noisy).largest() < 0.1
