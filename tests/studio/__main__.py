"""Renders the scenes of the studio that are not in the cache yet: ``python -m tests.studio``."""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import cv2

from tests.studio import ranges
from tests.studio.geometries import Geometry, compose, list_closing_geometries, list_geometries
from tests.studio.pictures import find_folders, is_rendered, make_picture
from tests.studio.render import default_cache, render_scene, store
from tests.studio.truth import describe

QUICK_TABLES = ("gingham", "dark-wood")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.studio", description=__doc__)
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of what has been rendered")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1, help="sixty geometries each, with other seeds")
    parser.add_argument("--seed", default="", help="the twenty geometries of this hash of a commit, not the sixty")
    parser.add_argument("--quick", action="store_true", help="only two tables")
    parser.add_argument("--only", default="", help="only geometries with this in their name")
    parser.add_argument("--pictures", type=Path, help="also write the mixed pictures as PNG into this folder")
    parser.add_argument("--list", action="store_true", help="list what is rendered and what is missing, the sixty too")
    return parser.parse_args()


def order_geometries(arguments: argparse.Namespace) -> list[Geometry]:
    """Table by table of each kind in turn, so that an unfinished run already has something of everything."""
    closing = list_closing_geometries(arguments.seed) if arguments.seed else []
    series = closing if closing and not arguments.list else [*list_geometries(arguments.rounds), *closing]
    chosen = [g for g in series if arguments.only in g.name]
    if arguments.quick:
        chosen = [g for g in chosen if g.table in QUICK_TABLES]
    turn = {table: n for n, table in enumerate(ranges.TABLES)}
    kind = {name: n for n, name in enumerate(ranges.KINDS)}
    return sorted(chosen, key=lambda g: (g.seed[1], (turn[g.table] + 2 * kind[g.kind]) % 10, kind[g.kind]))


def render_geometry(geometry: Geometry, cache: Path, threads: int) -> None:
    here, before = find_folders(geometry, cache)
    scene, empty = compose(geometry)
    if not (before / "truth.json").exists():
        rendered = render_scene(empty, cache, threads)
        store(before, rendered, describe(empty, rendered.index, rendered.shown))
    if not (here / "truth.json").exists():
        scale = _read_scale(before)
        rendered = render_scene(scene, cache, threads, scale)
        store(here, rendered, describe(scene, rendered.index, rendered.shown))


def _read_scale(folder: Path) -> dict[str, float]:
    return dict(json.loads((folder / "truth.json").read_text(encoding="utf-8"))["scale"])


def write_pictures(geometry: Geometry, cache: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for light in ranges.MIXES:
        picture = make_picture(geometry, light, cache)
        cv2.imwrite(str(folder / f"{picture.name}.png"), picture.now.bgr)
        cv2.imwrite(str(folder / f"{picture.name}-empty.png"), picture.empty.bgr)


def report(geometries: list[Geometry], cache: Path) -> None:
    """Count what the rendered geometries hold, for each table."""
    counts: dict[str, Counter[str]] = {table: Counter() for table in ranges.TABLES}
    for geometry in geometries:
        if is_rendered(geometry, cache):
            count_cases(geometry, cache, counts[geometry.table])
    columns = ("pictures", "tiles", "whole", "far", "75-99", "50-75", "hidden", "backs", "things")
    print(f"{'':12}" + "".join(f"{name:>10}" for name in columns))
    for table, count in counts.items():
        print(f"{table:12}" + "".join(f"{count[name]:10}" for name in columns))
    total = sum(counts.values(), Counter[str]())
    print(f"{'all':12}" + "".join(f"{total[name]:10}" for name in columns))


def count_cases(geometry: Geometry, cache: Path, count: Counter[str]) -> None:
    truth = json.loads((find_folders(geometry, cache)[0] / "truth.json").read_text(encoding="utf-8"))
    count["pictures"] += len(ranges.MIXES)
    count["tiles"] += len(truth["tiles"])
    count["things"] += len(truth["things"])
    for card in truth["cards"]:
        if card["visible_mm2"] < ranges.LEAST_VISIBLE_MM2:
            continue
        if not card["piece"]:
            count["backs"] += 1
        elif card["tag_visible"] >= 0.99:
            count["whole" if card["px_per_module"] >= ranges.PX_PER_MODULE_WHOLE else "far"] += 1
        elif card["tag_visible"] >= 0.75:
            count["75-99"] += 1
        elif card["tag_visible"] >= 0.5:
            count["50-75"] += 1
        else:
            count["hidden"] += 1


def main() -> None:
    arguments = parse_arguments()
    geometries = order_geometries(arguments)
    begin = time.monotonic()
    for n, geometry in enumerate(geometries, 1):
        done = is_rendered(geometry, arguments.cache)
        if arguments.list:
            print(f"{'in the cache' if done else 'missing':12}  {geometry.name}")
            continue
        started = time.monotonic()
        if not done:
            render_geometry(geometry, arguments.cache, arguments.threads)
        if arguments.pictures:
            write_pictures(geometry, arguments.cache, arguments.pictures)
        words = "in the cache" if done else f"{time.monotonic() - started:.0f} s"
        print(f"{n:3}/{len(geometries)}  {geometry.name}: {words}", flush=True)
    print(f"{(time.monotonic() - begin) / 60:.1f} minutes; scenes in {arguments.cache}")
    report(geometries, arguments.cache)


if __name__ == "__main__":
    main()
