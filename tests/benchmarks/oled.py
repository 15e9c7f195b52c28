"""Bytes of the screens of whole matches on the I2C bus, and time from a button press to the OLED."""

import random
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from PIL import Image

from engine.games import GAMES
from engine.log import Log
from firmware.runtime.screen_text import render_screen
from firmware.simulation.players import PLAYERS
from hw.fakes.ssd1306 import FakeSsd1306
from hw.panel.oled_ssd1306 import OledPanel
from hw.panel.screen import draw_screen
from tests.benchmarks.button_latency import check_presses

MATCHES: dict[str, dict[str, int]] = {"nimmt": {"players": 4}, "thegame": {"players": 3}, "six": {}}
NAMES = dict(enumerate("Ana Ben Clea Dov Eli".split(), 1))
MAX_UPDATES = 150
"""Updates that are counted of each match, so that a long one has no more weight."""
CHIPS = ("ssd1306", "sh1106")
SLOW_HZ, FAST_HZ = 100_000, 400_000
MAX_PICTURE_S = 0.030
"""Seconds that a whole picture may take on the faster bus; with more the answer to a press is too late."""


@dataclass(frozen=True, slots=True)
class UpdateCost:
    """Bytes and seconds on both buses of one update."""

    bytes: int
    slow: float
    fast: float


def draw_pictures(game: str, options: dict[str, int]) -> Iterator[Image.Image]:
    """The pictures on the panel during a match; moves that change no pixel are left out."""
    log: Log[Any, Any] = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, random.Random(1))
    shown: Image.Image | None = None
    while (move := players.next(log.state)) is not None:
        log = log.add(move)
        view = log.game.view(log.state)
        image = draw_screen(view, render_screen(view, NAMES))
        if image != shown:
            yield image
        shown = image


def measure_costs(chip: str, images: list[Image.Image], *, whole: bool) -> list[UpdateCost]:
    found = []
    bus = FakeSsd1306(chip)
    panel = OledPanel(chip, bus=bus)
    for image in images:
        bus.bytes = bus.messages = 0
        if whole:
            panel.renew(image)
        else:
            panel.show(image)
        found.append(UpdateCost(bus.bytes, bus.seconds(SLOW_HZ), bus.seconds(FAST_HZ)))
        if bus.image() != image:
            raise SystemExit(f"{chip}: the display does not show what was drawn")
    return found


def format_line(name: str, found: list[UpdateCost]) -> str:
    sizes = [cost.bytes for cost in found]
    middle, high = median(sizes), quantiles(sizes, n=20)[-1]
    slow, fast = (1000 * median(getattr(cost, pace) for cost in found) for pace in ("slow", "fast"))
    worst = 1000 * max(cost.fast for cost in found)
    return f"{name:28}{middle:8.0f}{high:8.0f}{slow:12.1f}{fast:12.1f}{worst:12.1f}"


def main() -> int:
    warnings.simplefilter("ignore", DeprecationWarning)  # luma reads the pixels of an SH1106 with a deprecated call
    images = []
    for game, options in MATCHES.items():
        shown = [*draw_pictures(game, options)]
        images += shown[:MAX_UPDATES]
        print(f"{game}: {min(len(shown), MAX_UPDATES)} updates of {len(shown)}")
    print("in messages of 32 bytes, addresses included\n")
    print(f"{'':28}{'bytes':>8}{'95 %':>8}{'ms, 100 kHz':>12}{'400 kHz':>12}{'at most':>12}")
    held = True
    for chip in CHIPS:
        whole, part = (measure_costs(chip, images, whole=whole) for whole in (True, False))
        print(format_line(f"{chip} whole, with set-up", whole))
        print(format_line(f"{chip} what changed", part))
        smaller = median(cost.bytes for cost in part) < median(cost.bytes for cost in whole)
        soon = max(cost.fast for cost in whole) <= MAX_PICTURE_S
        held &= smaller and soon
    print(f"\n{'held' if held else 'MISSED'}: less than a whole picture, and that within {1000 * MAX_PICTURE_S:.0f} ms")
    held &= check_presses()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
