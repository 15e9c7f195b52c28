"""Full rendering: the picture that a camera takes of a scene, from light to counts to bytes."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.render.ground import draw_ground
from vision.render.lamps import make_lamps
from vision.render.layer_compositing import Layer, Linear, Paint, PixelBox
from vision.render.scene import Scene
from vision.render.scene_pieces import draw_layers, frame_scene, stack_pieces
from vision.render.sensor import (
    DEVELOP_REACH_PX,
    apply_lens,
    count_light,
    develop_counts,
    estimate_noise,
    find_lens_reach,
    fit_sensor,
    pack_picture,
    read_counts,
)


class FrameBuffer:
    """The last picture of a camera: the counts of the chip without noise, and the picture developed from them.

    It is computed in strips that fit into the cache of a processor.
    """

    def __init__(self, scene: Scene) -> None:
        self.frame = frame_scene(scene)
        self._bare = draw_ground(scene.camera, scene.ground, scene.ground_seed)
        self._lamps = make_lamps(scene.camera, scene.light, scene.ground_seed)
        self._sensor = scene.sensor
        self._chip = fit_sensor(scene.sensor, self.frame)
        self.exposure = scene.sensor.exposure
        wide, high = self.frame.size
        self.shape = (high, wide) if self._chip.bayer else (high, wide, 3)
        self._raw: Linear = np.empty(self.shape, np.float32)
        self._spread: Linear = np.empty(self.shape, np.float32)
        self._paint: Paint = np.empty((high, wide, 3), np.uint8)

    def reach_box(self, box: PixelBox) -> PixelBox:
        """The pixels that the light from a box reaches."""
        return box.grow(find_lens_reach(self._sensor), self.frame)

    def expose(self, lying: Sequence[Layer], part: PixelBox) -> None:
        """Compute the counts of a part of the frame from all layers, in their order."""
        for strip in part.split_strips():
            wide = self.reach_box(strip)
            light = wide.cut(self._bare, self.frame).copy()
            for layer in lying:
                layer.apply(light, wide)
            self._lamps.apply(light, wide)
            seen = apply_lens(light, self._sensor, wide, self.frame)
            raw = count_light(strip.cut(seen, wide), self._chip)
            strip.cut(self._raw, self.frame)[:] = raw
            strip.cut(self._spread, self.frame)[:] = estimate_noise(raw, self._chip)

    def develop(self, part: PixelBox, grain: Linear) -> None:
        """Develop a part of the frame to bytes; ``grain`` is noise of unit strength for the whole frame."""
        for strip in part.grow(DEVELOP_REACH_PX, self.frame).split_strips():
            wide = strip.grow(DEVELOP_REACH_PX, self.frame)
            raw, width = wide.cut(self._raw, self.frame), wide.cut(self._spread, self.frame)
            if self.exposure != 1:
                raw = raw * np.float32(self.exposure)
                width = estimate_noise(raw, self._chip)
            noise = np.asarray(cv2.multiply(width, wide.cut(grain, self.frame)), np.float32)
            paint = develop_counts(read_counts(raw, noise), self._chip)
            strip.cut(self._paint, self.frame)[:] = strip.cut(paint, wide)

    def copy_picture(self) -> Paint:
        """The finished picture; later rendering does not change it."""
        return pack_picture(self._paint.copy(), self._chip)


def render_scene(scene: Scene) -> Paint:
    """The picture a camera would deliver: BGR bytes, the same for the same scene."""
    buffer = FrameBuffer(scene)
    buffer.expose([layer for piece in stack_pieces(scene) for layer in draw_layers(scene, piece)], buffer.frame)
    buffer.develop(buffer.frame, np.random.default_rng([scene.seed, 9]).standard_normal(buffer.shape, np.float32))
    return buffer.copy_picture()
