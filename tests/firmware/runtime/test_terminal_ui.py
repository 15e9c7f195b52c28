"""The page in a terminal: it fits any window from 80 x 24, or names the size needed."""

import re

import pytest

from engine.text import say
from engine.view import Offer, Pad, View
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.runtime.terminal_ui import LEAST_SIZE, LogLine, draw_page
from hw.panel.braille import to_braille
from hw.panel.terminal import to_blocks

NAMES = dict(enumerate("Annabelle Ben Clea Dov Eli Fay Gus Hana Ivo Jun".split(), 1))
SIZES = [(80, 24), (81, 25), (100, 40), (153, 44), (154, 44), (300, 100)]
LOG = [
    *(LogLine(f"seen    lay {n} 1") for n in range(120)),
    LogLine("44 belongs in row 3, behind 43 · N-10", alert=True),
    LogLine("word " * 60),
]


def view(players, **more):
    pads = tuple(Pad(n, rounds=(12, 3, 104), now=3, total=119) for n in range(1, players + 1))
    return View(say("lay_behind", card=44, row=3, behind=43), turn=2, pads=pads, **more)


def plain(row):
    return re.sub(r"\x1b\[[0-9;]*m", "", row)


def shown(players=4, **more):
    return ScreenFrame(view(players, **more), NAMES)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [0, 2, 10])
def test_the_page_fills_the_window_and_no_line_is_too_wide(size, players):
    rows = [plain(row) for row in draw_page(size, "Oxeye", shown(players), None, LOG)]
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    for player in range(1, players + 1):
        assert sum(NAMES[player][:3] in row and "122" in row for row in rows) == 1


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (20, 5), (1, 1)])
def test_a_window_that_is_too_small_shows_the_size_needed(size):
    rows = draw_page(size, "Oxeye", shown(), None, LOG)
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    if size[0] >= 20:
        assert f"{LEAST_SIZE[0]} x {LEAST_SIZE[1]}" in " ".join(rows)


@pytest.mark.parametrize(("size", "drawn"), [((80, 24), to_braille), ((160, 60), to_blocks)], ids=["small", "roomy"])
def test_the_panel_is_shown_pixel_by_pixel(size, drawn):
    now = shown(alert=say("camera_silent"))
    text = "\n".join(plain(row) for row in draw_page(size, "Oxeye", now, None, ()))
    assert all(row in text for row in drawn(draw_picture(now)).split("\n"))


def test_braille_maps_every_dot_once():
    image = draw_picture(shown())
    dots = sum((ord(letter) - 0x2800).bit_count() for letter in to_braille(image) if letter != "\n")
    assert dots == sum(image.histogram()[1:]) > 0


def test_the_newest_log_lines_are_shown_and_alerts_marked():
    rows = draw_page((100, 40), "Oxeye", shown(), None, LOG[:-1])
    told = [row for row in rows if "44 belongs" in plain(row)]
    assert told
    assert told[-1].startswith("\x1b[1;31m!")
    assert any("lay 119 1" in row for row in rows)
    assert not any("lay 1 1" in row for row in rows)


def test_scores_stay_visible_while_a_menu_is_open():
    menu = ScreenFrame(View(say("game_menu"), offers=(Offer(say("go_on"), "back"),)), NAMES)
    assert any("Clea" in row and "122" in row for row in draw_page((100, 40), "Oxeye", menu, view(4), ()))


def test_the_player_to_act_and_the_winners_are_marked():
    rows = [plain(row) for row in draw_page((100, 40), "Oxeye", shown(winners=(3,)), None, ())]
    assert any(">Ben" in row for row in rows)
    assert any("*Clea" in row for row in rows)
