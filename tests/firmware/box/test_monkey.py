"""Random presses and tables: what was written adds up to what is played, and a match ends once."""

import random
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.table import Area, Table
from firmware.box.events import Pressed, Ticked
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.journal.operation_types import BeginGame, EndGame, PauseGame, ResumeGame, Started, WriteEntries
from firmware.runtime.screen_text import render_screen
from firmware.simulation.players import PLAYERS
from hw.button_presses import Button, Press, PressKind
from hw.panel.screen import draw_screen
from vision.live.perception_events import FaultChanged, TableSeen

MATCHES = [
    ("nimmt", {"players": 2, "end": "rounds", "rounds": 1}),
    ("nimmt", {"players": 3, "variant": "anniversary"}),
    ("nimmt", {"players": 2, "variant": "professional"}),
    ("nimmt", {"players": 3, "seats": "off"}),
    ("thegame", {"players": 2}),
    ("six", {}),
]
PRESSES = [
    *[Press(Button.OK, PressKind.SHORT)] * 5,
    *[Press(Button.DOWN, PressKind.SHORT)] * 4,
    Press(Button.UP, PressKind.SHORT),
    Press(Button.BACK, PressKind.SHORT),
    Press(Button.BACK, PressKind.LONG),
]
STEPS = 200


class Ledger:
    """What the disk would hold: the games with their entries, which one runs, and which have ended."""

    def __init__(self, log):
        self.games, self.running, self.ended = {1: log}, 1, set()

    def write(self, effect):
        match effect:
            case BeginGame(started):
                self.running = len(self.games) + 1
                self.games[self.running] = Log(GAMES[started.game], started.options)
            case ResumeGame(game):
                assert game in self.games
                self.running = game
                self.ended.discard(game)
            case WriteEntries(entries, _):  # also behind the end: the hand that could not play is shown
                log = self.games[self.running]
                self.games[self.running] = log.add(*map(log.parse, entries))
            case PauseGame():
                assert self.running not in self.ended
            case EndGame():
                assert self.running not in self.ended
                self.ended.add(self.running)


def a_table(rng, log):
    """A table that may be seen: the true one, one with pieces missing or added, or one under a hand."""
    moments = [log.states[-1 - back] for back in range(min(4, len(log.states)))]
    state = rng.choice((moments[0], moments[0], *moments))
    table = log.game.place(state, log.game.layout(state))
    seen = sorted(table.seen, key=lambda s: (s.x, s.y, s.piece))
    if seen and rng.random() < 0.2:
        seen.remove(rng.choice(seen))
    x, y = rng.uniform(0, 400), rng.uniform(0, 300)
    dark = (Area(x, y, x + 150, y + 150),) if rng.random() < 0.2 else ()
    return Table(frozenset(s for s in seen if not any(area.contains(s.x, s.y) for area in dark)), dark)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_the_disk_holds_what_is_played(seed):
    rng = random.Random(seed)
    name, options = MATCHES[seed % len(MATCHES)]
    log = Log(GAMES[name], options)
    players = PLAYERS[name](log.options, rng)
    for _ in range(rng.randrange(120)):
        if (move := players.next(log.state)) is None:
            break
        log = log.add(move)
    ledger = Ledger(log)
    box = Box(Context(game=1, names={1: "Ana"}, last=Started(name, log.options)), (Home(), play_from(log)))
    for at in range(STEPS):  # the first moment tells a match that was over before
        flow = next((flow for flow in box.flows if isinstance(flow, Playing)), None)
        roll = rng.random()
        if not at:
            item = Ticked(0.0)
        elif roll < 0.3 and find_read_request(box) is not None and flow is not None:
            item = TableSeen(a_table(rng, flow.log), float(at))
        elif roll < 0.35:
            item = Ticked(float(at))
        elif roll < 0.37:
            item = FaultChanged("camera", rng.choice((None, show_box(box).prompt)), float(at))
        else:
            item = Pressed(rng.choice(PRESSES), float(at))
        box, effects = step_box(box, item)
        for effect in effects:
            ledger.write(effect)
        box = replace(box, known=replace(box.known, game=ledger.running))
        flow = next((flow for flow in box.flows if isinstance(flow, Playing)), None)
        if flow is not None:
            assert flow.log.state == ledger.games[ledger.running].state
            assert flow.log.game.view(flow.log.state).over == (ledger.running in ledger.ended)
        if at % 10 == 0:
            shown = show_box(box)
            assert draw_screen(shown, render_screen(shown, box.known.names))
