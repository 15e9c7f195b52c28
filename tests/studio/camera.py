"""Where points of the table are in the picture: a pinhole camera with a slight lens distortion."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StudioCamera:
    """``axes``: rows point right, up and back in the world. Pixels are continuous: (0, 0) is the outer corner."""

    width: int
    height: int
    focal_px: float
    position: tuple[float, float, float]
    axes: tuple[tuple[float, ...], ...]
    k: float = 0.0

    def pinhole(self, world: Points) -> Points:
        """Pixels without the distortion of the lens."""
        seen = (np.asarray(world, np.float64) - np.array(self.position)) @ np.array(self.axes).T
        depth = -seen[..., 2]
        x = self.width / 2 + self.focal_px * seen[..., 0] / depth
        y = self.height / 2 - self.focal_px * seen[..., 1] / depth
        return np.stack([x, y], axis=-1)

    def distort(self, pixels: Points) -> Points:
        """From pinhole pixels to those of the picture."""
        centre = np.array([self.width / 2, self.height / 2])
        off = (pixels - centre) / (self.width / 2)
        r2 = np.sum(off * off, axis=-1, keepdims=True)
        return np.asarray(centre + off * (1 + self.k * r2) * (self.width / 2))

    def undistort(self, pixels: Points) -> Points:
        """The inverse of ``distort``."""
        centre = np.array([self.width / 2, self.height / 2])
        goal = (pixels - centre) / (self.width / 2)
        off = goal.copy()
        for _ in range(6):
            off = goal / (1 + self.k * np.sum(off * off, axis=-1, keepdims=True))
        return np.asarray(centre + off * (self.width / 2))

    def project(self, world: Points) -> Points:
        return self.distort(self.pinhole(world))

    def matrix(self) -> list[list[float]]:
        """The camera's place in the world, four by four."""
        turn = np.array(self.axes).T
        rows = [[*turn[i].tolist(), self.position[i]] for i in range(3)]
        return [*rows, [0.0, 0.0, 0.0, 1.0]]


def to_world(area: tuple[float, float], mm: Points, z: float | Points = 0.0) -> Points:
    """From mm on the area (x right, y down, from its top left corner) to metres from its middle (y up)."""
    mm = np.asarray(mm, np.float64)
    flat = np.stack([(mm[..., 0] - area[0] / 2) / 1000, (area[1] / 2 - mm[..., 1]) / 1000], axis=-1)
    return np.concatenate([flat, np.broadcast_to(np.asarray(z, np.float64), flat.shape[:-1])[..., None]], axis=-1)


def find_plane_homography(camera: StudioCamera, area: tuple[float, float], z: float = 0.0) -> Points:
    """From mm on the area, on a plane ``z`` metres above the table, to pinhole pixels."""
    axes, at = np.array(camera.axes), np.array(camera.position)
    world = np.array([[0.001, 0, -area[0] / 2000], [0, -0.001, area[1] / 2000], [0, 0, z]])
    seen = axes @ (world - np.outer(at, [0, 0, 1]))
    lens = np.array(
        [
            [camera.focal_px, 0, -camera.width / 2],
            [0, -camera.focal_px, -camera.height / 2],
            [0, 0, -1],
        ]
    )
    matrix = lens @ seen
    return np.asarray(matrix / matrix[2, 2])


def aim_camera(
    size: tuple[int, int],
    hfov_deg: float,
    area: tuple[float, float],
    *,
    border_mm: float,
    margin_mm: float,
    tilt_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    k: float,
) -> StudioCamera:
    """As close as the area, ``border_mm`` around it and ``margin_mm`` around that allow."""
    focal = size[0] / 2 / math.tan(math.radians(hfov_deg) / 2)
    tilt, azimuth, roll = (math.radians(a) for a in (tilt_deg, azimuth_deg, roll_deg))
    back = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), math.cos(tilt)])
    up = np.array([math.sin(roll), math.cos(roll), 0.0])
    up -= back * (up @ back)
    up /= np.linalg.norm(up)
    right = np.cross(up, back)
    axes = tuple(tuple(float(v) for v in row) for row in (right, up, back))
    rim = border_mm + margin_mm
    corners = np.array([[x, y] for x in (-rim, area[0] + rim) for y in (-rim, area[1] + rim)])
    world = to_world(area, corners)

    def at(distance: float) -> StudioCamera:
        place = back * distance
        return StudioCamera(
            size[0],
            size[1],
            focal,
            (float(place[0]), float(place[1]), float(place[2])),
            axes,
            k,
        )

    near, far = 0.2, 4.0
    for _ in range(50):
        middle = (near + far) / 2
        seen = at(middle).project(world)
        fits = bool((seen >= 0).all() and (seen <= np.array(size)).all())
        near, far = (near, middle) if fits else (middle, far)
    return at(far)
