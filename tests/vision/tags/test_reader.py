"""The reader: every card in a picture, at any size, and nothing else."""

import cv2
import numpy as np
import pytest
import segno

from tests.support.pasted import Degradation, PastedSticker, make_photo, make_square, paste_sticker, paste_stickers
from tests.support.readers import needs_zbar
from vision.tags.candidates import Box
from vision.tags.codebook import BOOK, draw_pattern
from vision.tags.reader import DecodedTag, read_tags

SOME = tuple(BOOK)[::23]


def right(found: tuple[DecodedTag, ...], stuck: tuple[PastedSticker, ...]) -> int:
    """How many were read at their places; anything read elsewhere is a misread and fails."""
    places = {tag.payload: tag.corners.mean(0) for tag in stuck}
    for tag in found:
        assert tag.payload in places, f"{tag.payload} is not in the picture"
        assert np.linalg.norm(places[tag.payload] - tag.centre) < 2 * tag.px_module
    assert len({tag.payload for tag in found}) == len(found)
    return len(found)


@pytest.mark.parametrize(
    ("px", "how", "weather"),
    [
        pytest.param(1.5, {}, Degradation(), id="sharp at 1.5 px per module"),
        pytest.param(2.0, {}, Degradation(), id="sharp at 2"),
        pytest.param(3.0, {}, Degradation(), id="sharp at 3"),
        pytest.param(2.5, {}, Degradation(blur=1.4), id="blur of 1.4 px at 2.5"),
        pytest.param(2.0, {}, Degradation(streak=4), id="a streak of 4 px at 2"),
        pytest.param(2.0, {"tilt": 25.0}, Degradation(), id="leaning by 25 degrees at 2"),
        pytest.param(2.0, {"bend": 0.8}, Degradation(), id="bent paper at 2"),
        pytest.param(2.0, {"covered": 0.22}, Degradation(), id="half of them up to 22 % covered at 2"),
        pytest.param(2.0, {"quiet": 1}, Degradation(), id="cut too close at 2"),
        pytest.param(2.0, {}, Degradation(far_blur=1.6, shade=0.6), id="depth of field and deep shadows at 2"),
    ],
)
def test_every_card_is_read(px: float, how: dict[str, float], weather: Degradation) -> None:
    image, stuck = paste_stickers(7, SOME, px, weather=weather, **how)
    assert right(read_tags(image, px_module=(px * 0.9, px * 1.1)), stuck) == len(stuck)


@pytest.mark.parametrize("px", [1.5, 2.2, 4.0, 8.0])
def test_cards_of_unknown_size_are_read(px: float) -> None:
    image, stuck = paste_stickers(9, SOME[:9], px)
    assert right(read_tags(image), stuck) == len(stuck)


@pytest.mark.parametrize("turn", range(0, 360, 45))
def test_cards_are_read_at_any_angle(turn: int) -> None:
    rng = np.random.default_rng(turn)
    image = make_photo(rng, 120, 120)
    corners = make_square(60, 60, 42, turn)
    paste_sticker(image, draw_pattern("1N044P8GPX"), corners)
    grey = np.clip(cv2.GaussianBlur(image, (0, 0), 0.6), 0, 255).astype(np.uint8)
    (tag,) = read_tags(grey, px_module=(1.8, 2.2))
    assert tag.payload == "1N044P8GPX"
    assert np.abs(np.array(tag.corners) - corners).max() < 1.0


def stranger(text: str, **how: object) -> np.ndarray:
    return np.array([list(row) for row in segno.make(text, micro=False, boost_error=False, **how).matrix], np.bool_)


