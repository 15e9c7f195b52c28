"""The truth of a scene follows from its index pass."""

import struct

import numpy as np
import pytest

from tests.studio import ranges
from tests.studio.camera import StudioCamera, aim_camera, to_world
from tests.studio.exr import read_exr
from tests.studio.render import decode_linear, encode_linear, make_distortion_maps, smooth_edges, smooth_light
from tests.studio.scene import FIRST_CARD, FIRST_TILE, HAND, PlacedCard, StudioScene
from tests.studio.truth import CLASSES, describe, fill, outline

AREA = (594.0, 420.0)


@pytest.fixture
def scene():
    camera = aim_camera(
        (1640, 1232), 62.0, AREA, border_mm=47, margin_mm=10, tilt_deg=4, azimuth_deg=30, roll_deg=0, k=0.0
    )
    scene = StudioScene(AREA, camera, "white")
    for n, angle in enumerate((0.0, 180.0)):
        scene.cards.append(
            PlacedCard("nimmt", "44", "1N044P8GPX", (150 + 200 * n, 200), angle, 0, (0, 0, 0), (57, 87), "row:1", n)
        )
    return scene


def draw_index(scene, *, hide=()):
    """The index pass of cards that do not overlap; ``hide``: rectangles in mm that a hand hides."""
    margin = round(ranges.OVERSCAN * scene.camera.width)
    index = np.zeros((scene.camera.height + 2 * margin, scene.camera.width + 2 * margin), np.uint16)
    for n, card in enumerate(scene.cards):
        index[fill(index.shape, scene.camera.pinhole(card.surface(AREA, outline(card))) + margin)] = FIRST_CARD + n
    for left, top, right, bottom in hide:
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
        index[fill(index.shape, scene.camera.pinhole(to_world(AREA, corners)) + margin)] = HAND
    shown = index[margin:-margin, margin:-margin]
    return index, shown


def test_a_card_in_full_view(scene):
    card = describe(scene, *draw_index(scene))["cards"][0]
    assert card["visible_mm2"] == pytest.approx(57 * 87, rel=0.01)
    assert card["tag_visible"] == 1.0
    assert card["covered_by_mm2"] == {}
    assert card["px_per_module"] > ranges.PX_PER_MODULE_WHOLE


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_a_hand_over_part_of_a_sticker_is_measured(scene, share):
    left, low = 150 - 57 / 2 + 3, 200 + 87 / 2 - 3
    hidden = (left - 20, low - 30, left + 18 * share, low + 20)
    card, other = describe(scene, *draw_index(scene, hide=[hidden]))["cards"]
    assert card["tag_visible"] == pytest.approx(1 - share, abs=0.04)
    assert set(card["covered_by_mm2"]) == {HAND}
    assert other["tag_visible"] == 1.0


def test_a_sticker_of_an_upside_down_card_is_at_the_top_right(scene):
    upright, turned = describe(scene, *draw_index(scene))["cards"]
    assert np.mean(upright["tag_px"], axis=0)[1] > upright["centre_px"][1]
    assert np.mean(turned["tag_px"], axis=0)[1] < turned["centre_px"][1]
    assert np.mean(turned["tag_px"], axis=0)[0] > turned["centre_px"][0]


