"""Height of a camera over an area, and the size of a sticker in its picture, computed from its lens."""

from dataclasses import dataclass
from math import ceil, cos, radians, sin, sqrt

from firmware.printing.camera_range import CAMERAS
from firmware.printing.markers import outer_size
from vision.sticker_and_marker_sizes import MARKER_MM as MARKER
from vision.sticker_and_marker_sizes import STICKER_MM as STICKER
from vision.tags.codebook import CODE_MODULES, QUIET_MODULES

LENSES = {"Camera Module 2": (3.04, 1.12), "Camera Module 3": (4.74, 1.4), "HQ, 6 mm lens": (6.0, 1.55)}
"""Focal length in mm and side of a pixel in µm, as specified by the makers."""
AREAS_MM = ((594, 420), (600, 450), (700, 460), (841, 594))
LEAN_DEG = (0, 10, 20)


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera: the size of its picture and its focal length, in pixels."""

    name: str
    wide: int
    high: int
    focal: float

    def distance(self, area: tuple[float, float], leaning: float = 0.0) -> float:
        """Distance from the middle of an area at which all of it is just in view, in mm, at this tilt in degrees."""
        across, deep = area[0] / 2, area[1] / 2
        nearer = deep * sin(radians(leaning))
        for_width = self.focal * across / (self.wide / 2)
        for_depth = self.focal * deep * cos(radians(leaning)) / (self.high / 2)
        return max(for_width, for_depth) + nearer

    def px_module(self, area: tuple[float, float], leaning: float = 0.0, sticker_mm: float = STICKER) -> float:
        """Pixels per module in a far corner, where a sticker is smallest, at the least distance for the area."""
        away = self.distance(area, leaning)
        lean = radians(leaning)
        farther = away + area[1] / 2 * sin(lean)
        # a square millimetre is imaged as a slanted patch; its narrowest width counts
        wide, deep = self.focal / farther, self.focal * cos(lean) * away / farther**2
        slant = self.focal * area[0] / 2 * sin(lean) / farther**2
        sides = wide**2 + slant**2 + deep**2
        narrowest = sqrt((sides - sqrt(sides**2 - 4 * (wide * deep) ** 2)) / 2)
        return narrowest * sticker_mm / (CODE_MODULES + 2 * QUIET_MODULES)

    def field(self, distance: float) -> tuple[float, float]:
        """Width and height of the view from straight above, in mm."""
        return self.wide * distance / self.focal, self.high * distance / self.focal


CAMERA_VIEWS = tuple(
    CameraView(name, wide, high, LENSES[name][0] * 1000 / LENSES[name][1]) for name, wide, high in CAMERAS
)


def include_markers(area: tuple[float, float]) -> tuple[float, float]:
    """Size of an area with the markers around it and their white borders."""
    rim = (outer_size(MARKER) + MARKER) / 2
    return area[0] + 2 * rim, area[1] + 2 * rim


def format_heights() -> str:
    """Markdown table of height, view and pixels per module for each camera and area."""
    lines = [
        "| area between the markers | camera | height | it sees | pixels a module, leaning "
        f"{' / '.join(map(str, LEAN_DEG))}° |",
        "|---|---|---|---|---|",
    ]
    for area in AREAS_MM:
        whole = include_markers(area)
        for eye in CAMERA_VIEWS:
            height = ceil(eye.distance(whole) / 10)
            wide, high = (round(side / 10) for side in eye.field(10 * height))
            sizes = " / ".join(f"{eye.px_module(whole, leaning):.1f}" for leaning in LEAN_DEG)
            lines.append(f"| {area[0]} x {area[1]} mm | {eye.name} | {height} cm | {wide} x {high} cm | {sizes} |")
    return "\n".join(lines)
