"""The page in a terminal: what is on it is what the state says, in any window, language and set of letters."""

import io
import random
import re
from itertools import islice

import pytest
from rich.cells import cell_len
from rich.console import Console as Paper

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from engine.view import Offer, Pad, View
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.box.games import ui_of
from firmware.box.menu_and_confirmation import Menu
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.runtime.terminal_page import LEAST_SIZE, PICTURE_SIZE, draw_page
from firmware.runtime.terminal_tables import UNICODE_GLYPHS, TableWords, table_lines
from firmware.runtime.terminal_ui import Console, to_plain_letters
from firmware.simulation.table import SimTable
from firmware.texts.languages import available_languages
from firmware.texts.render import render
from hw.panel.terminal import to_blocks

NAMES = dict(enumerate("Annabelle Ben Clea Dov Eli Fay Gus Hana Ivo Jun".split(), 1))
SIZES = [LEAST_SIZE, (81, 25), (100, 30), (120, 40), (153, 44), (300, 100)]
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
MATCHES = {
    "base game, two": ("nimmt", {"players": 2}),
    "base game, ten": ("nimmt", {"players": 10}),
    "special cards": ("nimmt", {"players": 6, "variant": "anniversary"}),
    "open draft": ("nimmt", {"players": 4, "variant": "professional"}),
    "The Game, five": ("thegame", {"players": 5}),
    "SIX": ("six", {}),
}


def plain(row):
    return ESCAPES.sub("", row)


def drawn(frame, size, story=(), language="en", encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console("Oxeye", language, out=out)
    for says, alert in story:
        console.note(says, alert)
    paper = Paper(file=io.StringIO(), force_terminal=True, width=size[0], height=size[1], highlight=False)
    return draw_page(paper, console.lay_out(frame, size))


def text_of(frame, size, **more):
    return "\n".join(map(plain, drawn(frame, size, **more)))


def frame_of(log, *above, view=None):
    box = Box(Context(names=NAMES), (Home(), play_from(log), *above))
    return ScreenFrame(view or show_box(box), NAMES, box=box, entries=len(log.entries))


def played(match, acts):
    """The record after some acts of a simulated match."""
    game, options = MATCHES[match]
    log = Log(GAMES[game], options)
    table = SimTable(log, random.Random(11), mistake_share=0.0)
    for _ in islice(table.acts(), acts):
        pass
    return table.truth


@pytest.fixture(scope="module", params=[(match, acts) for match in MATCHES for acts in (0, 9, 40, 90)], ids=str)
def moment(request):
    return played(*request.param)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_page_fills_the_window_and_no_line_is_too_wide(moment, size):
    rows = [plain(row) for row in drawn(frame_of(moment), size, story=[("word " * 60, True)] * 50)]
    assert len(rows) == size[1]
    assert {cell_len(row) for row in rows} == {size[0]}


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_score_and_every_piece_is_on_the_page(moment, size):
    text = text_of(frame_of(moment), size, story=[("a story", False)] * 50)
    view, table = moment.game.view(moment.state), ui_of(moment.game.name).table_state(moment)
    for pad in view.pads:
        name = NAMES.get(pad.player, "The team")
        assert re.search(rf"{name} +(\d+ +)*{pad.now} +{pad.total + pad.now} *(?:[│╭╰].*)?$", text, re.MULTILINE), name
    assert render(view.prompt, names=NAMES) in " ".join(text.split())
    match moment.game.name:
        case "nimmt":
            for row in table.rows:
                cards = " +".join(card.piece for card in row.cards)
                assert re.search(rf"^Row {row.row}[ │]+{cards.replace(' +', '[ │]+')}", text, re.MULTILINE), row
                assert f"{row.heads} head" in text
            for seat in table.seats:
                card = {None: "·", "back": "▒▒▒"}.get(seat.card, seat.card)
                assert f"{NAMES[seat.player]} {card}" in text
        case "thegame":
            for pile in table.piles:
                assert re.search(rf"{render(say('pile', zone=pile.name))} +{pile.top}\b", text)
            assert f"Deck: {table.deck} card" in text
            assert all(f"{NAMES[hand.player]} ▒▒▒ {hand.count}" in text for hand in table.hands)
        case "six":
            tiles = [letter for line in text.splitlines() for letter in line if letter in "●○"]
            for sign, colour in (("●", "red"), ("○", "black")):  # and one more names the stock
                assert tiles.count(sign) == sum(t.colour == colour for t in table.tiles) + (colour in table.left)


@pytest.mark.parametrize("language", available_languages())
def test_every_language_fits_the_smallest_page(language):
    frame = frame_of(played("special cards", 60))
    rows = [plain(row) for row in drawn(frame, LEAST_SIZE, language=language)]
    assert {cell_len(row) for row in rows} == {LEAST_SIZE[0]}
    assert rows[-1].rstrip() == render(say("terminal_keys"), language)


@pytest.mark.parametrize("offers", [2, 7, 14, 40])
@pytest.mark.parametrize("size", [LEAST_SIZE, (120, 40)], ids=str)
def test_the_offer_under_the_cursor_is_on_the_page_and_marked(offers, size):
    entries = tuple(Offer(say("as_is", value=f"choice {n}"), f"choice {n}") for n in range(offers))
    frame = frame_of(played("base game, ten", 30), Menu(say("game_menu"), entries))
    for cursor in range(offers):
        view = View(say("game_menu"), offers=entries, cursor=cursor)
        text = text_of(ScreenFrame(view, NAMES, box=frame.box), size)
        assert re.search(rf"▶ choice {cursor} +OK", text)
        assert "Row 4" in text


def test_an_alert_stands_out_in_the_words_and_in_the_story():
    view = View(say("choose_cards"), alert=say("belongs_in_row", card=44, row=3, behind=43), ruling="N-10")
    rows = drawn(frame_of(played("base game, two", 9), view=view), LEAST_SIZE, story=[("44 was wrong", True)])
    told = next(row for row in rows if "44 belongs in row 3, behind 43 (N-10)" in plain(row))
    assert "\x1b[1;37;41m" in told
    story = next(row for row in rows if "44 was wrong" in row)
    assert plain(story).startswith("! ")
    assert "\x1b[1;31m" in story


def test_the_newest_lines_of_the_story_are_shown():
    text = text_of(frame_of(played("SIX", 9)), LEAST_SIZE, story=[(f"move {n}", False) for n in range(100)])
    assert "move 99" in text
    assert "move 1 " not in text


def test_scores_stay_visible_while_a_menu_hides_those_of_the_view():
    frame = frame_of(played("base game, ten", 40))
    console = Console("Oxeye", out=io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    console.lay_out(frame, LEAST_SIZE)
    menu = frame_of(played("base game, ten", 40), Menu(say("game_menu"), ()))
    assert console.lay_out(menu, LEAST_SIZE).pads == frame.view
    home = ScreenFrame(View(say("home")), NAMES, box=Box(Context(), (Home(),)))
    assert console.lay_out(home, LEAST_SIZE).pads is None


def test_rounds_are_shown_where_there_is_room():
    pads = tuple(Pad(n, rounds=(12, 3, 104), now=3, total=119) for n in (1, 2))
    frame = ScreenFrame(View(say("choose_cards"), turn=2, pads=pads, winners=(1,)), NAMES)
    assert re.search(r"\*Annabelle +12 +3 +104 +3 +122 *$", text_of(frame, (120, 40)), re.MULTILINE)
    assert re.search(r"▶Ben +3 +122 *$", text_of(frame, LEAST_SIZE), re.MULTILINE)


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (40, 10), (20, 5), (7, 3), (1, 1)], ids=str)
def test_a_small_window_gets_the_words_and_the_scores(size):
    rows = [plain(row) for row in drawn(frame_of(played("base game, two", 9)), size)]
    assert len(rows) <= size[1]
    assert max(map(cell_len, rows)) <= size[0]
    if size[0] >= 40:
        text = " ".join(" ".join(rows).split())
        assert "Annabelle 0 Ben 0" in text
        assert "80 x 24" in text


