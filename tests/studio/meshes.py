"""Shapes of the studio as lists of vertices and faces, in metres: x right, y away from the reader, z up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mesh:
    """``uvs``: a place on the texture for each vertex, (0, 0) at the bottom left."""

    vertices: Points
    faces: tuple[tuple[int, ...], ...]
    uvs: Points = field(default_factory=lambda: np.zeros((0, 2)))

    def moved(self, at: Sequence[float], turn_deg: float = 0.0) -> "Mesh":
        """Turned counterclockwise as seen from above, then moved."""
        a = math.radians(turn_deg)
        turn = np.array([[math.cos(a), -math.sin(a), 0.0], [math.sin(a), math.cos(a), 0.0], [0.0, 0.0, 1.0]])
        return Mesh(self.vertices @ turn.T + np.asarray(at, np.float64), self.faces, self.uvs)


def join_meshes(meshes: Sequence[Mesh]) -> Mesh:
    vertices: list[Points] = []
    faces: list[tuple[int, ...]] = []
    count = 0
    for mesh in meshes:
        faces += [tuple(v + count for v in face) for face in mesh.faces]
        vertices.append(mesh.vertices)
        count += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), tuple(faces))


def connect_rings(rings: Sequence[Points], *, closed: bool = True) -> Mesh:
    """A skin over rings of equal length, each counterclockwise from above; ``closed``: with both ends capped."""
    n = len(rings[0])
    faces: list[tuple[int, ...]] = []
    for k in range(len(rings) - 1):
        for i in range(n):
            j = (i + 1) % n
            faces.append((k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i))
    if closed:
        faces.append(tuple(range(n))[::-1])
        faces.append(tuple((len(rings) - 1) * n + i for i in range(n)))
    return Mesh(np.concatenate(rings), tuple(faces))


def round_polygon(corners: Points, radius: float, steps: int = 4) -> Points:
    """The outline of a convex polygon (counterclockwise) with round corners."""
    out: list[Points] = []
    for before, here, after in zip(np.roll(corners, 1, 0), corners, np.roll(corners, -1, 0), strict=True):
        a, b = (before - here) / np.linalg.norm(before - here), (after - here) / np.linalg.norm(after - here)
        half = math.acos(float(np.clip(a @ b, -1, 1))) / 2
        reach = radius / math.tan(half)
        for t in np.linspace(0, 1, steps):
            p, q = here + a * reach, here + b * reach
            out.append((1 - t) ** 2 * p + 2 * t * (1 - t) * here + t**2 * q)
    return np.array(out)


def bend_height(u: Points, v: Points, bend: tuple[float, float, float]) -> Points:
    """Height in m of a bent card at (u, v) from -1 to 1: ``bend`` is the rise at the ends, at the sides and a twist.

    A negative rise lifts the middle; the lowest point is at 0.
    """
    ends, sides, twist = bend
    height = ends * v**2 + sides * u**2 + twist * u * v
    corners = [ends * b * b + sides * a * a + twist * a * b for a in (-1, 0, 1) for b in (-1, 0, 1)]
    return np.asarray(height - min(corners))


def make_card(size: tuple[float, float], bend: tuple[float, float, float], corner: float = 0.0035) -> Mesh:
    """A card with its centre at the origin and its top side up, 0.3 mm thick."""
    w, h = size
    outline = round_polygon(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2, corner, 5)
    rings: list[Points] = []
    uvs: list[Points] = []
    for k, share in enumerate((1.0, 1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1)):
        flat = outline * share
        z = bend_height(2 * flat[:, 0] / w, 2 * flat[:, 1] / h, bend) + (0.0003 if k else 0.0)
        rings.append(np.column_stack([flat, z]))
        uvs.append(flat / np.array([w, h]) + 0.5)
    mesh = connect_rings(rings)
    return Mesh(mesh.vertices, mesh.faces, np.concatenate(uvs))


def make_sheet(size: tuple[float, float], thick: float = 0.0) -> Mesh:
    """A flat rectangle with its centre at the origin; its top is at z = 0, or at ``thick``."""
    w, h = size[0] / 2, size[1] / 2
    top = np.array([[-w, -h, thick], [w, -h, thick], [w, h, thick], [-w, h, thick]])
    return Mesh(top, ((0, 1, 2, 3),), np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))


def make_tile(pitch: float, height: float, bevel: float) -> Mesh:
    """A hexagonal tile ``pitch`` across its flats, two flats to the left and right, with a round bevel."""
    rings: list[Points] = []
    profile = [(0.0003, 0.0), (0.0, 0.0003), (0.0, height - bevel)]
    profile += [
        (bevel * (1 - math.cos(a)), height - bevel + bevel * math.sin(a)) for a in np.linspace(0, math.pi / 2, 6)[1:]
    ]
    profile += [(bevel + 0.0004, height), (bevel + 0.003, height)]  # keeps the normals of the flat top upright
    for inset, z in profile:
        radius = (pitch / 2 - inset) / math.cos(math.pi / 6)
        angles = np.radians(30 + 60 * np.arange(6))
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) * radius
        outline = round_polygon(corners, max(0.0012 - inset / 4, 0.0002), 3)
        rings.append(np.column_stack([outline, np.full(len(outline), z)]))
    return connect_rings(rings)


def make_lathe(profile: Sequence[tuple[float, float]], steps: int = 48) -> Mesh:
    """Pairs of radius and height turned round the vertical axis."""
    angles = 2 * math.pi * np.arange(steps) / steps
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return connect_rings([np.column_stack([circle * r, np.full(steps, z)]) for r, z in profile])


def make_torus(at: Sequence[float], large: float, small: float) -> Mesh:
    """An upright ring in the plane of x and z."""
    rings: list[Points] = []
    for a in np.linspace(0, 2 * math.pi, 33):
        b = 2 * math.pi * np.arange(12) / 12
        r = large + small * np.cos(b)
        rings.append(np.column_stack([r * math.cos(a), small * np.sin(b), r * math.sin(a)]) + np.asarray(at))
    return connect_rings(rings, closed=False)


def make_slab(size: tuple[float, float], height: float, corner: float, edge: float = 0.0015) -> Mesh:
    """A plate with round corners, such as a telephone."""
    w, h = size[0] / 2, size[1] / 2
    rings: list[Points] = []
    for inset, z in ((edge, 0.0), (0.0, edge), (0.0, height - edge), (edge, height)):
        a, b = w - inset, h - inset
        outline = round_polygon(np.array([[-a, -b], [a, -b], [a, b], [-a, b]]), corner - inset, 6)
        rings.append(np.column_stack([outline, np.full(len(outline), z)]))
    return connect_rings(rings)


def make_capsule(
    p: Sequence[float] | Points, q: Sequence[float] | Points, rp: float, rq: float, flat: float = 1.0
) -> Mesh:
    """A round-ended cone from ``p`` to ``q``; ``flat`` below 1 makes it lower than it is wide."""
    a, b = np.asarray(p, np.float64), np.asarray(q, np.float64)
    axis = b - a
    length = float(np.linalg.norm(axis))
    d = axis / length
    side = np.cross(d, [0.0, 0.0, 1.0])
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    up = np.cross(side, d)
    circle = 2 * math.pi * np.arange(16) / 16
    rings: list[Points] = []
    places = [(-rp * math.cos(t), rp * math.sin(t)) for t in np.linspace(0.12, math.pi / 2, 5)]
    places += [(length + rq * math.cos(t), rq * math.sin(t)) for t in np.linspace(math.pi / 2, 0.12, 5)]
    for along, r in places:
        around = np.outer(np.cos(circle), side) + flat * np.outer(np.sin(circle), up)
        rings.append(a + d * along + r * around)
    return connect_rings(rings)


def make_hand(curl: float, spread: float) -> Mesh:
    """A right hand, palm down, that points along +y with its palm over the origin; ``curl`` from 0 (flat) to 1."""
    parts = [
        make_capsule((-0.022, -0.03, 0.026), (-0.026, 0.022, 0.024), 0.020, 0.017, 0.75),
        make_capsule((-0.004, -0.035, 0.028), (-0.006, 0.026, 0.026), 0.022, 0.018, 0.75),
        make_capsule((0.014, -0.035, 0.026), (0.018, 0.022, 0.024), 0.021, 0.016, 0.75),
        make_capsule((0.0, -0.07, 0.032), (0.0, -0.03, 0.028), 0.027, 0.028, 0.75),
    ]
    fingers = ((-0.030, 0.020, 0.075, 0.0085), (-0.010, 0.028, 0.086, 0.009), (0.010, 0.026, 0.080, 0.0085),
               (0.028, 0.014, 0.062, 0.0075))  # fmt: skip
    for n, (x, y, length, r) in enumerate(fingers):
        aim = math.radians((n - 1.4) * 9 * spread)
        at = np.array([x, y, 0.024])
        for k, share in enumerate((0.45, 0.31, 0.24)):
            down = curl * (0.25 + 0.42 * k)
            step = length * share
            go = np.array([math.sin(aim) * math.cos(down), math.cos(aim) * math.cos(down), -math.sin(down)]) * step
            end = at + go
            end[2] = max(end[2], r * 0.95)
            parts.append(make_capsule(at, end, r * (1.12 - 0.1 * k), r * (1.0 - 0.08 * k)))
            at = end
    wide = 0.5 + 0.5 * spread
    root = np.array([-0.030, -0.030, 0.024])
    knuckle = root + np.array([-0.030 * wide, 0.030, -0.004])
    tip = knuckle + np.array([-0.012 * wide, 0.036, -0.006])
    parts += [make_capsule(root, knuckle, 0.015, 0.011), make_capsule(knuckle, tip, 0.011, 0.0085)]
    return join_meshes(parts)


def make_forearm(length: float, rise: float) -> Mesh:
    """From the wrist of ``make_hand`` along -y, ``rise`` higher at its end."""
    return make_capsule((0.0, -0.075, 0.034), (0.0, -0.075 - length, 0.034 + rise), 0.027, 0.042, 0.85)


def make_sleeve(length: float, rise: float, start: float) -> Mesh:
    """A sleeve round the forearm that begins ``start`` behind the wrist."""
    rings: list[Points] = []
    circle = 2 * math.pi * np.arange(40) / 40
    for k, t in enumerate(np.linspace(0, 1, 30)):
        along = start + (length - start) * t
        fold = 0.0022 * math.sin(k * 1.9) + 0.0012 * math.sin(k * 4.3)
        r = 0.037 + 0.02 * along / length + fold
        z = max(0.034 + rise * along / length, 0.85 * r)
        rings.append(np.column_stack([r * np.cos(circle), np.full(40, -0.075 - along), z + 0.85 * r * np.sin(circle)]))
    return connect_rings(rings)
