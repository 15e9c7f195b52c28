"""The page of the simulated table: who may open it, what it draws, and what the person's hands do to the table."""

import asyncio
import json
from threading import Event

import cv2
import httpx
import numpy as np
import pytest

from engine.games import GAMES
from engine.table import Area
from engine.view import View
from firmware.box.events import Pressed
from firmware.runtime.display_thread import ScreenFrame
from firmware.simulation.people.people import People
from firmware.simulation.scenarios import BY_NAME, SCENARIOS
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table.piece_places import InHand, InPile
from firmware.simulation.table_pace import TablePace
from firmware.web.camera_picture import Stills
from firmware.web.request_guard import SECURITY_HEADERS
from firmware.web.request_parsing import TOKEN_COOKIE
from firmware.web.routes import web_app
from firmware.web.table_handlers import MAX_WATCHERS, SimulatedTablePage
from firmware.web.table_link import YOU, SimulatedSeat, TableLink, map_to_picture
from hw.button_presses import Button, Press, PressKind
from hw.cameras.images import make_frame
from tests.support.page import DEAL, served
from vision.live.perception import Perception
from vision.render.projection import project_points

OWN = ("44", "71", "96")
READS = ("/table", "/table/picture.jpg", "/table/events", "/table/piece/nimmt/44.png")


class Place:
    """A table with people who wait; it keeps what the page asked of it."""

    scenario = None

    def __init__(self, table):
        self.table = table
        self.pace = TablePace()
        self.people = People(table)
        self.asked = []

    def begin_scenario(self, scenario):
        self.scenario = scenario
        self.asked.append(scenario.name)

    def cut_power(self):
        self.asked.append("power")


def make_seat(game="nimmt"):
    plan = GAMES[game].plan({"players": 3} if game == "nimmt" else {})
    table = PhysicalTable(game, Area(0, 0, plan.width, plan.height), seed=2)
    if game == "nimmt":
        table.take(OWN, 1)
        table.lay("10", 60, 60)
        table.lay("20", 122, 60)
    return SimulatedSeat(Place(table))


@pytest.fixture
def seat():
    return make_seat()


@pytest.fixture
def box(tmp_path, seat):
    stills = Stills(Perception(), wait=2.0)
    frame = make_frame(np.full((300, 400, 3), 90, np.uint8), 0.0)
    with served(tmp_path, DEAL, seat=seat, stills=stills) as here:
        here.look = lambda: stills.offer_frame(frame, None)
        with httpx.Client(base_url=here.url, headers=here.origin, timeout=10) as here.caller:
            yield here


def act(box, **what):
    return box.caller.post("/api/table", json=what)


def first_event(box):
    with box.caller.stream("GET", "/table/events?lang=de") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("data: "):
                return json.loads(line.removeprefix("data: "))
    raise AssertionError("no event came")


