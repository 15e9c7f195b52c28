"""What a press of each button does: move the cursor, choose the offer under it, go back, open the menu, switch off."""

from dataclasses import dataclass

from engine.view import View
from firmware.box.commands import Command, Verb, parse_command
from firmware.box.effects import PowerOff, Restart
from hw.button_presses import Button, Press, PressKind

OK_DELAY_S = 0.3
"""Seconds for which OK does nothing after the offer under the cursor has changed by itself."""


@dataclass(frozen=True, slots=True)
class MoveCursor:
    """Move the cursor by this many offers, down if positive."""

    by: int


ButtonAction = MoveCursor | Command | Restart | PowerOff


def choose_action(press: Press, shown: View, *, offer_shown_s: float) -> ButtonAction | None:
    """What this press does now, if anything; ``offer_shown_s`` is how long the offer has been under the cursor."""
    match press:
        case Press(Button.UP, PressKind.SHORT | PressKind.REPEAT):
            return MoveCursor(-1)
        case Press(Button.DOWN, PressKind.SHORT | PressKind.REPEAT):
            return MoveCursor(1)
        case Press(Button.OK, PressKind.SHORT):
            ready = shown.offers and offer_shown_s >= OK_DELAY_S
            return parse_command(shown.offers[shown.cursor].move) if ready else None
        case Press(Button.BACK, PressKind.SHORT):
            return Verb.BACK
        case Press(Button.BACK, PressKind.LONG):
            return Verb.MENU
        case Press(_, PressKind.RESTART):
            return Restart()
        case Press(_, PressKind.OFF):
            return PowerOff()
        case _:
            return None
