"""Incremental rendering of one table: of each next picture only what differs from the last is drawn."""

from collections.abc import Iterable
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import cycle
from typing import Literal

import numpy as np

from vision.render.full_rendering import FrameBuffer
from vision.render.layer_compositing import Layer, Linear, Paint, PixelBox, make_readonly
from vision.render.scene import Scene
from vision.render.scene_pieces import RenderedPiece, draw_layers, stack_pieces

Noise = Literal["kept", "fresh"]
SHIFT_PX, SHIFTS = 8, 64
"""Noise is shifted by steps wider than development smears it, to this many places each way, in a random order."""


class SceneRenderer:
    """Pictures as ``render_scene`` makes them, but with noise determined by ``seed`` instead of the scene.

    The same scenes in the same order give the same pictures.
    """

    def __init__(self, seed: int = 0) -> None:
        places = np.random.default_rng([seed, 9]).permutation(SHIFTS**2)
        self._shifts = cycle((SHIFT_PX * (place // SHIFTS), SHIFT_PX * (place % SHIFTS)) for place in places.tolist())
        self._scene: Scene | None = None

    def render(self, scene: Scene, *, noise: Noise = "kept") -> Paint:
        """Render a scene. Noise is kept where nothing changed, or fresh everywhere as in the next frame of a camera."""
        if self._scene is None or _strip_scene(scene) != _strip_scene(self._scene):
            self._scene = None  # until the new one is complete
            self._buffer = FrameBuffer(scene)
            self._order: tuple[RenderedPiece, ...] = ()
            self._layers: dict[RenderedPiece, tuple[Layer, ...]] = {}
            self._lay(scene)
            changed, noise = [self._buffer.frame], "fresh"
        else:
            changed = self._lay(scene)
            if scene.sensor.exposure != self._buffer.exposure:
                self._buffer.exposure, noise = scene.sensor.exposure, "fresh"
        lying = [layer for piece in self._order for layer in self._layers[piece]]
        for part in changed:
            self._buffer.expose(lying, part)
        if noise == "fresh":
            self._down, self._right = next(self._shifts)
            changed = [self._buffer.frame]
        grain = _make_grain(self._buffer.shape)[self._down :, self._right :]
        for part in changed:
            self._buffer.develop(part, grain)
        self._scene = scene
        return self._buffer.copy_picture()

    def _lay(self, scene: Scene) -> list[PixelBox]:
        """Remove the pieces that are gone and add the new ones; the boxes of the frame that change."""
        before, old, now = self._order, self._layers, stack_pieces(scene)
        new = {piece: old[piece] if piece in old else draw_layers(scene, piece) for piece in now}
        boxes = []
        for what, a, b, c, d in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
            if what != "equal":
                boxes += [layer.box for piece in before[a:b] for layer in old[piece]]
                boxes += [layer.box for piece in now[c:d] for layer in new[piece]]
        self._order, self._layers = now, new
        return _join_boxes(self._buffer.reach_box(box) for box in boxes)


def _strip_scene(scene: Scene) -> Scene:
    """The scene without what may change from picture to picture."""
    sensor = replace(scene.sensor, exposure=1.0)
    return replace(
        scene, markers=(), cards=(), tiles=(), foreign=(), scraps=(), objects=(), arms=(), sensor=sensor, seed=0
    )


@lru_cache(maxsize=1)
def _make_grain(shape: tuple[int, ...]) -> Linear:
    """Noise of unit strength for a frame and all its shifts."""
    more = SHIFT_PX * SHIFTS
    size = (shape[0] + more, shape[1] + more, *shape[2:])
    return make_readonly(np.random.default_rng(9).standard_normal(size, np.float32))


def _join_boxes(boxes: Iterable[PixelBox]) -> list[PixelBox]:
    """The boxes, two joined wherever that takes no more pixels."""
    found: list[PixelBox] = []
    for box in boxes:
        while (near := next((it for it in found if box.join(it).pixels <= box.pixels + it.pixels), None)) is not None:
            found.remove(near)
            box = box.join(near)
        found.append(box)
    return found
