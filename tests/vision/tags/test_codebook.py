"""The code book: every piece has its own code, no two look alike, and third-party readers read them."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256

import cv2
import numpy as np
import pytest
import segno
import zxingcpp

from tests.support.readers import needs_zbar
from tests.tools.new_check_characters import choose_checks
from vision.pieces import PIECES, SPECIALS, Pieces
from vision.tags.check_characters import CHECKS
from vision.tags.codebook import (
    BOOK,
    CODE_MODULES,
    CODES,
    MARKERS,
    QUIET_MODULES,
    draw_marker_modules,
    draw_pattern,
    find_data_modules,
    list_edition,
    list_printed,
    offset_to_card_centre,
    register_pieces,
    unregister_pieces,
)
from vision.tags.decoders import decode_zbar
from vision.tags.grid_fit import find_fixed_modules, list_payloads, stack_patterns

NAMED = {
    "6 nimmt has 104 numbers": ("nimmt", [str(n) for n in range(1, 105)]),
    "6 nimmt has four of each special": ("nimmt", [f"{kind}.{n}" for kind in SPECIALS for n in range(1, 5)]),
    "the game has 2 to 99": ("thegame", [str(n) for n in range(2, 100)]),
    "the game starts with two 1 and two 100": ("thegame", ["1", "1", "100", "100"]),
    "six has 21 tiles of each colour": ("six", ["red"] * 21 + ["black"] * 21),
    "there is one tag for backs": ("any", ["back"]),
}


def image(payload, pixels=6):
    return (np.kron(~np.pad(draw_pattern(payload), QUIET_MODULES), np.ones((pixels, pixels))) * 255).astype(np.uint8)


@pytest.mark.parametrize(("game", "pieces"), NAMED.values(), ids=NAMED)
def test_every_piece_has_its_codes(game, pieces):
    have = Counter(code.piece for code in CODES if code.game == game)
    assert {piece: have[piece] for piece in pieces} == Counter(pieces)


def test_there_are_no_other_pieces():
    assert len(CODES) == sum(len(pieces) for _, pieces in NAMED.values())


def test_a_payload_fits_the_smallest_code_and_names_the_piece():
    for code in CODES:
        assert len(code.payload) == 10
        assert code.payload.isascii()
        assert code.payload.isalnum()
        assert code.payload == code.payload.upper()
        if code.piece.isdecimal() and code.payload[2:5].isdecimal():
            assert int(code.payload[2:5]) == int(code.piece)


def test_the_book_knows_every_code_printed_today():
    assert [BOOK[code.payload] for code in CODES] == list(CODES)


def test_a_printed_version_never_changes():
    """Printed stickers are in use: a change makes them unreadable. A new version is a new entry in CHECKS."""
    text = "".join(f"{code.payload} {code.game} {code.piece}\n" for code in list_edition(1))
    assert sha256(text.encode()).hexdigest() == "88a954e384df4775e611131b72b2f69f92ca09c609e6dd058d76ce392a281024"


def test_no_two_codes_look_alike_at_any_quarter_turn():
    data = find_data_modules()
    turned = [
        np.stack([np.where(np.rot90(draw_pattern(code.payload), turn)[data], 1, -1) for code in CODES]).astype(
            np.float32
        )
        for turn in range(4)
    ]
    for turn in range(4):
        apart = (208 - turned[0] @ turned[turn].T) / 2
        if turn == 0:
            np.fill_diagonal(apart, 208)
        assert apart.min() >= 74, f"turned by {90 * turn} degrees"


def test_data_modules_are_those_that_differ():
    every = np.stack([draw_pattern(code.payload) for code in CODES])
    differ = every.any(axis=0) & ~every.all(axis=0)
    assert not (differ & ~find_data_modules()).any()
    assert find_data_modules().sum() == 208


@pytest.mark.parametrize(
    "read",
    [
        lambda image: [found.text for found in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)],
        pytest.param(lambda image: sorted({text for text, _ in decode_zbar(image)}), marks=needs_zbar),
    ],
    ids=["zxing", "zbar"],
)
def test_any_reader_reads_every_code(read):
    assert {code.payload: read(image(code.payload)) for code in CODES} == {
        code.payload: [code.payload] for code in CODES
    }


def test_a_pattern_is_what_segno_draws():
    for code in CODES:
        drawn = segno.make(code.payload, error="h", mask=3, micro=False)
        assert drawn.designator == "1-H"
        assert np.array_equal(draw_pattern(code.payload), np.array(drawn.matrix, dtype=bool))


def test_a_pattern_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        draw_pattern(CODES[0].payload)[0, 0] = False


@pytest.mark.parametrize("corner", MARKERS)
def test_a_marker_is_found_with_its_number(corner):
    drawn = (np.kron(~np.pad(draw_marker_modules(corner), 1), np.ones((10, 10))) * 255).astype(np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(drawn)
    assert ids.ravel().tolist() == [MARKERS[corner]]


@pytest.mark.parametrize(
    ("game", "sticker", "centre"),
    [
        pytest.param("nimmt", 18, (16.5, -31.5), id="bottom left of a 57 x 87 card"),
        pytest.param("nimmt", 12, (19.5, -34.5), id="a smaller sticker is nearer the corner"),
        pytest.param("thegame", 18, (19.0, -34.0), id="bottom left of a 62 x 92 card"),
        pytest.param("six", 18, (0.0, 0.0), id="in the middle of a tile"),
        pytest.param("any", 18, (0.0, 0.0), id="in the middle of a back"),
    ],
)
def test_the_centre_of_a_card_follows_from_its_sticker(game, sticker, centre):
    assert offset_to_card_centre(game, sticker) == pytest.approx(centre)


@pytest.mark.parametrize("game", [game for game, pieces in PIECES.items() if pieces.kind == "card"])
@pytest.mark.parametrize("sticker", [12, 18, 25])
def test_a_sticker_is_three_mm_from_both_edges(game, sticker):
    width, height = PIECES[game].size
    dx, dy = offset_to_card_centre(game, sticker)
    assert width / 2 - dx - sticker / 2 == pytest.approx(3)
    assert height / 2 + dy - sticker / 2 == pytest.approx(3)


def test_the_check_characters_of_the_first_version_are_reproducible():
    names = [code.payload[1:5] for code in list_edition(1)[:3]]
    assert choose_checks("1", names, []) == [code.payload[5:] for code in list_edition(1)[:3]]


def test_codes_of_a_new_version_differ_from_the_old_ones():
    old = [code.payload for code in CODES[:40]]
    (check,) = choose_checks("2", ["N001"], old, 200)
    data = find_data_modules()
    apart = [(draw_pattern(f"2N001{check}") ^ draw_pattern(payload))[data].sum() for payload in old]
    assert min(apart) >= 74
    assert len(draw_pattern(f"2N001{check}")) == CODE_MODULES


TOY = Pieces("toy", (60.0, 60.0), (("Z001", "1"), ("Z002", "2")), {1: "2BCDF 3GHJK"})


def test_a_registered_game_is_printed_and_read_until_it_is_removed():
    before, modules = dict(BOOK), find_fixed_modules().copy()
    register_pieces(TOY)
    try:
        assert [code for code in list_printed() if code.game == "toy"] == [
            BOOK["1Z0012BCDF"],
            BOOK["1Z0023GHJK"],
        ]
        assert list_payloads() == tuple(BOOK)
        assert len(stack_patterns()) == len(before) + 2
        assert offset_to_card_centre("toy", 18) == (18.0, -18.0)
    finally:
        unregister_pieces("toy")
    assert before == BOOK
    assert list_printed() == CODES
    assert len(stack_patterns()) == len(before)
    assert np.array_equal(find_fixed_modules(), modules)


@pytest.mark.parametrize(
    "pieces", [replace(TOY, game="six"), replace(TOY, names=(("N001", "1"),), checks={1: CHECKS[1].split()[0]})]
)
def test_a_name_or_a_code_that_exists_is_refused(pieces):
    with pytest.raises(ValueError, match="registered already"):
        register_pieces(pieces)
    assert "toy" not in PIECES