@pytest.mark.parametrize(("size", "there"), [(PICTURE_SIZE, True), ((120, 40), False)], ids=["roomy", "120x40"])
def test_the_dots_of_the_small_screen_are_shown_only_where_each_is_a_block(size, there):
    frame = frame_of(played("base game, two", 9))
    text = text_of(frame, size)
    assert all(row.rstrip() in text for row in to_blocks(draw_picture(frame)).split("\n")) == there


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1"])
def test_a_terminal_without_these_letters_gets_plain_signs(encoding):
    frame = frame_of(played("base game, two", 9))
    text = text_of(frame, LEAST_SIZE, encoding=encoding)
    assert "###" in text or "." in text
    assert not set(UNICODE_GLYPHS.red + UNICODE_GLYPHS.back) & set(text)


@pytest.mark.parametrize(
    ("text", "written"), [("Ștefăniță · Zoë", "Stefanita - Zoe"), ("╭─ Menü", " Menu")], ids=["accents", "no-such-sign"]
)
def test_letters_that_the_terminal_lacks_lose_their_accents(text, written):
    assert to_plain_letters(text, "ascii") == written


def test_a_board_that_is_too_high_is_turned_and_loses_no_tile():
    log = played("SIX", 60)
    table, words = ui_of("six").table_state(log), TableWords(NAMES)
    lines = table_lines(table, words, 80, 4)
    signs = "".join(line.plain for line in lines)
    assert signs.count("●") + signs.count("○") == len(table.tiles) + 2


@pytest.mark.parametrize(
    ("match", "piece", "zone", "shown"),
    [
        ("base game, two", "44", "row:2", "44!"),
        ("base game, two", "44", "seat:1", "44!"),
        ("The Game, five", "44", "up:1", "44!"),
        ("SIX", "red", "BL", "Red!"),
    ],
)
def test_a_wrong_piece_is_marked_where_it_is(match, piece, zone, shown):
    table = ui_of(MATCHES[match][0]).table_state(played(match, 9))
    lines = table_lines(table, TableWords(NAMES, wrong=((piece, zone),)), 80, 20)
    assert sum(shown in line.plain for line in lines) == 1
