"""Every range and seed of the studio: what is drawn, under which light, by which camera."""

from typing import Literal

Range = tuple[float, float]

RENDER_VERSION = 1
"""Part of every cache key: raise it when ``blender_scene`` or ``textures`` draw something else from the same scene."""

SEED = 20260
"""First seed of the studio. Every random number follows from it, the round and the place in the plan."""

Table = Literal[
    "gingham",
    "marble",
    "stripes",
    "laminate",
    "green-felt",
    "dark-cloth",
    "light-wood",
    "dark-wood",
    "white",
    "red-felt",
]
TABLES: tuple[Table, ...] = (
    "gingham", "marble", "stripes", "laminate", "green-felt",
    "dark-cloth", "light-wood", "dark-wood", "white", "red-felt",
)  # fmt: skip

Kind = Literal["board", "board-hand", "board-after", "rows", "hands", "bare"]
KINDS: tuple[Kind, ...] = ("board", "board-hand", "board-after", "rows", "hands", "bare")
"""Geometries of each table. The first three are one sequence: before, a hand at work, after, under one camera."""

ACTS = ("place", "move", "exchange", "take", "slide")
"""What the hand does to a tile between ``board`` and ``board-after``."""

LIGHTS = ("ambient", "window", "sun", "pendant", "ceiling", "lamp")
"""Lights that are rendered one by one: the room itself, and five sources."""

LightKind = Literal["window", "sun", "pendant", "ceiling", "lamp"]
MIXES: dict[LightKind, dict[str, Range]] = {
    "window": {"window": (0.9, 1.1), "ambient": (0.3, 0.6), "ceiling": (0.0, 0.2)},
    "sun": {"sun": (0.8, 1.2), "ambient": (0.25, 0.5), "window": (0.1, 0.3)},
    "pendant": {"pendant": (0.9, 1.1), "ambient": (0.1, 0.3), "ceiling": (0.0, 0.1)},
    "ceiling": {"ceiling": (0.9, 1.1), "ambient": (0.2, 0.5), "window": (0.0, 0.3)},
    "lamp": {"lamp": (0.7, 1.0), "ambient": (0.1, 0.25), "pendant": (0.1, 0.4)},
}
"""Share of each light in a mix. A share of 1 lights white paper in the middle of the bare table with 1."""
LIGHT_K: dict[str, Range] = {
    "ambient": (4000, 5500),
    "window": (5600, 7500),
    "sun": (4600, 5600),
    "pendant": (2600, 3200),
    "ceiling": (3500, 5200),
    "lamp": (2500, 3000),
}
"""Colour temperatures in kelvin."""

# the camera
CAMERAS: dict[str, tuple[int, int, float]] = {
    "v3": (2304, 1296, 66.0),
    "v3-more": (2880, 1620, 66.0),
    "v2": (1640, 1232, 62.2),
    "hq": (2028, 1520, 55.0),
}
"""Width and height of a picture in pixels, horizontal field of view in degrees."""
CARD_CAMERAS = ("v3", "v3", "v3", "v3-more", "hq")
TILE_CAMERAS = ("v3", "v2", "hq")
MARGIN_MM: Range = (3.0, 25.0)
"""What the camera sees outside the white border of the markers on the tightest side."""
TILT_DEG: Range = (0.0, 9.0)
ROLL_DEG: Range = (-2.5, 2.5)
DISTORTION: Range = (-0.02, 0.015)
"""k in ``distorted = x * (1 + k * r * r)`` with r = 1 at half the width."""
OVERSCAN = 0.03
"""Share of the width that is rendered beyond each side, so that the distorted picture has no empty corner."""

CARD_AREAS = ((594, 420), (700, 460), (700, 460), (841, 594))
THE_GAME_AREAS = ((600, 450), (700, 460))
TILE_AREAS = ((600, 450), (600, 450), (700, 460), (900, 600))
MARKER_MM = 40.0
STICKER_MM = 18.0
PX_PER_MODULE_WHOLE = 1.4
"""Tags are counted as ``whole`` from here; a picture of an area of 841 x 594 mm has fewer pixels for each module."""

