"""A camera picture with what was read drawn on it: black outside the zones, and made only on request."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Area
from hw.frame import Frame, Picture
from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.markers import find_markers
from vision.calibration.table_calibration import TableCalibration
from vision.frame import to_grey
from vision.live.frame_reading import EVERYWHERE, FrameReading
from vision.live.perception import Perception
from vision.live.read_request import ReadRequest
from vision.tags.placement import outline_piece

MAX_WIDTH_PX = 1640
"""What a phone can show; the markers can still be found in it."""
GOOD_WIDTH_PX = 1200
"""So wide a picture is as good on a phone."""
JPEG_QUALITY = 80
FRAME_TIMEOUT_S = 5.0
"""Without a frame in this time there is no picture."""
READ_COLOUR, BLOCKED_COLOUR, ZONE_COLOUR = (80, 220, 80), (60, 60, 230), (200, 160, 60)
"""BGR: of pieces that were read, of blocked areas, and of zones."""
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One frame, scaled down, with the read request and the reading it belongs to."""

    picture: Picture
    asked: ReadRequest | None
    reading: FrameReading | None


class Stills:
    """``offer_frame`` is called by the camera thread with every frame, ``take`` in the event loop of the page."""

    def __init__(self, eyes: Perception, wait: float = FRAME_TIMEOUT_S) -> None:
        self._eyes = eyes
        self._wait = wait
        self._lock = Lock()
        self._wanted: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[Still]]] = []

    def offer_frame(self, frame: Frame, asked: ReadRequest | None) -> None:
        if not self._wanted:
            return
        colours = frame.halved or frame.colour
        still = Still(_shrink(colours() if colours else frame.grey), asked, self._eyes.reading)
        with self._lock:
            wanted, self._wanted = self._wanted, []
        for loop, future in wanted:
            loop.call_soon_threadsafe(_resolve, future, still)

    async def take(self) -> Still | None:
        """The next frame; None after the timeout."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Still] = loop.create_future()
        with self._lock:
            self._wanted.append((loop, future))
        try:
            async with asyncio.timeout(self._wait):
                return await future
        except TimeoutError:
            with self._lock:
                self._wanted = [wanted for wanted in self._wanted if wanted[1] is not future]
            return None

    @property
    def waiting(self) -> int:
        """How many requests wait for a frame."""
        return len(self._wanted)


def draw_still(still: Still) -> bytes:
    """A JPEG. Without the pose of the camera it is black except for the markers."""
    picture, asked = still.picture, still.asked
    aiming = asked is not None and asked.purpose == "aim"
    grey = to_grey(picture)
    calibration, _ = update_calibration(grey)
    seen = np.zeros(grey.shape, np.uint8)
    if aiming or calibration is None:
        for marker in find_markers(grey):
            cv2.fillPoly(seen, [_polygon(np.array(marker.quad), grow=1.4)], 255)
    zones = visible_zones(asked, calibration)
    for area in zones.values() if calibration is not None else ():
        cv2.fillPoly(seen, [_polygon(_corners(calibration, area))], 255)  # type: ignore[arg-type]
    shown = np.asarray(cv2.bitwise_and(picture, picture, mask=seen), np.uint8)
    if calibration is not None:
        _draw_reading(shown, calibration, zones, still.reading)
    return encode_jpeg(shown)


def draw_whole_still(still: Still, *, reading: bool) -> bytes:
    """A JPEG of everything in view, with what was read drawn on it or without: for a table that hides nothing."""
    picture = still.picture
    if reading:
        calibration, _ = update_calibration(to_grey(picture))
        if calibration is not None:
            picture = picture.copy()
            _draw_reading(picture, calibration, visible_zones(still.asked, calibration), still.reading)
    return encode_jpeg(picture)


def encode_jpeg(picture: Picture) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done
    return data.tobytes()


def visible_zones(asked: ReadRequest | None, calibration: TableCalibration | None) -> Mapping[str, Area]:
    """The zones of the game, or else the whole area between the markers."""
    if asked is not None and asked.zones:
        return asked.zones
    return {} if calibration is None else {"table": calibration.area}


def _draw_reading(
    picture: Picture, calibration: TableCalibration, zones: Mapping[str, Area], reading: FrameReading | None
) -> None:
    for area in zones.values():
        cv2.polylines(picture, [_polygon(_corners(calibration, area))], True, ZONE_COLOUR, 1, cv2.LINE_AA)
    if reading is None:
        return
    for dark in reading.table.unseen if EVERYWHERE not in reading.table.unseen else zones.values():
        cv2.polylines(picture, [_polygon(_corners(calibration, dark))], True, BLOCKED_COLOUR, 2, cv2.LINE_AA)
    for lying in reading.pieces:
        if lying.mm is None or lying.zone is None or lying.angle is None:
            continue
        at = calibration.to_px(np.array([lying.mm]))[0]
        cv2.polylines(
            picture, [_polygon(calibration.to_px(np.array(outline_piece(lying))))], True, READ_COLOUR, 2, cv2.LINE_AA
        )
        cv2.putText(picture, lying.piece, (int(at[0]) - 12, int(at[1])), cv2.FONT_HERSHEY_SIMPLEX, 0.6, READ_COLOUR, 2)


def _corners(calibration: TableCalibration, area: Area) -> Points:
    """The outline of an area in pixels, with points along the edges too, as the lens bends them."""
    left, top, right, bottom = area.left, area.top, area.right, area.bottom
    across, down = np.linspace(left, right, 9), np.linspace(top, bottom, 9)
    edge = [(x, top) for x in across] + [(right, y) for y in down]
    edge += [(x, bottom) for x in across[::-1]] + [(left, y) for y in down[::-1]]
    return calibration.to_px(np.array(edge))


def _polygon(corners: Points, grow: float = 1.0) -> NDArray[np.int32]:
    middle = corners.mean(0)
    return np.asarray(np.round(middle + (corners - middle) * grow), np.int32)


def _shrink(picture: Picture) -> Picture:
    """Always a copy: the camera will overwrite its own buffer."""
    colour = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    scale = min(1.0, MAX_WIDTH_PX / colour.shape[1])
    if GOOD_WIDTH_PX <= colour.shape[1] / 2 <= MAX_WIDTH_PX:
        scale = 0.5  # takes a tenth of the time of any other scale, in the thread of the camera
    size = (round(colour.shape[1] * scale), round(colour.shape[0] * scale))
    return np.array(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), np.uint8)


def _resolve(future: "asyncio.Future[Still]", still: Still) -> None:
    if not future.done():
        future.set_result(still)
