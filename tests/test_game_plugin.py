"""A game from outside the packages, from set-up to rematch, with the real perception, box, journal, page and printer.

The headings of ``docs/adding-a-game.md`` name the members of such a game; the last test compares them with the code.
"""

import csv
import io
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import cv2
import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from engine.games import GAMES
from engine.log import Log
from engine.log_text import read_log, write_log
from engine.referee import Follows, Refused, judge
from engine.table import Piece, Table
from engine.text import say
from firmware.app.game_plugin import GamePlugin, register_game, unregister_game
from firmware.app.restore import restore_session
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.deck_check import DeckCheck, list_decks
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing
from firmware.box.flows.rebuild_table import TableRebuild
from firmware.box.games import GAME_UIS, PlainUi, ui_of
from firmware.box.games.game_ui import GameUi
from firmware.box.table_state import ZonesState, ZoneState
from firmware.journal.journal import open_journal
from firmware.journal.log_from_rows import DamagedRows
from firmware.printing.games import PRINTED_GAMES
from firmware.recording.reader import Recorded
from firmware.recording.replay import replay
from firmware.runtime.companion import Companion
from firmware.runtime.screen_text import render_screen
from firmware.simulation.players import DECLARED_MOVES, PLAYERS
from firmware.simulation.players.piece_handling import HABITS
from firmware.simulation.table import SimTable
from firmware.texts.catalogues import add_catalogues, remove_catalogues
from firmware.texts.render import render
from firmware.web.mqtt import home_state
from firmware.web.page_snapshot import take_snapshot
from firmware.web.setup_form import list_game_kinds
from hw.panel.screen import draw_screen, list_cut_texts
from tests.matches.match import Match
from tests.matches.plan import MatchCase, Planter
from tests.support.page import served
from tests.support.toy_game import NAME, PLUGIN, Pass, Put, ToyTower
from tests.tools.record_matches import record_match
from vision.live.perception import Perception
from vision.live.perception_events import TableSeen
from vision.pieces import PIECES
from vision.render.incremental_rendering import SceneRenderer
from vision.tags.codebook import BOOK, list_printed

ROOT = Path(__file__).parent.parent
AREA = (700, 460)
REGISTRIES = (GAMES, GAME_UIS, PIECES, PRINTED_GAMES, PLAYERS, DECLARED_MOVES, HABITS)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    before = [dict(registry) for registry in REGISTRIES]
    codes = dict(BOOK)
    register_game(PLUGIN)
    yield
    unregister_game(PLUGIN)
    assert [dict(registry) for registry in REGISTRIES] == before
    assert dict(BOOK) == codes


class Person:
    """A person at the buttons of a box with a journal; nobody looks at the table unless ``look`` is called."""

    def __init__(self, companion: Companion) -> None:
        self.companion = companion
        self.at = 0.0

    def press(self, *words: str) -> None:
        for word in words:
            self.at += 1.0
            self.companion.handle(parse_told(word, "button", self.at))

    def look(self, *cards: int) -> None:
        """Steady tables with these cards in the tower, until the box has waited long enough to say what is wrong."""
        x, y = AREA[0] / 2, AREA[1] / 2
        for _ in range(3):
            self.at += 1.0
            self.companion.handle(TableSeen(Table(frozenset(Piece(str(card), x, y) for card in cards)), self.at))
            self.companion.handle(Ticked(self.at))

    @property
    def offers(self) -> list[str]:
        return [offer.move for offer in self.companion.view.offers]

    @property
    def entries(self) -> tuple[str, ...]:
        log = self.companion.log
        assert log is not None
        return tuple(map(str, log.entries))


@pytest.fixture
def person(tmp_path):
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        box = Box(Context(area=AREA, names={1: "Ana", 2: "Ben"}), (Home(),))
        yield Person(Companion(box, Perception(), journal))


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(ValueError, match="registered already"):
        register_game(PLUGIN)


def test_set_up_on_the_box_asks_the_options_of_the_game(person):
    person.press("game:new")
    assert f"setup:game {NAME}" in person.offers
    person.press(f"setup:game {NAME}")
    assert {"setup:start", "setup:check-deck", "setup:rules"} <= set(person.offers)
    assert "setup:players" not in person.offers  # two players, always
    person.press("setup:rules")
    assert person.offers == ["setup:option first", "setup:option cards"]
    person.press("setup:option cards")
    assert person.offers == ["setup:set cards 12", "setup:set cards 9", "setup:set cards 6"]
    person.press("setup:set cards 9", "setup:start")
    assert (person.companion.log.game.name, person.companion.log.options["cards"]) == (NAME, 9)
    assert (person.companion.log.options["width"], person.companion.log.options["height"]) == AREA


