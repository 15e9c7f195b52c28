"""Printed sheets have the right size and positions, and their codes are readable."""

import re
import zlib
from dataclasses import dataclass

import numpy as np
import pytest
import zxingcpp

from engine.table import Area
from firmware.printing.deck_sheets import draw_deck, fit_block
from firmware.printing.label_sheets import draw_labels
from firmware.printing.markers import draw_marker_sheets
from firmware.printing.mat import Mat, draw_mat_sheet
from firmware.printing.paper_sizes import PAPERS, Paper
from firmware.printing.piece_selection import caption_code, codes_of_game, select_codes
from firmware.printing.sticker_grid import StickerGrid
from firmware.printing.sticker_sheets import draw_stickers
from firmware.printing.tiled_mat import TiledMat, draw_tiled_mat
from vision.pieces import PIECES
from vision.tags.codebook import BOOK, MARKERS, draw_marker_modules

POINT = 25.4 / 72
NUMBER = r"-?\d+(?:\.\d+)?"


@dataclass
class Page:
    """A page of the PDF in mm from the top left: paths of modules, straight lines, texts."""

    size: tuple[float, float]
    paths: list[np.ndarray]
    lines: list[tuple[float, float, float, float]]
    words: list[tuple[float, float, str]]

    @property
    def boxes(self):
        """Left, top, right and bottom of every path of modules."""
        return [
            (
                path[:, 0].min(),
                path[:, 1].min(),
                (path[:, 0] + path[:, 2]).max(),
                (path[:, 1] + path[:, 3]).max(),
            )
            for path in self.paths
        ]

    def raster(self, px_mm=12):
        """The modules alone, rendered at 300 dots per inch."""
        paper = np.full((round(self.size[1] * px_mm), round(self.size[0] * px_mm)), 255, np.uint8)
        for path in self.paths:
            for x, y, w, h in path:
                paper[round(y * px_mm) : round((y + h) * px_mm), round(x * px_mm) : round((x + w) * px_mm)] = 0
        return paper

    def read(self):
        """Payload and left, top, right, bottom in mm of every code, the large ones last."""
        found = zxingcpp.read_barcodes(self.raster(), formats=zxingcpp.BarcodeFormat.QRCode)
        places = []
        for code in found:
            corners = code.position.top_left, code.position.bottom_right
            middle = (corners[0].x + corners[1].x) / 24, (corners[0].y + corners[1].y) / 24
            (box,) = [b for b in self.boxes if b[0] < middle[0] < b[2] and b[1] < middle[1] < b[3]]
            places.append((code.text, box))
        return sorted(places, key=lambda place: place[1][2] - place[1][0])


def pages(sheets):
    pdf = sheets.finished()
    objects = dict(re.findall(rb"\n(\d+) 0 obj\n(.*?)endobj", pdf, re.S))
    found = []
    for body in objects.values():
        if b"/Type /Page\n" in body:
            media = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body) or re.search(
                rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf
            )
            width, height = (float(n) for n in media.groups())
            content = objects[re.search(rb"/Contents (\d+) 0 R", body).group(1)]
            stream = re.search(rb"stream\n(.*)\nendstream", content, re.S).group(1)
            found.append(page(width, height, zlib.decompress(stream).decode("latin1")))
    return found


def page(width, height, ops):
    paths = [
        np.array(
            [[float(n) for n in rect] for rect in re.findall(rf"({NUMBER}) ({NUMBER}) ({NUMBER}) ({NUMBER}) re", path)]
        )
        for path in re.findall(r"q 2\.8346 0 0 -2\.8346 0 [\d.]+ cm(.*?)Q", ops, re.S)
    ]
    lines = [
        tuple(float(n) * POINT for n in line)
        for line in re.findall(rf"({NUMBER}) ({NUMBER}) m\n({NUMBER}) ({NUMBER}) l\n S", ops)
    ]
    words = [
        (float(x) * POINT, (height - float(y)) * POINT, text.replace("\\", ""))
        for x, y, text in re.findall(rf"BT ({NUMBER}) ({NUMBER}) Td \((.*?)\) Tj ET", ops)
    ]
    return Page((width * POINT, height * POINT), paths, lines, words)


