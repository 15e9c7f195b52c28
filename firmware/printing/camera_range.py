"""Pixels per QR module for each sticker size, camera and area, and how well they can be read."""

from dataclasses import dataclass

from vision.tags.codebook import CODE_MODULES, QUIET_MODULES

AREAS_MM = ((900, 600), (700, 460), (600, 450))
CAMERAS = (
    ("Camera Module 2", 3280, 2464),
    ("Camera Module 3", 4608, 2592),
    ("HQ, 6 mm lens", 4056, 3040),
)


@dataclass(frozen=True, slots=True)
class CameraRange:
    """One sticker size under one camera that looks straight down and just covers an area."""

    camera: str
    area: tuple[int, int]
    px_module: float

    @property
    def verdict(self) -> str:
        match self.px_module:
            case px if px >= 2.5:
                return "good"
            case px if px >= 2.0:
                return "fair"
            case px if px >= 1.5:
                return "weak"
            case _:
                return "no"


def camera_ranges(sticker_mm: float) -> tuple[CameraRange, ...]:
    module = sticker_mm / (CODE_MODULES + 2 * QUIET_MODULES)
    return tuple(
        CameraRange(name, area, min(wide / area[0], high / area[1]) * module)
        for name, wide, high in CAMERAS
        for area in AREAS_MM
    )


def describe_poor_range(sticker_mm: float) -> str | None:
    """A warning for a size that some camera reads badly, or None."""
    poor = [r for r in camera_ranges(sticker_mm) if r.px_module < 2.0]
    if not poor:
        return None
    cases = ", ".join(f"{r.camera} over {r.area[0]} x {r.area[1]} mm ({r.px_module:.1f})" for r in poor)
    return (
        f"{sticker_mm:g} mm is small for: {cases}. "
        "Below 2 pixels a module a code is read only when sharp and still, "
        "below 1.5 not at all. Print larger stickers, or bring the camera closer to a smaller area."
    )


def format_range_table(sticker_mm: float) -> str:
    """Pixels per module by camera and area, as plain text."""
    rows = [
        f"{sticker_mm:g} mm stickers, pixels a module looking straight down "
        "(2.5 good, 2.0 fair, 1.5 the least; leaning 20 degrees leaves two thirds):"
    ]
    rows.append(" " * 18 + "".join(f"{f'{w} x {h} mm':>18}" for w, h in AREAS_MM))
    every = camera_ranges(sticker_mm)
    for name, _, _ in CAMERAS:
        cells = "".join(f"{f'{r.px_module:.1f} {r.verdict}':>18}" for r in every if r.camera == name)
        rows.append(f"  {name:<16}{cells}")
    return "\n".join(rows)
