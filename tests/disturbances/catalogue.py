"""Disturbances of the camera's picture after the picture of the empty table was taken in good light."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.table import Area
from firmware.simulation.table import arm_positions
from firmware.simulation.table.arm_positions import Spot
from hw.frame import Picture
from vision.render import ForeignCode, Glare, Scene, Scrap, StrayObject

DUSK_STOPS, DUSK_FRAMES = 8.0, 500
"""Halvings of the light, and the number of frames over which they happen."""
BUMP_PX = (12.0, -9.0)
"""Shift of the picture when the camera is bumped, in pixels: 15 in all."""
KNOCK_PERIOD_S, SWAY_S, SWAY_DECAY_S, SWAY_HZ = 12.0, 3.0, 1.5, 2.3
"""Seconds from knock to knock, seconds of swaying, time constant of its decay in seconds, and swings per second."""
MENU_URL = "https://example.org/menu?table=7"


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame of a disturbance: number of the frame (``look``), seconds since the match began (``at``), whether the
    disturbance is ``on``, or ``eased`` by the players, the ``spot`` it affects, which is on the pieces, and a ``free``
    spot outside all zones, or at the edge of the only zone.
    """

    look: int
    at: float
    area: Area
    spot: Spot
    free: Spot
    on: bool
    eased: bool


ChangeScene = Callable[[Scene, Moment], Scene]
ChangePicture = Callable[[Picture, Moment], Picture]
"""Gives the same result for the same picture while the disturbance is on."""
ShiftPicture = Callable[[Moment], Spot]
"""Shift of the picture to the right and down, in pixels."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """``peer`` is the figure of the nearest peer where it was measured: right scores of 79 moves.

    The disturbance ``begins`` after this many moves. If it is ``helped``, players remove it when the box has warned for
    a while; it returns at another spot ``again`` moves later, 0: never. A match lasts at least ``looks`` frames.
    ``upside_down`` is the share of cards placed upside down, if it is not the usual one.
    """

    name: str
    drawn: ChangeScene | None = None
    taken: ChangePicture | None = None
    moved: ShiftPicture | None = None
    begins: int = 0
    helped: bool = False
    again: int = 0
    looks: int = 0
    upside_down: float | None = None
    peer: str = "-"


def find_free_spot(area: Area, zones: Mapping[str, Area]) -> Spot:
    """The spot farthest from all zones, or from the middle of the table if there are no zones."""
    middle = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    inner = range(int(area.left) + 30, int(area.right) - 29, 15), range(int(area.top) + 30, int(area.bottom) - 29, 15)
    spots = [(float(x), float(y)) for x in inner[0] for y in inner[1]]

    def away(spot: Spot) -> float:
        return min((_beside(spot, zone) for zone in zones.values()), default=0.0)

    return max(spots, key=lambda spot: (away(spot), math.hypot(spot[0] - middle[0], spot[1] - middle[1])))


def _beside(spot: Spot, zone: Area) -> float:
    """Distance from a spot to a zone; 0 inside."""
    across, down = (
        max(low - at, at - high, 0.0)
        for at, low, high in zip(spot, (zone.left, zone.top), (zone.right, zone.bottom), strict=True)
    )
    return math.hypot(across, down)


def make_gains(blue: float, green: float, red: float) -> ChangePicture:
    """Multiply the channels of the finished picture, as the peer's pictures were changed."""
    table = np.stack([np.clip(np.arange(256) * gain + 0.5, 0, 255) for gain in (blue, green, red)], -1)
    bytes_ = table.astype(np.uint8)[None]

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.LUT(picture, bytes_), np.uint8) if when.on else picture

    return taken


def make_blur(window: int) -> ChangePicture:
    """Gaussian blur with a window of this width in pixels."""

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.GaussianBlur(picture, (window, window), 0), np.uint8) if when.on else picture

    return taken


