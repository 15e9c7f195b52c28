"""Every turn of every game says what to do, and every question brings its answers."""

import random

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.table import Layout, Piece, Table
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.manual_entry import ManualEntry
from firmware.box.flows.playing import Playing, play_from
from firmware.runtime.screen_text import render_screen
from firmware.simulation.players import PLAYERS
from firmware.texts.render import render
from hw.panel.screen import list_cut_texts
from tests.support import six
from tests.support.nimmt import begin
from vision.live.perception_events import TableSeen

NAMES = {1: "Ana", 2: "Ben", 3: "Clea", 4: "Dov", 5: "Eva", 6: "Filip", 7: "Greta", 8: "Hugo", 9: "Ines", 10: "Jonas"}
GAMES_SHOWN = {
    "ten-players": ("nimmt", {"players": 10}, 100),
    "specials": ("nimmt", {"players": 4, "variant": "anniversary"}, 120),
    "seats-off": ("nimmt", {"players": 4, "seats": "off"}, 60),
    "open-draft": ("nimmt", {"players": 2, "variant": "professional"}, 60),
    "piles": ("thegame", {"players": 5}, 60),
    "tiles": ("six", {}, 70),
}


@pytest.mark.parametrize(("name", "options", "moves"), GAMES_SHOWN.values(), ids=list(GAMES_SHOWN))
def test_no_text_of_a_running_game_is_cut_on_the_small_screen(name, options, moves):
    log = Log(GAMES[name], options)
    players = PLAYERS[name](log.options, random.Random(2))
    for _ in range(moves):
        shown = play_from(log).view(Context(names=NAMES))
        assert list_cut_texts(shown, render_screen(shown, NAMES)) == ()
        if (move := players.next(log.state)) is None:
            break
        log = log.add(move)


def box_of(log):
    return Box(Context(names=NAMES), (play_from(log),))


def tell(box, words):
    assert words in [offer.move for offer in show_box(box).offers]
    return step_box(box, parse_told(words, "button", 9.0))[0]


def under_question():
    """45 on 47: right only if 37 or 55 came in between unseen."""
    log = Log(GAMES["thegame"], {"players": 2}).add(GAMES["thegame"].parse("play 47 up:1"))
    seen = log.game.place(log.state, Layout({"up:1": ("47", "45")}))
    return step_box(box_of(log), TableSeen(seen, 1.0))[0]


def test_a_card_that_may_lie_unseen_is_asked_for_and_each_answer_is_one_press():
    box = under_question()
    shown = show_box(box)
    assert str(shown.prompt).startswith("show_card_under card=45")
    assert [offer.move for offer in shown.offers[:3]] == ["under 37 45 up:1", "under 55 45 up:1", "bare 45 up:1"]


def test_a_card_entered_as_lying_under_the_top_counts():
    box = tell(under_question(), "under 37 45 up:1")
    table = box.flows[0].desk.table
    box, written = step_box(box, TableSeen(table, 10.0))
    assert box.flows[0].log.state.piles[0] == (47, 37, 45)
    assert [write.entries for write in written] == [("play 45 up:1",)]


def test_a_pile_entered_as_bare_has_its_card_taken_back():
    box = tell(under_question(), "bare 45 up:1")
    box, _ = step_box(box, TableSeen(box.flows[0].desk.table, 10.0))
    assert show_box(step_box(box, Ticked(20.0))[0]).alert.id == "take_back"


def in_sight(moves, pile, *cards):
    """These cards lie side by side on a pile of The Game, and the tops of the others are in place."""
    log = Log(GAMES["thegame"], {"players": 2})
    log = log.add(*map(log.parse, moves))
    area = log.game.plan(log.options).zones[pile]
    others = log.game.place(log.state, log.game.layout(log.state)).seen
    seen = {piece for piece in others if not area.contains(piece.x, piece.y)}
    seen |= {Piece(str(card), area.left + 20 + 20 * n, area.top + 100) for n, card in enumerate(cards)}
    return step_box(box_of(log), TableSeen(Table(frozenset(seen)), 1.0))[0]