def test_a_table_that_is_too_small_is_refused_in_set_up(person):
    person.companion.box = Box(Context(area=(500, 300)), (Home(),))
    person.press("game:new", f"setup:game {NAME}")
    assert person.companion.view.alert.id == "area_too_small"
    assert "start" not in person.offers


def test_the_form_of_the_page_offers_the_game_and_its_options():
    (kind,) = [game for game in list_game_kinds("en") if game.name == NAME]
    (variant,) = kind.variants
    assert (kind.title, variant.words) == ("Toy tower", f"game:begin {NAME}")
    assert {choice.name: choice.usual for choice in variant.choices} == {"players": "2", "first": "1", "cards": "12"}
    msgspec.json.encode(kind)


def test_moves_that_are_seen_are_written_and_a_wrong_card_is_refused_with_its_ruling(person):
    person.press(f"game:begin {NAME}")
    person.look(3)
    person.look(7)
    assert person.entries == ("put 3", "put 7")
    person.look(5)
    view = person.companion.view
    assert (str(view.alert), [text.id for text in view.lines]) == ("act_take pieces=5 zone=tower", ["toy_too_low"])
    assert view.ruling == "T-1"
    assert person.entries == ("put 3", "put 7")
    person.look(7)
    assert person.companion.view.alert is None
    assert isinstance(judge(person.companion.log, Table(frozenset({Piece("7", 350, 230)}))), Follows)
    assert isinstance(judge(person.companion.log, Table(frozenset({Piece("5", 350, 230)}))), Refused)


def test_a_whole_match_by_hand_ends_and_the_rematch_changes_who_starts(person):
    person.press(f"game:begin {NAME} cards=6", "game:by-hand")
    assert "entry:form put" in person.offers
    for card in (2, 5, 6):
        person.press("entry:form put")
        assert f"entry:word {card}" in person.offers
        person.press(f"entry:word {card}")
    view = person.companion.view
    assert (view.over, view.winners, person.entries) == (True, (1,), ("put 2", "put 5", "put 6"))
    person.press("back")
    assert "game:play-again" in person.offers
    person.press("game:play-again")
    assert person.companion.log.options["first"] == 2
    assert person.companion.box.known.names == {1: "Ana", 2: "Ben"}
    assert person.companion.log.game.view(person.companion.log.state).turn == 2


def test_a_match_pauses_and_goes_on_after_a_restart(person, tmp_path):
    person.press(f"game:begin {NAME}", "put 3", "pass 2", "game:pause", "yes game:pause")
    assert person.companion.view.prompt == say("keep_hands")
    person.press("back")
    person.companion.journal.close()
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        known, notices = restore_session(journal, 100.0)
        assert notices == ()
        (stopped,) = known.stopped
        box = Box(Context(**{**{f.name: getattr(known, f.name) for f in fields(known)}, "area": AREA}), (Home(),))
        later = Person(Companion(box, Perception(), journal))
        later.press(f"game:resume {stopped.id}")
        (flow,) = [flow for flow in later.companion.box.flows if isinstance(flow, Playing)]
        assert isinstance(flow.guide, TableRebuild)  # the table is put together first
        later.look(3)
        later.look(9)
        assert later.entries == ("put 3", "pass 2", "put 9")


def test_moves_are_taken_back_and_the_table_can_be_adopted(person):
    person.press(f"game:begin {NAME}", "put 3", "put 5", "moves:take-back 2", "yes moves:take-back 2 2")
    assert person.entries[:1] == ("put 3",)
    assert person.companion.log.state.tower == (3,)
    log = Log(ToyTower(), {}).add(Put(3))
    assert ToyTower().adopt(log.state, ToyTower().layout(log.add(Put(8)).state)).tower == (3, 8)


def test_a_log_is_written_and_read_again():
    log = Log(ToyTower(), {}).add(Put(3), Pass(2), Put(9))
    assert read_log(write_log(log), GAMES).state == log.state


def test_the_screen_of_the_box_shows_each_view(person):
    person.press(f"game:begin {NAME}")
    for words in ("put 3", "pass 2", "menu", "back", "put 12"):
        person.press(words)
        view, names = person.companion.view, person.companion.box.known.names
        lines = render_screen(view, names)
        assert list_cut_texts(view, lines) == ()
        assert draw_screen(view, lines).getbbox() is not None