def make_defocus(wide: int) -> ChangePicture:
    """Defocus: every point becomes a disc of this width in pixels."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)).astype(np.float32)

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8) if when.on else picture

    return taken


def shift_picture(picture: Picture, right: float, down: float) -> Picture:
    """The picture of a camera that has turned a little; new parts repeat the edge."""
    by = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def bump(when: Moment) -> Spot:
    return BUMP_PX if when.on else (0.0, 0.0)


def sway(when: Moment) -> Spot:
    """Repeated knocks; after each the camera swings until it is at rest in its old pose."""
    since = when.at % KNOCK_PERIOD_S
    if not when.on or since >= SWAY_S:
        return 0.0, 0.0
    swing = math.exp(-since / SWAY_DECAY_S) * math.cos(2 * math.pi * SWAY_HZ * since)
    return BUMP_PX[0] * swing, BUMP_PX[1] * swing


def add_hand(scene: Scene, when: Moment) -> Scene:
    """Show a hand at a random place in every fourth frame."""
    if not when.on or when.look % 4:
        return scene
    rng = random.Random(when.look)
    spot = rng.uniform(when.area.left, when.area.right), rng.uniform(when.area.top, when.area.bottom)
    return replace(scene, arms=(*scene.arms, arm_positions.make_arm(rng, when.area, spot)))


def add_glare(scene: Scene, when: Moment) -> Scene:
    """Reflect a lamp on the pieces, and a smaller one beside them."""
    if not when.on:
        return scene
    x, y = when.spot
    spots = Glare(x, y, 45.0, 1.2), Glare(when.area.right - x, when.area.bottom - y, 30.0, 0.8)
    return replace(scene, light=replace(scene.light, glare=spots))


def switch_lamp(scene: Scene, when: Moment) -> Scene:
    """Switch on a warmer lamp with a bright patch and a gradient."""
    if not when.on:
        return scene
    patch = Glare(when.area.right * 0.65, when.area.bottom * 0.4, 160.0, 0.2)
    light = replace(
        scene.light, gain=scene.light.gain * 1.2, slope=(0.15, -0.1), patches=0.1, warmth=0.12, glare=(patch,)
    )
    return replace(scene, light=light)


def dim_light(scene: Scene, when: Moment) -> Scene:
    """Reduce the light until a player turns on a lamp; the camera keeps its exposure."""
    left = 0.8 if when.eased else 2.0 ** (-DUSK_STOPS * min(when.look, DUSK_FRAMES) / DUSK_FRAMES)
    return replace(scene, sensor=replace(scene.sensor, exposure=left)) if when.on or when.eased else scene


def add_mug(scene: Scene, when: Moment) -> Scene:
    return replace(scene, objects=(*scene.objects, StrayObject("mug", *when.spot))) if when.on else scene


def add_code_beside(scene: Scene, when: Moment) -> Scene:
    """Put a foreign code at the free spot."""
    x, y = when.free
    return replace(scene, foreign=(*scene.foreign, ForeignCode(MENU_URL, x, y, 8.0, 18.0))) if when.on else scene


def add_code_on_pieces(scene: Scene, when: Moment) -> Scene:
    """Put a foreign code on the pieces."""
    x, y = when.spot
    return (
        replace(scene, foreign=(*scene.foreign, ForeignCode(MENU_URL, x + 8, y + 10, 20.0, 15.0))) if when.on else scene
    )


def cover_corner(scene: Scene, when: Moment) -> Scene:
    if not when.on:
        return scene
    corner = scene.markers[1]
    return replace(scene, scraps=(*scene.scraps, Scrap(corner.x, corner.y, 12.0, 72.0, 66.0, "paper")))


DISTURBANCES = (
    Disturbance("none", peer="79/79"),
    Disturbance("half exposure", taken=make_gains(0.5, 0.5, 0.5), peer="79/79"),
    Disturbance("1.4 x exposure", taken=make_gains(1.4, 1.4, 1.4), peer="79/79"),
    Disturbance("blue -20 %", taken=make_gains(0.8, 1.0, 1.0), peer="79/79"),
    Disturbance("blue -30 %", taken=make_gains(0.7, 1.0, 1.0), peer="0/79"),
    Disturbance("blue -40 %, green -10 %", taken=make_gains(0.6, 0.9, 1.0), peer="0/79"),
    Disturbance("blue +15 %", taken=make_gains(1.15, 1.0, 1.0), peer="52/79"),
    Disturbance("bumped 15 px after move 6", moved=bump, begins=6, peer="59/79"),
    Disturbance("swaying 3 s after knocks", moved=sway, begins=3),
    Disturbance("blur 5 px", taken=make_blur(5), peer="79/79"),
    Disturbance("blur 9 px", taken=make_blur(9), peer="79/79"),
    Disturbance("out of focus, 17 px discs", taken=make_defocus(17), begins=6),
    Disturbance("a hand at every 4th look", drawn=add_hand, peer="43/79"),
    Disturbance("glare on the pieces", drawn=add_glare, begins=4, helped=True, again=10),
    Disturbance("a lamp switched on", drawn=switch_lamp, begins=6),
    Disturbance("dusk, 8 stops", drawn=dim_light, helped=True, looks=DUSK_FRAMES),
    Disturbance("cards upside down", upside_down=1.0),
    Disturbance("a mug on the pieces", drawn=add_mug, begins=4, helped=True, again=10),
    Disturbance("a foreign code beside", drawn=add_code_beside, begins=2),
    Disturbance("a foreign code on pieces", drawn=add_code_on_pieces, begins=4, helped=True, again=10),
    Disturbance("a corner marker covered", drawn=cover_corner, begins=4),
)
