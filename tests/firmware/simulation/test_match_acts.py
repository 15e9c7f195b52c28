"""The simulated table: placements have the given errors, and every piece is in its zone with its code visible."""

import random
from itertools import islice
from statistics import mean

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.table import Area
from firmware.simulation.table import SimTable, SimulatedHand, arm_positions, shapes
from firmware.simulation.table.camera_position import place_camera, place_markers
from firmware.simulation.table.cards import find_payload
from vision.render import DrawnCard, Scene, find_truth

WIDE = {"width": 900, "height": 600}
TABLES = {
    "base, 2 players": ("nimmt", {"players": 2, **WIDE}),
    "base, 10 players": ("nimmt", {"players": 10, **WIDE}),
    "professional, 6 players": ("nimmt", {"players": 6, "variant": "professional", **WIDE}),
    "two halves, 7 players": ("nimmt", {"players": 7, "variant": "halves", **WIDE}),
    "anniversary, 8 players": ("nimmt", {"players": 8, "variant": "anniversary"}),
    "The Game, 3 players": ("thegame", {"players": 3, **WIDE}),
    "SIX": ("six", WIDE),
}
ACTS = 300


def table(name, seed=1, **more):
    game, options = TABLES[name]
    return SimTable(
        Log(GAMES[game], options), random.Random(seed), hand=SimulatedHand(), px_module=1.95, tilt=7.0, **more
    )


@pytest.mark.parametrize("name", TABLES)
def test_the_table_shows_what_was_played(name):
    sim = table(name, mistake_share=0.0)
    game, still = sim.truth.game, 0
    for act in islice(sim.acts(), ACTS):
        if act.reaching:
            continue
        state = sim.truth.state
        wanted = {zone: held for zone, held in game.layout(state).zones.items() if zone != "anchor"}
        seen = {zone: held for zone, held in game.arrange(state, sim.true_table()).zones.items() if zone != "anchor"}
        assert seen == wanted, sim.truth.moves[-1]
        still += 1
    assert still > 20
    assert sim.laid.cramped < still / 4


@pytest.mark.parametrize("name", ["base, 10 players", "anniversary, 8 players", "professional, 6 players"])
def test_no_card_covers_the_sticker_of_another(name):
    sim = table(name, mistake_share=0.1)
    for act in islice(sim.acts(), ACTS):
        tags = [] if act.reaching else find_truth(act.scene).tags
        assert not [tag.payload for tag in tags if tag.covered > 0.01]


def test_a_mistake_is_corrected_to_the_same_position():
    sim = table("base, 2 players", mistake_share=0.5)
    right, moves, mended = {}, 0, 0
    for act in islice(sim.acts(), ACTS):
        if act.reaching:
            continue
        if act.wrong:
            assert sim.laid.pieces != right
            mended += 1
        elif not act.mistake:
            assert moves != len(sim.truth.moves) or sim.laid.pieces == right
            right, moves = dict(sim.laid.pieces), len(sim.truth.moves)
    assert mended > 10


def test_placement_errors_have_the_given_distribution():
    rng = random.Random(3)
    slips = [SimulatedHand().draw_slip(rng) for _ in range(6000)]
    far = [slip for slip in slips if slip.offset_mm == 20.0]
    usual = [slip for slip in slips if slip.offset_mm != 20.0]
    lean = [min(slip.angle % 180, -slip.angle % 180) for slip in usual]
    assert len(far) / len(slips) == pytest.approx(1 / 12, abs=0.015)
    assert {round(min(slip.angle % 180, -slip.angle % 180)) for slip in far} == {15}
    assert mean(slip.offset_mm <= 8 for slip in usual) == pytest.approx(0.954, abs=0.01)
    assert mean(turn <= 6 for turn in lean) == pytest.approx(0.954, abs=0.01)
    assert mean(90 < slip.angle < 270 for slip in slips) == pytest.approx(1 / 5, abs=0.02)


@pytest.mark.parametrize("towards", [0.0, 40.0, 90.0, 200.0])
@pytest.mark.parametrize("tilt", [0.0, 7.0, 15.0])
def test_the_camera_shows_all_markers_and_the_asked_resolution_in_its_worst_corner(tilt, towards):
    area = Area(0, 0, 900, 600)
    eye = place_camera(area, 1.95, tilt=tilt, towards=towards, turn=2.0)
    code = find_payload("nimmt", "33")
    corners = [DrawnCard("nimmt", "33", x, y, payload=code) for x in (12, 888) for y in (12, 588)]
    scene = Scene(eye, markers=place_markers(area), cards=tuple(corners))
    worst = min(tag.px_module for tag in find_truth(scene).tags)
    assert worst == pytest.approx(1.95, rel=0.03)
    assert all(tag.covered == 0 for tag in find_truth(scene).tags)


def test_bystander_arms_stay_clear_of_the_judged_area():
    rng, area, row = random.Random(5), Area(0, 0, 900, 600), Area(0, 150, 514, 300)
    for _ in range(200):
        arm = arm_positions.make_bystander_arm(rng, area, (row,))
        assert arm is not None
        body = shapes.make_quad(*arm.hand, 0.0, 60.0, 60.0)
        assert not shapes.overlap(body, shapes.make_quad(257, 225, 0, 514, 150))


def test_turned_rectangles_overlap_only_where_they_share_area():
    one = shapes.outline_card("nimmt", 100, 100, 0)
    assert shapes.overlap(one, shapes.outline_card("nimmt", 150, 100, 15))
    assert not shapes.overlap(one, shapes.outline_card("nimmt", 158, 100, 0))
    assert shapes.overlap(one, shapes.outline_sticker("nimmt", 100, 100, 180))
    assert not shapes.overlap(
        shapes.outline_sticker("nimmt", 100, 100, 0), shapes.outline_sticker("nimmt", 100, 100, 180)
    )
