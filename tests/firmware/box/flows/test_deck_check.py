"""The deck check as people do it: sheets of ten, laid as people lay cards, until every sticker is known."""

import random
from cmath import rect
from itertools import product
from math import radians

import pytest

from engine.games.nimmt.cards import SPECIAL_KINDS
from engine.table import Area, Piece, Table
from engine.text import say
from firmware.box.deck_faults import DeckFault
from firmware.box.deck_reading_order import sort_by_rows
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box
from firmware.box.flows.deck_check import FAULT_DELAY_S, HIDDEN_DELAY_S, DeckCheck, describe_fault, list_decks
from firmware.box.flows.home_menu import Home
from firmware.journal.operation_types import VerifyDeck
from firmware.texts.render import render
from tests.support.stack import run_box
from vision.live.perception_events import TableSeen

KNOWN = Context(area=(700, 460))


def lay(cards, *, columns=5, turn=0.0, rng=None, unseen=()):
    """Cards in rows on a table, perhaps askew, each a little crooked and half of them upside down."""
    seen = set()
    for n, card in enumerate(cards):
        row, column = divmod(n, columns)
        dx, dy, slant = (rng.uniform(-8, 8), rng.uniform(-8, 8), rng.uniform(-6, 6)) if rng else (0, 0, 0)
        flip = 180 * rng.randrange(2) if rng else 0
        at = complex(60 + 66 * column + dx, 80 + 97 * row + dy)
        at = 350 + 230j + (at - 350 - 230j) * rect(1, radians(turn))
        seen.add(Piece(card, at.real, at.imag, (turn + slant + flip) % 360))
    return Table(frozenset(seen), tuple(unseen))


def box_with(flow, known=KNOWN):
    return Box(known, (Home(), flow))


def sheet(n, deck="nimmt"):
    return list_decks()[deck].sheets[n]


@pytest.mark.parametrize(("columns", "turn"), [*product((3, 5, 10), (0.0, 4.0, -4.0, 90.0))])
def test_rows_are_read_however_crooked_they_lie(columns, turn):
    cards = sheet(2)
    for seed in range(20):
        read = sort_by_rows(lay(cards, columns=columns, turn=turn, rng=random.Random(seed)).seen)
        assert read in (cards, tuple(reversed(cards)))  # turned a quarter, either side may be up


@pytest.mark.parametrize("deck", list_decks())
def test_a_right_deck_goes_through_sheet_by_sheet_without_a_press(deck):
    box, rng = box_with(DeckCheck(deck)), random.Random(1)
    copies = {}
    done = []
    for n, cards in enumerate(list_decks()[deck].sheets):
        if deck == "specials":
            cards = [f"{kind}.{copies.setdefault(kind, iter('1234')).__next__()}" for kind in cards]
        box, effects = run_box(box, TableSeen(lay(cards, rng=rng), float(n)), Ticked(n + 0.9))
        assert show_box(box).alert is None
        done += effects
    assert done == [VerifyDeck(deck)]
    assert box.known.decks == {deck}
    assert show_box(box).prompt == say("deck_right", n=sum(map(len, list_decks()[deck].sheets)))
    assert run_box(box, parse_told("back", "button", 99.0))[0].flows == (Home(),)


def test_the_decks_are_whole():
    assert [sum(map(len, sheets)) for sheets in (deck.sheets for deck in list_decks().values())] == [104, 28, 98]


def test_the_cards_of_the_sheet_before_may_lie_there_until_they_are_cleared():
    box, _ = run_box(
        box_with(DeckCheck("nimmt")), TableSeen(lay(sheet(0)), 0.0), TableSeen(lay(sheet(0)), 9.0), Ticked(20.0)
    )
    assert (str(show_box(box).prompt), show_box(box).alert) == ("deck_next first=11 last=20", None)
    box, _ = run_box(
        box, TableSeen(lay(sheet(0)[:4]), 21.0), TableSeen(lay((*sheet(0)[:2], "11", "12")), 22.0), Ticked(30.0)
    )
    assert (str(show_box(box).prompt), show_box(box).alert) == ("deck_lay first=13 last=20", None)


def test_once_they_are_gone_a_sticker_of_theirs_is_named():
    wrong = ("11", "5", *sheet(1)[2:])
    box, _ = run_box(box_with(DeckCheck("nimmt")), TableSeen(lay(sheet(0)), 0.0), TableSeen(lay(()), 1.0))
    box, done = run_box(box, TableSeen(lay(wrong), 2.0), Ticked(2.0 + FAULT_DELAY_S))
    assert str(show_box(box).alert) == "deck_instead card=12 read=5"
    assert not done


def test_under_a_hand_the_cards_of_the_sheet_before_are_not_gone():
    hand = Area(0, 0, 700, 460)
    box, _ = run_box(
        box_with(DeckCheck("nimmt")), TableSeen(lay(sheet(0)), 0.0), TableSeen(lay((), unseen=[hand]), 1.0)
    )
    box, _ = run_box(box, TableSeen(lay(sheet(0)), 2.0), Ticked(20.0))
    assert show_box(box).alert is None


