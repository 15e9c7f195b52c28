"""Which of the cards that were not read are face down, by what they show."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.changes.back_prints import choose_backs, read_print
from vision.changes.card_edges import PX_MM, RIM_MM, Raster, patch_size
from vision.tags.codebook import EDGE_MM, QUIET_MODULES, draw_pattern, list_edition

SIZE = (57.0, 87.0)
RIM = round(RIM_MM * PX_MM)
CODES = [code.payload for code in list_edition(1) if code.game == "nimmt"]
Paint = NDArray[np.float32]


def plain() -> Paint:
    wide, high = (round(side * PX_MM) for side in SIZE)
    return np.full((high, wide), 90, np.float32)


def rimmed() -> Paint:
    card = plain()
    cv2.rectangle(card, (5, 5), (card.shape[1] - 6, card.shape[0] - 6), 235, 8)
    return card


def one_way() -> Paint:
    """A picture that is another one upside down."""
    card = plain()
    cv2.ellipse(card, (57, 50), (38, 26), 0, 0, 360, 200, -1)
    cv2.rectangle(card, (20, 100), (94, 108), 180, -1)
    cv2.rectangle(card, (20, 130), (70, 150), 30, -1)
    return card


def rings() -> Paint:
    """Another picture that differs upside down."""
    card = plain()
    for reach in (14, 30, 46):
        cv2.circle(card, (70, 130), reach, 220, 5)
    return card


def both_ways() -> Paint:
    card = one_way()
    return (card + card[::-1, ::-1]) / 2


def face(number: int, *, sticker_mm: float = 18.0, symmetric: bool = False) -> Paint:
    """The design is the same on all faces; only the sticker differs."""
    card = both_ways() if symmetric else one_way()
    pattern = np.pad(draw_pattern(CODES[number]), QUIET_MODULES)
    side, inset = round(sticker_mm * PX_MM), round(EDGE_MM * PX_MM)
    code = cv2.resize(np.where(pattern, 30.0, 240.0).astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    card[-inset - side : -inset, inset : inset + side] = code
    return card


def lay(
    card: Paint, *, turn: bool = False, shift: tuple[int, int] = (0, 0), gain: float = 1.0, seed: int = 1
) -> Raster:
    """The card on a light table, rectified a little out of place, with the noise of a camera."""
    rng = np.random.default_rng(seed)
    wide, high = patch_size(SIZE)
    patch = np.full((high, wide), 170, np.float32)
    shown = card[::-1, ::-1] if turn else card
    x, y = RIM + shift[0], RIM + shift[1]
    patch[y : y + card.shape[0], x : x + card.shape[1]] = shown
    return cv2.GaussianBlur(patch * gain, (0, 0), 0.8) + rng.normal(0, 1.5, patch.shape).astype(np.float32)


def shine(patch: Raster) -> Raster:
    """A gloss over a third of the card."""
    ys, xs = np.mgrid[: patch.shape[0], : patch.shape[1]]
    return np.minimum(255, patch + 200 * np.exp(-(((xs - 40) / 22) ** 2) - ((ys - 70) / 40) ** 2)).astype(np.float32)


def burn(patch: Raster) -> Raster:
    """A lamp on the bottom left corner."""
    burnt = patch.copy()
    burnt[-70:-16, 16:70] = 255
    return burnt


CASES = {
    "a plain back": ([lay(plain())], [True]),
    "a plain back with a rim": ([lay(rimmed())], [True]),
    "a back that is the same upside down": ([lay(both_ways(), shift=(4, -3))], [True]),
    "a back of another picture upside down may be a face": ([lay(one_way())], [False]),
    "two backs of one picture": ([lay(one_way()), lay(one_way(), shift=(-5, 4), gain=0.6)], [True, True]),
    "two backs of one picture, one of them upside down": ([lay(one_way()), lay(one_way(), turn=True)], [True, True]),
    "a third one in a gloss": ([lay(one_way()), lay(one_way()), shine(lay(one_way()))], [True, True, True]),
    "two faces of one design": ([lay(face(1)), lay(face(2), turn=True)], [False, False]),
    "two dim faces with small stickers": ([lay(face(n, sticker_mm=13), gain=0.4) for n in (3, 4)], [False, False]),
    "a back and a face of its design": ([lay(both_ways()), lay(face(5, symmetric=True))], [True, False]),
    "two cards whose stickers may be burnt out": ([burn(lay(one_way())), burn(lay(one_way()))], [False, False]),
    "a face that is the same upside down but for its sticker": ([lay(face(6, symmetric=True))], [False]),
    "the same with a small sticker": ([lay(face(7, sticker_mm=12, symmetric=True))], [False]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_card_is_a_back_by_its_print(name: str) -> None:
    patches, expected = CASES[name]
    assert choose_backs(patches) == expected


KNOWN = {
    "its own": (one_way(), [lay(one_way(), turn=True)], [True]),
    "its own in a gloss": (one_way(), [shine(lay(one_way()))], [True]),
    "another": (one_way(), [lay(rings())], [False]),
    "a plain one": (plain(), [lay(one_way())], [False]),
    "its own, under a sticker": (one_way(), [lay(face(8))], [False]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_card_is_a_back_by_a_known_print(name: str) -> None:
    card, patches, expected = KNOWN[name]
    known: Sequence[Raster] = [read_print(lay(card, seed=7))]
    assert choose_backs(patches, known) == expected


def test_no_cards_are_no_backs() -> None:
    assert choose_backs([]) == []