def test_cells_say_what_owns_the_table(scene):
    cells = np.array(describe(scene, *draw_index(scene, hide=[(300, 300, 360, 360)]))["cells"])
    assert cells.shape == (28, 40, len(CLASSES))
    assert cells.sum(axis=2).min() >= 98
    assert cells[22, 22, CLASSES.index("hand")] == 100
    assert cells[200 // 15, 150 // 15, CLASSES.index("card")] == 100
    assert cells[2, 2, CLASSES.index("bare")] == 100


def test_the_marker_stands_outside_the_area(scene):
    truth = describe(scene, *draw_index(scene))
    markers = truth["markers"]
    assert truth["markers_visible"] == dict.fromkeys(markers, 0.0)  # the index pass of this test has none
    inner = scene.camera.project(to_world(AREA, np.array([[0.0, 0.0], [594.0, 420.0]])))
    assert markers["TL"][2] == pytest.approx(inner[0], abs=0.02)
    assert markers["BR"][0] == pytest.approx(inner[1], abs=0.02)


def test_brightness_is_stored_finer_than_a_sensor_sees():
    picture = np.linspace(0, 5, 1000, dtype=np.float32).reshape(10, 100)
    assert decode_linear(encode_linear(picture)) == pytest.approx(picture, rel=0.003, abs=1e-3)


def test_smoothing_keeps_to_one_object_and_to_a_bevel():
    index = np.zeros((9, 20), np.uint16)
    index[:, 10:] = FIRST_CARD
    light = np.where(index[..., None] > 0, np.float32(1), np.float32(0))
    assert smooth_light(light, index) == pytest.approx(light)
    ridge = np.zeros((30, 40, 1), np.float32)
    ridge[:, 20] = 1
    cloth, tile = (smooth_light(ridge, np.full((30, 40), n, np.uint16))[15, :, 0] for n in (0, FIRST_TILE))
    assert np.count_nonzero(cloth) == 5
    assert np.count_nonzero(tile) == 3


def test_smoothing_takes_the_noise_away_and_keeps_a_shadow():
    rng = np.random.default_rng(3)
    light = np.full((80, 80, 1), 1.0, np.float32)
    light[:, 40:] = 0.4
    noisy = (light * rng.normal(1, 0.08, light.shape)).astype(np.float32)
    smooth = smooth_light(noisy, np.zeros((80, 80), np.uint16))
    assert smooth[20:60, 10:30].std() < 0.01
    assert smooth[20:60, 36].mean() > 0.98
    assert smooth[20:60, 43].mean() < 0.42


def test_the_light_of_a_narrow_gap_is_averaged():
    index = np.zeros((9, 9), np.uint16)
    index[:, 4] = FIRST_CARD
    light = np.zeros((9, 9, 1), np.float32)
    light[4, 4] = 9
    edges = smooth_edges(light, index)
    assert edges[4, 4, 0] == pytest.approx(1)
    assert edges[:, :2].max() == 0


def test_without_distortion_the_picture_is_the_middle_of_the_render():
    camera = StudioCamera(40, 30, 50.0, (0, 0, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    x, y = make_distortion_maps(camera)
    margin = round(ranges.OVERSCAN * 40)
    assert x[0] == pytest.approx(np.arange(40) + margin)
    assert y[:, 0] == pytest.approx(np.arange(30) + margin)


def make_exr(planes, compression=0):
    def attribute(name, kind, value):
        return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value

    height, width = next(iter(planes.values())).shape
    channels = b"".join(name + b"\0" + struct.pack("<iiii", 1, 0, 1, 1) for name in planes) + b"\0"
    head = b"\x76\x2f\x31\x01" + struct.pack("<i", 2)
    head += attribute(b"channels", b"chlist", channels) + attribute(
        b"compression", b"compression", bytes([compression])
    )
    head += attribute(b"dataWindow", b"box2i", struct.pack("<4i", 0, 0, width - 1, height - 1)) + b"\0"
    lines = b""
    for row in range(height):
        data = b"".join(plane[row].astype("<f2").tobytes() for plane in planes.values())
        lines += struct.pack("<ii", row, len(data)) + data
    return head + b"\0" * 8 * height + lines


def test_an_exr_picture_is_read(tmp_path):
    planes = {b"A.B": np.arange(6.0).reshape(2, 3), b"A.G": np.arange(6.0).reshape(2, 3) / 4}
    (tmp_path / "a.exr").write_bytes(make_exr(planes))
    found = read_exr(tmp_path / "a.exr")
    assert sorted(found) == ["A.B", "A.G"]
    assert found["A.G"] == pytest.approx(planes[b"A.G"])


@pytest.mark.parametrize("data", [b"not a picture", make_exr({b"R": np.zeros((1, 1))}, compression=3)])
def test_another_file_is_refused(tmp_path, data):
    (tmp_path / "a.exr").write_bytes(data)
    with pytest.raises(ValueError, match="exr"):
        read_exr(tmp_path / "a.exr")
