"""The plan of the studio: equal shares, scenes that can be composed again, and the keys of its cache."""

from collections import Counter

import numpy as np
import pytest

from tests.studio import ranges, textures
from tests.studio.geometries import compose, list_closing_geometries, list_geometries
from tests.studio.render import key_scene
from tests.studio.scene import FIRST_TILE, HAND
from vision.tags.codebook import BOOK, draw_pattern

PLAN = {geometry.name: geometry for geometry in list_geometries()}
HASH = "5e3b0fd3c2a1908f7e6d5c4b3a291807f6e5d4c3"
PINNED_KEYS = {
    "0-marble-board-hand": "4936bade5aefefcce86d6ba3",
    "0-stripes-hands": "aaec8fd2f0fcb4d3eb2db726",
    "0-white-rows": "20febfee2cb465526e7cdff9",
    "0-red-felt-bare": "a585430d6c5f0f49f1241637",
}
"""Folders of the cache. A change that gives these scenes other keys throws away hours of rendering."""


def test_every_kind_is_on_every_table_once():
    assert len(PLAN) == 60
    assert set(Counter((g.kind, g.table) for g in PLAN.values()).values()) == {1}


@pytest.mark.parametrize("kind", ranges.KINDS)
def test_half_of_the_tables_have_each_finish(kind):
    assert set(Counter(g.finish for g in PLAN.values() if g.kind == kind).values()) == {5}


def test_each_light_has_a_mix_with_rendered_sources():
    assert {name for shares in ranges.MIXES.values() for name in shares} == set(ranges.LIGHTS)
    assert set(ranges.LIGHT_SAMPLES) == set(ranges.LIGHT_K) == set(ranges.LIGHTS)


@pytest.mark.parametrize("name", ["0-marble-board-hand", "0-stripes-hands", "0-white-rows", "0-red-felt-bare"])
def test_a_scene_is_composed_again_with_the_same_key(name):
    first, before = compose(PLAN[name])
    again, _ = compose(PLAN[name])
    assert key_scene(first) == key_scene(again) != key_scene(before)


def test_the_three_of_a_sequence_share_their_empty_table_and_the_tiles_that_no_hand_touched():
    scenes = [compose(PLAN[f"0-gingham-{kind}"]) for kind in ("board", "board-hand", "board-after")]
    assert len({key_scene(empty) for _, empty in scenes}) == 1
    before, _, after = ({tile for tile in scene.tiles} for scene, _ in scenes)
    assert len(after - before) == 1
    assert before < after


def test_another_scene_has_another_key():
    assert len({key_scene(compose(geometry)[0]) for geometry in PLAN.values()}) == 60


def test_every_card_has_a_printed_code_and_no_index_is_used_twice():
    for geometry in PLAN.values():
        scene, _ = compose(geometry)
        codes = [card.payload for card in scene.cards if card.piece]
        assert len(codes) == len(set(codes))
        assert all(BOOK[card.payload].piece == card.piece for card in scene.cards if card.piece)
        assert len(scene.cards) < FIRST_TILE - 10
        assert len(scene.tiles) < HAND - FIRST_TILE


def test_the_sticker_on_a_face_has_the_printed_pattern_and_size():
    face = textures.draw_face("nimmt", "44", "1N044P8GPX", (57.0, 87.0), 18.0)
    scale = textures.card_scale(18.0)
    assert face.shape == (round(87 * scale), round(57 * scale), 4)
    rows, columns = np.nonzero(face[..., 3])
    assert (np.ptp(rows) + 1, np.ptp(columns) + 1) == (250, 250)
    assert columns.min() / scale == pytest.approx(3.0, abs=0.05)
    code = face[rows.min() + 25 : rows.min() + 235 : 10, columns.min() + 25 : columns.min() + 235 : 10, 0]
    assert ((code < 128) == draw_pattern("1N044P8GPX")).all()


@pytest.mark.parametrize(("name", "key"), PINNED_KEYS.items())
def test_what_has_been_rendered_stays_valid(name, key):
    scene, empty = compose(PLAN[name])
    assert key_scene(scene, key_scene(empty)) == key


def test_the_geometries_of_a_commit_have_equal_shares_of_tables_and_kinds():
    closing = list_closing_geometries(HASH)
    assert set(Counter(g.table for g in closing).values()) == {2}
    assert Counter(g.kind for g in closing) == {
        "board": 4, "board-after": 4, "board-hand": 3, "rows": 3, "hands": 3, "bare": 3,
    }  # fmt: skip
    assert {g.finish for g in closing if g.game == "six"} == {"satin", "matt"}
    assert {g.game for g in closing if g.kind == "hands"} == {"nimmt", "thegame"}


def test_each_board_of_a_commit_is_seen_again_after_a_hand():
    closing = list_closing_geometries(HASH)
    before, after = ({(g.table, g.seed) for g in closing if g.kind == kind} for kind in ("board", "board-after"))
    assert before == after


def test_the_first_digits_of_the_hash_are_the_seed():
    assert list_closing_geometries(HASH) == list_closing_geometries(HASH[:12].upper())
    other = list_closing_geometries("0" + HASH[1:])
    assert not {g.seed for g in list_closing_geometries(HASH)} & {g.seed for g in other}
    assert not {g.seed for g in other} & {g.seed for g in PLAN.values()}


@pytest.mark.parametrize("text", ["", HASH[:11], "not a commit"])
def test_what_is_no_hash_is_refused(text):
    with pytest.raises(ValueError, match="hash"):
        list_closing_geometries(text)
