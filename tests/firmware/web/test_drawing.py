"""Whole matches as HTML: well-formed at every move, with every card and its heads."""

import random
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.box.alert_delays import HINT_DELAY_S
from firmware.box.events import parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.box.table_state import PilesState, RowsState, TilesState
from firmware.simulation.players import PLAYERS
from firmware.web import page_html
from firmware.web.api_state import ApiState, WrongState, api_state
from firmware.web.page_snapshot import take_snapshot
from firmware.web.tile_board import middle
from tests.support.nimmt import DEAL, begin, look
from vision.live.perception_events import FaultChanged, TableSeen

MOST = 400
MATCHES = {
    "nimmt": ("nimmt", {"players": 4, "end": "rounds", "rounds": 2}),
    "open draft": ("nimmt", {"players": 3, "variant": "professional", "end": "rounds", "rounds": 1}),
    "anniversary": ("nimmt", {"players": 3, "variant": "anniversary"}),
    "The Game": ("thegame", {}),
    "SIX": ("six", {}),
}


def told(log, paired=True) -> ApiState:
    known = Context(names={1: "<i>Ana & Ben"})
    box = Box(known, (Home(), play_from(log)))
    return api_state(take_snapshot(box, show_box(box), ""), "en", paired)


def drawn(now: ApiState) -> ElementTree.Element:
    return ElementTree.fromstring(f"<page>{page_html.live_parts(now)}</page>")


def texts(page, path):
    return ["".join(found.itertext()) for found in page.findall(path)]


@pytest.mark.parametrize("match", MATCHES)
def test_every_moment_of_a_match_is_drawn(match):
    game, options = MATCHES[match]
    log = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, random.Random(4))
    for number in range(MOST):
        now = told(log, paired=bool(number % 2))
        page = drawn(now)
        assert [div.get("id") for div in page] == ["now", "lying", "scores"]
        if number % 20 == 0:
            shows_all(page, now)
        if (move := players.next(log.state)) is None:
            break
        log = log.add(move)
    shows_all(drawn(told(log)), told(log))


def shows_all(page, now: ApiState) -> None:
    match now.table:
        case RowsState() as rows:
            lies = [[card.piece for card in row.cards] for row in rows.rows]
            shown = [
                [card.get("data-key") for card in row.findall("ul/li[b]") if "due" not in card.get("class")]
                for row in page.findall(".//ol[@class='rows']/li")
            ]
            assert shown == lies
            heads = texts(page, ".//p[@class='sum']")
            assert [int(sum.split()[0]) for sum in heads] == [row.heads for row in rows.rows]
        case PilesState() as piles:
            assert texts(page, ".//div[@class='card pile']/b") == [pile.top for pile in piles.piles]
        case TilesState() as tiles:
            assert len(page.findall(".//svg[@class='board']/polygon")) == len(tiles.tiles)


@pytest.mark.parametrize(
    ("game", "wrong", "path"),
    [
        ("nimmt", WrongState("37", "row:2"), ".//ol/li[2]/ul/li[@class='card wrong']"),
        ("thegame", WrongState("37", "up:2"), ".//ul/li[2]/i[@class='card wrong']"),
        ("six", WrongState("red", "cell:-3,12"), ".//polygon[@class='tile wrong red']"),
    ],
)
def test_a_misplaced_piece_is_drawn_in_its_zone(game, wrong, path):
    now = replace_wrong(told(Log(GAMES[game], {})), wrong)
    assert len(drawn(now).findall(path)) == 1


def test_a_misplaced_piece_outside_the_drawing_is_left_to_the_alert():
    now = replace_wrong(told(Log(GAMES["six"], {})), WrongState("red", "loose"))
    assert drawn(now).findall(".//polygon[@class='tile wrong red']") == []


@pytest.mark.parametrize(
    ("at", "marked"),
    [
        pytest.param(10.0 + HINT_DELAY_S / 2, [], id="not-while-it-may-be-on-its-way"),
        pytest.param(10.0 + HINT_DELAY_S, [("25", "seat:2")], id="when-it-is-named"),
    ],
)
def test_no_card_is_marked_as_misplaced_before_the_box_reports_it(at, marked):
    log = begin(shown=(33, 25))
    table = look(log, DEAL, {1: 33, 2: 25})
    box = Box(Context(), (Home(), play_from(log)))
    for item in (
        FaultChanged("power", say("power_weak"), 1.0),
        TableSeen(table, 2.0),
        parse_told("lay 25 2", "button", 10.0),
        TableSeen(table, at),
    ):
        box, _ = step_box(box, item)
    assert list(take_snapshot(box, show_box(box), "").wrong) == marked


def replace_wrong(now: ApiState, wrong: WrongState) -> ApiState:
    return replace_fields(now, wrong=[wrong])


def replace_fields(value, **fields):
    return type(value)(**{name: getattr(value, name) for name in value.__struct_fields__} | fields)


@pytest.mark.parametrize(("first", "colours"), [("red", ["red", "black"]), ("black", ["black", "red"])])
def test_players_of_six_have_the_colour_of_their_tiles(first, colours):
    now = told(Log(GAMES["six"], {"first": first}))
    assert [person.colour for person in now.people] == [pad.colour for pad in now.pads] == colours


@pytest.mark.parametrize(("game", "piles"), [("nimmt", 1), ("thegame", 0), ("six", 0)])
def test_only_a_bull_pile_is_counted_beside_the_points(game, piles):
    now = told(Log(GAMES[game], {}))
    pads = [replace_fields(now.pads[0], cards=21)]
    assert len(drawn(replace_fields(now, pads=pads)).findall(".//small[@class='pile']")) == piles


def test_players_of_a_team_game_have_names_of_their_own():
    now = told(Log(GAMES["thegame"], {"players": 3}))
    assert texts(drawn(now), ".//ul[@class='seats']//span") == ["<i>Ana & Ben", "Player 2", "Player 3"]


def test_an_unpaired_phone_gets_no_buttons():
    log = Log(GAMES["thegame"], {})
    assert drawn(told(log, paired=True)).findall(".//button")
    assert drawn(told(log, paired=False)).findall(".//button") == []


def test_an_alert_leads_to_its_rule():
    log = Log(GAMES["nimmt"], {"players": 2})
    box = Box(Context(), (Home(), play_from(log)))
    shown = replace(show_box(box), alert=say("row_full", row=1), ruling="N-10")
    page = drawn(api_state(take_snapshot(box, shown, ""), "en", False))
    assert page.find(".//div[@id='alert']//a").get("href") == "/rules#N-10"


@pytest.mark.parametrize(("cell", "neighbour"), [((0, 0), (1, 0)), ((2, -1), (2, 0)), ((3, 3), (4, 2))])
def test_neighbours_share_a_side(cell, neighbour):
    (x, y), (right, down) = middle(*cell), middle(*neighbour)
    assert ((right - x) ** 2 + (down - y) ** 2) ** 0.5 == pytest.approx(10 * 3**0.5)