def test_the_page_shows_the_table_zone_by_zone_and_exports_the_match(tmp_path):
    with served(tmp_path, "put 3", "pass 2", "put 7", game=NAME) as here, here.phone() as phone:
        state = phone.get("/api/state?lang=en").json()
        assert (state["game"], state["title"], state["moves"], state["turn"]) == (NAME, "Toy tower", 3, 2)
        assert state["table"] == {"kind": "zones", "zones": [{"zone": "tower", "pieces": ["3", "7"]}]}
        assert [person["name"] for person in state["people"]] == ["Ana", "Ben"]
        assert phone.post("/api/tell", json={"words": "put 12"}).is_success
        page = phone.get("/").text
        assert 'data-key="ztower"' in page
        assert f"stickers.pdf?game={NAME}" in page
        history = phone.get("/api/history?lang=en").json()
        assert [move["words"] for move in history["moves"]] == ["put 3", "pass 2", "put 7", "put 12"]
        rows = list(csv.DictReader(io.StringIO(phone.get("/export/games.csv").text)))
        assert {row["name"] for row in rows} == {NAME}
        assert "put 12" in phone.get("/export/games/1/log.txt").text
        begin = next(game for game in phone.get("/api/games?lang=en").json()["games"] if game["name"] == NAME)
        assert phone.post("/api/tell", json={"words": "game:leave"}).is_success
        words = f"{begin['variants'][0]['words']} cards=9 first=2"
        assert phone.post("/api/tell", json={"words": words}).is_success
        state = phone.get("/api/state?lang=en").json()
        assert (state["game"], state["moves"], state["turn"]) == (NAME, 0, 2)


def test_a_home_server_is_told_who_leads(person):
    person.press(f"game:begin {NAME}", "put 3", "pass 2")
    shown = home_state(take_snapshot(person.companion.box, person.companion.view, ""), "en")
    assert (shown["game"], shown["title"], shown["leader"], shown["scores"]) == (
        NAME,
        "Toy tower",
        "Ana",
        {"Ana": 1, "Ben": 0},
    )


def test_whole_matches_from_rendered_frames_come_to_the_record_that_was_played(tmp_path):
    """Hands, shadows and people at the table included, as for the other games."""
    given = MatchCase("toy", NAME, {}, 3)
    result = Match(given, Planter(given, {}), tmp_path).play()
    assert result.wrong == []
    assert result.right
    assert result.placements >= 4


def test_a_recorded_match_is_replayed_to_the_same_record(tmp_path):
    folder = tmp_path / "recorded"
    assert record_match(MatchCase("toy", NAME, {"cards": 6}, 5), folder) == []
    done = replay(Recorded(folder))
    assert done.faults() == []
    assert done.now
    assert done.companion.log.game.view(done.companion.log.state).over


def test_the_deck_is_checked_sheet_by_sheet(person):
    person.press("deck:list")
    assert f"deck:check {NAME}" in person.offers
    person.press(f"deck:check {NAME}")
    flow = person.companion.box.flows[-1]
    assert isinstance(flow, DeckCheck)
    assert person.companion.read_request.game == NAME
    assert [len(sheet) for sheet in list_decks()[NAME].sheets] == [10, 2]
    for sheet in list_decks()[NAME].sheets:
        laid = frozenset(Piece(card, 40.0 + 62 * n, 200.0) for n, card in enumerate(sheet))
        person.at += 2.0
        person.companion.handle(TableSeen(Table(laid), person.at))
    assert NAME in person.companion.box.known.decks


def installed(folder: Path) -> dict[str, str]:
    """The environment of a program beside which the game is installed, as a package installer leaves it."""
    info = folder / "toy_tower-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-tower\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[oxeye.games]\n{NAME} = tests.support.toy_game:PLUGIN\n")
    return os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def oxeye(environment: dict[str, str], *words: str) -> str:
    run = [sys.executable, "-c", "from firmware.cli import main; main()", *words]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_game_is_printed_and_played_by_the_commands(tmp_path):
    environment = installed(tmp_path)
    for sheet in ("stickers", "cards", "mat"):
        oxeye(environment, "print", sheet, "--game", NAME, "--out", str(tmp_path / f"{sheet}.pdf"))
        assert (tmp_path / f"{sheet}.pdf").read_bytes().startswith(b"%PDF")
    oxeye(environment, "print", "--game", NAME, "--png", str(tmp_path / "pictures"))
    index = msgspec.json.decode((tmp_path / "pictures" / "index.json").read_bytes())
    payloads = {entry["payload"] for entry in index}
    assert {code.payload for code in list_printed() if code.game == NAME} <= payloads
    assert "Ana" in oxeye(environment, "play", "--game", NAME, "--seed", "1")


