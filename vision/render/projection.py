"""Projection of millimetres in space to pixels and back, through a tilted camera and a distorting lens."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import DrawnCard, RenderCamera

Points = NDArray[np.float64]


@lru_cache(maxsize=64)
def _make_rotation(tilt: float, towards: float, turn: float) -> Points:
    lean, side, spin = math.radians(tilt), math.radians(towards), math.radians(turn)
    # tilting towards a side turns the picture about the other axis of the table
    ax, ay = -math.sin(side), math.cos(side)
    c, s = math.cos(lean), math.sin(lean)
    tilting = np.array(
        [
            [c + ax * ax * (1 - c), ax * ay * (1 - c), ay * s],
            [ax * ay * (1 - c), c + ay * ay * (1 - c), -ax * s],
            [-ay * s, ax * s, c],
        ]
    )
    cs, sn = math.cos(spin), math.sin(spin)
    turning = np.array([[cs, -sn, 0.0], [sn, cs, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(turning @ tilting, np.float64)


def _find_middle(camera: RenderCamera) -> Points:
    return np.array([(camera.width - 1) / 2, (camera.height - 1) / 2])


def project_points(camera: RenderCamera, points: Points) -> Points:
    """Table points (n, 3) in mm, z up, into pixels (n, 2)."""
    at = (points - [camera.x, camera.y, 0.0]) * [1.0, 1.0, -1.0]
    seen = at @ _make_rotation(camera.tilt, camera.towards, camera.turn).T
    seen[:, 2] += camera.distance
    flat: Points = camera.focal * seen[:, :2] / np.maximum(seen[:, 2:], 1.0)
    px: Points = _find_middle(camera) + _distort(camera, flat)
    return px


def _distort(camera: RenderCamera, flat: Points) -> Points:
    if not camera.barrel:
        return flat
    half = math.hypot(camera.width, camera.height) / 2
    straight = np.hypot(flat[:, 0], flat[:, 1]) / half
    bent = straight.copy()
    for _ in range(6):  # Newton on straight = bent * (1 + barrel * bent^2)
        bent -= (bent * (1 + camera.barrel * bent**2) - straight) / (1 + 3 * camera.barrel * bent**2)
    return flat * (bent / np.maximum(straight, 1e-9))[:, None]


def project_to_table(camera: RenderCamera, px: Points) -> Points:
    """Pixels (n, 2) onto the table (n, 2) in mm."""
    bent = px - _find_middle(camera)
    half = math.hypot(camera.width, camera.height) / 2
    flat = bent * (1 + camera.barrel * (bent / half) ** 2 @ [[1.0], [1.0]])
    rays = np.column_stack([flat / camera.focal, np.ones(len(flat))])
    rays = rays @ _make_rotation(camera.tilt, camera.towards, camera.turn)
    eye = np.array([0.0, 0.0, camera.distance]) @ _make_rotation(camera.tilt, camera.towards, camera.turn)
    reach = eye[2] / rays[:, 2:]
    place: Points = rays[:, :2] * reach - eye[:2] + [camera.x, camera.y]
    return place


def place_flat(x: float, y: float, angle: float, local: Points, lift: float = 0.0) -> Points:
    """Points of an object (x right, y down, mm from its centre) at its place on the table."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = local @ np.array([[c, s], [-s, c]])
    return np.column_stack([turned + np.array([x, y]), np.full(len(local), lift)])


def place_card(card: DrawnCard, size: tuple[float, float], local: Points) -> Points:
    """Points of a card in space: arched, tilted about its long edge, turned, moved to its place."""
    if not (card.bend or card.tilt):
        return place_flat(card.x, card.y, card.angle, local, card.lift)
    across = local[:, 1] / (size[1] / 2)
    height = card.lift + card.bend * (1 - across**2)
    lean = math.radians(card.tilt)
    tilted = np.column_stack([local[:, 0] * math.cos(lean), local[:, 1]])
    space = place_flat(card.x, card.y, card.angle, tilted)
    space[:, 2] = height + (local[:, 0] + size[0] / 2) * math.sin(lean)
    return space


def make_rectangle(width: float, height: float) -> Points:
    """The corners TL TR BR BL of a rectangle around the origin."""
    x, y = width / 2, height / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
