"""Random commands from a paired phone: the box answers each and plays on."""

import random

import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.box.commands import Verb
from firmware.box.events import PageChanged, PageStatus, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.simulation.players import PLAYERS

SAID = """
back menu pause paused home again resume begin game new other set players option rules start go stopped power deck check
people rename name call spell letter seats leaves joins leave join sit moves amend adopt overrule by hand form tens
enough agree all we table record is right pads pad audit give up given next line take lay reveal deal who tidy sweep
special mark shift swap negpos hands choose exchange pick spread handback stray cannot done play under resume lift
rematch draw lose clear aim pair phones look picture agreed code skip keep nimmt thegame six players=4 variant=base
first=2 spots=1,1 = , ; : | - > row:1=10|20 seat:2=33 pile:1=7 cell:0,0=red red black up:1 down:2 0 1 2 3 44 104 105
-1 99999999999999999999 1e9 ٣ ² ½ \\ ' " {} {0} %s ../.. <b> 1,2 2,-1 1,2,3,4 nan
""".split()
SAID += map(str, Verb)
SAID += "yes moves:take-back people:rename people:remove name:set vote:agree game:begin game:resume game:check".split()
SAID += "people:name setup:set setup:player-count entry:form entry:word".split()
ROUNDS = 1200


@pytest.mark.parametrize("game", GAMES)
def test_no_command_breaks_the_box(game):
    rng = random.Random(game)
    log = Log(GAMES[game], {"players": 2} if game != "thegame" else {})
    players = PLAYERS[game](log.options, rng)
    fresh = Box(Context(page=PageStatus("here")), (Home(), play_from(log)))
    box = fresh
    for turn in range(ROUNDS):
        words = " ".join(rng.choices(SAID, k=rng.choice((1, 1, 2, 2, 3, 4, 6))))
        offers = show_box(box).offers
        if offers and rng.random() < 0.4:
            words = rng.choice(offers).move
        box, _ = step_box(box, parse_told(words, "web", float(turn)))
        show_box(box), find_read_request(box)
        if rng.random() < 0.02:
            box = fresh
        if rng.random() < 0.05 and (move := players.next(log.state)) is not None:
            log = log.add(move)
            fresh = Box(Context(page=PageStatus("here")), (Home(), play_from(log)))
    assert step_box(fresh, parse_told("menu", "web", 0.0))[0].flows[-1] != fresh.flows[-1]
    assert step_box(box, PageChanged(PageStatus("there"), 1.0))[0].known.page == PageStatus("there")
