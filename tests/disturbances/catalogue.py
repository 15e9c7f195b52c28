"""What can happen to a camera's picture once the empty table was taken in good light, each as a change of it."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.table import Area
from firmware.simulation.table import arms
from firmware.simulation.table.arms import Spot
from hw.frame import Picture
from vision.render import ForeignCode, Glare, Scene, Scrap, StrayObject

DUSK_STOPS, DUSK_FRAMES = 8.0, 500
"""By so many halvings the light falls over so many looks."""
BUMP_PX = (12.0, -9.0)
"""Where the picture goes when the camera is bumped: 15 pixels."""
KNOCK_PERIOD_S, SWAY_S, SWAY_DECAY_S, SWAY_HZ = 12.0, 3.0, 1.5, 2.3
"""Seconds from knock to knock and of swaying, in which it calms, and how often it swings in one."""
MENU_URL = "https://example.org/menu?table=7"


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment of a look: the ``look``'s number, seconds since the match began, whether it is ``on`` now,
    ``eased`` once people have done something about it, the ``spot`` it is about, where pieces lie, and a ``free`` one
    in no zone of the game, or at the rim of the only one."""

    look: int
    at: float
    area: Area
    spot: Spot
    free: Spot
    on: bool
    eased: bool


ChangeScene = Callable[[Scene, Moment], Scene]
ChangePicture = Callable[[Picture, Moment], Picture]
"""Of the same picture it makes the same one, as long as it is on."""
ShiftPicture = Callable[[Moment], Spot]
"""By how many pixels the picture lies further to the right and down."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """``peer`` is the nearest peer's figure where it was measured: right scores of 79 moves.

    It begins after so many moves. What people can see and help, they do when the box has complained for long
    (``helped``); it comes back elsewhere ``again`` so many moves later, 0: never.
    """

    name: str
    drawn: ChangeScene | None = None
    taken: ChangePicture | None = None
    moved: ShiftPicture | None = None
    begins: int = 0
    helped: bool = False
    again: int = 0
    looks: int = 0
    """A match goes on for at least so many looks."""
    upside_down: float | None = None
    """The share of cards laid upside down, where it is not the usual one."""
    peer: str = "-"


def find_free_spot(area: Area, zones: Mapping[str, Area]) -> Spot:
    """The spot of the table farthest from all zones, or, if there is none, from its middle."""
    middle = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    inner = range(int(area.left) + 30, int(area.right) - 29, 15), range(int(area.top) + 30, int(area.bottom) - 29, 15)
    spots = [(float(x), float(y)) for x in inner[0] for y in inner[1]]

    def away(spot: Spot) -> float:
        return min((_beside(spot, zone) for zone in zones.values()), default=0.0)

    return max(spots, key=lambda spot: (away(spot), math.hypot(spot[0] - middle[0], spot[1] - middle[1])))


def _beside(spot: Spot, zone: Area) -> float:
    """How far outside a zone it lies; 0: not at all."""
    across, down = (
        max(low - at, at - high, 0.0)
        for at, low, high in zip(spot, (zone.left, zone.top), (zone.right, zone.bottom), strict=True)
    )
    return math.hypot(across, down)


def make_gains(blue: float, green: float, red: float) -> ChangePicture:
    """Channels of the finished picture times these numbers, as the peer's pictures were changed."""
    table = np.stack([np.clip(np.arange(256) * gain + 0.5, 0, 255) for gain in (blue, green, red)], -1)
    bytes_ = table.astype(np.uint8)[None]

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.LUT(picture, bytes_), np.uint8) if when.on else picture

    return taken


def make_blur(window: int) -> ChangePicture:
    """A Gauss window so many pixels wide."""

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.GaussianBlur(picture, (window, window), 0), np.uint8) if when.on else picture

    return taken


def make_defocus(wide: int) -> ChangePicture:
    """Every point a disc so many pixels wide."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)).astype(np.float32)

    def taken(picture: Picture, when: Moment) -> Picture:
        return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8) if when.on else picture

    return taken


def shift_picture(picture: Picture, right: float, down: float) -> Picture:
    """The picture of a camera that has turned a little; what it did not see before repeats its rim."""
    by = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def bump(when: Moment) -> Spot:
    return BUMP_PX if when.on else (0.0, 0.0)


def sway(when: Moment) -> Spot:
    """Knock after knock, each time until it hangs as before."""
    since = when.at % KNOCK_PERIOD_S
    if not when.on or since >= SWAY_S:
        return 0.0, 0.0
    swing = math.exp(-since / SWAY_DECAY_S) * math.cos(2 * math.pi * SWAY_HZ * since)
    return BUMP_PX[0] * swing, BUMP_PX[1] * swing


def add_hand(scene: Scene, when: Moment) -> Scene:
    """A hand anywhere over the table at every fourth look."""
    if not when.on or when.look % 4:
        return scene
    rng = random.Random(when.look)
    spot = rng.uniform(when.area.left, when.area.right), rng.uniform(when.area.top, when.area.bottom)
    return replace(scene, arms=(*scene.arms, arms.make_arm(rng, when.area, spot)))


def add_glare(scene: Scene, when: Moment) -> Scene:
    """A lamp is mirrored where cards lie, and another one smaller beside."""
    if not when.on:
        return scene
    x, y = when.spot
    spots = Glare(x, y, 45.0, 1.2), Glare(when.area.right - x, when.area.bottom - y, 30.0, 0.8)
    return replace(scene, light=replace(scene.light, glare=spots))


def switch_lamp(scene: Scene, when: Moment) -> Scene:
    """Another lamp: a bright patch, one side lighter than the other, warmer."""
    if not when.on:
        return scene
    patch = Glare(when.area.right * 0.65, when.area.bottom * 0.4, 160.0, 0.2)
    light = replace(
        scene.light, gain=scene.light.gain * 1.2, slope=(0.15, -0.1), patches=0.1, warmth=0.12, glare=(patch,)
    )
    return replace(scene, light=light)


def dim_light(scene: Scene, when: Moment) -> Scene:
    """The light falls until somebody turns on a lamp; the camera holds its exposure."""
    left = 0.8 if when.eased else 2.0 ** (-DUSK_STOPS * min(when.look, DUSK_FRAMES) / DUSK_FRAMES)
    return replace(scene, sensor=replace(scene.sensor, exposure=left)) if when.on or when.eased else scene


def add_mug(scene: Scene, when: Moment) -> Scene:
    return replace(scene, objects=(*scene.objects, StrayObject("mug", *when.spot))) if when.on else scene


def add_code_beside(scene: Scene, when: Moment) -> Scene:
    """A code on the table, farthest from all pieces."""
    x, y = when.free
    return replace(scene, foreign=(*scene.foreign, ForeignCode(MENU_URL, x, y, 8.0, 18.0))) if when.on else scene


def add_code_on_pieces(scene: Scene, when: Moment) -> Scene:
    """A code that fell onto the pieces."""
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
