"""The bench of the studio finds planted errors: small tables with their truth, and answers that are right or wrong."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.benchmarks.studio import (
    Desk,
    Job,
    Tree,
    decode_yuv420,
    examine_picture,
    format_page,
    list_tasks,
    relight,
)
from tests.benchmarks.studio_answers import AnswerStore, TreeChanged, key_picture, key_reader
from tests.benchmarks.studio_cases import (
    Answer,
    Case,
    ToldBack,
    ToldTag,
    ToldTile,
    TrueCard,
    TrueTile,
    build_case,
    list_flagged,
    list_zones,
    parse_answer,
)
from tests.benchmarks.studio_report import (
    ROWS,
    Row,
    Score,
    Tally,
    format_groups,
    format_honesty,
    format_missed,
    format_table,
    is_enough,
    is_met,
)
from tests.benchmarks.studio_scoring import (
    Mark,
    count_invented,
    draw_doubt,
    find_silent,
    list_right,
    match_tiles,
    score_board,
    score_cards,
    score_picture,
    score_relit,
    score_sequence,
    score_unseen,
)
from tests.studio.boards import find_cell_centre
from tests.studio.camera import aim_camera, to_world
from tests.studio.geometries import list_closing_geometries, list_geometries
from tests.studio.mixing import STANDARDS, to_yuv420
from tests.studio.scene import FIRST_CARD, FIRST_TILE, HAND
from tests.support.proofs import cut_shard, find_lower_bound

PITCH = 38.0
AREA = (600.0, 450.0)
INVENTED = ToldTile("red", (600.0, 250.0), (300.0, 125.0), False, True, None)
COLOURS = {(0, 0): "red", (1, 0): "black", (0, 1): "red", (-1, 1): "black", (2, 0): "red"}


def place(cell):
    x, y = find_cell_centre(cell)
    return 300 + PITCH * x, 225 + PITCH * y


def make_tile(colour, cell, mm):
    return TrueTile(colour, cell, (2 * mm[0], 2 * mm[1]), mm, mm, 2 * PITCH)


def tell(tile, **changes):
    told = ToldTile(tile.colour, tile.px, tile.mm, False, tile.cell is not None, tile.cell)
    return replace(told, **changes)


@pytest.fixture
def board():
    tiles = [make_tile(colour, cell, place(cell)) for cell, colour in COLOURS.items()]
    tiles.append(make_tile("black", None, (60.0, 60.0)))
    owner = np.zeros((450, 600), np.uint16)
    for n, tile in enumerate(tiles):
        x, y = (int(v) for v in tile.mm)
        owner[y - 18 : y + 18, x - 18 : x + 18] = FIRST_TILE + n
    return Case("board-sun", "board", "six", "white", "sun", "satin", AREA, owner, tiles=tuple(tiles), pitch_mm=PITCH)


@pytest.fixture
def told(board):
    return Answer(tiles=tuple(tell(tile) for tile in board.tiles), unseen_mm=())


def collect(marks):
    sums = {}
    for mark in marks:
        good, shown = sums.get(mark.row, (0, 0))
        sums[mark.row] = (good + mark.good, shown + mark.shown)
    return sums


def change(answer, n, **changes):
    tiles = list(answer.tiles)
    tiles[n] = replace(tiles[n], **changes)
    return replace(answer, tiles=tuple(tiles))


def list_silent(case, answer):
    return find_silent(case, match_tiles(case, answer), draw_doubt(case, answer))


def square(mm, half=10.0):
    x, y = mm
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def test_a_board_that_is_told_right(board, told):
    assert collect(score_board(board, told)) == {
        "silent boards": (1, 1), "false tiles": (1, 1), "boards": (1, 1), "boards, doubts aside": (1, 1),
        "board tiles": (5, 5), "reserve tiles": (1, 1), "empty neighbours": (12, 12),
    }  # fmt: skip


@pytest.mark.parametrize("sixths", range(6))
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_board_is_exact_up_to_turn_mirror_and_shift(board, told, sixths, mirrored):
    def move(cell):
        q, r = (cell[1], cell[0]) if mirrored else cell
        for _ in range(sixths):
            q, r = -r, q + r
        return q + 3, r - 7

    moved = replace(told, tiles=tuple(replace(tile, cell=tile.cell and move(tile.cell)) for tile in told.tiles))
    assert collect(score_board(board, moved))["boards"] == (1, 1)
    assert list_silent(board, moved) == []


def test_cells_that_do_not_agree_are_silent(board, told):
    wrong = change(told, 4, cell=(3, 0))
    assert collect(score_board(board, wrong))["boards"] == (0, 1)
    assert list_silent(board, wrong) == ["cells do not agree"]


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lambda told: change(told, 0, colour="black"), "told as black"),
        (lambda told: replace(told, tiles=told.tiles[1:]), "missing"),
        (lambda told: change(told, 1, on_board=False, cell=None), "beside the board"),
        (lambda told: change(told, 5, on_board=True), "reserve tile told on the board"),
        (lambda told: replace(told, tiles=(*told.tiles, INVENTED)), "invented"),
    ],
)  # fmt: skip
def test_a_planted_silent_error_is_found(board, told, plant, words):
    wrong = plant(told)
    (silent,) = list_silent(board, wrong)
    assert words in silent
    marks = collect(score_board(board, wrong))
    assert marks["silent boards"] == marks["boards"] == (0, 1)


def test_a_doubtful_or_unseen_error_is_not_silent(board, told):
    lost = replace(told, tiles=told.tiles[1:])
    assert list_silent(board, change(told, 0, colour="black", doubtful=True)) == []
    assert list_silent(board, replace(lost, unseen_mm=(square(place((0, 0))),))) == []
    assert list_silent(board, replace(lost, unseen_mm=(square(place((2, 0))),))) != []
    assert list_silent(board, replace(lost, unseen_mm=None, unseen=frozenset({"middle"}))) == []
    assert list_silent(board, replace(lost, unseen_mm=(), unseen=frozenset({"middle"}))) != []
    assert list_silent(board, Answer(has_mat=False)) == []


def test_a_right_board_with_a_doubtful_place_is_not_clean(board, told):
    for answer in (change(told, 0, doubtful=True), replace(told, unseen_mm=(square(place((1, 0))),))):
        assert collect(score_board(board, answer))["boards"] == (0, 1)
    veiled = collect(score_board(board, replace(told, unseen_mm=(square(place((1, 0))),))))
    assert veiled["boards, doubts aside"] == (1, 1)


def test_a_doubtful_empty_neighbour_is_counted(board, told):
    marks = collect(score_board(board, replace(told, unseen_mm=(square(place((3, 0))),))))
    assert marks["empty neighbours"] == (11, 12)
    assert marks["boards"] == (1, 1)


def test_a_tile_beside_the_board_is_false_where_there_is_none(board, told):
    extra = ToldTile("red", (1000.0, 80.0), (500.0, 40.0), False, False, None)
    marks = collect(score_board(board, replace(told, tiles=(*told.tiles, extra))))
    assert marks["false tiles"] == (0, 1)
    assert marks["silent boards"] == (1, 1)


def test_centres_in_mm_alone_are_matched(board, told):
    old = replace(told, tiles=tuple(replace(tile, px=None) for tile in told.tiles), unseen_mm=None)
    assert collect(score_board(board, old))["boards"] == (1, 1)


def test_a_board_under_a_hand_must_only_be_honest(board, told):
    hand = replace(board, kind="board-hand")
    lost = replace(told, tiles=told.tiles[1:])
    assert collect(score_board(hand, lost)) == {"silent boards": (0, 1), "false tiles": (1, 1)}


def exchange(case, n, colour):
    tiles = list(case.tiles)
    tiles[n] = replace(tiles[n], colour=colour)
    return replace(case, tiles=tuple(tiles))


def test_an_exchanged_tile_is_told_or_doubtful(board, told):
    after = exchange(board, 0, "black")
    assert collect(score_sequence(board, after, told)) == {"sequences": (0, 1)}
    assert collect(score_sequence(board, after, change(told, 0, colour="black"))) == {"sequences": (1, 1)}
    assert collect(score_sequence(board, after, change(told, 0, doubtful=True))) == {"sequences": (1, 1)}


def test_a_taken_tile_that_is_still_told_is_no_change(board, told):
    after = replace(board, tiles=board.tiles[:4] + board.tiles[5:])
    assert collect(score_sequence(board, after, told)) == {"sequences": (0, 1)}
    gone = replace(told, tiles=told.tiles[:4] + told.tiles[5:])
    assert collect(score_sequence(board, after, gone)) == {"sequences": (1, 1)}


def make_card(index, piece, zone, mm, **changes):
    card = TrueCard(
        index, piece, f"1N{piece}" if piece else "", zone, mm, 1.0, 4000.0, (2 * mm[0], 2 * mm[1]), 1.0, 2.0
    )
    return replace(card, **changes)


@pytest.fixture
def cards():
    """A row of three, one upside down with its sticker hidden, and a face-down card at a seat."""
    hidden = {"tag_visible": 0.43, "zone_mm2": 1800.0, "visible": 0.4, "covered_by": {12: 3000.0}}
    row = [
        make_card(10, "33", "row:1", (60.0, 52.0), covered_by={11: 900.0}),
        make_card(11, "61", "row:1", (100.0, 52.0), **hidden),
        make_card(12, "73", "row:1", (140.0, 52.0)),
    ]  # fmt: skip
    back = make_card(13, "", "seat:1", (450.0, 70.0), tag_visible=0.0, px_per_module=0.0)
    owner = np.zeros((420, 594), np.uint16)
    for card in [*row, back]:
        x, y = (int(v) for v in card.mm)
        owner[y - 43 : y + 44, x - 28 : x + 29] = card.index
    return Case("rows-sun", "rows", "nimmt", "white", "sun", "matt", (594.0, 420.0), owner, (*row, back))


def tag(card):
    return ToldTag(card.payload, card.piece, card.tag_px)


@pytest.fixture
def read(cards):
    first, _, last, back = cards.cards
    return Answer(
        (tag(first), tag(last)), backs=(ToldBack("seat:1", back.mm),), unseen=frozenset({"row:1"}), unseen_mm=()
    )


def test_a_row_with_a_hidden_card_that_is_flagged(cards, read):
    assert collect(score_cards(cards, read)) == {
        "whole tags": (2, 2), "misreads": (1, 1), "backs": (1, 1), "false backs": (1, 1), "hidden cards": (1, 1),
    }  # fmt: skip


def test_a_hidden_card_without_a_word_is_found(cards, read):
    assert collect(score_cards(cards, replace(read, unseen=frozenset({"row:2"}))))["hidden cards"] == (0, 1)


def test_a_hidden_card_that_is_read_is_no_case(cards, read):
    seen = replace(read, tags=(*read.tags, tag(cards.cards[1])), unseen=frozenset())
    assert "hidden cards" not in collect(score_cards(cards, seen))


def test_a_small_rest_of_a_card_is_no_case(cards, read):
    small = replace(cards.cards[1], zone_mm2=299.0)
    case = replace(cards, cards=(cards.cards[0], small, *cards.cards[2:]))
    assert "hidden cards" not in collect(score_cards(case, replace(read, unseen=frozenset())))


@pytest.mark.parametrize(
    "wrong", [ToldTag("1N99", "99", (120.0, 104.0)), ToldTag("1N33", "33", (280.0, 104.0))], ids=["other", "elsewhere"]
)
def test_a_misread_is_found(cards, read, wrong):
    assert collect(score_cards(cards, replace(read, tags=(*read.tags, wrong))))["misreads"] == (0, 1)


def test_a_back_that_is_missed_or_invented_or_in_another_zone(cards, read):
    lost = collect(score_cards(cards, replace(read, backs=())))
    assert lost["backs"] == (0, 1)
    assert lost["hidden cards"] == (1, 2)
    far = collect(score_cards(cards, replace(read, backs=(*read.backs, ToldBack("seat:4", (500.0, 300.0))))))
    assert (far["backs"], far["false backs"]) == ((1, 1), (0, 1))
    other = replace(read, backs=(ToldBack("seat:2", read.backs[0].mm),))
    assert collect(score_cards(cards, other))["backs"] == (0, 1)


@pytest.mark.parametrize(
    ("visible", "row"),
    [(1.0, "whole tags"), (0.8, "tags 75 to 99"), (0.6, "tags 50 to 75"), (0.4, None)],
)
def test_tags_are_counted_by_what_is_in_view(cards, visible, row):
    case = replace(cards, cards=(replace(cards.cards[0], tag_visible=visible),))
    rows = collect(score_cards(case, Answer())).keys() & {"whole tags", "tags 75 to 99", "tags 50 to 75"}
    assert rows == ({row} if row else set())


def test_an_illegible_or_far_tag_is_no_case(cards):
    for changes in ({"legible": False}, {"px_per_module": 1.39}):
        case = replace(cards, cards=(replace(cards.cards[0], **changes),))
        assert "whole tags" not in collect(score_cards(case, Answer()))


def test_pairs_that_cover_are_told_with_the_upper_first(cards, read):
    seen = replace(read, tags=(*read.tags, tag(cards.cards[1])), covers=(("61", "33"), ("61", "73")))
    marks = collect(score_cards(cards, seen))
    assert marks["covers told"] == (1, 2)
    assert marks["covers found"] == (1, 2)


@pytest.fixture
def hand():
    owner = np.zeros((420, 594), np.uint16)
    owner[225:300, 30:120] = HAND
    return Case("hands-sun", "hands", "nimmt", "white", "sun", "matt", (594.0, 420.0), owner, things={HAND: "hand"})


WHOLE_HAND = ((30.0, 225.0), (120.0, 225.0), (120.0, 300.0), (30.0, 300.0))


def test_a_hand_that_is_told(hand):
    marks = collect(score_unseen(hand, Answer(unseen=frozenset({"row:3"}), unseen_mm=(WHOLE_HAND,))))
    assert marks["obstacle zones"] == (1, 1)
    assert marks["obstacle cells"] == (30, 30)
    assert marks["flags"] == (9, 9)
    good, shown = marks["bare cells"]
    assert good == shown > 800


def test_a_hand_of_which_a_third_is_told(hand):
    third = ((30.0, 225.0), (60.0, 225.0), (60.0, 300.0), (30.0, 300.0))
    marks = collect(score_unseen(hand, Answer(unseen_mm=(third,))))
    assert marks["obstacle zones"] == (0, 1)
    assert marks["obstacle cells"] == (10, 30)


def test_without_polygons_no_cell_is_told(hand):
    marks = collect(score_unseen(hand, Answer(unseen=frozenset({"row:3"}))))
    assert marks["obstacle zones"] == (1, 1)
    assert marks["obstacle cells"] == (0, 30)
    assert marks["bare cells"][0] == marks["bare cells"][1]


def test_flags_and_bare_cells_without_cause(hand):
    halo = ((300.0, 15.0), (345.0, 15.0), (345.0, 45.0), (300.0, 45.0))
    marks = collect(score_unseen(hand, Answer(unseen=frozenset({"row:3", "row:1"}), unseen_mm=(WHOLE_HAND, halo))))
    assert marks["flags"] == (8, 9)
    good, shown = marks["bare cells"]
    assert shown - good == 6


def test_what_is_beside_a_hand_is_not_bare(hand):
    wide = ((16.0, 211.0), (134.0, 211.0), (134.0, 314.0), (16.0, 314.0))
    marks = collect(score_unseen(hand, Answer(unseen=frozenset({"row:3"}), unseen_mm=(wide,))))
    assert marks["bare cells"][0] == marks["bare cells"][1]


def test_a_pencil_is_a_cause_and_no_obstacle(hand):
    marks = collect(score_unseen(replace(hand, things={HAND: "pencil"}), Answer(unseen_mm=())))
    assert "obstacle zones" not in marks
    assert marks["flags"] == (9, 9)


def test_an_unread_card_is_a_cause_and_a_read_one_is_none(cards, read):
    assert collect(score_unseen(cards, read))["flags"] == (9, 9)
    seen = replace(read, tags=(*read.tags, tag(cards.cards[1])))
    assert collect(score_unseen(cards, seen))["flags"] == (9, 10)


def test_without_markers_everything_is_unseen(hand):
    marks = collect(score_unseen(hand, Answer(has_mat=False)))
    assert list_flagged(hand, Answer(has_mat=False)) == frozenset(list_zones("nimmt", hand.area))
    assert marks["obstacle cells"] == (30, 30)
    assert marks["flags"] == (0, 9)
    assert marks["bare cells"][0] == 0


def test_relit_pictures(board, told):
    assert collect(score_relit(board, told, told)) == {"relit: invented": (1, 1), "relit: still told": (6, 6)}
    less = replace(told, tiles=told.tiles[:3])
    assert collect(score_relit(board, told, less))["relit: still told"] == (3, 6)
    assert collect(score_relit(board, less, told))["relit: still told"] == (3, 3)
    assert collect(score_relit(board, told, change(told, 0, colour="black")))["relit: invented"] == (0, 1)


def test_invented_cards_are_counted(cards, read):
    assert count_invented(cards, read) == 0
    more = replace(read, tags=(ToldTag("1N99", "99", (5.0, 5.0)),), backs=(ToldBack("seat:4", (500.0, 300.0)),))
    assert count_invented(cards, more) == 2
    assert len(list_right(cards, read)) == 3


def test_the_answer_of_the_command_is_read():
    answer = parse_answer(
        {
            "mat": {"found": True},
            "tags": [{"payload": "1N033", "piece": "33", "corners": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
            "tiles": [
                {"colour": "red", "centre": [10, 20], "mm": [5, 6], "doubtful": True, "cell": [1, 2], "board": True},
                {"colour": "black", "board": False, "cell": None, "centre": [7, 8]},
            ],
            "backs": [{"zone": "seat:1", "mm": [1, 2], "angle": 4}],
            "unseen": ["row:1"],
            "unseen_mm": [[[0, 0], [1, 0], [1, 1]]],
            "covers": [["61", "33"]],
        }
    )
    assert answer.tags == (ToldTag("1N033", "33", (2.0, 2.0)),)
    assert answer.tiles == (
        ToldTile("red", (10.0, 20.0), (5.0, 6.0), True, True, (1, 2)),
        ToldTile("black", None, (7.0, 8.0), False, False, None),
    )
    assert answer.backs == (ToldBack("seat:1", (1.0, 2.0)),)
    assert answer.unseen_mm == (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)),)
    assert answer.covers == (("61", "33"),)


def test_an_older_answer_has_no_polygons_and_a_failure_knows_nothing():
    assert parse_answer({"mat": {"found": True}, "tags": [], "tiles": [], "unseen": []}).unseen_mm is None
    assert parse_answer({"mat": {"found": False}, "tags": []}).has_mat is False
    assert parse_answer({"error": "2"}).has_mat is False


@pytest.mark.parametrize(("good", "shown", "low"), [(100, 100, 0.97), (95, 100, 0.8882), (0, 10, 0.0), (1, 1, 0.0)])
def test_lower_bounds(good, shown, low):
    assert find_lower_bound(good, shown) == pytest.approx(low, abs=1e-3)


def test_a_bar_that_is_missed_or_without_a_case():
    share, none = Row("a", "a", 0.95), Row("b", "b", 1.0, bad=True)
    assert is_met(share, Tally(95, 100))
    assert not is_met(share, Tally(94, 100))
    assert is_met(share, Tally(92, 100), 0.03)
    assert not is_met(share, Tally(0, 0))
    assert not is_met(none, Tally(99, 100), 0.03)
    assert is_met(Row("c", "c", None), Tally(0, 0))


def test_the_table_names_the_worst_and_what_is_missed(board, told, cards, read):
    score = Score()
    wrong = replace(board, name="board-lamp", table="marble", light="lamp")
    score.add(board, score_picture(board, told))
    score.add(wrong, score_picture(wrong, replace(told, tiles=told.tiles[1:])))
    score.add(cards, score_picture(cards, read))
    lines = format_table(score)
    (line,) = [line for line in lines if line.startswith("SIX: boards exact")]
    assert "marble 0.00% of 1, lamp 0.00% of 1" in line
    assert line.endswith("MISSED")
    assert any(line.startswith("tags with 50") and "not rendered: run make studio" in line for line in lines)
    assert len(lines) == len(ROWS) + 2
    assert "  SIX: pictures with a silent error: board-lamp" in format_missed(score)
    assert not is_enough(score)


def test_all_bars_are_met_when_every_row_has_only_good_cases(board):
    score = Score()
    score.add(board, [Mark(row.name, 10, 10) for row in ROWS])
    assert is_enough(score)
    score.add(board, [Mark("silent boards", 0, 1)])
    assert not is_enough(score)


def test_the_eyes_of_the_first_version_must_fail_often(board):
    old = Score()
    old.add(board, [Mark("boards, doubts aside", 5, 10), Mark("backs", 0, 10)])
    assert format_honesty(old)[1]
    old.add(board, [Mark("boards, doubts aside", 1, 1)])
    assert not format_honesty(old)[1]


@pytest.mark.parametrize("standard", STANDARDS)
def test_a_frame_is_decoded_by_its_own_standard(standard):
    bgr = np.zeros((40, 60, 3), np.uint8)
    bgr[:] = (35, 30, 190)
    bgr[:, 30:] = (180, 200, 90)
    assert (
        np.abs(decode_yuv420(to_yuv420(bgr, standard), standard)[:, [5, 55]].astype(int) - bgr[:, [5, 55]]).max() <= 3
    )


def test_relit_light_stays_in_its_range():
    grey = np.full((4, 4, 3), 128, np.uint8)
    lit = [relight(grey, np.random.default_rng(n))[0, 0] for n in range(40)]
    linear = [[((v / 255 + 0.055) / 1.055) ** 2.4 for v in pixel] for pixel in lit]
    base = ((128 / 255 + 0.055) / 1.055) ** 2.4
    assert 0.58 < min(min(row) for row in linear) / base < 0.7
    assert 1.5 < max(max(row) for row in linear) / base < 1.62


def make_picture():
    camera = aim_camera(
        (820, 616), 62.0, AREA, border_mm=47, margin_mm=10, tilt_deg=5, azimuth_deg=30, roll_deg=1, k=-0.02
    )
    index = np.zeros((616, 820), np.uint16)
    corners = camera.project(to_world(AREA, np.array([[200.0, 100.0], [257.0, 187.0]])))
    index[round(corners[0, 1]) : round(corners[1, 1]), round(corners[0, 0]) : round(corners[1, 0])] = FIRST_CARD
    top = camera.project(to_world(AREA, np.array([[400.0, 300.0]]), 0.009))[0]
    truth = {
        "area": list(AREA),
        "camera": {"size": [820, 616], "focal_px": camera.focal_px, "position_m": list(camera.position),
                   "axes": [list(row) for row in camera.axes], "k": camera.k},
        "cards": [{"index": FIRST_CARD, "piece": "", "payload": "", "zone": "up:2", "centre_mm": [228.5, 143.5],
                   "size_mm": [57.0, 87.0], "visible_mm2": 4959.0, "covered_by_mm2": {}}],
        "tiles": [{"colour": "red", "cell": [0, 0], "centre_mm": [400.0, 300.0], "centre_px": list(top)}],
        "tile_mm": [38.0, 9.0, 1.5], "things": {"1000": "hand"},
    }  # fmt: skip
    geometry = SimpleNamespace(
        game="thegame", kind="hands", table="white", finish="matt", seed=(1, 0, 8, 4), name="0-white-hands"
    )
    frame = SimpleNamespace(yuv=lambda standard: to_yuv420(np.full((616, 820, 3), 90, np.uint8), standard))
    return SimpleNamespace(
        truth=truth, index=index, geometry=geometry, light="sun", name="0-white-hands-sun", now=frame, empty=frame
    )


def test_a_case_follows_from_the_index_of_the_picture():
    case = build_case(make_picture())
    assert case.owner.shape == (450, 600)
    assert case.owner[140, 230] == FIRST_CARD
    assert case.owner[140, 180] == case.owner[220, 230] == 0
    (card,) = case.cards
    assert card.zone_mm2 == pytest.approx(4959 * (240 - 200) / 57, rel=0.05)
    (tile,) = case.tiles
    assert tile.pitch_px == pytest.approx(38 * 820 / 720, rel=0.15)
    assert 0.5 < math.dist(tile.seen, tile.mm) < 6
    assert case.things == {HAND: "hand"}


class FakeReader:
    """Answers with what it was asked, and counts."""

    def __init__(self, answer=None):
        self.asked = []
        self.answer = answer or {"tags": [], "mat": {"found": True}, "unseen_mm": []}

    def read(self, game, picture, empty):
        assert picture.is_file()
        assert empty.is_file()
        self.asked.append(game)
        return self.answer


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "tree" / "vision").mkdir(parents=True)
    (tmp_path / "tree" / "vision" / "eyes.py").write_text("one\n")
    (tmp_path / "build").mkdir()
    return tmp_path / "tree"


def open_tree(checkout):
    return Tree(checkout, AnswerStore(checkout.parent / "build", checkout))


def examine(tree, reader, relit=True):
    picture = make_picture()
    job = Job(picture.geometry, "sun", "rec709", relit)
    desk = Desk({tree.path: reader}, tree.path.parent)
    examine_picture([tree], picture, build_case(picture), None, job, desk)
    return tree


def test_a_picture_is_read_and_relit(checkout):
    reader = FakeReader()
    tree = examine(open_tree(checkout), reader)
    assert reader.asked == ["thegame", "thegame"]
    assert {"hidden cards", "relit: invented", "misreads"} <= tree.score.rows.keys()
    assert (tree.answers, tree.fresh, tree.without_polygons) == (2, 2, 0)


def test_another_run_scores_the_kept_answers(checkout):
    first = examine(open_tree(checkout), FakeReader())
    reader = FakeReader()
    second = examine(open_tree(checkout), reader)
    assert reader.asked == []
    assert second.score.rows == first.score.rows
    assert (second.answers, second.fresh) == (2, 0)


def test_an_answer_of_another_state_of_the_tree_is_not_scored_and_not_kept(checkout):
    examine(open_tree(checkout), FakeReader())
    (checkout / "vision" / "eyes.py").write_text("two\n")
    reader = FakeReader()
    tree = examine(open_tree(checkout), reader)
    assert len(reader.asked) == 2
    assert [path for path in (checkout.parent / "build").iterdir()] == [tree.store.path]


def test_a_tree_that_is_edited_while_it_is_read_ends_the_run(checkout):
    tree = open_tree(checkout)
    (checkout / "vision" / "new.py").write_text("new\n")
    with pytest.raises(TreeChanged):
        examine(tree, FakeReader())
    assert not tree.store.path.exists()


def test_what_a_compiler_writes_changes_no_tree(checkout):
    before = key_reader(checkout)
    (checkout / "vision" / "__pycache__").mkdir()
    (checkout / "vision" / "__pycache__" / "eyes.pyc").write_text("made\n")
    assert key_reader(checkout) == before


def test_a_failure_of_the_command_is_told_and_tried_again(checkout):
    tree = examine(open_tree(checkout), FakeReader({"error": "1: broken"}), relit=False)
    assert tree.errors == ["0-white-hands-sun: 1: broken"]
    reader = FakeReader()
    examine(open_tree(checkout), reader, relit=False)
    assert reader.asked == ["thegame"]


def test_a_line_that_was_cut_off_is_read_again(checkout):
    path = examine(open_tree(checkout), FakeReader()).store.path
    path.write_text(path.read_text()[:-9])
    reader = FakeReader()
    examine(open_tree(checkout), reader)
    assert len(reader.asked) == 1
    assert len(path.read_text().splitlines()) == 2


def test_another_picture_another_empty_table_and_another_game_have_other_keys():
    dark, light = np.zeros((4, 4, 3), np.uint8), np.ones((4, 4, 3), np.uint8)
    keys = [key_picture(*what) for what in (("six", dark, dark), ("six", dark, light), ("six", light, dark))]
    assert len({*keys, key_picture("nimmt", dark, dark)}) == 4


def test_the_plan_is_unchanged_by_geometries_that_are_added():
    plan = list_tasks(list_geometries(), quick=False)
    assert sum(map(len, plan)) == 300
    closing = list_closing_geometries("0123456789ab")
    assert list_tasks([*list_geometries(), *closing], quick=False)[: len(plan)] == plan
    assert len(list_tasks(closing, quick=True)) == 16


def test_the_three_of_a_sequence_are_one_task_in_their_order():
    tasks = list_tasks(list_geometries(), quick=True)
    kinds = [[job.geometry.kind for job in task] for task in tasks if len(task) > 1]
    assert kinds == [["board", "board-hand", "board-after"]] * 10


def test_shards_have_every_task_once():
    tasks = list_tasks(list_geometries(), quick=True)
    parts = [cut_shard(tasks, f"{n}/3") for n in (1, 2, 3)]
    assert sorted(len(part) for part in parts) == [13, 13, 14]
    assert [task for task in tasks if sum(task in part for part in parts) == 1] == tasks
    with pytest.raises(ValueError, match="4/3"):
        cut_shard(tasks, "4/3")


def test_the_groups_have_a_line_for_each_row_and_kind(board, told):
    score = Score()
    score.add(board, score_picture(board, told))
    lines = format_groups(score)
    assert len([line for line in lines if line.startswith("SIX: boards exact")]) == 3
    assert any(line.startswith("by table") and line.endswith("white") for line in lines)
    assert any(line.startswith("SIX: boards exact") and line.endswith("100.00% of 1") for line in lines)


def test_the_page_names_the_commit_the_seeds_and_the_content(checkout):
    page = "\n".join(format_page(open_tree(checkout), ["20260", "abcdef"], ["a table"]))
    assert "- commit: no commit" in page
    assert "- seeds: 20260; abcdef" in page
    assert key_reader(checkout) in page
    assert "```text\na table\n```" in page
