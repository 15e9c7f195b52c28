"""Delta video: each picture as the blocks that changed; what moves is kept too coarse to read a card."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from hw.cameras.images import decode_picture
from hw.frame import Frame, Picture
from vision.frame import shrink_frame

BLOCK_PX = 32
"""Side in pixels of the blocks that are kept or replaced."""
COARSE_BLOCKS = 16
SHRUNK = 4
"""Pictures are compared reduced by this factor, which averages out the noise of the sensor."""
CHANGED_LEVELS = 10
"""Grey levels from which a block counts as changed."""
Blocks = NDArray[np.bool_]
ImageFormat = tuple[str, int]
JPEG: ImageFormat = (".jpg", cv2.IMWRITE_JPEG_QUALITY)
WEBP: ImageFormat = (".webp", cv2.IMWRITE_WEBP_QUALITY)
"""A third of the size for ten times the work: not while people wait."""


class DamagedVideo(InputError):
    """A patch that is damaged or does not fit the picture."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of a picture; a ``coarse`` one is not compressed and has one byte for each colour of a dot.

    Recordings up to version 3 have patches in grey.
    """

    x: int
    y: int
    width: int
    height: int
    coarse: bool
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """``still`` is the picture without movement, ``shown`` the same with coarse dots where something moves."""

    still: Picture
    shown: Picture

    def after(self, patches: tuple[Patch, ...]) -> "Canvas":
        """The canvas with these patches, ``DamagedVideo`` if one does not fit; without patches the same objects."""
        sharp, coarse = ([p for p in patches if p.coarse == rough] for rough in (False, True))
        still = _laid(self.still, sharp)
        return Canvas(still, _laid(still, coarse))


class DeltaVideo:
    """``canvas`` is the last picture as a replay will see it; it begins with the ``empty`` table.

    ``packed`` is that table as it is written; a ``small`` video costs more work.
    """

    def __init__(
        self, empty: Picture | None = None, packed: Picture | None = None, quality: int = 85, small: bool = False
    ) -> None:
        self.canvas = None if packed is None else Canvas(packed, packed)
        self._kept = empty
        self._pack = partial(encode_image, WEBP if small else JPEG, quality)
        self._before: Picture | None = None

    def encode(self, picture: Picture) -> tuple[Patch, ...]:
        """The patches for what is new in this picture; the canvas then shows it."""
        if self.canvas is None or self._kept is None or self._kept.shape != picture.shape:
            self.canvas, self._before = blank_canvas(picture.shape), None
            self._kept = self.canvas.still
        moving = np.zeros(_grid(picture), np.bool_)
        if self._before is not None:
            moving = _wider(_differing(picture, self._before))
        still = ~moving & _differing(picture, self._kept)  # the original, not the lossy copy
        self._before = picture
        patches = (
            *(self._sharp(picture, box) for box in _boxes(still, picture)),
            *(self._coarse(picture, box) for box in _boxes(moving, picture)),
        )
        self.canvas = self.canvas.after(patches)
        self._kept = np.where(_spread(still, picture)[:, :, None], picture, self._kept) if still.any() else self._kept
        return patches

    def _sharp(self, picture: Picture, box: tuple[int, int, int, int]) -> Patch:
        x, y, width, height = box
        return Patch(*box, False, self._pack(picture[y : y + height, x : x + width]))

    def _coarse(self, picture: Picture, box: tuple[int, int, int, int]) -> Patch:
        x, y, width, height = box
        dots = cv2.resize(picture[y : y + height, x : x + width], _dots(width, height), interpolation=cv2.INTER_AREA)
        return Patch(*box, True, np.asarray(dots, np.uint8).tobytes())


def encode_image(kind: ImageFormat, quality: int, picture: Picture) -> bytes:
    ending, option = kind
    _, packed = cv2.imencode(ending, picture, [option, quality])
    return np.asarray(packed, np.uint8).tobytes()


def blank_canvas(shape: tuple[int, ...]) -> Canvas:
    """A black canvas, before the first picture."""
    black = np.zeros((*shape[:2], 3), np.uint8)
    return Canvas(black, black)


def _laid(picture: Picture, patches: list[Patch]) -> Picture:
    """Paste each patch; ``DamagedVideo`` if one is incomplete or outside the picture."""
    if not patches:
        return picture
    picture = picture.copy()
    for patch in patches:
        x, y, width, height = patch.x, patch.y, patch.width, patch.height
        if not (0 <= x < x + width <= picture.shape[1] and 0 <= y < y + height <= picture.shape[0]):
            raise DamagedVideo(f"a patch of {width} x {height} at {x},{y} lies outside the picture")
        picture[y : y + height, x : x + width] = _dotted(patch) if patch.coarse else _decoded(patch)
    return picture


def _dotted(patch: Patch) -> Picture:
    across, down = _dots(patch.width, patch.height)
    if len(patch.data) not in (across * down, across * down * 3):
        raise DamagedVideo("a coarse patch is not whole")
    dots = np.frombuffer(patch.data, np.uint8).reshape(down, across, -1)
    large = cv2.resize(
        np.repeat(dots, 3 // dots.shape[2], 2), (patch.width, patch.height), interpolation=cv2.INTER_NEAREST
    )
    return np.asarray(large, np.uint8)


def _decoded(patch: Patch) -> Picture:
    part = decode_picture(patch.data)
    if part is None or part.shape[:2] != (patch.height, patch.width):
        raise DamagedVideo("a patch is not whole")
    return part


def _dots(width: int, height: int) -> tuple[int, int]:
    return -(-width // COARSE_BLOCKS), -(-height // COARSE_BLOCKS)


def _grid(picture: Picture) -> tuple[int, int]:
    return -(-picture.shape[0] // BLOCK_PX), -(-picture.shape[1] // BLOCK_PX)


def _shrunk(picture: Picture) -> Picture:
    rows, columns = (n * BLOCK_PX // SHRUNK for n in _grid(picture))
    high, wide = picture.shape[0] // SHRUNK, picture.shape[1] // SHRUNK
    small = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(np.pad(small, ((0, rows - high), (0, columns - wide), (0, 0)), mode="edge"), np.uint8)


def _differing(one: Picture, other: Picture) -> Blocks:
    gap = np.asarray(cv2.absdiff(_shrunk(one), _shrunk(other)), np.uint8).max(2)
    rows, columns = _grid(one)
    step = BLOCK_PX // SHRUNK
    return np.asarray(gap.reshape(rows, step, columns, step).max((1, 3)) > CHANGED_LEVELS)


def _spread(blocks: Blocks, picture: Picture) -> Blocks:
    """For every pixel, whether its block is marked."""
    return np.repeat(np.repeat(blocks, BLOCK_PX, 0), BLOCK_PX, 1)[: picture.shape[0], : picture.shape[1]]


def _wider(blocks: Blocks) -> Blocks:
    return np.asarray(cv2.dilate(blocks.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _boxes(blocks: Blocks, picture: Picture) -> Iterator[tuple[int, int, int, int]]:
    """The marked blocks as rectangles in pixels."""
    left = blocks.copy()
    for row, column in np.argwhere(blocks).tolist():
        if not left[row, column]:
            continue
        right = column
        while right < left.shape[1] and left[row, right]:
            right += 1
        below = row
        while below < left.shape[0] and left[below, column:right].all():
            below += 1
        left[row:below, column:right] = False
        x, y = column * BLOCK_PX, row * BLOCK_PX
        yield x, y, min(right * BLOCK_PX, picture.shape[1]) - x, min(below * BLOCK_PX, picture.shape[0]) - y


class CanvasFrames:
    """Canvases as frames. An unchanged canvas gives the same arrays, so that perception sees that nothing changed.

    In ``grey`` only the brightness is compared with the empty table: up to version 3 games without tiles were recorded
    in grey over an empty table in colour.
    """

    def __init__(self, *, grey: bool = False) -> None:
        self._grey = grey
        self._last: tuple[Picture, Frame] | None = None

    def frame(self, canvas: Canvas, at: float) -> Frame:
        picture = canvas.shown
        if self._last is None or self._last[0] is not picture:
            grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            compared = grey if self._grey else picture
            self._last = picture, Frame(grey, at, colour=lambda: picture, small_colour=lambda: shrink_frame(compared))
        return replace(self._last[1], at=at)


def to_colour(picture: Picture) -> Picture:
    return picture if picture.ndim == 3 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
