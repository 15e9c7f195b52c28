"""``oxeye print``: the files it writes, and its messages for impossible requests."""

import json
from contextlib import suppress

import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.cli.print import command
from firmware.printing.camera_range import camera_ranges, describe_poor_range
from firmware.printing.card_faces import turns_into_another
from firmware.printing.paper_sizes import PAPERS
from firmware.printing.piece_selection import UnknownPiece, select_codes
from firmware.printing.special_cards import SPECIAL_MEANINGS, SPECIAL_NAMES
from firmware.printing.sticker_grid import LabelsOffSheet, StickerGrid
from vision.pieces import SPECIALS
from vision.tags.codebook import BOOK, CODES, MARKERS, QUIET_MODULES, draw_pattern


def run(*words, ok=True):
    result = CliRunner().invoke(command, [str(word) for word in words])
    assert (result.exit_code == 0) == ok, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


WRITES = {
    "stickers of 6 nimmt": (["stickers"], "104 stickers, 2 pages"),
    "with the specials": (["stickers", "--specials"], "132 stickers"),
    "with tags for backs": (["stickers", "--only", "44", "--backs", "3"], "4 stickers, 1 page"),
    "stickers of The Game": (["stickers", "--game", "thegame"], "102 stickers"),
    "tags for tiles": (["stickers", "--game", "six"], "42 stickers"),
    "two single stickers": (["stickers", "--only", "44,45"], "2 stickers, 1 page"),
    "a range and a special": (["stickers", "--only", "60-63, block.2"], "5 stickers"),
    "both start cards numbered 1": (["stickers", "--game", "thegame", "--only", "1"], "2 stickers"),
    "on Letter": (["stickers", "--paper", "letter", "--size", "25"], "104 stickers"),
    "on labels": (["stickers", "--grid", "8,11,8,11,25,25", "--start", "4"], "104 stickers, 3 pages"),
    "markers": (["markers", "--marker", "30"], "4 markers, 1 page"),
    "a mat on A4": (["mat"], "area 700 x 460 mm, 13 pages"),
    "a mat on A1": (["mat", "--paper", "a1", "--area", "700x460"], "area 700 x 460 mm, 1 page"),
    "a mat on A2": (["mat", "--paper", "a2"], "area 498 x 324 mm, 1 page"),
    "a mat with the zones of a game": (
        ["mat", "--game", "nimmt", "--option", "players=8", "--paper", "a1"],
        "area 700 x 460 mm, 1 page",
    ),
    "a mat from a roll": (["mat", "--paper", "roll", "--area", "841x594"], "area 841 x 594 mm, 1 page"),
    "a deck": (["cards"], "104 cards, 12 pages"),
    "a deck with specials": (["cards", "--specials"], "132 cards, 15 pages"),
    "a deck with backs": (["cards", "--game", "thegame", "--backs"], "102 cards, 26 pages"),
}


@pytest.mark.parametrize(("words", "said"), WRITES.values(), ids=WRITES)
def test_a_pdf_is_written_and_announced(tmp_path, words, said):
    out = tmp_path / "sheets.pdf"
    assert said in run(*words, "--out", out)
    assert out.read_bytes().startswith(b"%PDF-")


