"""The table as a camera would see it, the same for the same scene, and the truth about what it shows."""

from vision.render.picture import render
from vision.render.scene import (
    Arm,
    DrawnCard,
    DrawnMarker,
    DrawnTile,
    Foreign,
    Glare,
    Ground,
    RenderCamera,
    Scene,
    SceneLight,
    Scrap,
    Sensor,
    Thing,
)
from vision.render.studio import Studio
from vision.render.truth import Hexagon, Tag, Truth, truth

__all__ = [
    "Arm",
    "DrawnCard",
    "DrawnMarker",
    "DrawnTile",
    "Foreign",
    "Glare",
    "Ground",
    "Hexagon",
    "RenderCamera",
    "Scene",
    "SceneLight",
    "Scrap",
    "Sensor",
    "Studio",
    "Tag",
    "Thing",
    "Truth",
    "render",
    "truth",
]
