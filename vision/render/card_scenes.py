"""Ready-made scenes of tagged cards, by a seed, in a frame just large enough for them."""

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from vision.pieces import NIMMT, PIECES
from vision.render.projection import Points, make_rectangle, project_points, project_to_table
from vision.render.scene import DrawnCard, ForeignCode, Ground, RenderCamera, Scene, Scrap, Sensor
from vision.render.scene_pieces import place_sticker
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import CODE_MASK, CODES, Code

TONES: tuple[Literal["skin", "dark", "paper"], ...] = ("skin", "dark", "paper")
LEVELS: tuple[Literal["L", "M", "Q", "H"], ...] = ("L", "M", "Q", "H")
GROUNDS: tuple[Ground, ...] = ("wood", "white", "felt", "darkwood", "dark", "clutter")
FACES: tuple[Code, ...] = tuple(code for code in CODES if PIECES[code.game].kind == "card")


def deal_cards(
    seed: int,
    px_module: float,
    *,
    tags: int = 24,
    sticker: float = STICKER_MM,
    tilt: float = 8.0,
    angle: float | None = None,
    ground: Ground | None = None,
    sensor: Sensor | None = None,
    covered: float = 0.0,
    foreign: int = 0,
    distance: float = 700.0,
) -> Scene:
    """Cards in overlapping rows, or apart and all turned by ``angle``.

    ``px_module`` holds in the middle of the frame, before foreshortening. ``covered`` is the share of tags
    with 4 to 22 % of their code under something.
    """
    rng = np.random.default_rng([seed, 2024])
    cards = _lay_rows(rng, tags, sticker) if angle is None else _lay_apart(rng, tags, sticker, angle)
    camera = frame_cards(cards, px_module * 25 / sticker, rng, tilt=tilt, distance=distance)
    chosen: Ground = ground or GROUNDS[int(rng.integers(0, len(GROUNDS)))]
    scene = Scene(camera, chosen, seed % 16, cards=cards, sensor=sensor or Sensor(), seed=seed)
    scraps = [_cover_code(rng, card) for card in cards if rng.random() < covered]
    return replace(scene, scraps=tuple(scraps), foreign=_add_foreign(rng, cards, foreign, sticker))


def _pick_codes(rng: np.random.Generator, tags: int) -> list[Code]:
    return [FACES[int(i)] for i in rng.choice(len(FACES), tags, replace=tags > len(FACES))]


def _make_card(rng: np.random.Generator, code: Code, x: float, y: float, angle: float, sticker: float) -> DrawnCard:
    slip = (float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)), float(rng.normal(0, 2)))
    style: Literal["plain", "busy"] = "plain" if rng.random() < 0.3 else "busy"
    return DrawnCard(code.game, code.piece, x, y, angle, payload=code.payload, sticker=sticker, style=style, slip=slip)


def _lay_rows(rng: np.random.Generator, tags: int, sticker: float) -> tuple[DrawnCard, ...]:
    per_row = max(1, min(tags, round(math.sqrt(tags * 3.2))))
    cards: list[DrawnCard] = []
    y = 0.0
    row: list[DrawnCard] = []
    x = 0.0
    for order, code in enumerate(_pick_codes(rng, tags)):
        if order % per_row == 0:
            cards += row
            row, x, y = [], float(rng.uniform(0, 8)), y + 95
        row.append(_make_card(rng, code, x, y, float(rng.uniform(-4, 4)), sticker))
        x += sticker + float(rng.uniform(9, 14))
    return tuple(cards + row)


def _lay_apart(rng: np.random.Generator, tags: int, sticker: float, angle: float) -> tuple[DrawnCard, ...]:
    per_row = max(1, math.ceil(math.sqrt(tags)))
    pitch = 112.0
    return tuple(
        _make_card(
            rng,
            code,
            order % per_row * pitch,
            order // per_row * pitch,
            angle + float(rng.uniform(-3, 3)),
            sticker,
        )
        for order, code in enumerate(_pick_codes(rng, tags))
    )


