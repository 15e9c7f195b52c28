"""*About this box*: facts are looked up on opening and while shown, one on each page."""

import socket
from contextlib import closing
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.app.box_facts import collect_facts
from firmware.box.effects import RequestFacts
from firmware.box.events import BoxFacts, FactsReady, Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box
from firmware.box.flows.about_box import FACTS_VALID_S
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started
from firmware.texts.render import render
from hw.button_presses import Button, Press, PressKind
from tests.support.stack import run_box

OK, BACK = Press(Button.OK, PressKind.SHORT), Press(Button.BACK, PressKind.SHORT)
KNOWN = BoxFacts("oxeye.local", "192.168.1.5:8480", "0.1.0", "12 GB", 7)
FLOWS = {"at home": (Home(),), "in a game": (Home(), play_from(Log(GAMES["six"], {})))}


def asked(flows):
    return run_box(Box(Context(), flows), parse_told("menu", "button", 0.0), parse_told("box:about", "button", 1.0))[0]


@pytest.mark.parametrize("flows", FLOWS.values(), ids=list(FLOWS))
def test_facts_are_looked_up_on_opening_and_again_while_shown(flows):
    ticks = [Ticked(at) for at in (1.5, 2.0, 1.5 + FACTS_VALID_S, 2.0 + FACTS_VALID_S)]
    box, done = run_box(asked(flows), *ticks)
    assert done == [RequestFacts(), RequestFacts()]
    box, _ = run_box(box, FactsReady(KNOWN, 8.0))
    assert [render(line) for line in show_box(box).lines] == [
        "oxeye.local", "192.168.1.5:8480", "Oxeye 0.1.0", "12 GB free", "7 games saved"]  # fmt: skip
    box, _ = run_box(box, Pressed(BACK, 9.0))
    assert box.flows == flows
    assert run_box(box, Ticked(20.0))[1] == []


def test_ok_goes_through_all_of_it_and_back():
    box, _ = run_box(asked((Home(),)), FactsReady(KNOWN, 2.0))
    seen = []
    for n in range(5):
        seen.append(render(show_box(box).prompt))
        box, _ = run_box(box, Pressed(OK, 3.0 + n))
    assert seen == ["oxeye.local", "192.168.1.5:8480", "Oxeye 0.1.0", "12 GB free", "7 games saved"]
    assert box.flows == (Home(),)


@pytest.mark.parametrize(
    ("now", "line"),
    [(replace(KNOWN, address=""), "No network"), (replace(KNOWN, games=None), "12 GB free"), (None, "About this box")],
    ids=["without a network", "a record that cannot be read", "not looked up yet"],
)
def test_unknown_facts_are_left_out(now, line):
    box, _ = run_box(asked((Home(),)), *([FactsReady(now, 2.0)] if now else []))
    shown = show_box(box)
    assert line in [render(text) for text in (shown.prompt, *shown.lines)]
    assert "games" not in render((shown.lines or (shown.prompt,))[-1]) or now.games == 7


@pytest.mark.parametrize(
    ("out", "page", "address"),
    [
        ("192.168.1.5", lambda: "192.168.1.5:8480", "192.168.1.5:8480"),
        ("192.168.1.5", None, "192.168.1.5"),
        (None, lambda: "oxeye.local:8480", ""),
    ],
    ids=["a page", "no page", "no network"],
)
def test_the_address_is_that_of_the_page_or_none(out, page, address, tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.app.box_facts.outgoing_address", lambda: out)
    monkeypatch.setattr(socket, "gethostname", lambda: "kitchen.example.org")
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
        found = collect_facts(tmp_path, journal, page)
    assert (found.name, found.address, found.games) == ("kitchen.local", address, 1)
    assert found.free.endswith(("MB", "GB"))
