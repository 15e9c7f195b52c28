"""A few pictures of the studio that are kept in the repository without noise, and get their noise when they are loaded.

``python -m tests.studio.kept_pictures`` adds those of geometries that have been rendered and are not kept yet.
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from tests.studio import ranges
from tests.studio.geometries import Geometry, list_geometries
from tests.studio.mixing import (
    Mix,
    Picture,
    Rng,
    apply_tone,
    choose_mix,
    decode_tone,
    demosaic_noise,
    find_noise,
    mosaic,
    shrink,
)
from tests.studio.pictures import StudioFrame, StudioPicture, is_rendered, make_picture
from tests.studio.render import default_cache

KEPT = Path(__file__).parent / "kept"
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 94, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
"""Errors of about a third of the noise that is added to them."""
LIGHTS = tuple(ranges.MIXES)


def choose_light(geometry: Geometry) -> ranges.LightKind:
    """The lights in turn over tables and kinds."""
    return LIGHTS[(ranges.TABLES.index(geometry.table) + ranges.KINDS.index(geometry.kind)) % len(LIGHTS)]


def keep_picture(geometry: Geometry, cache: Path) -> None:
    """Write the two pictures without noise, what owns each pixel, and the truth."""
    picture = make_picture(geometry, choose_light(geometry), cache, noisy=False)
    folder = KEPT / geometry.name
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "now.jpg"), picture.now.bgr, JPEG)
    cv2.imwrite(str(folder / "empty.jpg"), picture.empty.bgr, JPEG)
    cv2.imwrite(str(folder / "index.png"), picture.index, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (folder / "truth.json").write_text(json.dumps(picture.truth, separators=(",", ":")), encoding="utf-8")


def list_kept() -> list[Geometry]:
    return [geometry for geometry in list_geometries() if (KEPT / geometry.name / "truth.json").exists()]


def load_picture(geometry: Geometry) -> StudioPicture:
    """A kept picture with the noise of the sensor."""
    folder, light = KEPT / geometry.name, choose_light(geometry)
    mix = choose_mix(light, geometry.seed)
    rng = np.random.default_rng([*geometry.seed, 400 + LIGHTS.index(light)])
    empty, now = (add_noise(_load(folder / f"{name}.jpg"), mix, rng) for name in ("empty", "now"))
    index = np.asarray(cv2.imread(str(folder / "index.png"), cv2.IMREAD_UNCHANGED), np.uint16)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    frames = StudioFrame(now, shrink(now)), StudioFrame(empty, shrink(empty))
    return StudioPicture(geometry, light, mix, *frames, index, truth)


def _load(file: Path) -> Picture:
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_COLOR), np.uint8)


def add_noise(clean: Picture, mix: Mix, rng: Rng) -> Picture:
    """The noise of each pixel of the sensor goes through the same demosaicing as in the studio."""
    cast = np.array(mix.cast, np.float32)
    light = decode_tone(clean) / cast
    raw = mosaic(light)
    noise = rng.standard_normal(raw.shape, np.float32) * find_noise(raw, mix.noise_grey)
    return apply_tone((light + demosaic_noise(raw, noise)) * cast)


def main() -> int:
    cache = default_cache()
    for geometry in list_geometries():
        if is_rendered(geometry, cache) and not (KEPT / geometry.name).exists() and geometry.name in sys.argv[1:]:
            keep_picture(geometry, cache)
            print(geometry.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