def test_the_wait_counts_from_when_it_first_lay_so_however_many_looks_come():
    box, _ = run_box(box_with(DeckCheck("nimmt")), *(TableSeen(lay(("2", "1", "3")), n / 4) for n in range(8)))
    assert str(show_box(box).alert) == "deck_swapped card=1 other=2"


def test_nothing_is_said_before_it_has_lain_a_while_and_it_clears_by_itself():
    swapped = ("1", "3", "2", *sheet(0)[3:])
    box, _ = run_box(box_with(DeckCheck("nimmt")), TableSeen(lay(swapped), 5.0), Ticked(5.0 + FAULT_DELAY_S * 0.9))
    assert show_box(box).alert is None
    box, _ = run_box(box, Ticked(5.0 + FAULT_DELAY_S))
    assert str(show_box(box).alert) == "deck_swapped card=2 other=3"
    box, _ = run_box(box, TableSeen(lay(sheet(0)), 8.0), Ticked(20.0))
    assert (box.flows[-1].sheet, show_box(box).alert) == (1, None)


def test_what_a_hand_hides_is_not_missed_before_long_and_never_called_missing():
    read, hand = ("1", "3", "4"), Area(0, 0, 90, 90)
    box, _ = run_box(
        box_with(DeckCheck("nimmt")), TableSeen(lay(read, unseen=[hand]), 0.0), Ticked(HIDDEN_DELAY_S * 0.9)
    )
    assert show_box(box).alert is None
    box, _ = run_box(box, Ticked(HIDDEN_DELAY_S))
    assert str(show_box(box).alert) == "deck_unreadable card=2"
    box, _ = run_box(box, TableSeen(lay(read), 6.0), Ticked(6.0 + FAULT_DELAY_S))
    assert str(show_box(box).alert) == "deck_missing card=2"


def test_a_deck_of_which_a_sheet_was_passed_over_does_not_count_as_checked():
    box, done = run_box(box_with(DeckCheck("thegame", sheet=8)), parse_told("deck:skip-sheet", "button", 0.0))
    assert (show_box(box).offers[0].move, box.flows[-2].sheet) == ("back", 8)
    box, _ = run_box(box, parse_told("yes deck:skip-sheet", "button", 0.5))
    box, more = run_box(box, TableSeen(lay(sheet(9, "thegame")), 1.0))
    assert not done
    assert not more
    assert (box.known.decks, show_box(box).prompt) == (frozenset(), say("deck_skipped"))


@pytest.mark.parametrize(
    ("flow", "known", "words"),
    [
        (DeckCheck("nimmt"), KNOWN, "fly"),
        (DeckCheck("nimmt", sheet=11), KNOWN, "deck:skip-sheet"),
        (Home(), KNOWN, "deck:check tarot"),
    ],
    ids=["no-word", "nothing-left-to-skip", "no-such-deck"],
)
def test_words_that_mean_nothing_here_are_for_somebody_else(flow, known, words):
    assert flow.handle(parse_told(words, "web", 0.0), known) is None


def test_without_a_measured_table_the_camera_comes_first():
    box = box_with(DeckCheck("nimmt"), Context())
    assert (find_read_request(box), [offer.move for offer in show_box(box).offers]) == (None, ["camera:set-up"])
    box, _ = run_box(box, parse_told("camera:set-up", "button", 0.0))
    assert find_read_request(box).purpose == "aim"


def test_the_eyes_look_for_the_deck_on_the_whole_table():
    wanted = find_read_request(box_with(DeckCheck("specials")))
    assert (wanted.purpose, wanted.game, wanted.zones) == ("read", "nimmt", {"table": Area(0, 0, 700, 460)})
    assert find_read_request(box_with(DeckCheck("nimmt", sheet=11))) is None


@pytest.mark.parametrize("kind", ["missing", "swapped", "instead", "twice", "double", "foreign", "astray"])
def test_every_fault_fits_two_lines_also_of_special_cards(kind):
    names = sorted(SPECIAL_KINDS, key=lambda name: len(render(say("deck_foreign", card=name))))
    fault = DeckFault(kind, names[-2], names[-1])
    assert len(render(describe_fault(fault), strict=True)) <= 42
    assert len(render(describe_fault(DeckFault(kind, "103", "104")), strict=True)) <= 42


@pytest.mark.parametrize(
    ("left", "prompt"),
    [(8, "Lay all 5th Row, then all Take-at-7"), (4, "Lay 4 Take-at-7 cards"), (1, "Lay 1 Take-at-7 card")],
)
def test_specials_are_asked_for_by_name(left, prompt):
    due = sheet(0, "specials")
    read = tuple(f"{kind}.1" for kind in due[: len(due) - left])
    box, _ = run_box(box_with(DeckCheck("specials")), TableSeen(lay(read), 0.0))
    assert render(show_box(box).prompt) == prompt
