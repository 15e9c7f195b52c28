"""Ask which player took the cards that are gone, before the table is adopted, so that no score is guessed."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.referee import adopt_table
from engine.table import Table
from engine.text import say
from engine.view import View
from firmware.box.commands import NameOwner, Verb
from firmware.box.events import FlowEvent, Owners, OwnersNamed, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.games import ui_of
from firmware.box.menu_and_confirmation import offer
from vision.live.read_request import ReadRequest


def find_adoption(log: Log[Any, Any], table: Table | None) -> str:
    """The command that adopts the table, empty if no state of the game fits it."""
    if table is None:
        return ""
    if ui_of(log.game.name).unowned(log, table):  # their owners are asked for
        return str(Verb.TABLE_IS_RIGHT)
    try:
        return str(adopt_table(log, table).moves[-1])
    except Illegal:
        return ""


@dataclass(frozen=True, slots=True)
class AssignCards:
    """Ask for the owner of each group; answers when every group has one. Cards that ``lie`` in sight were laid."""

    groups: tuple[tuple[str, ...], ...]
    players: tuple[int, ...]
    by_all: bool = False
    owners: Owners = ()
    lie: frozenset[str] = frozenset()

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        cards = tuple(map(int, self._cards))
        names = "|".join(self._cards)
        offers = tuple(offer(say("player", player=player), NameOwner(names, player)) for player in self.players)
        if self.lie.issuperset(self._cards):
            return View(say("whose_card", card=cards[0]), offers=(*offers, offer(say("go_on"), Verb.BACK)))
        return View(say("who_has_these", cards=cards), offers=(*offers, offer(say("nobody_has"), Verb.BACK)))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(NameOwner(cards, player), _, _) if player in self.players and cards == "|".join(self._cards):
                owners = (*self.owners, (f"pile:{player}", self._cards))
                if len(owners) < len(self.groups):
                    return Turn((replace(self, owners=owners),))
                return Turn((), answer=OwnersNamed(_by_pile(owners), self.by_all))
            case _:
                return None

    @property
    def _cards(self) -> tuple[str, ...]:
        """The group that is asked about."""
        return self.groups[len(self.owners)]


def _by_pile(owners: Owners) -> Owners:
    """Several groups of one owner become one pile."""
    piles: dict[str, tuple[str, ...]] = {}
    for pile, cards in owners:
        piles[pile] = (*piles.get(pile, ()), *cards)
    return tuple(piles.items())
