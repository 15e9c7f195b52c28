"""The light over the simulated table, by the name of what people do with their lamp."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from vision.render import Scene, SceneLight

LampSetting = Literal["daylight", "dim", "warm", "off"]


@dataclass(frozen=True, slots=True)
class LampEffect:
    """``exposure`` is how much light comes, as a share of daylight; ``warmth`` its colour."""

    exposure: float = 1.0
    warmth: float = 0.0
    dark: bool = False
    """Is it too dark to read anything?"""


TABLE_LIGHTS: Mapping[LampSetting, LampEffect] = {
    "daylight": LampEffect(),
    "dim": LampEffect(exposure=0.45),
    "warm": LampEffect(exposure=0.9, warmth=0.12),
    "off": LampEffect(exposure=0.02, dark=True),
}


def light_scene(scene: Scene, setting: LampSetting) -> Scene:
    """The scene in this light; the camera keeps its exposure."""
    light = TABLE_LIGHTS[setting]
    return replace(
        scene,
        light=replace(SceneLight(), warmth=light.warmth),
        sensor=replace(scene.sensor, exposure=light.exposure),
    )
