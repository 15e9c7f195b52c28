"""The scene before the camera: every number that a rendered picture depends on, as plain values."""

from dataclasses import dataclass, field
from typing import Literal

from engine.table import Area
from vision.sticker_and_marker_sizes import STICKER_MM

Ground = Literal["wood", "white", "felt", "darkwood", "dark", "clutter"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RenderCamera:
    """A pinhole camera over (x, y), tilted by ``tilt`` degrees ``towards`` a side; ``barrel`` bends straight lines."""

    width: int
    height: int
    x: float
    y: float
    distance: float = 800.0
    focal: float = 2400.0
    tilt: float = 0.0
    towards: float = 90.0
    turn: float = 0.0
    barrel: float = 0.0

    @staticmethod
    def over(
        area: Area,
        px_mm: float,
        *,
        distance: float = 800.0,
        tilt: float = 0.0,
        towards: float = 90.0,
        turn: float = 0.0,
        barrel: float = 0.0,
    ) -> "RenderCamera":
        """A camera that just shows an area, with ``px_mm`` pixels per mm in its middle."""
        return RenderCamera(
            width=max(8, round((area.right - area.left) * px_mm)),
            height=max(8, round((area.bottom - area.top) * px_mm)),
            x=(area.left + area.right) / 2,
            y=(area.top + area.bottom) / 2,
            distance=distance,
            focal=px_mm * distance,
            tilt=tilt,
            towards=towards,
            turn=turn,
            barrel=barrel,
        )


@dataclass(frozen=True, slots=True)
class Glare:
    """The reflection of a lamp in the table; ``strength`` 1 doubles white paper, which clips."""

    x: float
    y: float
    radius: float
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class SceneLight:
    """The light on the table: exposure, fall-off to one side and to the corners, patches, colour, lamps."""

    gain: float = 0.85
    slope: Point = (0.0, 0.0)
    patches: float = 0.0
    vignette: float = 0.1
    warmth: float = 0.0
    sun: float = 220.0
    """Direction in which shadows fall, degrees clockwise from the right."""
    shadow: float = 0.4
    penumbra: float = 1.0
    """Width of the rims of shadows, as a share of those under a wide lamp: little in the sun."""
    throw: float = 0.7
    """Length of a shadow, as a share of the height of what casts it."""
    glare: tuple[Glare, ...] = ()


@dataclass(frozen=True, slots=True)
class Sensor:
    """Lens and chip: blur (sigma, px), more at the rim, motion (px), noise (1 = usual), JPEG quality.

    ``exposure`` multiplies the light: less at dusk, when a camera holds its exposure.
    """

    blur: float = 0.7
    rim: float = 0.0
    motion: float = 0.0
    motion_angle: float = 0.0
    noise: float = 1.0
    sharpen: float = 0.5
    bayer: bool = True
    jpeg: int = 0
    exposure: float = 1.0


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card at (x, y); its middle arches up by ``bend`` mm, it leans out of the table by ``tilt`` degrees."""

    game: str
    piece: str
    x: float
    y: float
    angle: float = 0.0
    payload: str = ""
    sticker: float = STICKER_MM
    style: Literal["plain", "busy", "framed"] = "busy"
    face_down: bool = False
    bend: float = 0.0
    gloss: float = 0.0
    lift: float = 0.0
    tilt: float = 0.0
    slip: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How far the sticker is off its place: mm, mm, degrees."""


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """A wooden hexagon, ``size`` mm across its flats, which face ``angle`` + k * 60 degrees."""

    colour: Literal["red", "black"]
    x: float
    y: float
    angle: float = 0.0
    size: float = 38.0
    dot: float = 0.0
    """Diameter of a white dot stuck on it, mm."""
    payload: str = ""
    sticker: float = 12.0
    lift: float = 0.0
    satin: float = 0.0
    """Light of a window that its paint mirrors, linear, of a table in full light: matt paint mirrors none."""


@dataclass(frozen=True, slots=True)
class DrawnMarker:
    """One corner marker; (x, y) is its centre, ``size`` its black square."""

    name: int
    x: float
    y: float
    size: float = 40.0
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class ForeignCode:
    """A QR code that is not in the book; ``size`` is the code without its quiet zone."""

    text: str
    x: float
    y: float
    angle: float = 0.0
    size: float = 15.0
    version: int | None = None
    error: Literal["L", "M", "Q", "H"] = "H"
    mask: int | None = None
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm from ``start`` at the rim of the table to its fingertips, ``lift`` mm above the table."""

    start: Point
    hand: Point
    width: float = 75.0
    lift: float = 40.0
    sleeve: int = 0


@dataclass(frozen=True, slots=True)
class StrayObject:
    """An object that does not belong to the game."""

    kind: Literal["mug", "phone", "paper"]
    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Scrap:
    """A small flat object on top: skin of a fingertip, a token, a corner of something dark."""

    x: float
    y: float
    angle: float
    width: float
    height: float
    tone: Literal["skin", "dark", "paper"] = "skin"


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one picture shows. ``seed`` determines only the noise of the sensor."""

    camera: RenderCamera
    ground: Ground = "wood"
    ground_seed: int = 0
    markers: tuple[DrawnMarker, ...] = ()
    cards: tuple[DrawnCard, ...] = ()
    tiles: tuple[DrawnTile, ...] = ()
    foreign: tuple[ForeignCode, ...] = ()
    scraps: tuple[Scrap, ...] = ()
    objects: tuple[StrayObject, ...] = ()
    arms: tuple[Arm, ...] = ()
    light: SceneLight = field(default_factory=SceneLight)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0
