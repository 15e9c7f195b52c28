"""How often cards are told soon after a hand, while the camera on its arm still swings: old rule and new rule.

``make bench-wobble`` prints the shares; the exit code is the verdict. A number of sequences may be given.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

import cv2
import numpy as np

from engine.table import Area
from hw.frame import Frame
from vision.changes.changed_areas import find_changes
from vision.frame import Grey
from vision.live.camera_sway import STILL, CameraSway
from vision.live.empty_table import measure_empty
from vision.live.table_watcher import TableWatcher
from vision.render import Arm, DrawnCard, DrawnMarker, RenderCamera, Scene, SceneLight, SceneRenderer, Sensor
from vision.render.scene import Ground
from vision.render.sensor import Wobble, swing_picture
from vision.tags.candidates import Box
from vision.tags.codebook import CODES

WIDE_MM, HIGH_MM, RIM_MM = 700.0, 480.0, 20.0
PX_MM = 2.8
"""Two pixels to a module of a sticker, the least that is called good."""
TOLD_S = 0.6
"""Seconds after the hand within which the cards must be told."""
BAR = 0.95
REACHES_PX = (0.1, 0.2, 0.3, 0.45, 0.6, 0.8)
GROUNDS: tuple[Ground, ...] = ("wood", "white", "felt", "darkwood", "clutter")
RATES = (10.0, 7.0, 5.0)
NOISE_LEVELS = 1.5
"""Standard deviation of the noise of one pixel of the full picture."""
BEFORE_S, HAND_S, TOUCH_S = 1.2, 0.6, 0.15
"""How long the table is still, how long the hand is over it, and how long before it leaves it touches the table."""
SEQUENCES = 60


@dataclass(frozen=True, slots=True)
class Touch:
    """A table before, during and after a hand that lays one more card."""

    before: Scene
    during: Scene
    after: Scene
    wobble: Wobble
    fps: float
    laid: str

    @property
    def zones(self) -> dict[str, Area]:
        quarter = HIGH_MM / 4
        return {f"row:{row + 1}": Area(0, row * quarter, WIDE_MM, (row + 1) * quarter) for row in range(4)}


def make_touch(seed: int) -> Touch:
    rng = np.random.default_rng([seed, 14])
    camera = RenderCamera.over(Area(-60, -60, WIDE_MM + 60, HIGH_MM + 60), PX_MM, tilt=float(rng.uniform(0, 6)))
    spots = (
        (-RIM_MM, -RIM_MM),
        (WIDE_MM + RIM_MM, -RIM_MM),
        (WIDE_MM + RIM_MM, HIGH_MM + RIM_MM),
        (-RIM_MM, HIGH_MM + RIM_MM),
    )
    markers = tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(spots))
    faces = [code for code in CODES if code.game == "nimmt" and code.piece.isdigit()]
    picks = [faces[int(n)] for n in rng.choice(len(faces), 21, replace=False)]
    cards = []
    for n, code in enumerate(picks):
        row, column = divmod(n, 6) if n < 20 else (3, 5)
        x, y = 60 + column * 105 + rng.uniform(-6, 6), HIGH_MM / 8 * (2 * row + 1) + rng.uniform(-6, 6)
        cards.append(DrawnCard("nimmt", code.piece, x, y, float(rng.normal(0, 4)), payload=code.payload))
    ground = GROUNDS[seed % len(GROUNDS)]
    light = SceneLight(gain=float(rng.uniform(0.6, 0.95)), patches=float(rng.uniform(0, 0.1)))
    before = Scene(
        camera, ground, seed % 16, markers=markers, cards=tuple(cards[:-1]), light=light, sensor=Sensor(noise=0)
    )
    new = cards[-1]
    arm = Arm((new.x + float(rng.uniform(-60, 60)), HIGH_MM + 160), (new.x, new.y - 10), sleeve=int(rng.integers(0, 4)))
    wobble = Wobble(
        REACHES_PX[seed // len(GROUNDS) % len(REACHES_PX)],
        float(rng.uniform(4, 12)),
        float(rng.uniform(0, 360)),
        float(rng.uniform(0, 6.28)),
        float(rng.uniform(0.8, 2.0)),
        float(rng.uniform(0.03, 0.1)),
        float(rng.uniform(-0.4, 0.4)),
    )
    held = replace(before, cards=(*before.cards, new), arms=(arm,))
    return Touch(before, held, replace(held, arms=()), wobble, RATES[seed % len(RATES)], new.piece)


def film_touch(touch: Touch, seed: int, small_stream: bool) -> Iterator[tuple[float, Frame]]:
    """Frames with their times, in seconds after the hand has left; the hand has touched the table shortly before."""
    rng, renderer = np.random.default_rng([seed, 5]), SceneRenderer()
    greys = [_to_grey(renderer.render(scene)) for scene in (touch.before, touch.during, touch.after)]
    first, touched = -BEFORE_S - HAND_S, -TOUCH_S
    at = first + float(rng.uniform(0, 1 / touch.fps))
    while at < TOLD_S:
        grey = greys[0 if at < -HAND_S else 1 if at < 0 else 2]
        if at >= touched:
            grey = swing_picture(grey, touch.wobble, at - touched)
        noisy = np.asarray(cv2.add(grey, _noise(rng, grey.shape), dtype=cv2.CV_8U), np.uint8)
        yield at, Frame(noisy, at - first, _shrink(noisy) if small_stream else None)
        at += 1 / touch.fps


def _shrink(grey: Grey) -> Grey:
    """A low-resolution stream whose size is no whole part of the full picture, as a camera delivers it."""
    size = (576, round(576 * grey.shape[0] / grey.shape[1] / 2) * 2)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _noise(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    patch_of = rng.normal(0, NOISE_LEVELS, (256, 256)).astype(np.float32)
    return np.tile(patch_of, (shape[0] // 256 + 1, shape[1] // 256 + 1))[: shape[0], : shape[1]]


def _to_grey(picture: np.ndarray) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@contextmanager
def old_rule() -> Iterator[None]:
    """Any difference between two frames counts as movement."""

    def follow(
        small: Grey, reference: Grey, before: CameraSway, shape: tuple[int, int]
    ) -> tuple[list[Box], CameraSway]:
        return find_changes(small, reference, shape), STILL

    with patch("vision.live.frame_reading.follow_sway", follow):
        yield


@dataclass(frozen=True, slots=True)
class Told:
    """Whether all cards are told within ``TOLD_S``, and whether one was ever told that is not there."""

    told: bool
    wrong: bool


def is_told(touch: Touch, frames: list[tuple[float, Frame]]) -> Told:
    bare = SceneRenderer().render(replace(touch.before, cards=()))
    empty = measure_empty(_to_grey(bare), 18.0)
    assert empty is not None
    watcher = TableWatcher("nimmt", touch.zones, empty)
    there = {card.piece for card in touch.after.cards}
    told = wrong = False
    for at, frame in frames:
        seen = {piece.piece for piece in watcher.update(frame, None).seen}
        wrong |= not seen <= there
        if 0 <= at <= TOLD_S:
            told = seen == there
    return Told(told, wrong)


def measure_wobble(sequences: int) -> bool:
    """Print the shares by the old and the new rule; is the bar met?"""
    results: dict[str, list[tuple[float, Told]]] = {"old rule": [], "new rule": []}
    for seed in range(sequences):
        touch = make_touch(seed)
        frames = list(film_touch(touch, seed, small_stream=bool(seed % 2)))
        with old_rule():
            results["old rule"].append((touch.wobble.reach, is_told(touch, frames)))
        results["new rule"].append((touch.wobble.reach, is_told(touch, frames)))
        if not results["new rule"][-1][1].told:
            print(f"not told: sequence {seed}, {touch.before.ground}, {touch.fps:g} frames a second, {touch.wobble}")
    for name, found in results.items():
        reaches = sorted({reach for reach, _ in found})
        parts = [[one.told for reach, one in found if reach == wanted] for wanted in reaches]
        each = ", ".join(f"{r:g} px {sum(p)} of {len(p)}" for r, p in zip(reaches, parts, strict=True))
        share = f"{sum(map(sum, parts))} of {len(found)}"
        wrong = sum(one.wrong for _, one in found)
        print(f"cards told {TOLD_S:g} s after a hand that shook the camera, {name}: {share} ({each}), {wrong} wrong")
    new = [one for _, one in results["new rule"]]
    return sum(one.told for one in new) >= BAR * len(new) and not any(one.wrong for one in new)


def main() -> int:
    return int(not measure_wobble(int(sys.argv[1]) if len(sys.argv) > 1 else SEQUENCES))


if __name__ == "__main__":
    sys.exit(main())