def has_control_line(page):
    return any(abs(np.hypot(x2 - x1, y2 - y1) - 100) < 0.05 for x1, y1, x2, y2 in page.lines)


A4, LETTER = PAPERS["a4"], PAPERS["letter"]
LABELS = StickerGrid(8, 11, 8, 11, 25, 25)
PLAN = {"row:1": Area(0, 0, 400, 100), "seat:1": Area(0, 110, 100, 200)}
DOCUMENTS = {
    "stickers on A4": (draw_stickers(codes_of_game("nimmt"), 18, A4), A4),
    "stickers on Letter": (draw_stickers(codes_of_game("thegame"), 12, LETTER), LETTER),
    "labels": (draw_labels(codes_of_game("six"), 18, A4, LABELS), A4),
    "labels to the sheet's edge": (
        draw_labels(codes_of_game("six"), 20, A4, StickerGrid(10, 14, 0.5, 0.5, 21, 21)),
        A4,
    ),
    "markers on A4": (draw_marker_sheets(40, A4), A4),
    "large markers on Letter": (draw_marker_sheets(80, LETTER), LETTER),
    "cards of 6 nimmt on A4": (draw_deck(select_codes("nimmt", "1-9,block"), 18, A4), A4),
    "cards of The Game on Letter": (draw_deck(select_codes("thegame", "2-9"), 18, LETTER, backs=True), LETTER),
    "a mat on one A2 page": (draw_mat_sheet(PAPERS["a2"], None, {}, 40), PAPERS["a2"]),
    "a mat on one A1 page": (draw_mat_sheet(PAPERS["a1"], (700, 460), PLAN, 40), PAPERS["a1"]),
    "a mat from a roll": (draw_mat_sheet(None, (841, 594), {}, 40), Paper("roll", 937, 690)),
    "a mat on A4 sheets": (draw_tiled_mat(A4, None, PLAN, 40), A4),
    "a mat on A3 sheets": (draw_tiled_mat(PAPERS["a3"], (594, 420), {}, 40), PAPERS["a3"]),
}


