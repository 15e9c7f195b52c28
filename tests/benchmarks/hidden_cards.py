"""How often a card that was not read is noticed, and how often a zone is flagged although every card in it was read.

``make bench-hidden`` draws rows of 6 nimmt! and piles of The Game: cards upside down, laid the wrong way round, slid
under and over others, their stickers covered in part. Each table is read as a photo and watched as in a game, where a
zone must not first count as seen and then be flagged. The exit code is the verdict. A range of seeds may be given.
"""

import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.games import GAMES
from engine.table import Area, Cover
from tests.benchmarks.watched_tables import watch_table
from vision.live.frame_reading import ReadingSetup
from vision.pieces import PIECES
from vision.render import DrawnCard, DrawnMarker, RenderCamera, Scene, SceneLight, Sensor, render_scene
from vision.render.projection import make_rectangle, place_card
from vision.render.scene import Ground
from vision.still_picture import PhotoReading, read_picture, use_empty
from vision.tags.codebook import CODES
from vision.tags.placement import PlacedTag

AREAS = ((594.0, 420.0), (700.0, 460.0))
MARKER_MM = 40.0
PX_MM = (2.0, 3.2)
"""1.4 to 2.3 pixels to a module of a sticker."""
GROUNDS: tuple[Ground, ...] = ("wood", "white", "felt", "darkwood", "clutter", "dark")
STYLES: tuple[Literal["plain", "busy", "framed"], ...] = ("framed", "busy", "framed", "plain")
LEAST_MM2, LEAST_CAUSE_MM2, RIM_MM = 300, 20, 5
"""What a card must show to count, what counts as a cause for a flag, and how near to a zone."""
REACH_MM = 12.0
FLAGS_BAR = 0.97
PICTURES = 130
Kind = Literal["whole", "turned", "tight", "reversed", "heap"]
KINDS: tuple[Kind, ...] = ("whole", "turned", "turned", "tight", "reversed", "heap")
"""Rows of which every card can be read; with cards upside down; too tight for their stickers; laid from right to left;
with a card slid in anywhere."""
Owner = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A table with cards, the kind of each row, and the game."""

    scene: Scene
    game: str
    zones: dict[str, Area]
    kinds: dict[str, str]

    def find_zone(self, card: DrawnCard) -> str:
        return next((name for name, zone in self.zones.items() if zone.contains(card.x, card.y)), "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one picture: hidden cards as (zone, mm2 in view, noticed), zones without a cause as
    (zone, flagged), pairs told as (upper, lower, right).
    """

    hidden: tuple[tuple[str, int, bool], ...]
    clean: tuple[tuple[str, bool], ...]
    covers: tuple[tuple[str, str, bool], ...]


def make_table(seed: int) -> LaidTable:
    rng = np.random.default_rng([seed, 3361])
    piles = seed % 5 == 4
    game = "thegame" if piles else "nimmt"
    area = (600.0, 450.0) if piles else AREAS[int(rng.integers(len(AREAS)))]
    options = {"players": 3 if piles else 4, "width": int(area[0]), "height": int(area[1])}
    zones = dict(GAMES[game].plan(options).zones)
    style = STYLES[int(rng.integers(len(STYLES)))]
    codes = [code for code in CODES if code.game == game and code.piece.isdigit()]
    rng.shuffle(codes)
    cards: list[DrawnCard] = []
    kinds: dict[str, str] = {}
    for name, zone in zones.items():
        if not name.startswith("row") and not piles:
            continue
        kinds[name] = "pile" if piles else KINDS[int(rng.integers(len(KINDS)))]
        laid = _lay_pile(rng, zone) if piles else _lay_row(rng, zone, kinds[name])
        for x, y, angle in laid:
            code = codes.pop()
            slip = (float(rng.normal(0, 0.6)), float(rng.normal(0, 0.6)), float(rng.normal(0, 1.0)))
            cards.append(DrawnCard(game, code.piece, x, y, angle, code.payload, style=style, slip=slip))
    rim = 1.5 * MARKER_MM + 6
    camera = RenderCamera.over(
        Area(-rim, -rim, area[0] + rim, area[1] + rim),
        float(rng.uniform(*PX_MM)),
        distance=float(rng.uniform(750, 1100)),
        tilt=float(rng.uniform(0, 9)),
        towards=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-2, 2)),
        barrel=float(rng.uniform(0, 0.015)),
    )
    half = MARKER_MM / 2
    spots = ((-half, -half), (area[0] + half, -half), (area[0] + half, area[1] + half), (-half, area[1] + half))
    light = SceneLight(
        gain=float(rng.uniform(0.5, 0.95)),
        slope=(float(rng.uniform(-0.25, 0.25)), float(rng.uniform(-0.25, 0.25))),
        patches=float(rng.uniform(0, 0.1)),
        warmth=float(rng.uniform(-0.2, 0.2)),
        sun=float(rng.uniform(0, 360)),
        shadow=float(rng.uniform(0.15, 0.5)),
    )
    sensor = Sensor(
        blur=float(rng.uniform(0.55, 0.9)),
        noise=float(rng.uniform(0.7, 1.6)),
        sharpen=float(rng.choice([0.0, 0.5])),
        jpeg=int(rng.choice([0, 0, 85, 92])),
    )
    markers = tuple(DrawnMarker(n, x, y, MARKER_MM) for n, (x, y) in enumerate(spots))
    ground = GROUNDS[int(rng.integers(len(GROUNDS)))]
    scene = Scene(camera, ground, seed % 16, markers, tuple(cards), light=light, sensor=sensor, seed=seed)
    return LaidTable(scene, game, zones, kinds)


