"""The page in Chromium: every page shows the table, a paired phone plays."""

import random
import re
from itertools import pairwise, product

import pytest
from playwright.sync_api import expect

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from firmware.simulation.players import PLAYERS
from firmware.texts.languages import available_languages
from tests.support.browser import (
    AXE,
    SCHEMES,
    SIZES,
    chromium,
    list_axe_findings,
    needs_axe,
    needs_chromium,
    opened,
    paired,
    shown,
    thorough,
)
from tests.support.companion import companion
from tests.support.page import DEAL, served

pytestmark = needs_chromium
SHOW = ("reveal 1 15", "reveal 2 33", "reveal 3 41")
TURN = (DEAL, *SHOW, "lay 15 1", "lay 33 3")
NAMES = ("Nora", "Otto", "Pia", "Quin", "Rosa", "Sven")
PANELS = ("table", "moves", "setup", "camera", "more")
LIGHT = 150_000
SIM = ("--camera", "sim", "--page", "127.0.0.1:0", "--option", "players=6", "--seed", "401", "--mistakes", "many")
"""In this match a player soon lays a card wrongly."""
SOON = 60_000
NONSENSE = """fetch("/api/tell", {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({words: "lay 99 2"})})"""
WIDER = "document.documentElement.scrollWidth > innerWidth"
devices = pytest.mark.parametrize(("size", "scheme"), [(size, scheme) for size in SIZES for scheme in SCHEMES])


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def round_and_a_turn() -> list[str]:
    """A round that is over, and the first turn of the next."""
    log = Log(GAMES["nimmt"], {"players": 3})
    players = PLAYERS["nimmt"](log.options, random.Random(3))
    while log.state.round < 2 or log.state.phase != "choose" or not str(log.moves[-1]).startswith("lay"):
        log = log.add(players.next(log.state))
    return [str(move) for move in log.moves]


def swapped(moves: list[str]) -> tuple[int, list[str]]:
    """Two revealed cards belong to the other player, which changes the scores."""
    for at, (one, two) in enumerate(pairwise(moves)):
        if one.startswith("reveal") and two.startswith("reveal"):
            right = [f"{one.rsplit(' ', 1)[0]} {two.split()[2]}", f"{two.rsplit(' ', 1)[0]} {one.split()[2]}"]
            try:
                after = log_of([*moves[:at], *right, *moves[at + 2 :]])
            except Illegal:  # one of them said who was to take a row
                continue
            if rounds_of(after) != rounds_of(log_of(moves)):
                return at, right
    raise AssertionError("nothing to put right")


def rounds_of(log: Log) -> list[tuple[int, ...]]:
    return [pad.rounds for pad in log.game.view(log.state).pads]


def log_of(moves: list[str]) -> Log:
    log = Log(GAMES["nimmt"], {"players": 3})
    return log.add(*map(log.parse, moves))


def test_the_first_view_is_small_and_works_without_scripts(browser, tmp_path):
    with served(tmp_path, *TURN) as box:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        sizes = []
        page.on("response", lambda answer: sizes.append(len(answer.body())))
        page.goto(box.url)
        expect(page.locator("#prompt")).to_have_text(re.compile("Lay 41 behind 40, row 4"))
        assert page.locator(".row .card").count() == 6 + 1
        context.close()
        with opened(browser, box.url) as page:
            page.on("response", lambda answer: sizes.append(len(answer.body())) if "events" not in answer.url else None)
            page.reload()
            expect(page.locator("#prompt")).to_have_text(re.compile("Lay 41 behind 40, row 4"))
        assert sum(sizes) < LIGHT


def test_a_command_from_a_paired_phone_is_seen_on_every_page(browser, tmp_path):
    with served(tmp_path, *TURN) as box, opened(browser, box.url) as stranger, opened(browser, box.url) as phone:
        expect(stranger.locator("[data-words]:visible")).to_have_count(0)
        paired(phone, box.code())
        turned(phone, "table")
        phone.get_by_role("button", name="41 is laid").click()
        for page in (phone, stranger):
            expect(page.locator(".row").nth(3).locator(".card b")).to_have_text(["40", "41"])


