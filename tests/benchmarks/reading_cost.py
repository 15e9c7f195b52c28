"""The cost of reading a 12-megapixel table in time and memory, compared with other decoders."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import zxingcpp
from pyzbar import pyzbar

from engine.table import Area
from tests.benchmarks import peak_memory
from vision.frame import Grey, shrink_frame
from vision.live.frame_reading import ReadingSetup, read_frame, view_empty_table
from vision.render import DrawnCard, DrawnMarker, Ground, RenderCamera, Scene, Sensor, render_scene
from vision.tags.codebook import CODES

Read = tuple[str, float, float]
WIDE_PX, HIGH_PX, MOST_MB = 4056, 3040, 140
ROUNDS, TIMES = 5, 3
"""Rounds in which all are measured one after the other, and how often each in a round: the best counts."""
MARKER_MM = 40.0
GROUNDS: tuple[Ground, ...] = ("wood", "white", "felt", "darkwood", "clutter")


def read_pyzbar(grey: Grey) -> list[Read]:
    found = pyzbar.decode(grey, symbols=[pyzbar.ZBarSymbol.QRCODE])
    return [(r.data.decode("ascii", "replace"), *np.mean([(p.x, p.y) for p in r.polygon], 0)) for r in found]


def read_zxing(grey: Grey, scale: float = 1.0) -> list[Read]:
    found = []
    for r in zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)):
        p = r.position
        xy = [(c.x, c.y) for c in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)]
        x, y = np.mean(xy, 0)
        found.append((r.text, float(x) / scale, float(y) / scale))
    return found


def make_table(px: float, tags: int, seed: int) -> Scene:
    """A number of cards spread over the area that a 12-megapixel camera shows at this size of modules."""
    rng = np.random.default_rng([seed, tags])
    px_mm = px * 25 / 18
    width, height = WIDE_PX / px_mm - 160, HIGH_PX / px_mm - 160
    area = Area(-80, -80, width + 80, height + 80)
    camera = replace(RenderCamera.over(area, px_mm, tilt=2.0, barrel=0.01), width=WIDE_PX, height=HIGH_PX)
    columns = int(np.ceil((tags * width / height * 1.4) ** 0.5))
    rows = -(-tags // columns)
    faces = [code for code in CODES if code.game in ("nimmt", "thegame")]
    cards = []
    for n, pick in enumerate(rng.choice(len(faces), tags, replace=False)):
        code = faces[int(pick)]
        x, y = (n % columns + 0.5) * width / columns, (n // columns + 0.5) * height / rows
        turn = float(rng.uniform(-8, 8))
        cards.append(DrawnCard(code.game, code.piece, x, y, turn, payload=code.payload))
    out = MARKER_MM / 2
    corners = ((-out, -out), (width + out, -out), (width + out, height + out), (-out, height + out))
    markers = tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(corners))
    return Scene(
        camera, GROUNDS[seed % len(GROUNDS)], seed % 16, markers=markers, cards=tuple(cards), sensor=Sensor(), seed=seed
    )


def render_grey(scene: Scene) -> Grey:
    return np.asarray(cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY), np.uint8)


def measure_ms(work: Callable[[], object], times: int) -> float:
    """Milliseconds of CPU, the best of a few runs: other processes disturb the measurement."""
    return min(_spend_ms(work) for _ in range(times))


def measure_side_by_side(works: Sequence[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Milliseconds of CPU of each work, round by round: what slows the machine for a moment slows them all."""
    return [[measure_ms(work, TIMES) for work in works] for _ in range(rounds)]


