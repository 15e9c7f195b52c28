"""The story of a game in words: a line for each move with the names of the players, for each alert and each fault."""

from collections.abc import Callable, Iterator

from engine.log import Amend
from engine.text import Text, say
from engine.view import Pad, View
from firmware.box.effects import Effect
from firmware.box.secret_cards import hide_secret_cards
from firmware.journal.operation_types import BeginGame, EndGame, Names, PauseGame, ResumeGame, WriteEntries
from firmware.runtime.companion import Happened
from firmware.texts.move_texts import describe_move
from firmware.texts.names_times_errors import format_player
from firmware.texts.render import PLAYER_ARGS, render
from vision.live.fault_sources import FaultSource
from vision.live.perception_events import FaultChanged

PrintLine = Callable[[str, bool], None]
"""Prints a line, highlighted if it is an alert."""


class Narrator:
    """An observer that prints a line for each move, and for each alert and all news when they appear."""

    def __init__(self, say: PrintLine, language: str = "en") -> None:
        self._say = say
        self._language = language
        self._alert: Text | None = None
        self._faults: dict[FaultSource, Text] = {}

    def __call__(self, happened: Happened) -> None:
        for effect in happened.effects:
            for line in self._told(effect, happened):
                self._say(line, False)
        if isinstance(happened.event, FaultChanged):
            self._tell_fault(happened.event, happened.names)
        alert = happened.view.alert
        if alert is not None and alert != self._alert and not isinstance(happened.event, FaultChanged):
            ruling = f" · {happened.view.ruling}" if happened.view.ruling else ""
            self._say(f"{self._render(alert, happened.names)}{ruling}", True)
        self._alert = alert
        for news in happened.view.news_since(happened.before):
            self._say(self._render(news, happened.names), False)

    def _tell_fault(self, changed: FaultChanged, names: Names) -> None:
        before = self._faults.pop(changed.source, None)
        if changed.text is not None:
            self._faults[changed.source] = changed.text
            self._say(self._render(changed.text, names), True)
        elif before is not None:
            self._say(self._render(say("story_works_again", value=self._render(before, names)), names), False)

    def _told(self, effect: Effect, happened: Happened) -> Iterator[str]:
        match effect:
            case BeginGame(started):
                begins = self._render(say("story_begins", game=started.game), happened.names)
                yield ": ".join(filter(None, (begins, ", ".join(started.names.values()))))
            case ResumeGame():
                yield self._render(say("story_resumed"), happened.names)
            case WriteEntries(entries):
                yield from self._moves(entries, happened)
            case PauseGame():
                yield self._render(say("story_paused"), happened.names)
            case EndGame(how):
                ended = say("game_is_over" if how == "finished" else "story_given_up")
                yield self._render(ended, happened.names)
            case _:
                return

    def _moves(self, entries: tuple[str, ...], happened: Happened) -> Iterator[str]:
        """The moves in words. A card that is secret by now is not named (R-9, P-8)."""
        log = happened.log
        if log is None:  # what pausing tidies away is told with the pause
            return
        if any(isinstance(log.parse(entry), Amend) for entry in entries):
            yield self._render(say("story_undone"), happened.names)
            return
        for move, before in list(zip(log.moves, log.states, strict=False))[-len(entries) :]:
            told = hide_secret_cards(describe_move(log.game.name, move), log)
            turn = log.game.view(before).turn
            by = f"{format_player(turn, happened.names)}: " if turn and not PLAYER_ARGS & dict(told.args).keys() else ""
            yield f"{by}{self._render(told, happened.names)}"

    def _render(self, text: Text, names: Names) -> str:
        return render(text, self._language, names)


def format_view(view: View, names: Names) -> str:
    """The prompt and a line for each player: points by round, and the total."""
    return "\n".join([render(view.prompt, names=names), *(_pad(pad, view, names) for pad in view.pads)])


def _pad(pad: Pad, view: View, names: Names) -> str:
    rounds = " ".join(f"{points:3}" for points in pad.rounds)
    star = " *" if pad.player in view.winners else ""
    return f"  {format_player(pad.player, names):10} {rounds}  total {pad.total + pad.now}{star}"
