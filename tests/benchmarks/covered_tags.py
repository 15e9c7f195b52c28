"""Cards whose code is partly covered by a card, a scrap, a mug or a hand, so that a chosen share of it is in view."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import Arm, DrawnCard, ForeignCode, RenderCamera, Scene, Scrap, Sensor, StrayObject, stray_objects
from vision.render.card_scenes import FACES, GROUNDS, TONES, frame_cards
from vision.render.projection import Points, make_rectangle, place_card, place_flat, project_points
from vision.render.scene_pieces import find_card_size, place_sticker
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import BOOK, CODE_MASK

Cover = DrawnCard | Scrap | StrayObject | Arm

PITCH_MM = 210.0
"""From card to card: no cover reaches the next one."""
PROBES_ACROSS = 84
MUG_HEIGHT_MM = 40.0
LETTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
KINDS = ("row", "card", "scrap", "mug", "hand")
KIND_SHARES = (0.4, 0.2, 0.2, 0.1, 0.1)


@dataclass(frozen=True, slots=True)
class CoveredTag:
    """A code of which ``visible`` is in view; ``kind`` says what covers the rest."""

    payload: str
    centre: tuple[float, float]
    px_module: float
    visible: float
    kind: str


def cover_tags(
    seed: int, px_module: float, shares: tuple[float, float], *, count: int = 6, sensor: Sensor | None = None
) -> tuple[Scene, tuple[CoveredTag, ...]]:
    """A scene of cards that lie apart, each code covered so that a share of it, drawn uniformly, is in view.

    Between them lie foreign codes, covered too: most are printed like ours, with the name of one of our cards.
    """
    rng = np.random.default_rng([seed, 77])
    sticker, columns = STICKER_MM, math.ceil(math.sqrt(count))
    picks = [FACES[int(i)] for i in rng.choice(len(FACES), 2 * count, replace=False)]
    cards = tuple(
        DrawnCard(
            code.game, code.piece, n % columns * PITCH_MM, n // columns * PITCH_MM, float(rng.uniform(0, 360)),
            payload=code.payload, sticker=sticker, slip=(*rng.uniform(-1, 1, 2).tolist(), float(rng.normal(0, 2))),
        )
        for n, code in enumerate(picks[:count])
    )  # fmt: skip
    camera = frame_cards(cards, px_module * 25 / sticker, rng, tilt=8.0, distance=700.0)
    # so that covers are in the picture too
    camera = replace(camera, width=camera.width + 120, height=camera.height + 120)
    laid: list[DrawnCard] = []
    covers: list[Cover] = []
    tags: list[CoveredTag] = []
    for card, other in zip(cards, picks[count:], strict=True):
        kind = str(rng.choice(KINDS, p=KIND_SHARES))
        over = DrawnCard(other.game, other.piece, 0, 0, payload=other.payload, sticker=sticker)
        cover, visible = _cover_card(rng, camera, card, kind, over, float(rng.uniform(*shares)))
        laid.append(card)
        if isinstance(cover, DrawnCard):
            laid.append(cover)
        else:
            covers.append(cover)
        side = sticker * 21 / 25
        corners = project_points(camera, place_sticker(card, make_rectangle(side, side)))
        x, y = corners.mean(0).tolist()
        px = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()) / 21
        tags.append(CoveredTag(card.payload, (x, y), px, visible, kind))
    strangers = _add_strangers(rng, cards)
    halves = [_cover_stranger(rng, stranger) for stranger in strangers]
    ground = GROUNDS[int(rng.integers(0, len(GROUNDS)))]
    scene = Scene(
        camera, ground, seed % 16, cards=tuple(laid), sensor=sensor or Sensor(), seed=seed,
        scraps=(*(cover for cover in covers if isinstance(cover, Scrap)), *halves), foreign=strangers,
        objects=tuple(cover for cover in covers if isinstance(cover, StrayObject)),
        arms=tuple(cover for cover in covers if isinstance(cover, Arm)),
    )  # fmt: skip
    return scene, tuple(tags)


def _add_strangers(rng: np.random.Generator, cards: tuple[DrawnCard, ...]) -> tuple[ForeignCode, ...]:
    """One halfway between each two cards that lie side by side or one above the other, and so within the picture."""
    found: list[ForeignCode] = []
    spots = [((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in combinations(cards, 2) if _are_neighbours(a, b)]
    for n, (x, y) in enumerate(spots):
        name = FACES[int(rng.integers(len(FACES)))].payload[:5]
        checks = "".join(LETTERS[int(i)] for i in rng.integers(0, len(LETTERS), 5))
        text = f"HTTP://X.ORG/{checks}" if n % 3 == 2 or f"{name}{checks}" in BOOK else f"{name}{checks}"
        mask = CODE_MASK if text.startswith(name) else None
        found.append(ForeignCode(text, x, y, float(rng.uniform(0, 360)), STICKER_MM * 21 / 25, mask=mask))
    return tuple(found)


def _cover_stranger(rng: np.random.Generator, code: ForeignCode) -> Scrap:
    way, wide = float(rng.uniform(0, 360)), 30.0
    away = wide / 2 + code.size * float(rng.uniform(0.0, 0.4))
    x, y = code.x + away * math.cos(math.radians(way)), code.y + away * math.sin(math.radians(way))
    return Scrap(x, y, way, wide, 40.0, TONES[int(rng.integers(0, 3))])


def _are_neighbours(one: DrawnCard, other: DrawnCard) -> bool:
    return math.isclose(math.dist((one.x, one.y), (other.x, other.y)), PITCH_MM)


def _cover_card(
    rng: np.random.Generator, camera: RenderCamera, card: DrawnCard, kind: str, over: DrawnCard, visible: float
) -> tuple[Cover, float]:
    """The cover pushed over the code from one side until only this share of it is in view."""
    x, y = place_sticker(card, np.zeros((1, 2)))[0][:2].tolist()
    turn = float(rng.integers(0, 4)) * 90.0 + float(rng.uniform(-4, 4))
    way = card.angle + card.slip[2] + turn if kind == "row" else float(rng.uniform(0, 360))
    along = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    across = float(rng.uniform(-18, 18))
    shift = np.array([x, y]) + across * np.array([-along[1], along[0]])
    place = _choose_cover(rng, kind, over, way)
    near, far = -90.0, 90.0
    for _ in range(18):
        middle = (near + far) / 2
        cover = place(shift + along * middle)
        if measure_visible(camera, card, cover) < visible:
            near = middle
        else:
            far = middle
    cover = place(shift + along * far)
    return cover, measure_visible(camera, card, cover)


def _choose_cover(
    rng: np.random.Generator, kind: str, over: DrawnCard, way: float
) -> Callable[[NDArray[np.float64]], Cover]:
    """A cover of this kind by the place of its middle; ``way`` is the direction from the code to it."""
    match kind:
        case "row" | "card":
            turned = way + float(rng.integers(0, 4)) * 90.0
            return lambda at: replace(over, x=float(at[0]), y=float(at[1]), angle=turned)
        case "scrap":
            tone, wide = TONES[int(rng.integers(0, 3))], float(rng.uniform(20, 80))
            return lambda at: Scrap(float(at[0]), float(at[1]), way, wide, 70.0, tone)
        case "mug":
            turned = way + 180.0
            return lambda at: StrayObject("mug", float(at[0]), float(at[1]), turned)
        case _:
            lift = float(rng.uniform(2, 40))
            c, s = math.cos(math.radians(way)), math.sin(math.radians(way))
            return lambda at: Arm(
                (float(at[0]) + 170 * c, float(at[1]) + 170 * s), (float(at[0]), float(at[1])), lift=lift
            )


def measure_visible(camera: RenderCamera, card: DrawnCard, cover: Cover) -> float:
    """The share of the code that one cover leaves in view, by its drawn mask."""
    side = card.sticker * 21 / 25
    steps = (np.arange(PROBES_ACROSS) + 0.5) / PROBES_ACROSS - 0.5
    spots = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2) * side
    probes = project_points(camera, place_sticker(card, spots))
    hidden = np.zeros(len(probes), np.bool_)
    for mask, corners in _outline_cover(camera, cover):
        high, wide = mask.shape
        frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        to_mask = cv2.getPerspectiveTransform(corners.astype(np.float32), frame)
        at = np.floor(cv2.perspectiveTransform(probes[None].astype(np.float64), to_mask)[0]).astype(int)
        inside = (at >= 0).all(1) & (at < (wide, high)).all(1)
        hidden[inside] |= mask[at[inside, 1], at[inside, 0]] > 127
    return 1 - float(hidden.mean())


def _outline_cover(camera: RenderCamera, cover: Cover) -> list[tuple[NDArray[np.uint8], Points]]:
    """Masks of a cover, each with its corners in the picture."""
    full = np.full((1, 1), 255, np.uint8)
    match cover:
        case DrawnCard():
            size = find_card_size(cover)
            return [(full, project_points(camera, place_card(cover, size, make_rectangle(*size))))]
        case Scrap():
            flat = place_flat(cover.x, cover.y, cover.angle, make_rectangle(cover.width, cover.height))
            return [(full, project_points(camera, flat))]
        case StrayObject():
            size = stray_objects.find_object_size(cover)
            flat = place_flat(cover.x, cover.y, cover.angle, make_rectangle(*size), MUG_HEIGHT_MM)
            return [(stray_objects.draw_object(cover.kind)[1], project_points(camera, flat))]
        case Arm():
            parts = (stray_objects.draw_hand(cover), stray_objects.draw_sleeve(cover))
            return [(mask, project_points(camera, at)) for _, mask, at in parts]
