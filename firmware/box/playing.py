"""A game at the table: looks and words go to the desk, BACK held opens the game's menu."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.table import Area
from engine.text import say
from engine.view import Offer, View
from firmware.box.desk import Desk, show, step
from firmware.box.flow import Aim, Known, Turn
from firmware.box.items import Aimed, Looked, Ticked, Told
from firmware.box.menu import Menu


@dataclass(frozen=True, slots=True)
class Playing:
    desk: Desk
    zones: Mapping[str, Area]

    def aim(self, known: Known) -> Aim | None:
        return Aim("read", self.desk.log.game.name, self.zones, self.desk.log)

    def view(self, known: Known) -> View:
        return show(replace(self.desk, now=known.now))

    def take(self, item: Looked | Aimed | Told | Ticked, known: Known) -> Turn | None:
        match item:
            case Aimed():
                return None
            case Told("back", _, _):
                return Turn((replace(self, desk=replace(self.desk, refused=None)),))
            case Told("menu", _, _):
                return Turn((self, Menu(say("game_menu"), _entries())))
            case Looked() | Told() | Ticked():
                desk, written = step(self.desk, item)
                return Turn((replace(self, desk=desk),), written)


def playing(log: Log[Any, Any]) -> Playing:
    """A game from where its record stands."""
    return Playing(Desk(log), log.game.plan(log.options).zones)


def _entries() -> tuple[Offer, ...]:
    return (Offer(say("go_on"), "back"),)
