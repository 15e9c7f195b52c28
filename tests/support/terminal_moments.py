"""Moments of simulated matches, drawn in the terminal one after the other.

Enter goes on to the next. What is on the screen is then compared with what the page for phones would get.
"""

import random
import sys
from collections.abc import Iterator
from functools import cache

import msgspec

from engine.games import GAMES
from engine.log import Log
from engine.view import View
from firmware.box.events import Ticked, parse_told
from firmware.box.flow import Flow
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_running_game, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.operation_types import Started
from firmware.runtime.display_thread import ScreenFrame
from firmware.runtime.terminal_ui import Console
from firmware.simulation.session import name_players
from firmware.simulation.table import SimTable
from firmware.web.api_state import api_state
from firmware.web.page_snapshot import take_snapshot
from tests.support.terminal_reading import State
from vision.live.perception_events import TableSeen

MATCHES = {
    "nimmt": {"players": 4, "target": 20},
    "thegame": {"players": 3},
    "six": {},
}
MOMENTS = ("start", "question", "alert", "scores", "menu", "end")
STEP_S = 5.0
"""Seconds of the box between two acts: longer than an alert waits."""


@cache
def find_moments(game: str) -> dict[str, tuple[Box, View]]:
    """The first moment of each kind in one match with mistakes."""
    log = Log(GAMES[game], MATCHES[game])
    names = name_players(log)
    flows: tuple[Flow, ...] = (Home(), play_from(log))
    box = Box(Context(names=names, last=Started(game, log.options, names)), flows)
    found = {"start": (box, show_box(box))}
    for moment in _play(box, SimTable(log, random.Random(3), mistake_share=0.3)):
        view = show_box(moment)
        for kind, there in _kinds(moment, view):
            if there:
                found.setdefault(kind, (moment, view))
        if view.over:
            break
    box, _ = step_box(found["scores"][0], parse_told("menu", "button", found["scores"][0].known.now))
    found["menu"] = box, show_box(box)
    return {moment: found[moment] for moment in MOMENTS if moment in found}


def _play(box: Box, table: SimTable) -> Iterator[Box]:
    at = 0.0
    for act in table.acts():
        at += STEP_S
        if act.entry:
            box, _ = step_box(box, parse_told(act.entry, "button", at))
        for event in (TableSeen(table.true_table(), at), Ticked(at + STEP_S - 1)):
            box, _ = step_box(box, event)
            yield box


def _kinds(box: Box, view: View) -> Iterator[tuple[str, bool]]:
    playing = find_running_game(box)
    assert playing is not None
    yield "question", len(view.offers) > 1 and view.alert is None and not view.over
    yield "alert", view.alert is not None and bool(view.ruling)
    yield "scores", len(playing.log.moves) > 30 and any(pad.now + pad.total for pad in view.pads)
    yield "scores", len(playing.log.moves) > 30 and playing.log.game.name == "six"
    yield "end", view.over


def state_of(box: Box, view: View) -> State:
    state: State = msgspec.to_builtins(api_state(take_snapshot(box, view, ""), "en", True))
    return state


def title_of(game: str, moment: str) -> str:
    return f"{game}/{moment}"


def main(game: str) -> None:
    for moment, (box, view) in find_moments(game).items():
        playing = find_running_game(box)
        entries = len(playing.log.entries) if playing else 0
        with Console("another page before") as console:
            console.draw(ScreenFrame(find_moments(game)["scores"][1], box.known.names, box=box))
            console.title = title_of(game, moment)
            console.draw(ScreenFrame(view, box.known.names, box=box, entries=entries))
            sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1])
