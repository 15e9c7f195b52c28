"""Rebuilding the table line by line until it agrees with the record."""

import random

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.rebuild_guide import list_guide_lines
from engine.table import Layout
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box
from firmware.box.flows.playing import play_from, rebuild_from
from firmware.journal.operation_types import WriteEntries
from firmware.simulation.players import PLAYERS
from firmware.texts.render import render
from tests.support.nimmt import DEAL, begin, look
from tests.support.stack import run_box
from vision.live.perception_events import TableSeen


def rebuild(log):
    return Box(Context(), (rebuild_from(log),))


def lies(log, **zones):
    """The table of the record with these zones changed; an empty zone has no cards yet."""
    held = {**log.game.layout(log.state).zones, **{z.replace("_", ":"): pieces for z, pieces in zones.items()}}
    return log.game.place(log.state, Layout({zone: pieces for zone, pieces in held.items() if pieces}))


def test_one_line_at_a_time_is_asked_for_and_ticked_as_it_is_seen():
    log = begin(shown=(33, 25))
    said = []
    box = rebuild(log)
    for rows, seats in (((), {}), (((10,),), {}), (DEAL, {}), (DEAL, {1: 33}), (DEAL, {1: 33, 2: 25})):
        said.append(str(show_box(box).prompt))
        box, written = run_box(box, TableSeen(look(log, rows, seats), 1.0))
        assert not written
    assert said == [
        "guide_lay zone=row:1 pieces=10",
        "guide_lay zone=row:1 pieces=10",
        "guide_lay zone=row:2 pieces=20",
        "guide_lay zone=seat:1 pieces=33",
        "guide_lay zone=seat:2 pieces=25",
    ]
    assert show_box(box).prompt.id == "lay_behind"


def test_what_does_not_belong_is_taken_away_first():
    log = begin(shown=(33, 25))
    box, _ = run_box(rebuild(log), TableSeen(lies(log, row_2=("20", "77"), row_3=()), 0.0))
    assert [str(text) for text in show_box(box).lines] == [
        "guide_away zone=row:2 pieces=77",
        "guide_lay zone=row:3 pieces=30",
    ]


def test_a_table_that_already_agrees_asks_for_nothing():
    log = begin(shown=(33, 25))
    box, written = run_box(rebuild(log), TableSeen(lies(log), 0.0))
    assert (show_box(box).prompt.id, written) == ("lay_behind", [])


def test_a_hidden_zone_is_never_ticked():
    log = begin(shown=(33, 25))
    dark = look(log, DEAL, {1: 33, 2: 25}, hide=["row:3"])
    box, _ = run_box(rebuild(log), TableSeen(dark, 0.0))
    assert str(show_box(box).prompt) == "guide_lay zone=row:3 pieces=30"
    box, _ = run_box(box, parse_told("table:line-is-right", "button", 1.0))
    assert show_box(box).prompt.id == "lay_behind"


def test_without_a_camera_every_line_is_ticked_by_hand():
    log = begin(shown=(33, 25))
    box = rebuild(log)
    for n in range(6):
        assert show_box(box).prompt.id == "guide_lay"
        box, _ = run_box(box, parse_told(show_box(box).offers[0].move, "button", n))
    assert show_box(box).prompt.id == "lay_behind"


def test_a_person_can_confirm_the_whole_table():
    log = begin(shown=(33, 25))
    box, _ = run_box(rebuild(log), parse_told("table:all-is-right", "button", 0.0))
    assert show_box(box).prompt.id == "lay_behind"


@pytest.mark.parametrize("said", [("table:all-is-right",), ("table:line-is-right",) * 2], ids=["all", "the-last-line"])
def test_what_would_record_a_move_is_right_only_after_a_question(said):
    log = begin(shown=(33, 25))
    laid = look(log, ((10,), (20, 25), (30,), (40,)), {1: 33})
    box, written = run_box(rebuild(log), TableSeen(laid, 0.0), *(parse_told(words, "button", 1.0) for words in said))
    asked = show_box(box)
    assert (written, asked.prompt.id, [str(line) for line in asked.lines]) == (
        [],
        "guide_sure",
        ["did.nimmt.lay card=25 row=2"],
    )
    kept, _ = run_box(box, parse_told(asked.offers[0].move, "button", 2.0), TableSeen(laid, 3.0))
    assert show_box(kept).prompt.id in ("guide_away", "guide_lay")
    _, written = run_box(box, parse_told(asked.offers[1].move, "button", 2.0), TableSeen(laid, 3.0))
    assert written == [WriteEntries(("lay 25 2",), "seen")]