@pytest.mark.parametrize(
    "modules",
    [
        pytest.param(stranger("https://example.org/menu"), id="an address"),
        pytest.param(stranger("1N044P8GPX", version=2, error="h"), id="a card's own text in a larger code"),
        pytest.param(stranger("1N044P8GPX", version=1, error="q", mask=3), id="a card's own text, weaker"),
        pytest.param(stranger("1N044P8GPX", version=1, error="h", mask=5), id="a card's own text, with another mask"),
        pytest.param(stranger("1N044AAAAA", version=1, error="h", mask=3), id="our format, not in the book"),
        pytest.param(stranger("WIFI:S:guest;T:WPA;P:secret;;", version=4), id="a network"),
    ],
)
@pytest.mark.parametrize("px", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("compared", [False, True], ids=["alone", "where the table has changed"])
def test_a_foreign_code_is_no_card(modules: np.ndarray, px: float, compared: bool) -> None:
    rng = np.random.default_rng(2)
    side = int(len(modules) * px * 1.8) + 40
    image = make_photo(rng, side, side)
    paste_sticker(image, modules, make_square(side / 2, side / 2, len(modules) * px, 17))
    grey = np.clip(cv2.GaussianBlur(image, (0, 0), 0.5), 0, 255).astype(np.uint8)
    whole = [(0, 0, grey.shape[1], grey.shape[0])]
    assert read_tags(grey, leftover=(lambda _: whole) if compared else None) == ()


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.zeros((200, 300), np.uint8), id="black"),
        pytest.param(np.full((200, 300), 255, np.uint8), id="white"),
        pytest.param(np.zeros((1, 1), np.uint8), id="one pixel"),
        pytest.param(np.full((3, 400), 90, np.uint8), id="a strip"),
        pytest.param(np.random.default_rng(0).integers(0, 256, (300, 300), dtype=np.uint8), id="static"),
        pytest.param(make_photo(np.random.default_rng(1), 300, 300).clip(0, 255).astype(np.uint8), id="a photograph"),
    ],
)
def test_nothing_is_read_in_a_picture_without_tags(image: np.ndarray) -> None:
    assert read_tags(image) == ()


def test_a_mirrored_card_is_not_read() -> None:
    image, _ = paste_stickers(5, SOME[:4], 2.5)
    assert read_tags(np.ascontiguousarray(image[:, ::-1])) == ()


def test_known_cards_are_kept_and_only_boxes_are_read() -> None:
    image, stuck = paste_stickers(6, SOME[:9], 2.0)
    all_of_them = read_tags(image, px_module=(1.8, 2.2))
    box = tuple(int(v) for v in (*stuck[0].corners.min(0) - 30, *stuck[0].corners.max(0) + 30))
    box = (max(0, box[0]), max(0, box[1]), box[2], box[3])
    kept = [tag for tag in all_of_them if tag.payload != stuck[0].payload]
    assert right(read_tags(image, known=kept, boxes=[box], px_module=(1.8, 2.2)), stuck) == len(stuck)
    assert right(read_tags(image, known=kept, boxes=[], px_module=(1.8, 2.2)), stuck) == len(stuck) - 1
    assert read_tags(np.zeros_like(image), known=kept, boxes=[]) == ()


@pytest.mark.parametrize("decoder", ["zxing", pytest.param("zbar", marks=needs_zbar)])
def test_a_decoder_can_be_chosen(decoder: str) -> None:
    image, stuck = paste_stickers(12, SOME[:4], 5.0, weather=Degradation(blur=0.5, noise=1))
    found = read_tags(image, decoder=decoder)
    assert {tag.by for tag in found} == {decoder}
    assert right(found, stuck) == len(stuck)


def test_what_the_quick_decoder_leaves_over_it_tries_in_another_way_before_the_matcher() -> None:
    image, stuck = paste_stickers(6, SOME[:9], 4.0)
    asked: list[int] = []

    def leave(found: tuple[DecodedTag, ...]) -> list[Box]:
        asked.append(len(found))
        return [] if len(found) == len(stuck) else [(0, 0, image.shape[1], image.shape[0])]

    found = read_tags(image, boxes=[], px_module=(3.6, 4.4), leftover=leave)
    assert right(found, stuck) == len(stuck)
    assert {tag.by for tag in found} == {"zxing"}
    assert asked == [0, len(stuck)]


def test_what_no_quick_decoder_reads_the_matcher_finds_in_what_is_left() -> None:
    image, stuck = paste_stickers(7, SOME[:9], 1.6)
    whole = [(0, 0, image.shape[1], image.shape[0])]
    found = read_tags(image, boxes=[], px_module=(1.5, 1.7), leftover=lambda _: whole)
    assert right(found, stuck) == len(stuck)
    assert {tag.by for tag in found} == {"match"}