def test_a_photograph_of_the_game_is_read(tmp_path):
    table = SimTable(Log(ToyTower(), {}), random.Random(5), mistake_share=0.0)
    scene = next(act.scene for act in table.acts() if act.scene.cards and not act.scene.arms)
    cv2.imwrite(str(tmp_path / "photo.png"), SceneRenderer(1).render(scene))
    cv2.imwrite(str(tmp_path / "empty.png"), SceneRenderer(1).render(table.empty))
    environment = installed(tmp_path)
    pictures = ("--empty", str(tmp_path / "empty.png"), "--json", str(tmp_path / "photo.png"))
    said = oxeye(environment, "read", "--game", NAME, *pictures)
    answer = msgspec.json.decode(said)
    assert [(tag["piece"], tag["zone"]) for tag in answer["tags"]] == [(str(table.truth.state.top), "tower")]


def test_texts_of_a_catalogue_of_its_own_are_shown_and_missing_ones_are_readable(tmp_path):
    assert render(say("toy_too_low", card=5, top=7)) == "Toy too low 5 7"
    assert render(say("game", game=NAME)) == "Toy tower"
    for language, title, sentence in (("en", "Toy Tower", "{card} is lower"), ("de", "Turm", "{card} ist kleiner")):
        place = tmp_path / language / "LC_MESSAGES"
        place.mkdir(parents=True)
        catalogue = Catalog(locale=language)
        catalogue.add(f"game.{NAME}", title)
        catalogue.add("toy_too_low", sentence)
        with (place / "oxeye.mo").open("wb") as file:
            write_mo(file, catalogue)
    add_catalogues(tmp_path)
    try:
        text = say("toy_too_low", card=5, top=7)
        assert [render(text, language) for language in ("en", "de", "ro")] == [
            "5 is lower",
            "5 ist kleiner",
            "5 is lower",
        ]
        assert render(say("game", game=NAME), "de") == "Turm"
        assert render(say("go_on"), "de") != render(say("go_on"), "en")
    finally:
        remove_catalogues(tmp_path)
    assert render(say("game", game=NAME)) == "Toy tower"


def test_a_game_without_any_description_of_its_own_is_played_all_the_same(person):
    """Only the rules, the pieces and the players: menus, page and printing fall back to plain forms."""
    unregister_game(PLUGIN)
    register_game(GamePlugin(PLUGIN.game, PLUGIN.pieces, PLUGIN.players))
    assert isinstance(ui_of(NAME), PlainUi)
    person.press("game:new", f"setup:game {NAME}", "setup:start")
    person.look(3)
    assert person.entries == ("put 3",)
    assert ui_of(NAME).table_state(person.companion.log) == ZonesState([ZoneState("tower", ["3"])])
    person.press("menu", "game:by-hand", "back", "put 12")
    assert person.companion.view.over
    person.press("game:play-again")
    assert person.companion.log.options["first"] == 1


def test_a_recorded_game_whose_package_is_gone_stops_nothing(person, tmp_path):
    person.press(f"game:begin {NAME}", "put 3")
    unregister_game(PLUGIN)
    try:
        with closing(open_journal(tmp_path / "copy.sqlite")) as other:
            assert restore_session(other, 1.0)[0].stopped == ()
        with pytest.raises((KeyError, DamagedRows)):
            person.companion.journal.load(1, GAMES)
    finally:
        register_game(PLUGIN)


def members(name: str) -> set[str]:
    """The members that a section of the document lists in its first column."""
    text = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {re.escape(name)}$(.*?)(?=^## |\Z)", text)
    assert section is not None
    rows = re.findall(r"^\| (`[^|]+) \|", section[1], re.MULTILINE)
    return {found for row in rows for found in re.findall(r"`(\w+)(?:\([^`]*\))?`", row)}


def test_the_document_lists_every_member_of_a_game():
    assert members("The plug-in") == {field.name for field in fields(GamePlugin)}
    assert members("The rules") == {"name", *(name for name in vars(type(PLUGIN.game)) if not name.startswith("_"))}
    described = {name for name in vars(GameUi) if not name.startswith("_")}
    assert members("At the box and on the page") == described
    assert described <= set(dir(PlainUi))
    assert members("The pieces") == {field.name for field in fields(PLUGIN.pieces)}
