"""The page over HTTP: the state, commands that take back and correct moves, pairing, downloads and languages."""

import json
import re
import socket
from contextlib import closing

import httpx
import pytest
from click.testing import CliRunner

from firmware.box.flows.pair_phone import PhonePairing
from firmware.cli import main
from firmware.machine.network_addresses import BadAddress, PageAddress, parse_page_address
from firmware.runtime.clock import ScaledClock
from firmware.runtime.inbox import Inbox
from firmware.texts.languages import choose_language
from firmware.texts.render import render
from firmware.web.page_wiring import PageAddressTaken, WebPage
from firmware.web.pairing_socket import SOCKET
from firmware.web.request_parsing import TOKEN_COOKIE
from firmware.web.routes import POST_PATHS, routes
from tests.support.page import DEAL, NAMES, served

SHOW = ("reveal 1 15", "reveal 2 33", "reveal 3 41")
TURN = (DEAL, *SHOW, "lay 15 1", "lay 33 3", "lay 41 4")
LIGHT = 150_000


@pytest.fixture
def box(tmp_path):
    with served(tmp_path, *TURN) as here:
        yield here


def state(phone):
    return phone.get("/api/state").json()


def tell(phone, words):
    return phone.post("/api/tell", json={"words": words}).json()


class TestTheTable:
    def test_rows_are_shown_with_their_heads_and_piles_with_their_sum_alone(self, tmp_path):
        taken = ("reveal 1 4", "reveal 2 44", "reveal 3 45", "take 1", "tidy row:1", "lay 4 1")
        with served(tmp_path, *TURN, *taken) as here, here.phone() as phone:
            now = state(phone)
            assert [card["piece"] for card in now["table"]["rows"][0]["cards"]] == ["4"]
            assert now["table"]["piles"] == []
            assert (now["pads"][0]["cards"], now["pads"][0]["now"]) == (2, 5)
            assert now["table"]["due"] == {"player": 2, "card": "44", "rows": [4], "take": False}

    def test_a_listener_gets_every_move(self, box):
        with httpx.stream("GET", f"{box.url}/api/events", verify=False) as stream, box.phone() as phone:
            lines = (line for line in stream.iter_lines() if line.startswith("data: "))
            before = json.loads(next(lines)[6:])
            assert tell(phone, "amend 4 7")["ok"]
            after = next(now for line in lines if (now := json.loads(line[6:]))["moves"] == 4)
            assert after["version"] > before["version"]
            assert before["moves"] == 7
            assert not after["paired"]

    def test_a_name_is_never_taken_for_html(self, box):
        page = httpx.get(box.url, verify=False).text
        assert NAMES[3] not in page
        assert "&lt;b&gt;Clea" in page

    @pytest.mark.parametrize(
        ("name", "paths", "told"),
        [
            ("\"><b x='", ("/", "/export/games/1/sheet"), "&#34;&gt;&lt;b x=&#39;"),
            ("</p><svg>", ("/", "/export/games/1/sheet"), "&lt;/p&gt;&lt;svg&gt;"),
            ("=1+1", ("/export/games.csv",), ",'=1+1,"),
            ("@SUM(A1)", ("/export/games.csv",), ",'@SUM(A1),"),
            ("a\r\nb\u202ec\x1b", ("/export/games.csv",), ",a b c,"),
        ],
        ids=[
            "out of an attribute",
            "out of an element",
            "a formula",
            "a function",
            "lines and what turns letters round",
        ],
    )
    def test_a_hostile_name_is_escaped_everywhere(self, box, name, paths, told):
        with box.phone() as phone:
            assert tell(phone, "people:rename 1")["ok"]
            assert tell(phone, f"name:set {name}")["ok"]
            for path in paths:
                text = phone.get(path).text
                assert told in text
                assert not {f",{name}", f">{name}", f'"{name}'} & {
                    text[at - 1 : at + len(name)] for at in range(len(text))
                }


