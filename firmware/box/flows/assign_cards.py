"""Who has what vanished from the rows: asked before the table is taken as right, so that no score is guessed."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.pairs import format_pairs, parse_pairs
from engine.referee import adopt
from engine.table import Table
from engine.text import say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.events import Ticked, Told
from firmware.box.flow import Turn
from firmware.box.games import ui_of
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest

Owners = tuple[tuple[str, tuple[str, ...]], ...]
TABLE = "table is right"


def right(log: Log[Any, Any], table: Table | None) -> str:
    """The words that take the table as right, nothing if no state looks like it."""
    if table is None:
        return ""
    try:
        return str(adopt(log, table).moves[-1])
    except Illegal:  # perhaps somebody only has to say who has what vanished
        return TABLE if ui_of(log.game.name).unowned(log, table) else ""


@dataclass(frozen=True, slots=True)
class Owning:
    """Closes with ``owned pile:2=30|31 ...`` when every group of cards has its owner."""

    groups: tuple[tuple[str, ...], ...]
    players: tuple[int, ...]
    by_all: bool = False
    owners: Owners = ()

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        cards = tuple(map(int, self.groups[len(self.owners)]))
        offers = tuple(Offer(say("player", player=player), f"owner {player}") for player in self.players)
        return View(say("who_has_these", cards=cards), offers=(*offers, Offer(say("nobody_has"), "back")))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        match item:
            case Told("back" | "menu", _, _):
                return Turn(())
            case Told(words, _, _) if words in {f"owner {player}" for player in self.players}:
                owner = f"pile:{words.split()[1]}"
                owners = (*self.owners, (owner, self.groups[len(self.owners)]))
                if len(owners) < len(self.groups):
                    return Turn((replace(self, owners=owners),))
                return Turn((), say=in_words(owners, by_all=self.by_all))
            case _:
                return None


def in_words(owners: Owners, *, by_all: bool) -> str:
    """Several groups of one owner are one pile."""
    piles: dict[str, tuple[str, ...]] = {}
    for pile, cards in owners:
        piles[pile] = (*piles.get(pile, ()), *cards)
    told = format_pairs((pile, "|".join(cards)) for pile, cards in piles.items())
    return f"{'all own' if by_all else 'owned'} {told}".rstrip()


def from_words(words: str) -> tuple[Owners, bool] | None:
    """The owners and whether everybody overrules; None for any other words."""
    head, _, rest = words.partition(" pile:")
    if head not in ("owned", "all own"):
        return None
    pairs = parse_pairs(f"pile:{rest}".split())
    return tuple((pile, tuple(cards.split("|"))) for pile, cards in pairs), head == "all own"