def frame_cards(
    cards: tuple[DrawnCard, ...], px_mm: float, rng: np.random.Generator, *, tilt: float, distance: float
) -> RenderCamera:
    """The camera with the smallest frame that shows every tag whole."""
    rim = np.concatenate([place_sticker(card, make_rectangle(card.sticker, card.sticker)) for card in cards])
    camera = RenderCamera(
        width=100,
        height=100,
        x=float(rim[:, 0].mean()),
        y=float(rim[:, 1].mean()),
        distance=distance,
        focal=px_mm * distance,
        tilt=tilt,
        towards=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-3, 3)),
    )
    for _ in range(4):
        px = project_points(camera, rim)
        size = np.ceil(px.max(0) - px.min(0) + 3).astype(int)
        camera = replace(camera, width=max(16, int(size[0])), height=max(16, int(size[1])))
        px = project_points(camera, rim)
        middle = (px.max(0) + px.min(0)) / 2
        at = project_to_table(camera, middle[None])[0]
        camera = replace(camera, x=float(at[0]), y=float(at[1]))
    return replace(camera, barrel=float(rng.uniform(0, 0.02)))


def _cover_code(rng: np.random.Generator, card: DrawnCard) -> Scrap:
    """A scrap over one side of the code, or over a corner of it."""
    side = card.sticker * 21 / 25
    share = float(rng.uniform(0.05, 0.21))
    way = int(rng.integers(0, 4)) * 90.0
    if rng.random() < 0.5:  # a strip: deep by its share, longer than the code
        deep, long = share * side, side * 1.3
        local = np.array([[0.0, side / 2 - deep / 2 + 1.5]])
    else:
        deep = long = math.sqrt(share) * side
        local = np.array([[side / 2 - long / 2 + 1.5, side / 2 - deep / 2 + 1.5]])
    c, s = math.cos(math.radians(way)), math.sin(math.radians(way))
    at = place_sticker(card, local @ np.array([[c, s], [-s, c]]))[0]
    tone = TONES[int(rng.integers(0, 3))]
    return Scrap(float(at[0]), float(at[1]), card.angle + card.slip[2] + way, long + 3, deep + 3, tone)


def make_foreign_text(rng: np.random.Generator, kind: int) -> str:
    """Texts of foreign codes: addresses, our own format with names not in the book, short words."""
    number = int(rng.integers(0, 10**6))
    match kind % 3:
        case 0:
            return f"https://example.org/{number}"
        case 1:
            own = FACES[number % len(FACES)].payload
            return own[:-3] + "".join("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"[int(i)] for i in rng.integers(0, 34, 3))
        case _:
            return f"X{number}"


def _add_foreign(
    rng: np.random.Generator, cards: tuple[DrawnCard, ...], count: int, sticker: float
) -> tuple[ForeignCode, ...]:
    """Foreign codes on the upper half of cards, where none of our stickers is."""
    known = {code.payload for code in CODES}
    found: list[ForeignCode] = []
    for card in (cards * (count // max(1, len(cards)) + 1))[:count]:
        text = make_foreign_text(rng, len(found))
        if text in known:
            text = f"X{text}"
        size = PIECES.get(card.game, NIMMT).size
        at: Points = np.array([[-size[0] / 4, -size[1] / 4]])
        turn = math.radians(card.angle)
        x = card.x + at[0, 0] * math.cos(turn) - at[0, 1] * math.sin(turn)
        y = card.y + at[0, 0] * math.sin(turn) + at[0, 1] * math.cos(turn)
        error = LEVELS[int(rng.integers(0, 4))] if len(text) < 8 else "H"
        mask = CODE_MASK if rng.random() < 0.5 else None
        turned = float(rng.uniform(0, 360))
        found.append(ForeignCode(text, x, y, turned, sticker * 21 / 25, error=error, mask=mask))
    return tuple(found)
