"""Whatever the box offers about a table that is not as recorded is accepted when it is pressed."""

import random

import pytest

from engine.table import Layout
from firmware.box.alert_delays import HINT_DELAY_S
from firmware.box.commands import EntryLine
from firmware.box.events import Ticked, parse_told
from firmware.box.referee_desk import RefereeDesk, show_desk, step_desk
from tests.engine.test_conformance import IDS, TABLES, match
from tests.engine.test_obeyed_advice import SPARE, WRONGS
from vision.live.perception_events import TableSeen

LOOKED_AT = 0.1
"""The part of a match's states at which hands do something wrong."""


def press_all(desk):
    """The entries offered, each with the answer to it."""
    for offer in show_desk(desk).offers:
        told = parse_told(offer.move, "button", desk.now)
        if isinstance(told.command, EntryLine):
            yield offer.move, step_desk(desk, told)[0].refused


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_every_offer_about_a_table_is_accepted(name, options):
    rng = random.Random(11)
    pressed = 0
    for log in match(name, options, seed=11):
        state = log.state
        zones = {zone: held for zone, held in log.game.layout(state).zones.items() if zone != "anchor"}
        if rng.random() > LOOKED_AT or len(zones) < 2:
            continue
        for wrong in WRONGS[name]:
            held = {zone: list(pieces) for zone, pieces in zones.items()}
            wrong(rng, held, SPARE.get(name, ""))
            table = log.game.place(state, Layout({zone: tuple(pieces) for zone, pieces in held.items() if pieces}))
            desk, _ = step_desk(RefereeDesk(log), TableSeen(table, 0.0))
            desk, _ = step_desk(desk, Ticked(HINT_DELAY_S))
            answers = dict(press_all(desk))
            assert {move: str(why) for move, why in answers.items() if why} == {}, (wrong.__name__, held)
            pressed += len(answers)
    assert pressed
