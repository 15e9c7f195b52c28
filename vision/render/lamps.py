"""Lamps: the light that falls on a table, and the reflections of lamps in it."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.render.ground import make_waves
from vision.render.layer_compositing import Linear, PixelBox, make_readonly
from vision.render.projection import project_points
from vision.render.scene import Glare, RenderCamera, SceneLight


@dataclass(frozen=True, slots=True, eq=False)
class Lamps:
    """The gain of every pixel of the frame, and the light added where a lamp is mirrored."""

    frame: PixelBox
    gain: Linear
    mirrored: tuple[tuple[PixelBox, Linear], ...]

    def apply(self, light: Linear, part: PixelBox) -> None:
        """Light a picture that shows ``part`` of the frame."""
        cv2.multiply(light, part.cut(self.gain, self.frame), dst=light)
        for box, spread in self.mirrored:
            both = box.intersect(part)
            if both is not None:
                patch = both.cut(light, part)
                patch += both.cut(spread, box)[..., None]


@lru_cache(maxsize=1)
def make_lamps(camera: RenderCamera, lamp: SceneLight, seed: int) -> Lamps:
    """The lamps of a frame; the last result is cached, since most pictures share it."""
    wide, high = camera.width, camera.height
    # lighting is smooth: compute it on a small picture and enlarge that
    small = (max(2, wide // 16), max(2, high // 16))
    xs, ys = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
    fall = 1 + lamp.slope[0] * xs + lamp.slope[1] * ys - lamp.vignette * (xs**2 + ys**2) / 2
    if lamp.patches:
        rng = np.random.default_rng([seed, 5])
        fall = fall + lamp.patches * make_waves(rng, small, small[0] / 2.2, small[0] / 2.2)
    gain = np.clip(fall, 0.12, 1.6) * lamp.gain
    tints = np.array([1 - lamp.warmth, 1.0, 1 + lamp.warmth])
    full: Linear = np.asarray(cv2.resize((gain[..., None] * tints).astype(np.float32), (wide, high)), np.float32)
    frame = PixelBox(0, 0, wide, high)
    found = [_mirror_lamp(camera, spot, frame) for spot in lamp.glare]
    return Lamps(frame, make_readonly(full), tuple(spot for spot in found if spot is not None))


def _mirror_lamp(camera: RenderCamera, spot: Glare, frame: PixelBox) -> tuple[PixelBox, Linear] | None:
    at = project_points(camera, np.array([[spot.x, spot.y, 0.0], [spot.x + spot.radius, spot.y, 0.0]]))
    radius = float(np.hypot(*(at[1] - at[0])))
    x, y, reach = float(at[0, 0]), float(at[0, 1]), 3 * radius
    box = PixelBox(int(x - reach), int(y - reach), int(x + reach) + 1, int(y + reach) + 1).intersect(frame)
    if box is None:
        return None
    gx = np.exp(-(((np.arange(box.left, box.right) - x) / radius) ** 2))
    gy = np.exp(-(((np.arange(box.top, box.bottom) - y) / radius) ** 2))
    return box, (np.minimum(1.6 * np.outer(gy, gx), 1.0) * spot.strength).astype(np.float32)
