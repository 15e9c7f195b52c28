"""A game at the table: looks and words go to the desk, BACK held opens the game's menu, and its end is told once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.referee import Follows
from engine.table import Area, Table
from engine.view import View
from firmware.box.aiming import AimingCamera
from firmware.box.desk import Desk, show, step
from firmware.box.flow import Aim, Effect, End, Known, PutAside, Stopped, TakeUp, Turn, Write
from firmware.box.guiding import Guide
from firmware.box.in_game import menu, question
from firmware.box.items import Aimed, Looked, Ticked, Told
from firmware.box.pausing import KeepApart, keep_apart, tidied


@dataclass(frozen=True, slots=True)
class Playing:
    """``guide``: the table is being put together as the record has it, and is not judged before it is."""

    desk: Desk
    zones: Mapping[str, Area]
    guide: Guide | None = None

    @property
    def log(self) -> Log[Any, Any]:
        return self.desk.log

    def aim(self, known: Known) -> Aim | None:
        return Aim("read", self.log.game.name, self.zones, self.log)

    def view(self, known: Known) -> View:
        if self.guide is not None:
            return self.guide.view(self.log)
        return show(replace(self.desk, now=known.now))

    def take(self, item: Looked | Aimed | Told | Ticked, known: Known) -> Turn | None:
        match item:
            case Aimed():
                return None
            case Looked(table, _) if self.guide is not None:
                return self._guided(replace(self.guide, table=table), item, known)
            case Looked() | Ticked():
                return self._judge(item, known)
            case Told(words, _, _):
                return self._told(words, item, known)

    def _guided(self, guide: Guide, item: Looked, known: Known) -> Turn:
        if guide.agrees(self.log):
            return replace(self, guide=None)._judge(item, known)
        return Turn((replace(self, guide=guide, desk=replace(self.desk, table=guide.table)),))

    def _told(self, words: str, item: Told, known: Known) -> Turn | None:
        if asked := question(words):
            return Turn((self, asked))
        match words:
            case "back":
                return Turn((replace(self, desk=replace(self.desk, refused=None)),))
            case "menu":
                return Turn((self, menu(self.log, differs=self._differs())))
            case "record is right":
                return Turn((replace(self, guide=Guide(self.desk.table)),))
            case "line is right" | "all is right" if self.guide is not None:
                return Turn((replace(self, guide=self.guide.tell(words, self.log)),))
            case "paused":
                return self._put_aside(known)
            case "other game":
                turn = self._put_aside(known)
                return replace(turn, flows=(), say="new game")
            case "aim":
                return Turn((self, AimingCamera()))
            case "given up":
                return Turn((), (End("given up"),))
            case _:
                return self._judge(item, known)

    def _differs(self) -> bool:
        verdict = self.desk.verdict
        return self.guide is None and verdict is not None and not isinstance(verdict, Follows)

    def _judge(self, item: Looked | Told | Ticked, known: Known) -> Turn:
        """The desk's answer; that a match is over, or goes on after all, is told in the same breath."""
        desk, written = step(self.desk, item)
        effects: tuple[Effect, ...] = written
        was, now = (log.game.view(log.state).over for log in (self.log, desk.log))
        if now and not was:
            effects = (*written, End("finished"))
        elif was and not now:
            effects = (TakeUp(known.game), *written)
        return Turn((replace(self, desk=desk),), effects)

    def _put_aside(self, known: Known) -> Turn:
        tidy = tidied(self.log)
        log = self.log.add(*map(self.log.parse, tidy))
        stopped = (*known.stopped, Stopped(known.game, known.names, log))
        effects: tuple[Effect, ...] = (*((Write(tidy, "button"),) if tidy else ()), PutAside())
        lines = keep_apart(log)
        return Turn((KeepApart(lines),) if lines else (), effects, known=replace(known, stopped=stopped))


def playing(log: Log[Any, Any]) -> Playing:
    """A game from where its record stands."""
    return Playing(Desk(log), log.game.plan(log.options).zones)


def guiding(log: Log[Any, Any], table: Table | None = None) -> Playing:
    """A game taken up again: first the table is put together as the record has it, then it is played on."""
    return replace(playing(log), guide=Guide(table))