@pytest.mark.parametrize(("sheets", "paper"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_sheet_has_its_size_and_a_line_of_100_mm(sheets, paper):
    made = pages(sheets)
    assert len(made) == sheets.pages
    for page in made:
        assert sorted(page.size) == pytest.approx(sorted((paper.width, paper.height)), abs=0.02)
        assert has_control_line(page)


@pytest.mark.parametrize(("sheets", "paper"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_codes_and_texts_stay_within_the_printable_area(sheets, paper):
    joined = "mat" in sheets.title and sheets.pages > 1  # each sheet is a window on the whole mat
    for page in pages(sheets)[: 1 if joined else None]:
        for x, y, text in page.words:
            assert -0.01 <= x <= page.size[0], text
            assert -0.01 <= y <= page.size[1], text
        for box in page.boxes:
            assert min(box) >= 0
            assert box[2] <= page.size[0]
            assert box[3] <= page.size[1]


@pytest.mark.parametrize("sheets", [DOCUMENTS["stickers on A4"][0]])
def test_the_pdf_asks_viewers_not_to_scale(sheets):
    assert b"/PrintScaling /None" in sheets.finished()


@pytest.mark.parametrize("size", [12, 15, 18, 25])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
def test_stickers_have_the_printed_size_and_stand_above_their_names(size, paper):
    wanted = select_codes("nimmt", "1-30,insert,negpos")
    read = {}
    for page in pages(draw_stickers(wanted, size, paper)):
        for payload, box in page.read():
            if box[2] - box[0] < 0.6 * size:  # the code in the drawing
                continue
            assert box[2] - box[0] == pytest.approx(size * 21 / 25, abs=0.1)
            assert box[3] - box[1] == pytest.approx(size * 21 / 25, abs=0.1)
            name, _ = caption_code(BOOK[payload])
            below = [text for x, y, text in page.words if abs(x - box[0]) < 2 and 0 < y - box[3] < 7]
            assert below == [name]
            read[payload] = box
    assert read.keys() == {code.payload for code in wanted}


def test_the_instruction_drawing_shows_a_readable_code():
    first = pages(draw_stickers(select_codes("nimmt", "44"), 18, A4))[0]
    assert len(first.boxes) == 2
    small, large = sorted(first.boxes, key=lambda box: box[2] - box[0])
    assert large[2] - large[0] == pytest.approx(15.12, abs=0.1)
    assert small[2] - small[0] < 10


@pytest.mark.parametrize("start", [1, 6], ids=["from the first label", "from the sixth label"])
def test_stickers_lie_on_their_labels(start):
    wanted = select_codes("nimmt", "1-90")
    key, *sheets = pages(draw_labels(wanted, 18, A4, LABELS, start))
    assert key.words
    order = []
    for page in sheets:
        for payload, box in sorted(page.read(), key=lambda item: (round(item[1][1]), item[1][0])):
            order.append(BOOK[payload].piece)
            quiet = 18 * 2 / 25
            place = (box[0] - quiet, box[1] - quiet)
            slot = len(order) + start - 2
            assert place == pytest.approx(LABELS.places[slot % len(LABELS.places)], abs=0.1)
    assert order == [code.piece for code in wanted]


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
@pytest.mark.parametrize(
    ("game", "wanted"),
    [("nimmt", "1,55,104,fifth.1,negpos"), ("thegame", "2,66,99,1,100")],
    ids=["nimmt", "thegame"],
)
def test_a_deck_has_its_codes_three_mm_from_both_edges(game, wanted, paper):
    lie = fit_block(paper, PIECES[game].size)
    width, height = PIECES[game].size
    chosen = select_codes(game, wanted)
    (page,) = pages(draw_deck(chosen, 18, paper))
    read = dict(page.read())
    quiet = 18 * 2 / 25
    for at, code in zip(lie.places, chosen, strict=False):
        left, top, right, bottom = read[code.payload]
        assert left - quiet - at[0] == pytest.approx(3, abs=0.1)
        assert at[1] + height - bottom - quiet == pytest.approx(3, abs=0.1)
        assert right - left == pytest.approx(bottom - top) == pytest.approx(15.12, abs=0.1)
        inside = [text for x, y, text in page.words if at[0] < x < at[0] + width and at[1] < y < at[1] + height]
        assert caption_code(code)[0] in inside


def test_backs_lie_behind_their_cards():
    face, back = pages(draw_deck(select_codes("thegame", "2-9"), 18, A4, backs=True))
    lie = fit_block(A4, PIECES["thegame"].size)
    middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in back.boxes]
    assert len(face.boxes) == len(middles) == len(lie.places)
    width, height = lie.card
    assert middles == [pytest.approx((x + width / 2, y + height / 2), abs=0.1) for x, y in lie.places]
    mirrored = sorted(lie.paper.width - x for x, _ in middles)
    assert mirrored == pytest.approx(sorted(x for x, _ in middles), abs=0.1)


def corner_of(path):
    """The marker that a path of modules shows."""
    left, top = path[:, 0].min(), path[:, 1].min()
    module = ((path[:, 0] + path[:, 2]).max() - left) / 6
    dark = np.zeros((6, 6), bool)
    for x, y, w, h in path:
        first, row = round((x - left) / module), round((y - top) / module)
        dark[row : row + round(h / module), first : first + round(w / module)] = True
    return next(corner for corner in MARKERS if np.array_equal(draw_marker_modules(corner), dark))


def markers_on(page, size):
    return {
        corner_of(path): box
        for path, box in zip(page.paths, page.boxes, strict=True)
        if box[2] - box[0] == pytest.approx(size, abs=0.1)
    }


@pytest.mark.parametrize("size", [25, 40, 80])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
def test_markers_have_the_given_size(size, paper):
    found = [markers_on(page, size) for page in pages(draw_marker_sheets(size, paper))]
    assert sorted(corner for share in found for corner in share) == sorted(MARKERS)
    for share in found:
        for left, top, right, bottom in share.values():
            assert (right - left, bottom - top) == pytest.approx((size, size), abs=0.1)


@pytest.mark.parametrize(
    ("paper", "area", "size"),
    [
        pytest.param("a1", (700, 460), 40, id="700 x 460 on A1"),
        pytest.param("a1", None, 40, id="all of A1"),
        pytest.param("a2", None, 25, id="all of A2 with small markers"),
    ],
)
def test_the_inner_corners_of_the_markers_span_the_area(paper, area, size):
    (page,) = pages(draw_mat_sheet(PAPERS[paper], area, {}, size))
    found = markers_on(page, size)
    wide, high = area or (
        PAPERS[paper].height - 2 * (size + 8),
        PAPERS[paper].width - 2 * (size + 8),
    )
    assert found["TR"][0] - found["TL"][2] == pytest.approx(wide, abs=0.1)
    assert found["BR"][0] - found["BL"][2] == pytest.approx(wide, abs=0.1)
    assert found["BL"][1] - found["TL"][3] == pytest.approx(high, abs=0.1)
    assert found["BR"][1] - found["TR"][3] == pytest.approx(high, abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
@pytest.mark.parametrize("area", [(600, 450), (700, 460), (841, 594)], ids=str)
def test_tiled_sheets_contain_every_marker_and_join_at_their_marks(paper, area):
    mat = Mat(area, {}, 40)
    cut = min((TiledMat(mat, PAPERS[paper]), TiledMat(mat, PAPERS[paper].turned())), key=lambda c: c.cols * c.rows)
    _, *sheets = pages(draw_tiled_mat(PAPERS[paper], area, {}, 40))
    assert len(sheets) == cut.cols * cut.rows
    whole = {}
    crosses = []
    for number, page in enumerate(sheets):
        row, col = divmod(number, cut.cols)
        window = (10, 10, 10 + cut.inner[0], 10 + cut.inner[1])
        shift = (col * cut.step[0] - 10 - cut.spare[0], row * cut.step[1] - 10 - cut.spare[1])
        for corner, box in markers_on(page, 40).items():
            if box[0] >= window[0] and box[1] >= window[1] and box[2] <= window[2] and box[3] <= window[3]:
                whole[corner] = (box[0] + shift[0], box[1] + shift[1])
        crosses += [
            ((x1 + x2) / 2 + shift[0], page.size[1] - y1 + shift[1])
            for x1, y1, x2, y2 in page.lines
            if abs(x2 - x1 - 8) < 0.02 and 10 <= (x1 + x2) / 2 <= window[2] and 10 <= page.size[1] - y1 <= window[3]
        ]
    reach = (area[0] + 48, area[1] + 48)
    assert whole == {
        "TL": pytest.approx((8, 8), abs=0.1),
        "TR": pytest.approx((reach[0], 8), abs=0.1),
        "BR": pytest.approx(reach, abs=0.1),
        "BL": pytest.approx((8, reach[1]), abs=0.1),
    }
    seams = (cut.cols - 1) * cut.rows + cut.cols * (cut.rows - 1)
    assert len(cut.marks()) >= seams
    for mark in cut.marks():
        assert sum(cross == pytest.approx(mark, abs=0.1) for cross in crosses) >= 2


def test_zones_are_drawn_where_the_plan_has_them():
    (page,) = pages(draw_mat_sheet(PAPERS["a1"], (700, 460), PLAN, 40))
    left, top = markers_on(page, 40)["TL"][2:]
    places = {text: (x - left, y - top) for x, y, text in page.words}
    for zone, name in (("row:1", "Row 1"), ("seat:1", "Seat 1")):
        assert PLAN[zone].contains(*places[name])