# samples of the path tracer for each pixel
FEATURE_SAMPLES = 16
LIGHT_SAMPLES: dict[str, int] = {"ambient": 4, "window": 3, "sun": 3, "pendant": 2, "ceiling": 3, "lamp": 2}
"""Few, because ``render.smooth_light`` averages the light of many pixels of one object."""

# pieces
TILE_PITCH_MM: Range = (34.0, 40.0)
"""Across the flats of a tile; the game of the shops has 38."""
TILE_HEIGHT_MM: Range = (7.0, 11.0)
TILE_BEVEL_MM: Range = (0.8, 2.2)
TILE_GAP_MM: Range = (0.0, 1.0)
TILE_JITTER_MM = 0.5
TILE_TURN_DEG = 2.0
TILE_COUNT: tuple[int, int] = (6, 40)
RESERVE_TILES: tuple[int, int] = (0, 4)
"""Of each colour beside the board."""
CARD_BEND_MM: Range = (0.0, 2.5)
CARD_TURN_DEG = 4.0
ROW_PITCH_MM: Range = (25.0, 62.0)
UPSIDE_DOWN_SHARE = 0.25
PARTLY_HIDDEN: tuple[Range, Range] = ((0.52, 0.73), (0.77, 0.97))
"""How much of a sticker the next card of a row leaves in view: one card of each row, its sticker at the right."""
HIDDEN_BY_NEIGHBOUR: Range = (-0.3, 0.1)
"""The same for the other upside-down cards of a row."""
BACK_PRINTS = ("bull", "lattice", "plain", "numbers", "rays")
RIM_MM: Range = (2.0, 5.0)
RIM_SHARE = 0.6
LEAST_VISIBLE_MM2 = 300.0
"""A card with less than this in view is no case."""

ROUGHNESS: dict[str, Range] = {
    "satin": (0.28, 0.42), "matt": (0.6, 0.8), "gloss": (0.14, 0.28), "matt-card": (0.4, 0.55), "sticker": (0.75, 0.9),
}  # fmt: skip
TABLE_ROUGHNESS: dict[str, Range] = {
    "gingham": (0.8, 0.95), "marble": (0.08, 0.2), "stripes": (0.8, 0.95), "laminate": (0.25, 0.45),
    "green-felt": (0.9, 1.0), "dark-cloth": (0.85, 1.0), "light-wood": (0.3, 0.55), "dark-wood": (0.22, 0.45),
    "white": (0.3, 0.6), "red-felt": (0.9, 1.0),
}  # fmt: skip
SKINS = ((0.72, 0.50, 0.40), (0.60, 0.38, 0.28), (0.42, 0.25, 0.17), (0.25, 0.14, 0.09), (0.12, 0.065, 0.045))
"""Linear albedo of the skin."""
SLEEVES = (
    None, (0.02, 0.02, 0.025), (0.6, 0.6, 0.58), (0.05, 0.09, 0.25), (0.35, 0.03, 0.03), (0.05, 0.2, 0.08),
    (0.3, 0.24, 0.15), (0.12, 0.12, 0.13),
)  # fmt: skip
PERSON_SHARE = 0.35
"""Pictures with a person outside the view who was not there when the table was empty."""

# mixing
CAST: Range = (1.0, 1.8)
"""Blue over green, or its inverse, of a grey surface."""
EXPOSURE: Range = (0.55, 1.5)
"""1 shows the mean of the bare table's brightness and white paper in a middle grey."""
CORNER_FALLOFF: Range = (0.62, 1.5)
"""Brightness of the corners over that of the middle, left over after the correction of the lens shading."""
LIGHT_CHANGE: Range = (0.02, 0.09)
LIGHT_DRIFT: Range = (0.12, 0.36)
DRIFT_SHARE = 0.2
"""Share of the mixes with a light that has drifted during a game."""

# the sensor
EDGE_SPREAD_PX: Range = (0.54, 0.70)
"""Of Y in the finished picture: the 10 to 90 % width of a sharp edge over 2.563, a Gaussian's standard deviation."""
NOISE_GREY: Range = (0.9, 1.7)
"""Standard deviation in grey levels of 0 to 255 on a middle grey."""
LOW_RESOLUTION = 4
"""Width of the picture over that of the low-resolution stream."""

CELL_MM = 15.0
"""Side of a cell in the grid of foreign things."""
