"""The pictures of the studio, mixed from the cache, with their truth.

``for picture in list_pictures(): ...`` gives every picture whose scene has been rendered. Scenes are kept by the hash
of what was rendered, so that a changed range is never mixed up with an old render.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.studio import ranges
from tests.studio.geometries import Geometry, compose, list_geometries
from tests.studio.mixing import Mix, choose_mix, expose, find_exposure, mix_lights, shrink, to_yuv420
from tests.studio.render import default_cache, key_scene, load_light
from tests.studio.truth import fill

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class StudioFrame:
    """One picture in BGR, and its low-resolution stream."""

    bgr: Picture
    low_bgr: Picture

    def yuv(self, standard: str = "sycc") -> tuple[Picture, Picture, Picture]:
        """Y, U, V: ``sycc`` (BT.601, full range) or ``rec709`` (limited range)."""
        return to_yuv420(self.bgr, standard)

    def low_yuv(self, standard: str = "sycc") -> tuple[Picture, Picture, Picture]:
        return to_yuv420(self.low_bgr, standard)


@dataclass(frozen=True, slots=True)
class StudioPicture:
    """A picture and the same table when it was empty; ``truth`` is explained in ``tests.studio.truth``.

    ``truth["cards"][n]`` has besides, for this mix, ``contrast`` of the tag's visible part in grey levels and the share
    ``blown`` of it.
    """

    geometry: Geometry
    light: ranges.LightKind
    mix: Mix
    now: StudioFrame
    empty: StudioFrame
    index: NDArray[np.uint16]
    truth: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.geometry.name}-{self.light}"


@lru_cache(maxsize=512)
def find_folders(geometry: Geometry, cache: Path) -> tuple[Path, Path]:
    """Where the rendered scene and its empty table are, or will be."""
    scene, empty = compose(geometry)
    before = key_scene(empty)
    return cache / "scenes" / key_scene(scene, before), cache / "scenes" / before


def is_rendered(geometry: Geometry, cache: Path) -> bool:
    return all((folder / "truth.json").exists() for folder in find_folders(geometry, cache))


def list_pictures(
    cache: Path | None = None,
    *,
    rounds: int = 1,
    kinds: tuple[str, ...] = ranges.KINDS,
    lights: tuple[ranges.LightKind, ...] = tuple(ranges.MIXES),
    tables: tuple[str, ...] = ranges.TABLES,
) -> Iterator[StudioPicture]:
    """Every picture that can be mixed from what has been rendered; the three of a sequence have the same mix."""
    cache = cache or default_cache()
    for geometry in list_geometries(rounds):
        if geometry.kind in kinds and geometry.table in tables and is_rendered(geometry, cache):
            for light in lights:
                yield make_picture(geometry, light, cache)


def make_picture(geometry: Geometry, light: ranges.LightKind, cache: Path, *, noisy: bool = True) -> StudioPicture:
    here, before = find_folders(geometry, cache)
    mix = choose_mix(light, geometry.seed)
    mix = mix if noisy else replace(mix, noise_grey=0.0)
    rng = np.random.default_rng(
        [*geometry.seed, 200 + list(ranges.MIXES).index(light), ranges.KINDS.index(geometry.kind)]
    )
    shares = mix.shares_at(empty=True)
    mixed = mix_lights({name: load_light(before, name) for name in shares}, shares, mix.kelvin, shares)
    gain = find_exposure(mixed, shares)
    empty = expose(mixed, mix, gain, rng)
    changed = mix.shares_at(empty=False)
    lights = {name: load_light(here, name) for name in changed}
    now = expose(mix_lights(lights, changed, mix.kelvin, shares), mix, gain, rng)
    truth = json.loads((here / "truth.json").read_text(encoding="utf-8"))
    index = np.asarray(cv2.imread(str(here / "index.png"), cv2.IMREAD_UNCHANGED), np.uint16)
    grey = cv2.cvtColor(now, cv2.COLOR_BGR2GRAY)
    for card in truth["cards"]:
        if card["piece"]:
            inside = fill((index.shape[0], index.shape[1]), np.array(card["tag_px"])) & (index == card["index"])
            seen = grey[inside]
            spread = np.percentile(seen, [5, 95]) if seen.size else (0, 0)
            card["contrast"] = round(float(spread[1] - spread[0]), 1)
            card["blown"] = round(float((seen >= 252).mean()), 3) if seen.size else 0.0
    truth |= {
        "kind": geometry.kind,
        "light": light,
        "finish": geometry.finish,
        "game": geometry.game,
        "act": geometry.act,
    }
    return StudioPicture(
        geometry, light, mix, StudioFrame(now, shrink(now)), StudioFrame(empty, shrink(empty)), index, truth
    )