def from_elsewhere(box, seat, path, *, everywhere=False):
    """The status for a caller of another computer."""
    link = TableLink(seat, box.inbox, lambda: 0.0, "en")
    page = SimulatedTablePage(link, everywhere=everywhere)
    app = web_app(box.page.bridge, box.folder, Stills(Perception(), wait=0.0), page)

    async def ask():
        transport = httpx.ASGITransport(app, client=("192.168.1.7", 5000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as caller:
            if path == "/api/table":
                return await caller.post(path, json={"act": "knock"}, headers={"origin": "http://127.0.0.1:1"})
            return await caller.get(path)

    return asyncio.run(ask())


class TestWhoMayOpenIt:
    @pytest.mark.parametrize("path", [*READS, "/api/table"])
    def test_without_a_simulated_table_there_is_no_such_page(self, tmp_path, path):
        with served(tmp_path) as box, httpx.Client(base_url=box.url, headers=box.origin) as caller:
            answer = caller.post(path, json={"act": "knock"}) if path == "/api/table" else caller.get(path)
            assert answer.status_code == 404

    @pytest.mark.parametrize("path", [*READS, "/api/table"])
    def test_another_computer_is_refused(self, box, seat, path):
        before = seat.table.version
        answer = from_elsewhere(box, seat, path)
        assert answer.status_code == 403
        assert seat.table.version == before

    def test_another_computer_is_let_in_on_demand_and_is_not_paired(self, box, seat):
        answer = from_elsewhere(box, seat, "/table", everywhere=True)
        assert answer.status_code == 200
        assert TOKEN_COOKIE not in answer.cookies

    def test_the_browser_of_this_computer_is_paired(self, box):
        answer = box.caller.get("/table")
        assert answer.status_code == 200
        assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert box.page.bridge.phones.knows(answer.cookies[TOKEN_COOKIE])
        assert box.caller.get("/table").cookies.get(TOKEN_COOKIE) is None

    def test_another_page_cannot_make_the_browser_pair(self, box):
        assert TOKEN_COOKIE not in box.caller.get("/table", headers={"sec-fetch-site": "cross-site"}).cookies

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            pytest.param({"origin": "http://elsewhere.example"}, 403, id="from-another-page"),
            pytest.param(
                {"host": "elsewhere.example", "origin": "http://elsewhere.example"}, 421, id="by-another-name"
            ),
            pytest.param({"content-type": "text/plain"}, 415, id="not-as-json"),
        ],
    )
    def test_an_act_is_guarded_as_every_command_is(self, box, seat, headers, status):
        before = seat.table.version
        answer = box.caller.post("/api/table", content=b'{"act": "knock"}', headers=headers)
        assert answer.status_code == status
        assert seat.table.version == before


