"""What the bench of the studio compares: the truth of one picture, and what ``oxeye read --json`` tells of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.games import GAMES
from engine.table import Area
from tests.studio.boards import Board, Cell, find_cell_centre
from tests.studio.camera import StudioCamera, find_plane_homography, to_world
from tests.studio.pictures import StudioPicture

Place = tuple[float, float]
Map = NDArray[np.bool_]
NINTHS = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
"""The zones of SIX in ``unseen``: thirds of the width and of the height."""


@dataclass(frozen=True, slots=True)
class TrueTile:
    """``seen`` is the place on the table in mm that the middle of its top hides from the camera."""

    colour: str
    cell: Cell | None
    px: Place
    mm: Place
    seen: Place
    pitch_px: float


@dataclass(frozen=True, slots=True)
class TrueCard:
    """``piece`` is empty for a face-down card. ``zone_mm2``: how much of it is in view in its own zone."""

    index: int
    piece: str
    payload: str
    zone: str
    mm: Place
    visible: float
    zone_mm2: float
    tag_px: Place = (0.0, 0.0)
    tag_visible: float = 0.0
    px_per_module: float = 0.0
    legible: bool = True
    covered_by: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """``owner`` says for each mm of the area what the camera sees there: 0 is the bare table, else an index."""

    name: str
    kind: str
    game: str
    table: str
    light: str
    finish: str
    area: tuple[float, float]
    owner: NDArray[np.uint16]
    cards: tuple[TrueCard, ...] = ()
    tiles: tuple[TrueTile, ...] = ()
    things: Mapping[int, str] = field(default_factory=dict)
    pitch_mm: float = 38.0
    round: int = 0

    @property
    def board(self) -> Board:
        return {tile.cell: tile.colour for tile in self.tiles if tile.cell is not None}

    @property
    def zones(self) -> dict[str, Area]:
        return list_zones(self.game, self.area)


def list_zones(game: str, area: tuple[float, float]) -> dict[str, Area]:
    wide, high = area
    if game == "six":
        return {
            name: Area(wide * (n % 3) / 3, high * (n // 3) / 3, wide * (n % 3 + 1) / 3, high * (n // 3 + 1) / 3)
            for n, name in enumerate(NINTHS)
        }
    options: dict[str, Any] = {"players": 5, "width": int(wide), "height": int(high)}
    return dict(GAMES[game].plan(options).zones)


def cut_zone(plane: NDArray[Any], zone: Area) -> NDArray[Any]:
    return plane[round(zone.top) : round(zone.bottom), round(zone.left) : round(zone.right)]


# a sticker with less contrast than this, or burnt out to this share, is legible to no reader
LEAST_CONTRAST_GREY = 10.0
MOST_BLOWN = 0.8


def build_case(picture: StudioPicture) -> Case:
    truth = picture.truth
    area = (float(truth["area"][0]), float(truth["area"][1]))
    lens = truth["camera"]
    camera = StudioCamera(
        lens["size"][0], lens["size"][1], lens["focal_px"], tuple(lens["position_m"]),
        tuple(tuple(row) for row in lens["axes"]), lens["k"],
    )  # fmt: skip
    owner = flatten_index(picture.index, camera, area)
    geometry = picture.geometry
    zones = list_zones(geometry.game, area)
    cards = []
    for card in truth["cards"]:
        own = owner == card["index"]
        total = max(1, int(own.sum()))
        inside = int(cut_zone(own, zones[card["zone"]]).sum()) if card["zone"] in zones else 0
        tag = np.mean(card["tag_px"], axis=0) if card["piece"] else np.zeros(2)
        cards.append(
            TrueCard(
                card["index"], card["piece"], card["payload"], card["zone"], tuple(card["centre_mm"]),
                card["visible_mm2"] / (card["size_mm"][0] * card["size_mm"][1]), card["visible_mm2"] * inside / total,
                (float(tag[0]), float(tag[1])), card.get("tag_visible", 0.0), card.get("px_per_module", 0.0),
                card.get("contrast", 255.0) >= LEAST_CONTRAST_GREY and card.get("blown", 0.0) <= MOST_BLOWN,
                {int(index): mm2 for index, mm2 in card["covered_by_mm2"].items()},
            )
        )  # fmt: skip
    back = np.linalg.inv(find_plane_homography(camera, area))
    tiles = []
    for tile in truth["tiles"]:
        px = tile["centre_px"]
        flat = back @ np.array([*camera.undistort(np.array([px]))[0], 1.0])
        ends = np.array(tile["centre_mm"]) + np.array([[0, 0], [truth["tile_mm"][0], 0]])
        near = camera.project(to_world(area, ends))
        tiles.append(
            TrueTile(
                tile["colour"], None if tile["cell"] is None else (tile["cell"][0], tile["cell"][1]),
                (px[0], px[1]), tuple(tile["centre_mm"]), (float(flat[0] / flat[2]), float(flat[1] / flat[2])),
                float(np.linalg.norm(near[1] - near[0])),
            )
        )  # fmt: skip
    things = {int(index): name for index, name in truth["things"].items()}
    return Case(
        picture.name, geometry.kind, geometry.game, geometry.table, picture.light, geometry.finish, area, owner,
        tuple(cards), tuple(tiles), things, truth["tile_mm"][0], geometry.seed[1],
    )  # fmt: skip


def flatten_index(index: NDArray[np.uint16], camera: StudioCamera, area: tuple[float, float]) -> NDArray[np.uint16]:
    x, y = np.meshgrid(np.arange(round(area[0])) + 0.5, np.arange(round(area[1])) + 0.5)
    px = camera.project(to_world(area, np.stack([x.ravel(), y.ravel()], axis=1)))
    column = np.clip(px[:, 0].astype(int), 0, index.shape[1] - 1)
    row = np.clip(px[:, 1].astype(int), 0, index.shape[0] - 1)
    return np.asarray(index[row, column].reshape(x.shape))


def fit_lattice(tiles: tuple[TrueTile, ...]) -> NDArray[np.float64] | None:
    """Takes ``(*find_cell_centre(cell), 1)`` to the mm that the top of a tile would hide; None for a line of tiles."""
    of_board = [tile for tile in tiles if tile.cell is not None]
    cells = np.array([[*find_cell_centre(tile.cell), 1.0] for tile in of_board if tile.cell is not None])
    if len(of_board) < 3 or np.linalg.matrix_rank(cells) < 3:
        return None
    return np.asarray(np.linalg.lstsq(cells, np.array([tile.seen for tile in of_board]), rcond=None)[0])


@dataclass(frozen=True, slots=True)
class ToldTile:
    """``on_board`` is None if it was not told. An older form gives its centre in mm alone."""

    colour: str
    px: Place | None
    mm: Place
    doubtful: bool
    on_board: bool | None
    cell: Cell | None


@dataclass(frozen=True, slots=True)
class ToldTag:
    payload: str
    piece: str
    px: Place


@dataclass(frozen=True, slots=True)
class ToldBack:
    zone: str
    mm: Place


@dataclass(frozen=True, slots=True)
class Answer:
    """``unseen_mm`` is None if no polygons were told. Without a found mat nothing is known: everything is unseen."""

    tags: tuple[ToldTag, ...] = ()
    tiles: tuple[ToldTile, ...] = ()
    backs: tuple[ToldBack, ...] = ()
    unseen: frozenset[str] = frozenset()
    unseen_mm: tuple[tuple[Place, ...], ...] | None = None
    covers: tuple[tuple[str, str], ...] = ()
    has_mat: bool = True


def parse_answer(told: Mapping[str, Any]) -> Answer:
    if "error" in told:
        return Answer(has_mat=False)
    tags = tuple(
        ToldTag(tag["payload"], tag.get("piece") or "", _place(np.mean(tag["corners"], axis=0))) for tag in told["tags"]
    )
    shapes = told.get("unseen_mm")
    return Answer(
        tags,
        tuple(_parse_tile(tile) for tile in told.get("tiles", ())),
        tuple(ToldBack(back["zone"] or "", _place(back["mm"])) for back in told.get("backs", ())),
        frozenset(told.get("unseen", ())),
        None if shapes is None else tuple(tuple(_place(point) for point in shape) for shape in shapes),
        tuple((str(over), str(under)) for over, under in told.get("covers", ())),
        bool(told["mat"]["found"]),
    )


def _place(pair: Any) -> Place:
    return float(pair[0]), float(pair[1])


def _parse_tile(tile: Mapping[str, Any]) -> ToldTile:
    cell = tile.get("cell")
    return ToldTile(
        tile["colour"],
        _place(tile["centre"]) if tile.get("mm") is not None else None,
        _place(tile["mm"] if tile.get("mm") is not None else tile["centre"]),
        bool(tile.get("doubtful")),
        bool(tile["board"]) if "board" in tile else None if "cell" not in tile else cell is not None,
        (int(cell[0]), int(cell[1])) if cell is not None else None,
    )


def draw_unseen(case: Case, answer: Answer) -> Map:
    """Each mm of the area that is told as unseen, by the polygons; where there are none, by the zones."""
    plane = np.zeros(case.owner.shape, np.uint8)
    if not answer.has_mat:
        return np.ones(case.owner.shape, np.bool_)
    if answer.unseen_mm is None:
        for name in answer.unseen & case.zones.keys():
            cut_zone(plane, case.zones[name])[:] = 1
    for shape in answer.unseen_mm or ():
        cv2.fillPoly(plane, [np.round((np.array(shape) - 0.5) * 16).astype(np.int32)], 1, shift=4)
    return plane.astype(np.bool_)


def list_flagged(case: Case, answer: Answer) -> frozenset[str]:
    return answer.unseen if answer.has_mat else frozenset(case.zones)
