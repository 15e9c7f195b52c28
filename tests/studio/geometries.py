"""The plan of the studio: which scenes there are, and how each is composed from its seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from string import hexdigits
from typing import Any

import numpy as np

from engine.games import GAMES
from engine.table import Area
from tests.studio import ranges
from tests.studio.boards import change_board, grow_board
from tests.studio.camera import aim_camera
from tests.studio.furnish import (
    STEP_Z,
    Rng,
    add_arm,
    add_cards,
    add_people,
    add_thing,
    add_tiles,
    choose_bend,
    draw,
    furnish_lights,
    furnish_room,
    lay_board,
    middle_of,
    place_tile,
)
from tests.studio.scene import PlacedCard, PlacedTile, StudioScene
from vision.pieces import PIECES
from vision.tags.codebook import CODES

SIDES = ("bottom", "bottom", "bottom", "top", "left", "right")
SEED_DIGITS = 12
"""The first digits of the hash of a commit that are its seed; a shorter hash would be another seed and is refused."""
CLOSING_PAIRS: tuple[tuple[ranges.Kind, ranges.Kind], ...] = (
    *((("board", "board-after"),) * 4),
    ("board-hand", "rows"), ("board-hand", "hands"), ("board-hand", "bare"),
    ("rows", "hands"), ("hands", "bare"), ("rows", "bare"),
)  # fmt: skip
"""Two geometries for each of ten tables: four of each kind that a sequence is scored by, three of each other kind."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """One picture of the plan. ``seed`` is shared by the three geometries of a sequence."""

    name: str
    kind: ranges.Kind
    table: ranges.Table
    game: str
    finish: str
    seed: tuple[int, ...]
    act: str = ""


def list_geometries(rounds: int = 1) -> Iterator[Geometry]:
    """Sixty of each round: six kinds for each of ten tables."""
    for number in range(rounds):
        for kind in ranges.KINDS:
            for n, table in enumerate(ranges.TABLES):
                piles = (n // 2 + number) % 2 == 1
                yield _plan_geometry(str(number), kind, table, (ranges.SEED, number, n), n + number, piles)


def list_closing_geometries(commit: str) -> list[Geometry]:
    """Twenty whose seed is the hash of a commit, so that nothing can have been fitted to them before it was made."""
    digits = commit.lower()[:SEED_DIGITS]
    if len(digits) < SEED_DIGITS or not set(digits) <= set(hexdigits):
        raise ValueError(f"not the first {SEED_DIGITS} digits of a hash: {commit!r}")
    series = int(digits, 16)
    order = np.random.default_rng([ranges.SEED, series]).permutation(len(ranges.TABLES)).tolist()
    return [
        _plan_geometry(digits[:7], kind, ranges.TABLES[n], (ranges.SEED, series, n), turn, turn // 2 % 2 == 1)
        for turn, (n, kinds) in enumerate(zip(order, CLOSING_PAIRS, strict=True))
        for kind in kinds
    ]


def _plan_geometry(
    series: str, kind: ranges.Kind, table: ranges.Table, start: tuple[int, int, int], turn: int, piles: bool
) -> Geometry:
    """Finishes and acts alternate by ``turn``. ``piles``: hands are at The Game, not at 6 nimmt!."""
    odd = turn % 2
    if kind.startswith("board"):
        return Geometry(
            f"{series}-{table}-{kind}", kind, table, "six", ("satin", "matt")[odd], (*start, 0),
            ranges.ACTS[turn % len(ranges.ACTS)],
        )  # fmt: skip
    game = "thegame" if kind == "hands" and piles else "nimmt"
    finish = ("gloss", "matt")[odd if kind == "rows" else 1 - odd]
    return Geometry(f"{series}-{table}-{kind}", kind, table, game, finish, (*start, ranges.KINDS.index(kind)))


def compose(geometry: Geometry) -> tuple[StudioScene, StudioScene]:
    """The scene, and the same table when it was empty."""
    empty = _compose_base(geometry)
    scene = _compose_base(geometry)
    rng = np.random.default_rng([*geometry.seed, 2])
    match geometry.kind:
        case "board" | "board-hand" | "board-after":
            _compose_board(scene, rng, geometry)
        case "rows":
            _compose_rows(scene, rng, geometry.finish)
        case "hands":
            if geometry.game == "nimmt":
                _compose_seats(scene, rng, geometry.finish)
            else:
                _compose_piles(scene, rng, geometry.finish)
        case "bare":
            add_people(scene, rng, 1 + int(rng.integers(2)))
    return scene, empty


def _compose_base(geometry: Geometry) -> StudioScene:
    """The same for every geometry of a sequence."""
    rng = np.random.default_rng([*geometry.seed, 1])
    six = geometry.game == "six"
    areas = ranges.TILE_AREAS if six else ranges.THE_GAME_AREAS if geometry.game == "thegame" else ranges.CARD_AREAS
    area = areas[int(rng.integers(len(areas)))]
    cameras = ranges.TILE_CAMERAS if six else ranges.CARD_CAMERAS
    width, height, hfov = ranges.CAMERAS[cameras[int(rng.integers(len(cameras)))]]
    camera = aim_camera(
        (width, height),
        hfov,
        area,
        border_mm=ranges.MARKER_MM * 7 / 6,
        margin_mm=draw(rng, ranges.MARGIN_MM),
        tilt_deg=draw(rng, ranges.TILT_DEG),
        azimuth_deg=draw(rng, (0, 360)),
        roll_deg=draw(rng, ranges.ROLL_DEG),
        k=draw(rng, ranges.DISTORTION),
    )
    scene = StudioScene(area, camera, geometry.table)
    furnish_room(scene, rng, int(rng.integers(1 << 30)))
    furnish_lights(scene, rng)
    return scene


def _compose_board(scene: StudioScene, rng: Rng, geometry: Geometry) -> None:
    pitch = draw(rng, ranges.TILE_PITCH_MM)
    scene.tile_mm = (pitch, draw(rng, ranges.TILE_HEIGHT_MM), draw(rng, ranges.TILE_BEVEL_MM))
    rough = draw(rng, ranges.ROUGHNESS[geometry.finish])
    board = grow_board(rng, int(rng.integers(*ranges.TILE_COUNT)))
    after, cell = change_board(rng, board, geometry.act)
    placed = lay_board(rng, scene.area, {**board, **after}, pitch, int(rng.integers(*ranges.RESERVE_TILES)))
    reserve = [tile for tile in placed.values() if tile.cell is None]
    changed = geometry.kind == "board-after" or (geometry.kind == "board-hand" and geometry.act != "take")
    shown = after if changed else board
    tiles: list[PlacedTile] = []
    for one, colour in shown.items():
        tile = placed[one]
        if changed and one == cell:  # the hand never puts a tile exactly where another tile was
            tile = place_tile(np.random.default_rng([*geometry.seed, 3]), colour, one, tile.centre, 0.0)
            tile = PlacedTile(colour, one, tile.centre, placed[one].turn + 1.0)
        tiles.append(PlacedTile(colour, one, tile.centre, tile.turn))
    people = rng.random() < ranges.PERSON_SHARE
    add_tiles(scene, [*tiles, *reserve], rough)
    goal = placed[cell].centre if cell in placed else scene.area
    hand = np.random.default_rng([*geometry.seed, 4])
    if geometry.kind == "board-hand":
        lift = scene.tile_mm[1] / 1000 + 0.001
        add_arm(scene, hand, goal, from_side=SIDES[int(hand.integers(len(SIDES)))], lift=lift)
    if people:
        add_people(scene, hand, 1)


class _Deck:
    """Shuffled codes of one game."""

    def __init__(self, rng: Rng, game: str) -> None:
        self.codes = [code for code in CODES if code.game == game and code.piece.isdecimal()]
        rng.shuffle(self.codes)
        self.size = PIECES[game].size
        self.game = game
        self.back = ranges.BACK_PRINTS[int(rng.integers(len(ranges.BACK_PRINTS)))]
        self.rim = draw(rng, ranges.RIM_MM) if rng.random() < ranges.RIM_SHARE else 0.0

    def deal(self, centre: tuple[float, float], angle: float, z: float, bend: Any, zone: str, order: int) -> PlacedCard:
        code = self.codes.pop()
        return PlacedCard(self.game, code.piece, code.payload, centre, angle, z, bend, self.size, zone, order)

    def face_down(self, centre: tuple[float, float], angle: float, bend: Any, zone: str, z: float = 0.0) -> PlacedCard:
        return PlacedCard(
            self.game, "", "", centre, angle, z, bend, self.size, zone, 0, f"{self.back}:{self.colour_at}", self.rim
        )

    colour_at = 0


def _tilt(rng: Rng) -> float:
    return float(np.clip(rng.normal(0, ranges.CARD_TURN_DEG / 2), -8, 8))


def _fill_row(rng: Rng, deck: _Deck, zone: str, at: Area, count: int) -> list[PlacedCard]:
    """Cards from left to right; the pitch decides how much is in view of the sticker of an upside-down card."""
    wide = deck.size[0]
    cards: list[PlacedCard] = []
    x = at.left + wide / 2 + draw(rng, (2, 14))
    y = (at.top + at.bottom) / 2 + draw(rng, (-5, 5))
    z = 0.0
    part = int(rng.integers(max(1, count - 1)))  # this card's sticker is hidden in part by the next card
    for order in range(count):
        upside = order == part or rng.random() < ranges.UPSIDE_DOWN_SHARE
        angle = _tilt(rng) * (0.5 if order == part else 1.0) + (180 if upside else 0)
        span = ranges.PARTLY_HIDDEN[int(rng.integers(2))] if order == part else ranges.HIDDEN_BY_NEIGHBOUR
        pitch = wide - 3 - ranges.STICKER_MM * (1 - draw(rng, span)) if upside else draw(rng, ranges.ROW_PITCH_MM)
        last = order + 1 == count or x + pitch + wide / 2 > at.right - 1
        alone = pitch > wide + 1 and z == 0.0
        cards.append(deck.deal((x, y + draw(rng, (-2, 2))), angle, z, choose_bend(rng, flat=not alone), zone, order))
        if last:
            break
        z = z + STEP_Z if pitch < wide + 4 else 0.0
        x += pitch
    return cards


def _game_plan(game: str, area: tuple[float, float], players: int) -> dict[str, Area]:
    options: dict[str, Any] = {"players": players, "width": int(area[0]), "height": int(area[1])}
    return dict(GAMES[game].plan(options).zones)


def _compose_rows(scene: StudioScene, rng: Rng, finish: str) -> None:
    deck = _Deck(rng, "nimmt")
    deck.colour_at = int(rng.integers(6))
    zones = _game_plan("nimmt", scene.area, 5)
    cards: list[PlacedCard] = []
    for name, zone in zones.items():
        if name.startswith("row"):
            cards += _fill_row(rng, deck, name, zone, 2 + int(rng.integers(4)))
        else:
            cards += _fill_seat(rng, deck, name, zone, (0.3, 0.3, 0.4))
    add_cards(scene, rng, cards, finish)
    if rng.random() < ranges.PERSON_SHARE:
        add_people(scene, rng, 1)


def _fill_seat(rng: Rng, deck: _Deck, name: str, zone: Area, chances: tuple[float, float, float]) -> list[PlacedCard]:
    """Face up, face down or empty."""
    middle = middle_of(zone)
    at = (middle[0] + draw(rng, (-8, 8)), middle[1] + draw(rng, (-8, 8)))
    angle = float(rng.choice([0, 0, 0, 180, 90])) + _tilt(rng) * 2
    bend = choose_bend(rng, flat=False)
    match int(rng.choice(3, p=chances)):
        case 0:
            return [deck.deal(at, angle, 0.0, bend, name, 0)]
        case 1:
            return [deck.face_down(at, angle, bend, name)]
        case _:
            return []


def _compose_seats(scene: StudioScene, rng: Rng, finish: str) -> None:
    """Short rows, cards at seats, a hand, and things on or beside cards."""
    deck = _Deck(rng, "nimmt")
    deck.colour_at = int(rng.integers(6))
    zones = _game_plan("nimmt", scene.area, 5)
    cards: list[PlacedCard] = []
    for name, zone in zones.items():
        if name.startswith("row"):
            cards += _fill_row(rng, deck, name, zone, 1 + int(rng.integers(4)))
        elif name.startswith("seat"):
            cards += _fill_seat(rng, deck, name, zone, (0.35, 0.5, 0.15))
    add_cards(scene, rng, cards, finish)
    _disturb(scene, rng, list(zones.values()))


def _compose_piles(scene: StudioScene, rng: Rng, finish: str) -> None:
    """The four piles of The Game with what sticks out below their tops, the deck, a hand and things."""
    deck = _Deck(rng, "thegame")
    deck.colour_at = int(rng.integers(6))
    zones = _game_plan("thegame", scene.area, 3)
    cards: list[PlacedCard] = []
    for name, zone in zones.items():
        middle = np.array(middle_of(zone))
        z = 0.0
        for order in range(1 + int(rng.integers(4))):
            at = middle + rng.normal(0, 7, 2)
            angle = _tilt(rng) * 1.5 + (180 if rng.random() < ranges.UPSIDE_DOWN_SHARE else 0)
            spot = (float(at[0]), float(at[1]))
            cards.append(deck.deal(spot, angle, z, choose_bend(rng, flat=True), name, order))
            z += STEP_Z
    spare = (scene.area[0] * 0.9, scene.area[1] / 2)
    for order in range(4):
        near = (spare[0] + draw(rng, (-1, 1)), spare[1] + draw(rng, (-1, 1)))
        cards.append(deck.face_down(near, _tilt(rng), (0.0, 0.0, 0.0), "deck", order * STEP_Z))
    for side in (0.13, 0.87):  # two loose face-down cards above and below the deck
        loose = (spare[0] + draw(rng, (-6, 6)), scene.area[1] * side)
        if abs(loose[1] - spare[1]) > 110:
            cards.append(deck.face_down(loose, _tilt(rng) * 3, choose_bend(rng, flat=False), "beside"))
    add_cards(scene, rng, cards, finish)
    _disturb(scene, rng, list(zones.values()))


def _disturb(scene: StudioScene, rng: Rng, zones: list[Area]) -> None:
    """A hand, and two or three things: one on a card so that its sticker is partly hidden, others in zones."""
    cards = [card for card in scene.cards if card.piece]
    top = [card for card in cards if card.zone.startswith(("seat", "row"))] or cards
    on = top[int(rng.integers(len(top)))]
    away = rng.uniform(24, 52)
    turn = rng.uniform(0, 2 * np.pi)
    spot = (on.centre[0] + float(away * np.cos(turn)), on.centre[1] + float(away * np.sin(turn)))
    kinds = ["mug", "phone", "bowl", "pencil"]
    rng.shuffle(kinds)
    add_thing(scene, rng, kinds.pop(), _inside(scene, spot), 0.002)
    for _ in range(1 + int(rng.integers(2))):
        zone = zones[int(rng.integers(len(zones)))]
        at = (draw(rng, (zone.left, zone.right)), draw(rng, (zone.top, zone.bottom)))
        add_thing(scene, rng, kinds.pop(), _inside(scene, at), 0.002)
    goal = top[int(rng.integers(len(top)))].centre
    side = SIDES[int(rng.integers(len(SIDES)))]
    add_arm(scene, rng, goal, from_side=side, lift=draw(rng, (0.002, 0.05)))
    if rng.random() < ranges.PERSON_SHARE:
        add_people(scene, rng, 1)


def _inside(scene: StudioScene, at: tuple[float, float]) -> tuple[float, float]:
    return (
        float(np.clip(at[0], 20, scene.area[0] - 20)),
        float(np.clip(at[1], 20, scene.area[1] - 20)),
    )