def _lay_row(rng: np.random.Generator, zone: Area, kind: str) -> list[tuple[float, float, float]]:
    """The cards from the table upwards."""
    wide, sticker = PIECES["nimmt"].size[0], 18.0
    x, y = zone.left + wide / 2 + rng.uniform(2, 14), (zone.top + zone.bottom) / 2 + rng.uniform(-4, 4)
    found: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(2, 6))):
        angle = float(np.clip(rng.normal(0, 2), -7, 7))
        pitch = float(rng.uniform(24, 62))
        if kind == "turned" and rng.random() < 0.4:
            angle += 180
            pitch = wide - 3 - sticker * (1 - float(rng.uniform(-0.3, 0.9)))
        elif kind == "tight" and rng.random() < 0.5:
            pitch = float(rng.uniform(5, 21))
        elif kind == "reversed":
            angle += 180 if rng.random() < 0.5 else 0
        found.append((float(x), float(y + rng.uniform(-2, 2)), angle))
        x += pitch
        if x + wide / 2 > zone.right - 1:
            break
    if kind == "reversed":
        found.reverse()
    if kind == "heap":
        n = int(rng.integers(len(found)))
        x, y, _ = found[n]
        turn = float(rng.choice([0, 180, 90, -90])) + float(rng.normal(0, 6))
        slid = (float(x + rng.uniform(-45, 45)), float(y + rng.uniform(-6, 6)), turn)
        reach = 46 if abs(turn % 180 - 90) < 45 else 30
        slid = (float(np.clip(slid[0], zone.left + reach, zone.right - reach)), slid[1], turn)
        found.insert(int(rng.integers(len(found) + 1)), slid)
    return found


def _lay_pile(rng: np.random.Generator, zone: Area) -> list[tuple[float, float, float]]:
    x, y = (zone.left + zone.right) / 2, (zone.top + zone.bottom) / 2
    spread = float(rng.choice([2.0, 7.0, 10.0]))
    return [
        (
            float(x + rng.normal(0, spread)),
            float(y + rng.normal(0, spread)),
            float(np.clip(rng.normal(0, 3), -8, 8)) + (180 if rng.random() < 0.25 else 0),
        )
        for _ in range(int(rng.integers(1, 5)))
    ]


def draw_owners(table: LaidTable) -> Owner:
    """By mm of the table the card in view, from 1, or 0."""
    wide = round(max(zone.right for zone in table.zones.values()))
    high = round(max(zone.bottom for zone in table.zones.values()))
    plane = np.zeros((high, wide), np.uint8)
    for n, card in enumerate(table.scene.cards):
        outline = place_card(card, PIECES[card.game].size, make_rectangle(*PIECES[card.game].size))[:, :2]
        cv2.fillPoly(plane, [np.round((outline - 0.5) * 16).astype(np.int32)], n + 1, cv2.LINE_8, 4)
    return plane


def read_table(now: NDArray[np.uint8], empty: NDArray[np.uint8], game: str) -> PhotoReading:
    setup, bare = use_empty(ReadingSetup(), empty, game)
    return read_picture(now, game, bare, setup)