REFUSES = {
    "an unknown number": (["stickers", "--only", "105"], "6 nimmt! has no card 105. It has 1 to 104"),
    "an empty list": (["stickers", "--only", ","], "for example --only 44,45"),
    "a range beyond the last card": (["stickers", "--only", "100-120"], "no card 105"),
    "a special of another game": (
        ["stickers", "--game", "thegame", "--only", "block"],
        "2 to 99 and the start",
    ),
    "specials of another game": (["stickers", "--game", "six", "--specials"], "SIX has no special cards"),
    "too small a sticker": (["stickers", "--size", "11"], "12 to 25 mm large, not 11"),
    "too large a sticker": (["stickers", "--size", "26"], "12 to 25 mm large, not 26"),
    "a size of nan": (["stickers", "--size", "nan"], "12 to 25 mm large"),
    "too large a marker": (["markers", "--marker", "100"], "25 to 80 mm large"),
    "a grid of five numbers": (["stickers", "--grid", "8,12,11,13,24"], "give 6 numbers"),
    "a grid of words": (["stickers", "--grid", "a,b,c,d,e,f"], "give 6 numbers, as in 8,11"),
    "half a column": (["stickers", "--grid", "2.5,2,10,10,30,30"], "give whole numbers"),
    "no column": (["stickers", "--grid", "0,2,10,10,30,30"], "at least one column"),
    "a grid too wide": (["stickers", "--grid", "9,11,8,11,25,25"], "the last column ends at 226 mm"),
    "a grid too high": (["stickers", "--grid", "8,12,8,11,25,25"], "the last row ends at 304 mm"),
    "stickers that overlap": (["stickers", "--grid", "8,11,8,11,15,25"], "at most 15 mm large (--size)"),
    "a start beyond the sheet": (["stickers", "--grid", "8,11,8,11,25,25", "--start", "89"], "88 labels"),
    "a start without labels": (["stickers", "--start", "3"], "--start needs --grid"),
    "an area too large for its page": (
        ["mat", "--paper", "a2", "--area", "600x450"],
        "A2 holds 498 x 324 mm",
    ),
    "an area too small": (["mat", "--area", "20x20"], "150 to 1500 mm"),
    "an area too small for the game": (
        ["mat", "--game", "nimmt", "--option", "variant=anniversary", "--area", "700x460"],
        "needs 841x594 mm",
    ),
    "an option no game has": (["mat", "--game", "six", "--option", "colour=blue"], "colour"),
    "an option without a value": (["mat", "--game", "six", "--option", "players"], "NAME=VALUE"),
    "an area in words": (["mat", "--area", "large"], "give 2 numbers, as in 700x460"),
    "cards for tiles": (["cards", "--game", "six"], "print stickers for them"),
    "a back as a card": (["cards", "--only", "back"], "--backs"),
    "a missing folder": (
        ["stickers", "--out", "/no/such/folder/x.pdf"],
        "another place with --out",
    ),
    "--png before the subcommand": (["--png", "x", "markers"], "oxeye print markers --png"),
    "--size before the subcommand": (["--size", "15", "stickers"], "oxeye print stickers --size"),
}


@pytest.mark.parametrize(("words", "said"), REFUSES.values(), ids=REFUSES)
def test_an_impossible_print_is_refused_with_a_remedy(words, said):
    assert said in run(*words, ok=False)


def test_a_small_sticker_size_gives_a_warning_and_a_remedy():
    assert describe_poor_range(18) is None
    assert "Camera Module 2 over 900 x 600 mm (1.7)" in (describe_poor_range(12) or "")
    assert "closer" in (describe_poor_range(12) or "")


@pytest.mark.parametrize(
    ("sticker", "camera", "area", "px_module"),
    [
        (18, "Camera Module 2", (900, 600), 2.62),
        (18, "Camera Module 3", (900, 600), 3.11),
        (18, "HQ, 6 mm lens", (900, 600), 3.24),
        (15, "Camera Module 2", (900, 600), 2.18),
        (12, "Camera Module 2", (900, 600), 1.75),
        (12, "Camera Module 2", (600, 450), 2.62),
        (12, "Camera Module 3", (600, 450), 2.76),
    ],
)
def test_pixels_per_module_follow_from_camera_and_area(sticker, camera, area, px_module):
    (found,) = [r for r in camera_ranges(sticker) if (r.camera, r.area) == (camera, area)]
    assert found.px_module == pytest.approx(px_module, abs=0.01)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("png")
    run("--png", folder)
    return folder