def _spend_ms(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def print_cost(quick: bool) -> bool:
    """Full frames with an empty-table picture, a still frame, one new card, many tags, memory."""
    cv2.setNumThreads(1)
    good = True
    frames = 1 if quick else 5
    print()
    print(
        f"{WIDE_PX} x {HIGH_PX}, 45 tags, median CPU ms of {frames} tables  pyzbar    zxing    Oxeye   still  one card"
    )
    for px in (2.5, 2.0):
        spent = [row for seed in range(frames) for row in _measure_table(px, seed)]
        pyzbar, plain, full, still, card = (median(column) for column in zip(*spent, strict=True))
        print(f"{px:g} px/module {'':29}{pyzbar:9.1f}{plain:9.1f}{full:9.1f}{still:8.3f}{card:10.2f}")
        bars = [("one new card against pyzbar", 4, 0, 1 / 20), ("still frame against pyzbar", 3, 0, 1 / 1000)]
        bars += [("frame against pyzbar", 2, 0, 1 / 15 if px > 2 else 1 / 3)]
        bars += [("frame against zxing", 2, 1, 6.0)] if px > 2 else []
        for what, ours, other, most in bars:
            share = median(row[ours] / row[other] for row in spent)
            good &= share <= most
            room = f"{100 * (1 - share / most):.0f} % of room" if share <= most else "MISSED"
            print(f"    {what}: {share:.5f} of its time, at most {most:.5f}: {room}")
    print("ms by number of tags at 2.5 px/module, empty table given:")
    for tags in (5, 45, 100) if quick else (5, 10, 20, 45, 70, 100):
        grey, bare = (
            render_grey(make_table(2.5, tags, 7)),
            render_grey(replace(make_table(2.5, tags, 7), cards=(), seed=99)),
        )
        setup = _setup(bare)
        seen = read_frame(grey, setup)
        ms = measure_ms(partial(read_frame, grey, setup), ROUNDS)
        print(f"    {tags:3} tags: {len(seen.pieces):3} read, {ms:7.1f} ms")
    return _memory() and good


def _setup(bare: Grey) -> ReadingSetup:
    calibration = read_frame(bare).calibration
    assert calibration is not None
    return ReadingSetup(sticker_mm=18.0, empty=view_empty_table(bare, calibration), calibration=calibration)


def _measure_table(px: float, seed: int) -> list[list[float]]:
    """Round by round the milliseconds of pyzbar, of zxing, of a whole frame, of a still one and of one new card."""
    scene = make_table(px, 45, seed)
    grey, bare = render_grey(scene), render_grey(replace(scene, cards=(), seed=900 + seed))
    setup = _setup(bare)
    one_less = read_frame(render_grey(replace(scene, cards=scene.cards[:-1], seed=500 + seed)), setup)
    again = render_grey(replace(scene, seed=700 + seed))
    before, small = read_frame(grey, setup), shrink_frame(again)
    now_small = shrink_frame(grey)
    assert len(before.pieces) > len(one_less.pieces)
    works = [
        lambda: read_pyzbar(grey),
        lambda: read_zxing(grey),
        lambda: read_frame(grey, setup),
        lambda: read_frame(again, setup, before, small),
        lambda: read_frame(grey, setup, one_less, now_small),
    ]
    measure_side_by_side(works[2:], 1)  # the first frame also fills the caches that all later ones use
    return measure_side_by_side(works, ROUNDS)


def _memory() -> bool:
    """Measure the memory of a process that reads one frame with its empty table."""
    scene = make_table(2.0, 45, 3)
    with tempfile.TemporaryDirectory() as folder:
        full, bare = Path(folder) / "full.png", Path(folder) / "bare.png"
        cv2.imwrite(str(full), render_grey(scene))
        cv2.imwrite(str(bare), render_grey(replace(scene, cards=(), seed=99)))
        words = subprocess.run(
            [sys.executable, peak_memory.__file__, str(full), str(bare)], capture_output=True, text=True, check=True
        ).stdout
    most = float(words.split()[0])
    met = most <= MOST_MB
    print(f"peak resident memory of the reader: {words.strip()}, at most {MOST_MB} MB {'ok' if met else 'MISSED'}")
    return met