class TestTelling:
    def test_the_last_moves_are_taken_back(self, box):
        with box.phone() as phone:
            moves = phone.get("/api/history").json()["moves"]
            assert [move["words"] for move in moves] == list(TURN)
            assert (moves[-1]["text"], moves[-1]["told"]) == ("41 to row 4", "seen")
            assert tell(phone, moves[-1]["back"]) == {"ok": True, "says": "", "version": state(phone)["version"]}
            assert state(phone)["moves"] == len(TURN) - 1

    def test_an_old_move_is_corrected_and_later_moves_are_judged_again(self, box):
        with box.phone() as phone:
            second = phone.get("/api/history").json()["moves"][2]
            assert tell(phone, f"{second['instead']} reveal 2 34")["ok"] is False  # for 33 was laid
            assert box.entries() == TURN
            assert tell(phone, "amend 2 6 ; reveal 2 34 ; reveal 3 41 ; lay 15 1 ; lay 34 3")["ok"]
            after = phone.get("/api/history").json()["moves"]
            assert [move["told"] for move in after] == ["seen", "seen", "web", "web", "web", "web", "seen"]

    def test_a_refusal_comes_in_the_language_of_the_phone(self, box):
        with box.phone() as phone:
            answer = phone.post("/api/tell?lang=en", json={"words": "lay 99 2"}).json()
            assert answer["ok"] is False
            assert answer["says"] == state(phone)["alert"]["text"]
            assert tell(phone, "nonsense")["ok"] is False
            assert tell(phone, "nonsense")["ok"] is False

    def test_a_refusal_belongs_to_its_own_command(self, box):
        with box.phone() as phone:
            assert tell(phone, "menu")["ok"]
            assert not tell(phone, "lay 99 2")["ok"]  # the menu is still shown
            assert tell(phone, "back")["ok"]
            assert not tell(phone, "vote:agree overrule 1")["ok"]
            assert "menu" in tell(phone, "vote:agree overrule 1")["says"]

    def test_a_phone_answers_a_question_with_the_words_of_an_offer(self, box):
        with box.phone() as phone:
            assert tell(phone, "menu")["ok"]
            assert "game:pause" in [offer["words"] for offer in state(phone)["offers"]]
            assert tell(phone, "back")["ok"]

    def test_a_game_for_six_is_set_up_with_their_names(self, box):
        with box.phone() as phone:
            kinds = {kind["name"]: kind for kind in phone.get("/api/games").json()["games"]}
            words = kinds["nimmt"]["variants"][0]["words"]
            told = ["game:new", "yes game:new", "back", f"{words} players=6 seats=off target=33"]
            told += [
                f"{verb} {what}"
                for n, who in enumerate("ABCDEF", 1)
                for verb, what in (("people:rename", n), ("name:set", who))
            ]
            assert [words for words in told if not tell(phone, words)["ok"]] == []
            assert [pad["name"] for pad in state(phone)["pads"]] == list("ABCDEF")

    def test_the_phrases_of_version_0_1_0_are_still_understood(self, box):
        told = ["new game", "other game", "back", "begin nimmt players=3 seats=off", "rename 2", "name Eva"]
        with box.phone() as phone:
            assert [words for words in told if not tell(phone, words)["ok"]] == []
            assert [pad["name"] for pad in state(phone)["pads"]][1] == "Eva"
            assert not tell(phone, "given up")["ok"]

    def test_names_of_earlier_matches_are_shown_to_paired_phones_alone(self, box):
        with box.phone() as phone:
            assert phone.get("/api/games").json()["people"] == ["Dora"]
        assert httpx.get(f"{box.url}/api/games", verify=False).json()["people"] == []


class TestPairing:
    def test_the_pairing_code_is_never_on_the_page(self, box):
        with box.phone() as phone:
            tell(phone, "phone:pair")
            code = box.page.bridge.page.code
            shown = render(box.companion.view.prompt)
            assert f"{code[:3]} {code[3:]}" in shown
            told = [phone.get(route.path).text for route in routes(box.page.bridge, box.folder) if _plain(route.path)]
            assert not [text for text in told if code in text or f"{code[:3]} {code[3:]}" in text]
            assert "screen of the box" in state(phone)["prompt"]

    def test_the_box_confirms_a_paired_phone_and_offers_a_new_code(self, box):
        with box.phone() as phone:
            tell(phone, "phone:pair")
            code = box.page.bridge.page.code
            with httpx.Client(base_url=box.url, headers=box.origin, verify=False) as other:
                assert other.post("/api/pair", json={"code": f"{code[:3]} {code[3:]}"}).json()["paired"]
                cookie = other.post("/api/pair", json={"code": code})
                assert cookie.status_code == 403
            tell(phone, "phone:new-code")
            assert isinstance(box.companion.box.flows[-1], PhonePairing)
            assert box.page.bridge.page.code not in ("", code)
            tell(phone, "back")
            assert box.page.bridge.page.code == ""

    def test_the_token_is_kept_from_scripts_and_other_pages(self, box):
        answer = httpx.post(f"{box.url}/api/pair", json={"code": box.code()}, headers=box.origin, verify=False)
        said = answer.headers["set-cookie"].lower()
        assert all(word in said for word in ("httponly", "samesite=strict", "path=/"))
        assert TOKEN_COOKIE in said

    def test_after_five_wrong_codes_the_right_one_does_not_help(self, box):
        code = box.code()
        wrong = [f"{(int(code) + n) % 10**6:06}" for n in range(1, 6)]
        told = [
            httpx.post(f"{box.url}/api/pair", json={"code": word}, headers=box.origin, verify=False).status_code
            for word in (*wrong, code)
        ]
        assert told == [403] * 4 + [429] * 2

    def test_the_pair_command_prints_the_code(self, box):
        said = CliRunner().invoke(main, ["pair", "--state", str(box.folder)])
        code = box.page.bridge.page.code
        assert said.output.splitlines()[0] == box.url
        assert f"{code[:3]} {code[3:]}" in said.output
        assert (box.folder / SOCKET).stat().st_mode & 0o777 == 0o600

    def test_the_pair_command_reports_that_no_box_runs(self, tmp_path):
        said = CliRunner().invoke(main, ["pair", "--state", str(tmp_path / "empty")])
        assert said.exit_code == 1
        assert "No running box with a page" in said.output