def test_everything_is_right_ends_the_rebuild_where_something_only_lies_wrong():
    log = begin(shown=(33, 25))
    wrong = lies(log, row_4=("95",))
    box, _ = run_box(rebuild(log), TableSeen(wrong, 0.0), parse_told("table:all-is-right", "button", 1.0))
    assert show_box(box).prompt.id == "lay_behind"


def test_nothing_half_rebuilt_is_taken_for_a_move():
    """Cards gone from an open draft would be picks."""
    log = Log(GAMES["nimmt"], {"players": 2, "variant": "professional"})
    log = log.add(log.parse("spread " + ",".join(map(str, range(1, 25)))), log.parse("pick 0 7"))
    held = log.game.layout(log.state).zones["spread"]
    some = log.game.place(log.state, Layout({"spread": held[:20]}))
    box, written = run_box(rebuild(log), TableSeen(some, 0.0), Ticked(9.0))
    assert (written, show_box(box).prompt.id) == ([], "guide_lay")
    box, written = run_box(box, TableSeen(log.game.place(log.state, Layout({"spread": held})), 10.0))
    assert (written, show_box(box).prompt.id) == ([], "pick_card")


def test_the_record_is_right_starts_with_what_lies_there_now():
    log = begin(shown=(33, 25))
    wrong = look(log, ((10, 25), (20,), (30,), (40,)), {1: 33})
    box, _ = run_box(
        Box(Context(), (play_from(log),)),
        TableSeen(wrong, 0.0),
        Ticked(2.0),
        parse_told("table:rebuild", "button", 3.0),
    )
    assert [str(line) for line in show_box(box).lines] == [
        "guide_away zone=row:1 pieces=25",
        "guide_lay zone=seat:2 pieces=25",
    ]
    assert find_read_request(box).game == "nimmt"
    box, written = run_box(box, TableSeen(lies(log), 4.0))
    assert (written, show_box(box).alert) == ([], None)


def middle(name, moves, **options):
    """A game in the middle, played by simulated players."""
    log = Log(GAMES[name], options)
    players = PLAYERS[name](log.options, random.Random(3))
    for _ in range(moves):
        log = log.add(players.next(log.state))
    return log


@pytest.mark.parametrize(
    ("name", "moves", "options"),
    [
        ("nimmt", 60, {"players": 10}),
        ("nimmt", 60, {"players": 4, "variant": "anniversary"}),
        ("nimmt", 20, {"players": 6, "variant": "professional"}),
        ("thegame", 40, {}),
        ("six", 30, {}),
        ("six", 60, {}),
    ],
    ids=["ten-players", "specials", "open-draft", "piles", "tiles-laid", "tiles-moved"],
)
def test_every_line_of_every_game_fits_and_the_whole_table_ticks_them(name, moves, options):
    log = middle(name, moves, **options)
    lines = list_guide_lines(log, None)
    texts = [render(line.next, names={n: "Maximilian" for n in range(11)}, strict=True) for line in lines]
    assert max(map(len, texts)) <= 42, texts
    assert not any(line.done for line in lines)
    assert all(line.done for line in list_guide_lines(log, lies(log)))
    box, written = run_box(rebuild(log), TableSeen(lies(log), 0.0))
    assert not written
    assert show_box(box).prompt == log.game.view(log.state).prompt


def test_a_board_that_was_put_down_elsewhere_is_the_same_board():
    log = middle("six", 50)
    x, y, angle, pitch = log.state.anchor
    elsewhere = Layout({**log.game.layout(log.state).zones, "anchor": (f"{x + 30},{y - 25},{angle},{pitch}",)})
    box, written = run_box(rebuild(log), TableSeen(log.game.place(log.state, elsewhere), 0.0))
    assert [write.entries[0].split()[0] for write in written if isinstance(write, WriteEntries)] == ["slide"]
    assert show_box(box).prompt == log.game.view(log.state).prompt


def test_only_the_top_of_a_pile_is_named():
    log = middle("thegame", 40)
    tops = {str(log.state.top(pile)) for pile in range(4)}
    assert {line.name for line in list_guide_lines(log, None)} <= {(top,) for top in tops}