def test_of_two_legal_orders_the_box_asks_which_card_lies_on_top():
    shown = show_box(in_sight(["play 39 up:1"], "up:1", 69, 59))
    assert render(shown.prompt) == "Which lies on top, 69 or 59?"
    assert [render(offer.label) for offer in shown.offers[:2]] == ["69 over 59", "59 over 69"]
    assert [offer.move for offer in shown.offers[:2]] == [
        "amend 1 1 ; play 59 up:1 ; play 69 up:1",
        "amend 1 1 ; play 69 up:1 ; play 59 up:1",
    ]


def test_of_more_orders_each_is_named_by_its_cards():
    shown = show_box(in_sight(["play 39 up:1"], "up:1", 59, 69, 79))
    assert render(shown.prompt) == "In which order, from below?"
    assert [render(offer.label) for offer in shown.offers[:4]] == [
        "59 69 79",
        "59 79 69",
        "69 59 79",
        "79 69 59",
    ]


def test_a_card_beside_the_top_is_under_it_or_wrong_and_each_answer_is_one_press():
    box = in_sight(["play 69 up:1", "play 87 up:2", "play 79 down:1", "play 31 down:1"], "down:1", 31, 77)
    shown = show_box(box)
    assert render(shown.prompt) == "Which lies on top, 77 or 31?"
    assert [render(offer.label) for offer in shown.offers[:2]] == ["77 over 31", "31 over 77"]
    under = tell(box, "over 31 77 down:1")
    _, written = step_box(under, TableSeen(under.flows[0].desk.table, 10.0))
    assert [write.entries for write in written] == [("under 77 31 down:1",)]
    over = tell(tell(box, "over 77 31 down:1"), "bare 77 down:1")
    box, _ = step_box(over, TableSeen(over.flows[0].desk.table, 10.0))
    assert show_box(step_box(box, Ticked(20.0))[0]).alert.id == "take_back"


def split_game():
    """A bent chain of 13 tiles; its middle one was laid against both halves."""
    west, east = ((q, 0) for q in range(-6, 1)), ((0, r) for r in range(1, 7))
    chain = {cell: ("red", "black")[n % 2] for n, cell in enumerate((*west, *east))}
    return six.begin(chain).add(GAMES["six"].parse("move 0 0 -1 1"))


def test_which_group_goes_is_chosen_in_a_picture_of_the_board():
    log = split_game()
    shown = play_from(log).view(Context())
    assert {offer.label.id for offer in shown.offers} == {"group"}
    assert [offer.move for offer in shown.offers] == [offer.move for offer in log.game.view(log.state).offers]
    drawn = "".join(str(line.get("says")) for line in shown.lines)
    assert [drawn.count(str(n)) for n, _ in enumerate(shown.offers, 1)] == [
        offer.label.get("n") for offer in shown.offers
    ]


def test_a_tile_put_back_before_a_group_was_chosen_is_offered_as_a_step_back():
    log = split_game()
    before = {(q, r): colour for (q, r), colour in dict(log.states[-2].lying).items()}
    box = step_box(box_of(log), TableSeen(six.look(before), 1.0))[0]
    assert "step_back" not in [offer.label.id for offer in show_box(box).offers]  # it may be in the air
    box = step_box(box, Ticked(9.0))[0]
    back = next(offer.move for offer in show_box(box).offers if offer.label.id == "step_back")
    assert tell(box, back).flows[0].log.state == log.states[-2]


def test_the_question_who_took_a_row_names_its_heads():
    log = Log(GAMES["nimmt"], {"players": 3, "seats": "off"})
    log = log.add(*map(log.parse, ("deal 10,20,30,40", "reveal 0 5", "take 2")))
    labels = [str(offer.label) for offer in play_from(log).view(Context()).offers]
    assert "player_took player=2 n=3" in labels


def test_in_the_by_hand_list_the_games_own_offers_come_first():
    flow = play_from(begin(shown=(5, 90)))
    told = Playing(flow.desk, flow.zones, hand=ManualEntry()).view(Context())
    assert [offer.move for offer in told.offers] == ["take 1", "take 2", "take 3", "take 4", "back"]
