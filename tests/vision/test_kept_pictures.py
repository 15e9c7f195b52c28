"""Ray-traced pictures read by ``oxeye read``: whatever it tells of them is true, and what it does not know it says."""

import json
from functools import cache

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli import main
from tests.benchmarks.studio import decode_yuv420
from tests.benchmarks.studio_cases import build_case, parse_answer
from tests.benchmarks.studio_scoring import list_right, score_picture
from tests.studio.geometries import list_geometries
from tests.studio.kept_pictures import KEPT, add_noise, list_kept, load_picture
from tests.studio.mixing import STANDARDS, choose_mix

HONEST = (
    "misreads", "false tiles", "silent boards", "false backs", "hidden cards", "obstacle zones", "covers told",
)  # fmt: skip
"""Rows of the bench in which a single bad case is a wrong sentence of the box."""
KEPT_GEOMETRIES = {geometry.name: geometry for geometry in list_kept()}


@cache
def examine(name, folder):
    picture = load_picture(KEPT_GEOMETRIES[name])
    standard = tuple(STANDARDS)[len(name) % 2]
    for word, frame in (("now", picture.now), ("empty", picture.empty)):
        # a file without compression: a third of a second less for each picture
        cv2.imwrite(str(folder / f"{word}.bmp"), decode_yuv420(frame.yuv(standard), standard))
    words = ["read", "--json", "--game", picture.geometry.game, "--empty", str(folder / "empty.bmp")]
    told = CliRunner().invoke(main, [*words, str(folder / "now.bmp")], catch_exceptions=False)
    case = build_case(picture)
    answer = parse_answer(json.loads(told.stdout.splitlines()[-1]))
    return case, answer, list(score_picture(case, answer))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.mark.parametrize("name", KEPT_GEOMETRIES)
def test_nothing_wrong_is_told_of_a_picture(name, folder):
    marks = [mark for mark in examine(name, folder)[2] if mark.row in HONEST]
    assert [mark for mark in marks if mark.good < mark.shown] == []
    assert sum(mark.shown for mark in marks) >= 2


BOARDS = [name for name in KEPT_GEOMETRIES if name.endswith(("-board", "-board-after"))]


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_without_a_hand_is_told_tile_by_tile(name, folder):
    tiles = [mark for mark in examine(name, folder)[2] if mark.row == "board tiles"]
    assert sum(mark.good for mark in tiles) == sum(mark.shown for mark in tiles) > 5


def test_most_tiles_beside_a_hand_as_dark_as_black_tiles_are_told(folder):
    """The hand joins the board into one heap: only the red tiles show how large a tile is."""
    case, answer, _ = examine("0-dark-wood-board-hand", folder)
    assert len(list_right(case, answer)) > 0.6 * len(case.tiles)


@pytest.mark.parametrize("name", BOARDS)
def test_most_places_beside_a_board_are_told_as_empty(name, folder):
    places = [mark for mark in examine(name, folder)[2] if mark.row == "empty neighbours"]
    assert sum(mark.good for mark in places) >= 0.85 * sum(mark.shown for mark in places) > 5


TOO_DOUBTFUL = {
    "0-dark-wood-board-hand": "the shadow of a hand on dark wood",
    "0-laminate-hands": "the corner that an arm cuts off",
}
"""Pictures in which more of the bare table is doubtful than there should be, and where."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xfail(reason=TOO_DOUBTFUL[name], strict=True))
        if name in TOO_DOUBTFUL
        else name
        for name in KEPT_GEOMETRIES
    ],
)
def test_the_bare_table_far_from_things_is_not_doubtful(name, folder):
    """Also in the shadow of an arm."""
    cells = [mark for mark in examine(name, folder)[2] if mark.row == "bare cells"]
    assert sum(mark.good for mark in cells) >= 0.995 * sum(mark.shown for mark in cells) > 100


@pytest.mark.parametrize("name", [name for name in KEPT_GEOMETRIES if name.endswith(("-rows", "-hands"))])
def test_whole_stickers_are_read(name, folder):
    tags = [mark for mark in examine(name, folder)[2] if mark.row == "whole tags"]
    assert sum(mark.good for mark in tags) == sum(mark.shown for mark in tags) > 1


def test_every_kept_folder_is_a_picture_of_the_plan():
    assert {folder.name for folder in KEPT.iterdir()} == set(KEPT_GEOMETRIES)
    assert set(KEPT_GEOMETRIES) <= {geometry.name for geometry in list_geometries()}


def test_the_kept_pictures_are_small():
    assert sum(file.stat().st_size for file in KEPT.rglob("*") if file.is_file()) < 25_000_000


@pytest.mark.parametrize("level", [60, 120, 200])
def test_a_loaded_picture_has_the_noise_of_the_sensor(level):
    geometry = next(iter(KEPT_GEOMETRIES.values()))
    mix = choose_mix("window", geometry.seed)
    noisy = add_noise(np.full((200, 300, 3), level, np.uint8), mix, np.random.default_rng(2))
    assert noisy.mean() == pytest.approx(level, abs=0.5)
    assert 0.7 < cv2.cvtColor(noisy, cv2.COLOR_BGR2GRAY)[20:-20, 20:-20].std() / mix.noise_grey < 1.2
