"""The page for builders: its picture, its pins and its heights are those of the program."""

import re
import xml.etree.ElementTree as xml
from math import cos, radians, sin
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.generate.building import PAGE, PICTURE, update_page
from docs.generate.field import AREAS_MM, CAMERA_VIEWS, format_heights, include_markers
from docs.generate.wiring import BUZZER, HEADER, LIGHT, POWER, draw_wiring, find_pin, list_parts
from firmware.cli import main
from firmware.machine.config_file import read_config
from firmware.printing.camera_range import camera_ranges
from hw.button_pins import DEFAULT_PINS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / PAGE).read_text(encoding="utf-8")


def test_the_picture_and_the_heights_are_worked_out_anew():
    assert (DOCS / PICTURE).read_text(encoding="utf-8") == draw_wiring(), "stale: run 'make docs'"
    assert update_page(TEXT) == TEXT, "stale: run 'make docs'"
    assert format_heights() in TEXT


def test_the_page_names_the_pins_that_are_usual():
    told = dict(re.findall(r"^\| button (\w+)[^|]*\| \| (\d+ \| \d+) \|$", TEXT, re.MULTILINE))
    wanted = {name.upper(): f"{gpio} | {find_pin(gpio)}" for name, gpio in DEFAULT_PINS.items()}
    assert told == wanted | {"POWER": f"{POWER} | {find_pin(POWER)}"}
    assert f"| {', '.join(map(str, LIGHT))} | {', '.join(str(find_pin(gpio)) for gpio in LIGHT)} |" in TEXT
    assert f"| {BUZZER} | {find_pin(BUZZER)} |" in TEXT


def test_no_button_is_on_a_wire_of_the_screen():
    assert not {*DEFAULT_PINS.values(), POWER, BUZZER, *LIGHT} & {2, 3, 8, 9, 10, 11, 24, 25}


def test_the_header_is_that_of_every_pi():
    assert len(HEADER) == 40
    assert sorted(what for what in HEADER if isinstance(what, int)) == [*range(28)]
    assert [place for place, what in enumerate(HEADER, 1) if what == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert [find_pin(gpio) for gpio in (2, 3, 4, 14, 21, 26)] == [3, 5, 7, 8, 40, 37]


def test_every_wire_of_the_picture_ends_at_what_it_says():
    drawn = xml.fromstring(draw_wiring())
    assert drawn.tag.endswith("svg")
    for wire in (wire for part in list_parts() for wire in part.wires if wire.leg):
        wanted = {"VCC": "3.3 V", "GND": "GND", "SDA": 2, "SCL": 3}
        assert HEADER[wire.place - 1] == wanted.get(wire.leg, HEADER[wire.place - 1])
    places = [wire.place for part in list_parts() for wire in part.wires]
    assert len({*places, 39}) == len(places) + 1


def test_every_setting_on_the_page_is_one(tmp_path):
    path = tmp_path / "config.toml"
    commands = re.findall(r"oxeye config set (\S+) ([\w.,]+)", TEXT)
    assert len(commands) > 5
    for key, value in commands:
        path.unlink(missing_ok=True)
        out = CliRunner().invoke(main, ["config", "set", key, value, "--config", str(path)])
        assert out.exit_code == 0, out.output
        assert read_config(path).problems == ()


# -- the camera


def corners(eye, area, leaning, side):
    """Where a small square in the far right corner of an area lies in the picture, by plain projection."""
    away, lean = eye.distance(area, leaning), radians(leaning)
    for dx, dy in ((0, 0), (side, 0), (side, -side), (0, -side)):
        x, y = area[0] / 2 - side + dx, area[1] / 2 + dy
        depth = away + y * sin(lean)
        yield eye.focal * x / depth, eye.focal * y * cos(lean) / depth


@pytest.mark.parametrize("leaning", [0, 10, 20])
@pytest.mark.parametrize("eye", CAMERA_VIEWS, ids=lambda eye: eye.name)
def test_a_module_is_as_large_as_a_square_seen_there(eye, leaning):
    area, side = (900, 600), 18 / 25
    (ax, ay), (bx, by), _, (dx, dy) = corners(eye, area, leaning, side)
    # the narrowest width of the patch that the square becomes
    a, b, c, d = bx - ax, dx - ax, by - ay, dy - ay
    total, surface = a * a + b * b + c * c + d * d, abs(a * d - b * c)
    narrowest = ((total - (total**2 - 4 * surface**2) ** 0.5) / 2) ** 0.5
    assert eye.px_module(area, leaning) == pytest.approx(narrowest, rel=0.01)


@pytest.mark.parametrize("eye", CAMERA_VIEWS, ids=lambda eye: eye.name)
def test_looking_straight_down_it_is_what_the_printing_says(eye):
    for found in camera_ranges(18.0):
        if found.camera == eye.name:
            assert eye.px_module(found.area) == pytest.approx(found.px_module, rel=1e-6)


@pytest.mark.parametrize("area", AREAS_MM, ids=str)
@pytest.mark.parametrize("eye", CAMERA_VIEWS, ids=lambda eye: eye.name)
def test_from_its_height_a_camera_sees_the_area_and_its_markers(eye, area):
    whole = include_markers(area)
    wide, high = eye.field(eye.distance(whole))
    assert wide >= whole[0] - 0.01
    assert high >= whole[1] - 0.01
    assert min(wide - whole[0], high - whole[1]) < 0.01
    assert whole[0] - area[0] == pytest.approx(93.3, abs=0.1)


@pytest.mark.parametrize(
    ("area", "name", "figures"),
    [
        ((900, 600), "Camera Module 2", (2.5, 2.0, 1.6)),
        ((900, 600), "Camera Module 3", (3.1, 2.7, 2.2)),
        ((900, 600), "HQ, 6 mm lens", (3.2, 2.6, 2.0)),
        ((700, 460), "Camera Module 2", (3.3, 2.6, 2.0)),
        ((700, 460), "Camera Module 3", (4.0, 3.5, 2.9)),
        ((700, 460), "HQ, 6 mm lens", (4.0, 3.3, 2.6)),
    ],
)
def test_figures_agree_with_what_the_eyes_were_planned_for(area, name, figures):
    eye = next(eye for eye in CAMERA_VIEWS if eye.name == name)
    assert [eye.px_module(area, leaning) for leaning in (0, 10, 20)] == pytest.approx(figures, rel=0.09)