class TestHands:
    @pytest.mark.parametrize(
        ("what", "name", "place"),
        [
            pytest.param({"act": "lift", "name": "10"}, "10", InHand(1), id="lift"),
            pytest.param({"act": "keep", "names": ["10", "20"]}, "20", InHand(1), id="into-the-hand"),
            pytest.param({"act": "take", "names": ["10", "20"]}, "20", InPile(1), id="take-a-row"),
        ],
    )
    def test_a_piece_is_where_the_hand_took_it(self, box, seat, what, name, place):
        assert act(box, **what).json()["ok"]
        assert seat.table.piece(name).place == place

    def test_a_card_is_laid_pushed_and_turned(self, box, seat):
        assert act(box, act="put", name="44", x=200.0, y=150.5, angle=-3).json()["ok"]
        at = seat.table.piece("44").place
        assert (at.x, at.y, at.angle, at.face_down) == (200.0, 150.5, -3, False)
        act(box, act="put", name="44", x=230, y=150)
        act(box, act="turn", name="44")
        at = seat.table.piece("44").place
        assert (at.x, at.face_down) == (230, True)

    def test_a_card_is_slipped_under_all_that_it_touches_and_no_other(self, box, seat):
        seat.table.lay("71", 300, 300)
        act(box, act="put", name="44", x=90, y=60, under=True)
        order = [it.id for it in seat.table.lying()]
        assert order.index("44") < order.index("10") < order.index("71")

    def test_arm_mug_lamp_and_knock(self, box, seat):
        table, eye = seat.table, seat.table.empty_scene().camera
        for what in (
            {"act": "arm", "at": [200, 100]},
            {"act": "mug", "at": [100, 200]},
            {"act": "lamp", "light": "warm"},
        ):
            assert act(box, **what).json()["ok"]
        act(box, act="knock")
        assert (table.arms[YOU].hand, table.objects[YOU].kind, table.lamp) == ((200, 100), "mug", "warm")
        assert table.empty_scene().camera != eye
        act(box, act="arm")
        act(box, act="mug")
        assert not table.arms
        assert not table.objects

    @pytest.mark.parametrize("pace", ["pause", "slow", "real", "fast"])
    def test_time(self, box, seat, pace):
        assert act(box, act="pace", pace=pace).json()["ok"]
        assert first_event(box)["pace"] == pace
        assert seat.pace.paused == (pace == "pause")

    def test_mistakes_are_asked_for(self, box, seat):
        for often in ("many", "now", "none"):
            assert act(box, act="mistakes", often=often).json()["ok"]
        assert seat.place.people.mistakes == "none"

    @pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda it: it.name)
    def test_a_scenario_is_set_up_in_one_tap(self, box, seat, scenario):
        assert scenario.name in box.caller.get("/table").text
        assert act(box, act="scenario", name=scenario.name).json()["ok"]
        assert seat.place.asked == [scenario.name]
        told = first_event(box)
        assert told["scenario"] == scenario.name
        assert told["advice"]

    @pytest.mark.parametrize(("moves", "stands"), [((), True), (("lay 15 1",), False)], ids=["not-yet", "followed"])
    def test_the_advice_goes_once_it_was_followed(self, tmp_path, seat, moves, stands):
        seat.place.scenario = BY_NAME["wrong-row"]
        record = (DEAL, "reveal 1 15", "reveal 2 33", "reveal 3 41", *moves)
        with served(tmp_path, *record, seat=seat, stills=Stills(Perception())) as box:
            link = TableLink(seat, box.inbox, lambda: 0.0, "en")
            assert bool(link.message(box.page.bridge.hub.newest, "en").advice) == stands

    def test_the_power_is_cut(self, box, seat):
        assert act(box, act="power").json()["ok"]
        assert seat.place.asked == ["power"]

    def test_cards_are_drawn_from_the_top_of_the_deck(self, box, seat):
        top = seat.table.stock()[-2:]
        assert act(box, act="draw", count=2).json()["ok"]
        assert set(top) <= set(seat.table.hand(1))

    def test_a_person_sits_there_while_a_window_is_open(self, box, seat):
        mates = seat.place.people.mates
        with box.caller.stream("GET", "/table/events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == "event: table"
            assert mates.human == {1}
        while mates.human:
            Event().wait(0.005)
        assert mates.human == frozenset()

    def test_a_press_reaches_the_box(self, box):
        assert act(box, act="press", button="back", long=True).json()["ok"]
        while not isinstance(box.taken, Pressed):
            Event().wait(0.005)
        assert box.taken.press == Press(Button.BACK, PressKind.LONG)

    @pytest.mark.parametrize(
        "what",
        [
            pytest.param({"act": "put", "name": "144", "x": 1, "y": 1}, id="no-such-piece"),
            pytest.param({"act": "put", "name": "44", "x": 1900, "y": 1}, id="beyond-the-table"),
            pytest.param({"act": "turn", "name": "44"}, id="not-on-the-table"),
            pytest.param({"act": "scenario", "name": "chess"}, id="no-such-scenario"),
        ],
    )
    def test_what_hands_cannot_do_is_said_and_changes_nothing(self, box, seat, what):
        before = seat.table.version
        answer = act(box, **what)
        assert answer.status_code == 200
        assert answer.json()["says"] == "Hands cannot do this here"
        assert seat.table.version == before

    @pytest.mark.parametrize(
        "body",
        [
            b"{}",
            b'{"act": "fly"}',
            b'{"act": "put", "name": "44", "x": 1e9, "y": 0}',
            b'{"act": "put", "name": "44", "x": NaN, "y": 0}',
            b'{"act": "take", "names": []}',
            b'{"act": "lamp", "light": "disco"}',
            b'{"act": "knock", "harder": true}',
            b"\xff",
        ],
    )
    def test_malformed_acts_are_refused(self, box, seat, body):
        before = seat.table.version
        answer = box.caller.post("/api/table", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400
        assert answer.json()["error"]
        assert seat.table.version == before


class TestWhatItDraws:
    def test_the_table_the_hand_and_the_places(self, box):
        told = first_event(box)
        assert [piece["name"] for piece in told["pieces"]] == ["10", "20"]
        assert [piece["name"] for piece in told["hand"]] == list(OWN)
        assert {zone["zone"] for zone in told["zones"]} >= {"row:1", "seat:3"}
        assert "seat:4" not in {zone["zone"] for zone in told["zones"]}
        assert {"Reihe 1", "Karte von Ana"} <= {zone["label"] for zone in told["zones"]}

    def test_a_card_that_is_face_down_keeps_its_secret(self, box):
        act(box, act="turn", name="20")
        turned = first_event(box)["pieces"][1]
        assert (turned["picture"], turned["label"]) == ("back", "Verdeckte Karte")

    def test_an_event_comes_with_each_change(self, box):
        with box.caller.stream("GET", "/table/events") as answer:
            lines = (line for line in answer.iter_lines() if line.startswith("data: "))
            before = json.loads(next(lines).removeprefix("data: "))
            act(box, act="put", name="44", x=200, y=200)
            after = json.loads(next(lines).removeprefix("data: "))
        assert len(after["pieces"]) == len(before["pieces"]) + 1

    def test_millimetres_are_mapped_to_the_picture(self, seat):
        eye, area = seat.table.empty_scene().camera, seat.table.area
        matrix = np.array(map_to_picture(eye)).reshape(3, 3)
        for x, y in ((0, 0), (area.right, area.bottom), (area.right / 2, area.bottom / 2)):
            u, v, w = matrix @ [x, y, 1]
            true = project_points(eye, np.array([[x, y, 0.0]]))[0] / [eye.width, eye.height]
            assert np.abs(np.array([u / w, v / w]) - true).max() < 0.004

    def test_the_picture_is_the_next_frame(self, box):
        with box.frames():
            for seen in ("", "?seen"):
                answer = box.caller.get(f"/table/picture.jpg{seen}")
                assert answer.headers["content-type"] == "image/jpeg"
                assert cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR).shape == (300, 400, 3)

    def test_without_frames_there_is_no_picture(self, box):
        assert box.caller.get("/table/picture.jpg").status_code == 503

    def test_only_some_windows_watch(self, box):
        async def many():
            async with httpx.AsyncClient(base_url=box.url, timeout=10) as caller:
                return await asyncio.gather(*(caller.get("/table/picture.jpg") for _ in range(MAX_WATCHERS + 3)))

        busy = [answer for answer in asyncio.run(many()) if "retry-after" in answer.headers]
        assert len(busy) == 3
        assert {answer.status_code for answer in busy} == {503}

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            pytest.param("nimmt/44", 200, id="a-card"),
            pytest.param("nimmt/fifth.2", 200, id="a-special"),
            pytest.param("nimmt/back", 200, id="a-back"),
            pytest.param("six/red", 200, id="a-tile"),
            pytest.param("nimmt/105", 404, id="no-such-card"),
            pytest.param("chess/king", 404, id="no-such-game"),
            pytest.param("six/back", 404, id="a-tile-has-no-back"),
        ],
    )
    def test_pictures_of_pieces(self, box, path, status):
        answer = box.caller.get(f"/table/piece/{path}.png")
        assert answer.status_code == status
        if status == 200:
            assert cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_UNCHANGED).shape[2] == 4

    def test_the_small_screen_is_drawn_once_for_each_frame(self, seat, box):
        link = TableLink(seat, box.inbox, lambda: 0.0, "en")
        assert link.message(box.page.bridge.hub.newest, "en").screen == ""
        link.show_screen(ScreenFrame(View(box.companion.view.prompt), {}))
        drawn, key = link.message(box.page.bridge.hub.newest, "en").screen, link.state_key()
        assert drawn.startswith("data:image/png;base64,")
        link.show_screen(ScreenFrame(View(box.companion.view.prompt), {}))
        assert link.state_key() == key
        assert link.message(box.page.bridge.hub.newest, "en").screen is drawn
