"""The table as a camera would see it, the same for the same scene, and the truth about what it shows."""

from vision.render.picture import render
from vision.render.scene import (
    Arm,
    Camera,
    Card,
    Foreign,
    Glare,
    Ground,
    Light,
    Marker,
    Scene,
    Scrap,
    Sensor,
    Thing,
    Tile,
)
from vision.render.studio import Studio
from vision.render.truth import Hexagon, Tag, Truth, truth

__all__ = [
    "Arm",
    "Camera",
    "Card",
    "Foreign",
    "Glare",
    "Ground",
    "Hexagon",
    "Light",
    "Marker",
    "Scene",
    "Scrap",
    "Sensor",
    "Studio",
    "Tag",
    "Thing",
    "Tile",
    "Truth",
    "render",
    "truth",
]
