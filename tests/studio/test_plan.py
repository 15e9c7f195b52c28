"""The plan of the studio: equal shares, scenes that can be composed again, and the keys of its cache."""

from collections import Counter

import numpy as np
import pytest

from tests.studio import ranges, textures
from tests.studio.geometries import compose, list_geometries
from tests.studio.render import key_scene
from tests.studio.scene import FIRST_TILE, HAND
from vision.tags.codebook import BOOK, draw_pattern

PLAN = {geometry.name: geometry for geometry in list_geometries()}


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
