"""The figures of the panel's bus are those of whole matches, and hold what they promise."""

from itertools import pairwise

import pytest
from PIL import Image

from tests.benchmarks.button_latency import measure_presses
from tests.benchmarks.oled import draw_pictures, format_line, measure_costs

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")


def test_a_match_gives_pictures_that_differ():
    shown = [*draw_pictures("six", {})][:20]
    assert all(before != after for before, after in pairwise(shown))


def test_a_small_change_costs_little_and_a_whole_picture_less_than_30_ms():
    blank, dot = Image.new("1", (128, 64)), Image.new("1", (128, 64))
    dot.putpixel((3, 3), 1)
    part, whole = (measure_costs("ssd1306", [blank, dot], whole=whole)[1] for whole in (False, True))
    assert part.bytes == 2 + 6 + 2 + 1
    assert part.fast == pytest.approx((9 * part.bytes + 2 * 2) / 400_000)
    assert part.slow == 4 * part.fast
    assert 1024 < whole.bytes < 1250
    assert whole.fast < 0.030


def test_a_line_tells_median_and_worst():
    assert "11" in format_line("x", measure_costs("sh1106", [Image.new("1", (128, 64))] * 3, whole=True))


def test_a_press_is_timed_in_parts_that_make_up_the_whole():
    found, lost, looked = measure_presses(3, pictures=2)
    assert (len(found), lost) == (3, 0)
    assert looked > 0
    for *parts, whole in found:
        assert sum(parts) == pytest.approx(whole)
        assert parts[0] >= 0.025, "no press before the contact is quiet"
        assert parts[-1] > 0.001, "the wire takes its time"
