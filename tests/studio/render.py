"""Renders scenes with Blender and keeps their pictures, one for each light, in the cache."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.studio import ranges, textures
from tests.studio.camera import StudioCamera
from tests.studio.exr import read_exr
from tests.studio.scene import FIRST_TILE, HAND, Json, StudioScene, key_job

Plane = NDArray[np.float32]
Linear = NDArray[np.float32]
Index = NDArray[np.uint16]

FULL_SCALE = 6.0
"""Linear brightness of the largest stored value; white paper in the light's middle has about 0.8."""
LEVELS = 4095
ALIKE = 0.1
"""Two pixels of one surface with a smaller difference, as a share of their sum, differ by the noise of the render."""
BLENDER = "blender"
BACK_COLOURS = ((60, 40, 150), (120, 60, 30), (50, 90, 30), (30, 30, 34), (40, 120, 190), (110, 100, 96))
"""BGR."""


@dataclass(frozen=True, slots=True)
class RenderedScene:
    """``lights``: linear BGR under each light alone. ``index``: as rendered; ``shown``: in the picture's pixels."""

    lights: dict[str, Linear]
    scale: dict[str, float]
    index: Index
    shown: Index


def default_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "oxeye-studio"


def make_job(scene: StudioScene) -> Json:
    """A bare table has smooth light and gets by with fewer samples."""
    bare = not scene.cards and not scene.tiles
    samples = {name: -(-count // 2) if bare else count for name, count in ranges.LIGHT_SAMPLES.items()}
    return scene.to_json(samples, ranges.FEATURE_SAMPLES)


def key_scene(scene: StudioScene, empty_key: str = "") -> str:
    """``empty_key``: of the empty table, whose scale a scene takes over."""
    return key_job(make_job(scene), empty_key)


def write_textures(scene: StudioScene, folder: Path) -> None:
    """Draw the pictures that are not in the cache yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, recipe in scene.textures.items():
        if not (folder / name).exists():
            fresh = folder / f".{os.getpid()}-{name}"
            cv2.imwrite(str(fresh), _draw(recipe))
            fresh.replace(folder / name)


def _draw(recipe: Json) -> NDArray[np.uint8]:
    match recipe["draw"]:
        case "table":
            return textures.draw_table(recipe["name"], tuple(recipe["size"]), recipe["seed"])
        case "face":
            return textures.draw_face(
                recipe["game"], recipe["piece"], recipe["payload"], tuple(recipe["size"]), recipe["sticker"]
            )
        case "back":
            name, _, colour = recipe["print"].partition(":")
            return textures.draw_back(name, BACK_COLOURS[int(colour)], recipe["rim"], tuple(recipe["size"]))
        case "marker":
            return textures.draw_marker_picture(recipe["corner"])
        case "room":
            return textures.draw_room(recipe["seed"])
        case other:
            raise ValueError(other)


def run_blender(scene: StudioScene, cache: Path, folder: Path, threads: int) -> None:
    """Leave one EXR for each light, and ``features.exr``, in ``folder``."""
    if shutil.which(BLENDER) is None:
        sys.exit("not run: the studio in Blender: 'apt install blender' first.")
    write_textures(scene, cache / "textures")
    job = {**make_job(scene), "textures": str(cache / "textures")}
    (folder / "scene.json").write_text(json.dumps(job), encoding="utf-8")
    script = Path(__file__).with_name("blender_scene.py")
    command = [BLENDER, "--background", "--factory-startup", "--python-exit-code", "3", "--python", str(script), "--",
               str(folder), str(threads)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not (folder / "features.exr").exists():
        raise RuntimeError(f"Blender failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")


def render_scene(
    scene: StudioScene, cache: Path, threads: int = 2, scale: dict[str, float] | None = None
) -> RenderedScene:
    """``scale``: of the empty table; without it, that of this scene: what makes a white surface 1 in the middle."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_blender(scene, cache, folder, threads)
        features = _find_passes(read_exr(folder / "features.exr"))
        index = np.round(features["IndexOB"][..., 0]).astype(np.uint16)
        lights: dict[str, Linear] = {}
        found: dict[str, float] = {}
        maps = make_distortion_maps(scene.camera)
        for group in ranges.LIGHTS:
            passes = _find_passes(read_exr(folder / f"{group}.exr"))
            diffuse, glossy = passes["DiffDir"], passes["GlossDir"]
            if group == "ambient":
                diffuse, glossy = diffuse + passes["DiffInd"], glossy + passes["GlossInd"]
            else:  # the sources are white and nothing is reflected twice: one channel is enough
                diffuse, glossy = diffuse[..., 1:2], glossy[..., 1:2]
            if group != "sun":
                diffuse, glossy = smooth_light(diffuse, index), smooth_light(glossy, index)
            diffuse, glossy = smooth_edges(diffuse, index), smooth_edges(glossy, index)
            found[group] = scale[group] if scale else _measure_middle(diffuse)
            picture = (features["DiffCol"] * diffuse + features["GlossCol"] * glossy) / found[group]
            lights[group] = _distort(picture[..., ::-1], maps, cv2.INTER_CUBIC)
        shown = _distort(index.astype(np.float32), maps, cv2.INTER_NEAREST).astype(np.uint16)
        return RenderedScene(lights, found, index, shown)


def _find_passes(planes: dict[str, Plane]) -> dict[str, Plane]:
    """Blender's names are ``ViewLayer.DiffDir.R``; each pass becomes one array with its channels last."""
    found: dict[str, dict[str, Plane]] = {}
    for name, plane in planes.items():
        _, kind, channel = name.rsplit(".", 2) if name.count(".") >= 2 else ("", *name.rsplit(".", 1))
        found.setdefault(kind, {})[channel] = plane
    order = "RGBAXYZUV"
    return {kind: np.dstack([part[c] for c in sorted(part, key=order.index)])[..., :3] for kind, part in found.items()}


def _measure_middle(diffuse: Linear) -> float:
    h, w = diffuse.shape[:2]
    return float(np.median(diffuse[h // 3 : 2 * h // 3, w // 3 : 2 * w // 3])) or 1.0


def smooth_light(light: Linear, index: Index) -> Linear:
    """Average the light along rows, then columns, over 5 pixels of the same object, on the bevels of tiles over 3.

    Then over wider steps, but only between pixels of almost the same light: shadows and highlights keep their edges.
    The texture is in another pass and stays sharp.
    """
    tile = (index >= FIRST_TILE) & (index < HAND)
    for steps, alike in (((1, 2), 0.0), ((3, 6), ALIKE), ((5, 10), ALIKE / 2)):
        for axis in (0, 1):
            grey = light.mean(axis=2) if alike else light[..., 0]
            total, weight = light.copy(), np.ones(light.shape[:2], np.float32)
            for step in steps:
                first, second = _shift(axis, step)
                same = index[first] == index[second]
                if alike:
                    same &= np.abs(grey[first] - grey[second]) < alike * (grey[first] + grey[second])
                elif step > 1:
                    same &= ~tile[first]
                share = same.astype(np.float32)
                total[first] += light[second] * share[..., None]
                total[second] += light[first] * share[..., None]
                weight[first] += share
                weight[second] += share
            light = total / weight[..., None]
    return light


def smooth_edges(light: Linear, index: Index) -> Linear:
    """Average the light over 3 x 3 pixels where two objects meet: few samples see a narrow gap, or none."""
    near = np.ones((3, 3), np.uint8)
    edge = cv2.dilate(index, near) != cv2.erode(index, near)
    mean = np.asarray(cv2.blur(light, (3, 3)), np.float32).reshape(light.shape)
    return np.where(edge[..., None], mean, light)


def _shift(axis: int, step: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    low, high, every = slice(None, -step), slice(step, None), slice(None)
    return ((low, every), (high, every)) if axis == 0 else ((every, low), (every, high))


def make_distortion_maps(camera: StudioCamera) -> tuple[Plane, Plane]:
    """For each pixel of the picture its place in the render, for ``cv2.remap``."""
    y, x = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float64) + 0.5
    source = camera.undistort(np.stack([x, y], axis=-1)) + round(ranges.OVERSCAN * camera.width) - 0.5
    return source[..., 0].astype(np.float32), source[..., 1].astype(np.float32)


def _distort(picture: NDArray[Any], maps: tuple[Plane, Plane], how: int) -> Linear:
    remapped = cv2.remap(
        np.ascontiguousarray(picture, np.float32), maps[0], maps[1], how, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.maximum(remapped, 0), np.float32)


def store(path: Path, rendered: RenderedScene, truth: dict[str, Any]) -> None:
    """One folder for each scene: a 16-bit PNG for each light, the index pass and the truth; complete or not there."""
    fresh = path.with_name(f".{path.name}-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    speed = [cv2.IMWRITE_PNG_COMPRESSION, 2]
    for group, picture in rendered.lights.items():
        cv2.imwrite(str(fresh / f"{group}.png"), encode_linear(picture), speed)
    cv2.imwrite(str(fresh / "index.png"), rendered.shown, speed)
    text = json.dumps({**truth, "scale": rendered.scale})
    (fresh / "truth.json").write_text(text, encoding="utf-8")
    shutil.rmtree(path, ignore_errors=True)
    fresh.replace(path)


def encode_linear(picture: Linear) -> NDArray[np.uint16]:
    """Square root of the brightness: the levels are finer than the noise of any sensor, and compress well."""
    return np.asarray(np.round(np.sqrt(np.clip(picture / FULL_SCALE, 0, 1)) * LEVELS), np.uint16)


def decode_linear(stored: NDArray[np.uint16]) -> Linear:
    root = stored.astype(np.float32) / LEVELS
    return np.asarray(root * root * FULL_SCALE, np.float32)


def load_light(path: Path, group: str) -> Linear:
    stored = cv2.imread(str(path / f"{group}.png"), cv2.IMREAD_UNCHANGED)
    if stored is None:
        raise FileNotFoundError(path / f"{group}.png")
    return decode_linear(stored)  # type: ignore[arg-type]
