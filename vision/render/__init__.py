"""Renders a table as a camera would see it, always the same for the same scene, and the truth about the picture."""

from vision.render.full_rendering import render_scene
from vision.render.incremental_rendering import SceneRenderer
from vision.render.scene import (
    Arm,
    DrawnCard,
    DrawnMarker,
    DrawnTile,
    ForeignCode,
    Glare,
    Ground,
    RenderCamera,
    Scene,
    SceneLight,
    Scrap,
    Sensor,
    StrayObject,
)
from vision.render.truth import SceneTruth, TrueTag, TrueTile, find_truth

__all__ = [
    "Arm",
    "DrawnCard",
    "DrawnMarker",
    "DrawnTile",
    "ForeignCode",
    "Glare",
    "Ground",
    "RenderCamera",
    "Scene",
    "SceneLight",
    "SceneRenderer",
    "SceneTruth",
    "Scrap",
    "Sensor",
    "StrayObject",
    "TrueTag",
    "TrueTile",
    "find_truth",
    "render_scene",
]