@thorough
class TestTheBox:
    def test_an_evening_on_a_phone(self, browser, tmp_path):
        """Paired with the code on the small screen, a game for six, a turn, a mistake, a correction, the scores."""
        with companion(tmp_path, *SIM) as box, opened(browser, box.url) as phone:
            box.press("B")
            box.choose("phone:pair")
            paired(phone, box.code())
            turned(phone, "setup")
            phone.get_by_role("radio", name="Base game").check()
            phone.get_by_label("How many players?").fill("6")
            for player, name in enumerate(NAMES, 1):
                phone.get_by_label(f"Names and seats {player}", exact=True).fill(name)
            shown(phone, "evening-1-set-up")
            phone.get_by_role("button", name="Start").click()
            expect(phone.locator(".pads .who")).to_have_text(NAMES, timeout=SOON)

            expect(phone.locator(".row .card").nth(3)).to_be_visible(timeout=SOON)
            expect(phone.locator(".seats .back").first).to_be_visible(timeout=SOON)
            shown(phone, "evening-2-turn")
            wrong = phone.locator(".card.wrong")
            expect(wrong.first).to_be_visible(timeout=SOON)
            expect(phone.locator("#alert .ruling")).to_have_attribute("href", re.compile(r"/rules#N-\d+"))
            shown(phone, "evening-3-wrong")
            expect(wrong).to_have_count(0, timeout=SOON)
            expect(phone.locator("#alert")).to_be_empty(timeout=SOON)
            expect(phone.locator(".row .card:not(.due)").nth(4)).to_be_visible(timeout=SOON)

            turned(phone, "moves")
            told = phone.evaluate("fetch('/api/history').then((a) => a.json())")["moves"]
            reveals = [move for move in told if move["words"].startswith("reveal")]
            first, second = next(two for two in pairwise(reveals) if two[1]["number"] == two[0]["number"] + 1)
            (_, one, card), (_, two, other) = first["words"].split(), second["words"].split()
            words = f"amend {first['number']} {first['number'] + 2} ; reveal {one} {other} ; reveal {two} {card}"
            phone.get_by_label("Enter a move").fill(words)
            phone.locator("#tell button").click()
            expect(phone.locator("#done .what", has_text=f"{NAMES[int(one) - 1]}: {other}")).to_be_visible()
            shown(phone, "evening-4-amended")

            turned(phone, "more")
            with phone.expect_download() as taken:
                phone.get_by_role("link", name="CSV").click()
            lines = taken.value.path().read_text(encoding="utf-8").splitlines()
            assert all(any(name in line for line in lines) for name in NAMES)
            shown(phone, "evening-5-more")

    def test_the_camera_is_set_up_from_a_phone(self, browser, tmp_path):
        """No picture while a round runs; then the table and the quality of the camera position."""
        with companion(tmp_path, *SIM) as box, opened(browser, box.url) as phone:
            box.press("B")
            box.choose("phone:pair")
            paired(phone, box.code())
            box.press("b")
            turned(phone, "camera")
            expect(phone.locator("#unseen")).to_have_text("No picture during a round")
            turned(phone, "table")
            for words in ("menu", "game:new", "yes game:new"):
                phone.locator(f"[data-words='{words}']").click()
            turned(phone, "camera")
            expect(phone.locator("#still")).to_be_visible(timeout=SOON)
            phone.locator("#camera [data-words='camera:set-up']").click()
            expect(phone.locator("meter")).to_be_visible(timeout=SOON)
            assert phone.evaluate("document.querySelector('#still').naturalWidth") > SIZES["phone"][0]
            shown(phone, "camera-aimed")

    def test_a_correction_in_an_old_round_changes_the_scores(self, browser, tmp_path):
        moves = round_and_a_turn()
        at, right = swapped(moves)
        with served(tmp_path, *moves) as box, opened(browser, box.url, "tablet") as page:
            rounds = page.locator(".rounds tbody td")
            before = rounds.all_text_contents()
            assert len(before) == 3
            paired(page, box.code())
            turned(page, "moves")
            page.get_by_label("Enter a move").fill(f"amend {at} {at + 2} ; {' ; '.join(right)}")
            page.locator("#tell button").click()
            turned(page, "table")
            expect(rounds).not_to_have_text(before)
            shown(page, "old-round")

    @devices
    def test_every_part_fits_every_screen(self, browser, tmp_path, size, scheme):
        moves = round_and_a_turn()
        with served(tmp_path, *moves) as box, opened(browser, box.url, size, scheme) as page:
            paired(page, box.code())
            for panel in PANELS:
                turned(page, panel)
                expect(page.locator(f"#{panel}")).to_be_visible()
                if panel == "setup":
                    expect(page.locator(".kinds label")).to_have_count(6)
                if panel == "moves":
                    expect(page.locator("#done li")).to_have_count(len(moves))
                assert page.evaluate(WIDER) is False
                shown(page, f"{size}-{scheme}-{panel}")

    @needs_axe
    @devices
    def test_the_page_is_accessible(self, browser, tmp_path, size, scheme):
        """No serious finding of axe-core on any part of the page, also during an alert."""
        with served(tmp_path, *TURN) as box, opened(browser, box.url, size, scheme) as page:
            found = list_axe_findings(page, "stranger")
            paired(page, box.code())
            page.evaluate(NONSENSE)
            expect(page.locator("#alert p")).to_be_visible()
            for panel in PANELS:
                turned(page, panel)
                found += list_axe_findings(page, panel)
            for path in ("/rules", "/export/games/1/sheet"):
                page.goto(box.url + path)
                found += list_axe_findings(page, path)
        assert found == []

    @pytest.mark.parametrize(("game", "place"), [("thegame", ".piles .card"), ("six", ".board .tile")])
    def test_other_games_are_drawn(self, browser, tmp_path, game, place):
        with companion(tmp_path, *SIM[:4], "--game", game, "--seed", "240", "--speed", "3") as box:
            for size, scheme in product(SIZES, SCHEMES):
                with opened(browser, box.url, size, scheme) as page:
                    expect(page.locator(place).nth(3)).to_be_visible(timeout=SOON)
                    assert page.evaluate(WIDER) is False
                    shown(page, f"{size}-{scheme}-{game}")
                    assert not AXE.exists() or list_axe_findings(page, game) == []

    @pytest.mark.parametrize("language", available_languages())
    def test_every_language_fits_a_small_phone(self, browser, tmp_path, language):
        with served(tmp_path, *TURN) as box, opened(browser, f"{box.url}/?lang={language}") as page:
            paired(page, box.code())
            expect(page.locator("html")).to_have_attribute("lang", language)
            for panel in PANELS:
                turned(page, panel)
                if panel == "setup":
                    expect(page.locator(".kinds label")).to_have_count(6)
                assert page.evaluate(WIDER) is False
                shown(page, f"phone-{language}-{panel}")

    def test_moves_are_corrected_and_taken_back_with_a_tap(self, browser, tmp_path):
        with served(tmp_path, *TURN) as box, opened(browser, box.url) as page:
            paired(page, box.code())
            turned(page, "moves")
            last = page.locator("#done details").first
            last.locator("summary").click()
            last.get_by_label("Correct this move").fill("lay 33 2")
            last.get_by_role("button", name="Correct").click()
            expect(page.locator("#says")).to_contain_text("33 belongs in row 3")
            assert box.entries() == TURN
            last.get_by_role("button", name="Rewind to here").click()
            expect(page.locator("#done li")).to_have_count(len(TURN) - 1)
            assert tuple(map(str, box.companion.log.moves)) == TURN[:-1]

    def test_a_game_that_cannot_start_says_why(self, browser, tmp_path):
        with served(tmp_path, *TURN) as box, opened(browser, box.url, "tablet") as page:
            paired(page, box.code())
            turned(page, "setup")
            expect(page.locator("#aside")).to_be_visible()
            for player in (1, 2):
                page.get_by_label(f"Seats {player}", exact=True).select_option("1")
            page.get_by_role("button", name="Start").click()
            expect(page.locator("#says")).to_contain_text("different seats")

    def test_a_lost_connection_is_reported_and_restored(self, browser, tmp_path):
        with served(tmp_path, *TURN) as box, opened(browser, box.url) as page:
            expect(page.locator("#lost")).to_be_empty()
            page.context.set_offline(True)
            page.evaluate("fetch('/api/state').catch(() => 0)")
            box.page.stop()
            expect(page.locator("#lost")).to_contain_text("Connection lost", timeout=SOON)

    def test_a_game_is_played_with_the_keyboard_alone(self, browser, tmp_path):
        with served(tmp_path, *TURN) as box, opened(browser, box.url) as page:
            paired(page, box.code())
            page.locator("nav a[href='#table']").focus()
            page.keyboard.press("Enter")
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.dataset.words") == "lay 41 4":
                    break
            page.keyboard.press("Enter")
            expect(page.locator(".row").nth(3).locator(".card b")).to_have_text(["40", "41"])
            expect(page.locator("#prompt")).to_be_focused()


def turned(page, panel: str) -> None:
    """Open this part of the page."""
    page.locator(f"nav a[href='#{panel}']").click()
