"""One scene: what is on the table, what stands around it, the camera and the lights, ready to be rendered."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.studio import meshes, ranges
from tests.studio.camera import StudioCamera, to_world
from tests.studio.meshes import Mesh, Points

FIRST_MARKER, FIRST_CARD, FIRST_TILE, HAND, SLEEVE, FIRST_THING = 1, 10, 300, 1000, 1001, 1010
"""Index of each object in the index pass; 0 is the table and everything that is no case, such as the camera's arm."""

Json = dict[str, Any]
KEY_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card; ``angle``: degrees clockwise as seen by the camera. ``piece`` is empty for a face-down card."""

    game: str
    piece: str
    payload: str
    centre: tuple[float, float]
    angle: float
    z: float
    bend: tuple[float, float, float]
    size: tuple[float, float]
    zone: str
    order: int
    back: str = ""
    rim_mm: float = 0.0

    def surface(self, area: tuple[float, float], local_mm: Points) -> Points:
        """World points of places on the card, in mm from its centre, x right and y down when upright."""
        w, h = self.size
        local = np.asarray(local_mm, np.float64)
        rise = meshes.bend_height(2 * local[:, 0] / w, -2 * local[:, 1] / h, self.bend)
        a = math.radians(self.angle)
        turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
        return to_world(area, local @ turn.T + np.array(self.centre), self.z + rise + 0.0003)


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile; ``cell`` is None for a tile beside the board. ``turn``: degrees counterclockwise of the first flat."""

    colour: str
    cell: tuple[int, int] | None
    centre: tuple[float, float]
    turn: float


@dataclass(slots=True)
class StudioScene:
    """What Blender renders, as JSON-like parts, with the cards and tiles that the truth is about."""

    area: tuple[float, float]
    camera: StudioCamera
    table: ranges.Table
    cards: list[PlacedCard] = field(default_factory=list)
    tiles: list[PlacedTile] = field(default_factory=list)
    tile_mm: tuple[float, float, float] = (38.0, 9.0, 1.5)
    things: dict[int, str] = field(default_factory=dict)
    objects: list[Json] = field(default_factory=list)
    materials: dict[str, Json] = field(default_factory=dict)
    lights: list[Json] = field(default_factory=list)
    textures: dict[str, Json] = field(default_factory=dict)
    world: str = ""

    def texture(self, recipe: Json) -> str:
        """The file name of a drawn picture; the same recipe has the same name."""
        text = json.dumps([ranges.RENDER_VERSION, recipe], sort_keys=True)
        name = f"{recipe['draw']}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.png"
        self.textures[name] = recipe
        return name

    def add(
        self, name: str, mesh: Mesh, material: str, *, index: int = 0, smooth: float = 0.0, voxel: float = 0.0
    ) -> None:
        part: Json = {
            "name": name, "material": material, "index": index, "smooth": smooth, "voxel": voxel,
            "vertices": np.round(mesh.vertices, 6).tolist(), "faces": [list(face) for face in mesh.faces],
        }  # fmt: skip
        if len(mesh.uvs):
            part["uvs"] = np.round(mesh.uvs, 5).tolist()
        self.objects.append(part)

    def at(self, mm: Sequence[float], z: float = 0.0) -> tuple[float, float, float]:
        """World place of a point of the area."""
        x, y, up = to_world(self.area, np.array(mm, np.float64), z)
        return float(x), float(y), float(up)

    def is_outside(self, mesh: Mesh) -> bool:
        """No point of this is in the picture, overscan included."""
        px = self.camera.pinhole(mesh.vertices[mesh.vertices[:, 2] < self.camera.position[2] - 0.05])
        rim = (ranges.OVERSCAN + 0.01) * self.camera.width
        inside = (px > -rim).all(axis=1) & (px < np.array([self.camera.width, self.camera.height]) + rim).all(axis=1)
        return not bool(inside.any())

    def to_json(self, light_samples: dict[str, int], feature_samples: int) -> Json:
        """The render job, but for the folder of the textures."""
        margin = round(ranges.OVERSCAN * self.camera.width)
        return {
            "version": ranges.RENDER_VERSION,
            "camera": {
                "width": self.camera.width + 2 * margin,
                "height": self.camera.height + 2 * margin,
                "focal_px": self.camera.focal_px,
                "matrix": self.camera.matrix(),
            },
            "objects": self.objects, "materials": self.materials, "lights": self.lights, "world": self.world,
            "samples": light_samples, "feature_samples": feature_samples,
        }  # fmt: skip


def key_job(job: Json, *extra: object) -> str:
    """The name of a rendered scene in the cache.

    Numbers count to ``KEY_DECIMALS`` places: the last bits of a sine differ from one processor to another.
    """
    return hashlib.sha256(json.dumps(_round([job, *extra]), sort_keys=True).encode()).hexdigest()[:24]


def _round(value: Any) -> Any:
    match value:
        case float():
            return round(value, KEY_DECIMALS) + 0.0  # no minus zero
        case dict():
            return {name: _round(one) for name, one in value.items()}
        case list() | tuple():
            return [_round(one) for one in value]
    return value


def look_at(position: Sequence[float], goal: Sequence[float]) -> list[list[float]]:
    """The matrix of a lamp that shines from one point to another."""
    p = np.array(position, np.float64)
    back = p - np.array(goal, np.float64)
    back /= np.linalg.norm(back)
    right = np.cross([0.0, 0.0, 1.0], back)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    up = np.cross(back, right)
    rows = [[float(right[i]), float(up[i]), float(back[i]), float(p[i])] for i in range(3)]
    return [*rows, [0.0, 0.0, 0.0, 1.0]]
