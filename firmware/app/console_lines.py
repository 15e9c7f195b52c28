"""Lines for the console: entries with their source, alerts with their ruling, and faults."""

from collections.abc import Callable, Iterator

from engine.text import Text
from engine.view import Pad, View
from firmware.box.effects import Effect
from firmware.journal.operation_types import BeginGame, EndGame, Names, PauseGame, ResumeGame, WriteEntries
from firmware.runtime.companion import Happened
from firmware.texts.names_times_errors import format_player
from firmware.texts.render import render
from vision.live.perception_events import FaultChanged

PrintLine = Callable[[str, bool], None]
"""Prints a line, highlighted if it is an alert."""


class Narrator:
    """An observer that prints a line for each entry, and for each alert when it appears."""

    def __init__(self, say: PrintLine) -> None:
        self._say = say
        self._alert: Text | None = None

    def __call__(self, happened: Happened) -> None:
        for line in _done(happened):
            self._say(line, False)
        match happened.event:
            case FaultChanged(source, None, _):
                self._say(f"{source}: ok again", False)
            case FaultChanged(source, Text() as text, _):
                self._say(f"{source}: {render(text, names=happened.names)}", True)
            case _:
                pass
        alert = happened.view.alert
        if alert is not None and alert != self._alert and not isinstance(happened.event, FaultChanged):
            ruling = f" · {happened.view.ruling}" if happened.view.ruling else ""
            self._say(f"{render(alert, names=happened.names)}{ruling}", True)
        self._alert = alert


def _done(happened: Happened) -> Iterator[str]:
    for effect in happened.effects:
        said = _said(effect, happened)
        if said:
            yield said


def _said(effect: Effect, happened: Happened) -> str:
    match effect:
        case BeginGame(started):
            players = ", ".join(happened.names.values())
            return f"{started.game} begins{': ' if players else ''}{players}"
        case ResumeGame():
            return "the game continues"
        case WriteEntries(entries, told):
            turn = happened.before.turn
            player = f"{format_player(turn, happened.names)}: " if turn else ""
            return f"{told:6}  {player}{', '.join(entries)}"
        case PauseGame():
            return "the game is paused"
        case EndGame(how):
            return f"the game is {how}"
        case _:
            return ""


def format_view(view: View, names: Names) -> str:
    """The prompt and a line for each player: points by round, and the total."""
    return "\n".join([render(view.prompt, names=names), *(_pad(pad, view, names) for pad in view.pads)])


def _pad(pad: Pad, view: View, names: Names) -> str:
    rounds = " ".join(f"{points:3}" for points in pad.rounds)
    star = " *" if pad.player in view.winners else ""
    return f"  {format_player(pad.player, names):10} {rounds}  total {pad.total + pad.now}{star}"