class TestTakingAway:
    def test_scores_and_logs_are_exported(self, box):
        def get(path):
            return httpx.get(box.url + path, verify=False)

        assert get("/export/games.json").json()[0]["players"][0]["who"] == "Ana"
        assert len(get("/export/games.csv").text.splitlines()) == 4
        assert get("/export/games/1/log.txt").json() == {"error": "The log is ready when this round is over"}
        box.press("game:give-up", "yes game:give-up")
        assert "lay 15 1" in get("/export/games/1/log.txt").text
        assert "&lt;b&gt;Clea" in get("/export/games/1/sheet").text
        assert get("/export/games/7/sheet").status_code == 404
        assert get("/api/history?game=1").json()["moves"][0]["words"] == DEAL
        assert get("/print/stickers.pdf?game=chess").status_code == 400
        assert get("/print/nothing.pdf").status_code == 400

    def test_every_ruling_has_an_anchor_on_the_rules_page(self, box):
        page = httpx.get(f"{box.url}/rules", verify=False).text
        assert {"N-10", "A-95", "S-23"} <= set(re.findall(r'<p id="([A-Z]-[0-9]+)">', page))
        assert '<a href="#A-21">A-21</a>' in page


class TestLanguages:
    @pytest.mark.parametrize(
        ("asked", "before", "accepts", "got"),
        [
            ("", "", "", "en"),
            ("en", "xx", "yy", "en"),
            ("xx", "en-GB", "", "en"),
            ("", "", "xx;q=1, en-US;q=0.5", "en"),
            ("", "", "en;q=abc,,;;=", "en"),
            ("../en", "", "*" * 10000, "en"),
        ],
    )
    def test_the_language_is_the_one_asked_for_then_the_one_before_then_the_browsers(self, asked, before, accepts, got):
        assert choose_language(asked, before, accepts) == got

    def test_the_first_page_is_small(self, box):
        page = httpx.get(box.url, verify=False)
        linked = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
        sizes = [len(httpx.get(box.url + link, verify=False).content) for link in linked]
        assert linked
        assert len(page.content) + sum(sizes) < LIGHT


class TestServing:
    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("none", None),
            ("lan", PageAddress("0.0.0.0")),
            ("8480", PageAddress()),
            ("9000", PageAddress("127.0.0.1", 9000, exact=True)),
            ("192.168.1.5:80", PageAddress("192.168.1.5", 80, exact=True)),
            ("[::1]:80", PageAddress("::1", 80, exact=True)),
        ],
    )
    def test_where(self, text, place):
        assert parse_page_address(text) == place

    @pytest.mark.parametrize("text", ["", "page", ":80", "1:2:3:x", "70000", "-1"])
    def test_nowhere(self, text):
        with pytest.raises(BadAddress):
            parse_page_address(text)

    def test_an_exact_port_in_use_is_an_error_and_the_default_one_is_replaced(self, tmp_path, box):
        with closing(socket.create_server(("127.0.0.1", 0))) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(PageAddressTaken, match=str(port)) as none:
                WebPage(PageAddress(port=port, exact=True), tmp_path, box.companion.box, Inbox(), ScaledClock())
            assert render(none.value.text) == f"No page: 127.0.0.1:{port} is in use"
            other = WebPage(PageAddress(port=port), tmp_path, box.companion.box, Inbox(), ScaledClock())
            assert other.address != f"127.0.0.1:{port}"
            other.stop()
            other.run()

    def test_the_page_stops_while_streams_are_open(self, tmp_path):
        with served(tmp_path, DEAL) as here, httpx.stream("GET", f"{here.url}/api/events", verify=False) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: state"
            here.page.stop()
            assert list(lines)[-1] == ""


def _plain(path):
    return path not in POST_PATHS and "{" not in path and path != "/api/events"