def test_every_sticker_and_marker_has_its_picture(pictures):
    entries = json.loads((pictures / "index.json").read_text())
    assert {entry["payload"] for entry in entries} == BOOK.keys() | {f"MARKER-{corner}" for corner in MARKERS}
    assert {path.name for path in pictures.glob("*.png")} == {f"{entry['payload']}.png" for entry in entries}
    for entry in entries:
        if "corner" in entry:
            assert entry["id"] == MARKERS[entry["corner"]]
            assert (entry["size_mm"], entry["black_mm"]) == (pytest.approx(53.333, abs=0.001), 40)
        else:
            assert entry["piece"] == BOOK[entry["payload"]].piece
            assert entry["size_mm"] == 18


def test_a_picture_is_crisp_and_decodes_to_its_payload(pictures):
    for code in CODES:
        with Image.open(pictures / f"{code.payload}.png") as opened:
            dots = opened.info["dpi"][0]
            image = np.array(opened)
        side = len(image) // (21 + 2 * QUIET_MODULES)
        assert image.shape == (25 * side, 25 * side)
        assert len(image) / dots * 25.4 == pytest.approx(18, abs=0.1)
        assert np.array_equal(
            image, np.kron(np.where(np.pad(draw_pattern(code.payload), QUIET_MODULES), 0, 255), np.ones((side, side)))
        )
        assert [found.text for found in zxingcpp.read_barcodes(image)] == [code.payload]


def test_pictures_of_one_game_are_all_its_pieces(tmp_path):
    assert "136 pictures" in run("--png", tmp_path, "--game", "nimmt")  # 104, 28 specials, 4 markers


def test_pictures_of_a_second_print_join_the_first(tmp_path):
    run("stickers", "--only", "44", "--png", tmp_path)
    run("stickers", "--game", "thegame", "--only", "44", "--png", tmp_path, "--size", "20")
    entries = json.loads((tmp_path / "index.json").read_text())
    sizes = {(entry["game"], entry["piece"]): entry["size_mm"] for entry in entries if "game" in entry}
    assert sizes == {("nimmt", "44"): 18, ("thegame", "44"): 20}
    assert sum("corner" in entry for entry in entries) == 4


def test_a_damaged_index_of_pictures_is_replaced(tmp_path):
    (tmp_path / "index.json").write_text("{ not a list")
    run("markers", "--png", tmp_path)
    assert len(json.loads((tmp_path / "index.json").read_text())) == 4


def test_every_special_has_a_name_and_a_meaning():
    assert SPECIALS.keys() == SPECIAL_NAMES.keys() == SPECIAL_MEANINGS.keys()


@pytest.mark.parametrize(("number", "marked"), [("6", True), ("99", True), ("68", True), ("8", False), ("16", False)])
def test_a_number_that_turns_into_another_has_its_foot_marked(number, marked):
    assert turns_into_another(number) == marked


@given(st.lists(st.integers(1, 104), min_size=1, max_size=20))
def test_only_gives_the_cards_in_the_order_asked(numbers):
    assert [code.piece for code in select_codes("nimmt", ",".join(map(str, numbers)))] == [str(n) for n in numbers]


@given(st.text(max_size=12))
def test_only_accepts_or_refuses_any_text(words):
    with suppress(UnknownPiece):
        assert all(BOOK[code.payload] == code for code in select_codes("nimmt", words))


places = st.floats(-10, 400, allow_nan=False)


@given(st.integers(-1, 30), st.integers(-1, 30), places, places, places, places, st.floats(12, 25))
def test_an_accepted_grid_fits_on_the_sheet(cols, rows, left, top, pitch_x, pitch_y, sticker):
    grid = StickerGrid(cols, rows, left, top, pitch_x, pitch_y)
    paper = PAPERS["a4"]
    with suppress(LabelsOffSheet):
        grid.check(paper, sticker)
        assert _on(paper, grid, sticker)


def _on(paper, grid, sticker):
    return len(grid.places) == grid.cols * grid.rows > 0 and all(
        0 <= x <= paper.width - sticker + 1e-3 and 0 <= y <= paper.height - sticker + 1e-3 for x, y in grid.places
    )
