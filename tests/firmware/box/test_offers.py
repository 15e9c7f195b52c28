"""Whatever the box offers is accepted when it is pressed: in the game, after somebody left, and about a wrong table."""

import random

import pytest

from engine.game import Illegal
from engine.table import Layout
from firmware.box.alert_delays import HINT_DELAY_S
from firmware.box.commands import EntryLine
from firmware.box.events import Ticked, parse_told
from firmware.box.games import ui_of
from firmware.box.referee_desk import RefereeDesk, show_desk, step_desk
from tests.engine.test_conformance import IDS, TABLES, match
from tests.engine.test_obeyed_advice import SPARE, WRONGS
from vision.live.perception_events import TableSeen

LOOKED_AT = 0.1
"""The part of a match's states at which somebody leaves, or hands do something wrong."""


def press_all(desk):
    """The entries offered, each with the answer to it."""
    for offer in show_desk(desk).offers:
        told = parse_told(offer.move, "button", desk.now)
        if isinstance(told.command, EntryLine):
            yield offer.move, step_desk(desk, told)[0].refused


def press_in_game(log):
    """The moves offered by the game and for manual entry, each with the refusal if there is one."""
    shown = log.game.view(log.state).offers
    for offer in (*shown, *ui_of(log.game.name).manual_forms(log.state)):
        told = parse_told(offer.move, "button", 0.0)
        if isinstance(told.command, EntryLine):
            yield offer.move, step_desk(RefereeDesk(log), told)[0].refused


def leave_each(log):
    """The logs after one player has left, for each whom the rules let go."""
    for player in ui_of(log.game.name).players(log) if ui_of(log.game.name).leaves else ():
        try:
            yield log.add(log.game.parse(f"leave {player}"))
        except Illegal:
            continue


@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_every_offer_of_a_game_is_accepted(name, options):
    rng = random.Random(9)
    pressed = 0
    for log in match(name, options, seed=9):
        for state in (log, *(leave_each(log) if rng.random() < LOOKED_AT else ())):
            answers = dict(press_in_game(state))
            assert {move: str(why) for move, why in answers.items() if why} == {}, state.moves[-3:]
            pressed += len(answers)
    assert pressed


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