def judge(table: LaidTable, pieces: Iterable[PlacedTag], unseen: Collection[str], covers: Iterable[Cover]) -> Verdict:
    """``unseen`` are the zones that were flagged."""
    cards, owners = table.scene.cards, draw_owners(table)
    seen = {piece.piece: piece.mm for piece in pieces if piece.mm is not None and not piece.doubtful}
    told = [
        (at := seen.get(card.piece)) is not None and hypot(at[0] - card.x, at[1] - card.y) < REACH_MM for card in cards
    ]
    hidden, clean = [], []
    for n, card in enumerate(cards):
        zone = table.find_zone(card)
        if not told[n] and zone:
            shown = int((_cut(owners, table.zones[zone]) == n + 1).sum())
            if shown >= LEAST_MM2:
                hidden.append((zone, shown, zone in unseen))
    untold = [n + 1 for n, known in enumerate(told) if not known]
    cause = cv2.dilate(np.isin(owners, untold).astype(np.uint8), np.ones((2 * RIM_MM + 1, 2 * RIM_MM + 1), np.uint8))
    for name, area in table.zones.items():
        if int(_cut(np.asarray(cause, np.uint8), area).sum()) < LEAST_CAUSE_MM2:
            clean.append((name, name in unseen))
    order = {card.piece: n for n, card in enumerate(cards)}
    pairs = [
        (upper, lower, upper in order and lower in order and order[upper] > order[lower])
        for upper, lower in sorted(covers)
    ]
    return Verdict(tuple(hidden), tuple(clean), tuple(pairs))


def _cut(plane: Owner, zone: Area) -> Owner:
    return plane[round(zone.top) : round(zone.bottom), round(zone.left) : round(zone.right)]


def draw_pictures(table: LaidTable) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The table with its cards, and empty."""
    empty = replace(table.scene, cards=(), seed=table.scene.seed + 100_000)
    return render_scene(table.scene), render_scene(empty)


def print_score(verdicts: Iterator[tuple[LaidTable, Verdict]]) -> bool:
    """Print each miss as it is found, then the counts; is every bar met?"""
    hidden: dict[str, list[bool]] = {}
    clean: dict[str, list[bool]] = {}
    covers: list[bool] = []
    for table, verdict in verdicts:
        seed, ground, style = table.scene.seed, table.scene.ground, table.scene.cards[0].style
        for zone, shown, noticed in verdict.hidden:
            hidden.setdefault(table.kinds.get(zone, "seat"), []).append(noticed)
            if not noticed:
                print(f"  missed: seed {seed}, {zone}, {shown} mm2, {style} on {ground}")
        for zone, flagged in verdict.clean:
            clean.setdefault(table.kinds.get(zone, "empty"), []).append(not flagged)
            if flagged:
                print(f"  flagged without a cause: seed {seed}, {zone}, {style} on {ground}")
        for upper, lower, right in verdict.covers:
            covers.append(right)
            if not right:
                print(f"  wrong: seed {seed}, {upper} covers {lower}")
    for name, rows in (("unread cards noticed", hidden), ("zones without a cause not flagged", clean)):
        whole = [good for goods in rows.values() for good in goods]
        kinds = ", ".join(f"{kind} {sum(goods)} of {len(goods)}" for kind, goods in sorted(rows.items()))
        print(f"{name}: {sum(whole)} of {len(whole)} ({kinds})")
    print(f"pairs told with the upper card first: {sum(covers)} of {len(covers)}")
    found = all(good for goods in hidden.values() for good in goods)
    calm = [good for goods in clean.values() for good in goods]
    return found and all(covers) and bool(calm) and sum(calm) >= FLAGS_BAR * len(calm)


def examine_photos(seeds: range) -> Iterator[tuple[LaidTable, Verdict]]:
    for seed in seeds:
        table = make_table(seed)
        now, empty = draw_pictures(table)
        reading = read_table(now, empty, table.game)
        found = reading.frame_reading
        yield table, judge(table, found.pieces, reading.unseen, found.table.covers)


def examine_games(seeds: range, waits: list[float], withdrawn: list[str]) -> Iterator[tuple[LaidTable, Verdict]]:
    """``waits`` gets how long each zone with cards waited before it counted, ``withdrawn`` the zones flagged later."""
    for seed in seeds:
        table = make_table(seed)
        now, empty = draw_pictures(table)
        again = render_scene(replace(table.scene, seed=seed + 200_000))
        watched = watch_table(table.game, table.zones, empty, (now, again), MARKER_MM)
        if watched is None:
            print(f"  not calibrated: seed {seed}")
            continue
        waits += watched.waits.values()
        withdrawn += [f"seed {seed}, {zone}" for zone in watched.waits.keys() & watched.unseen]
        yield table, judge(table, watched.pieces, watched.unseen, watched.covers)


def main() -> int:
    first, last = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (0, PICTURES)
    seeds, waits, withdrawn = range(first, last), list[float](), list[str]()
    cv2.setNumThreads(1)
    print("as photos:")
    good = print_score(examine_photos(seeds))
    print("in games:")
    good &= print_score(examine_games(seeds, waits, withdrawn))
    print(f"zones counted as seen after {np.median(waits):.1f} s, at most {max(waits):.1f} s; {len(waits)} of them")
    print(f"of these flagged later: {len(withdrawn)} {', '.join(withdrawn)}")
    return 0 if good and not withdrawn else 1


if __name__ == "__main__":
    sys.exit(main())
