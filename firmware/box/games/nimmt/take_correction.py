"""Without seats players say who took a row; a take that was given to the wrong player is given to another one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.games.nimmt.cards import count_heads
from engine.games.nimmt.moves import Who
from engine.log import Amend, Log
from engine.text import say
from engine.view import Offer, View
from firmware.box.commands import EntryLine, OpenCheck, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import GO_ON, offer
from vision.live.read_request import ReadRequest


def has_named_takes(log: Log[Any, Any]) -> bool:
    """Has a player said who took a row?"""
    return any(isinstance(move, Who) for move in log.moves)


@dataclass(frozen=True, slots=True)
class TakeCorrection:
    """All takes that players have named, the latest first; the ``chosen`` one gets another player.

    Later moves stay as they are.
    """

    log: Log[Any, Any]
    chosen: int | None = None

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        if self.chosen is None:
            return View(say("which_take"), offers=(GO_ON, *self._takes()))
        return View(say("who_took", n=self._heads(self.chosen)), offers=(GO_ON, *self._others(self.chosen)))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK, _, _) if self.chosen is not None:
                return Turn((replace(self, chosen=None),))
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(OpenCheck() as chosen, _, _) if self.chosen is None:
                found = next((at for at, _ in self._named() if _open(at) == chosen), None)
                return None if found is None else Turn((replace(self, chosen=found),))
            case Told(EntryLine() as entry, _, _) if self.chosen is not None and str(entry) in self._entries(
                self.chosen
            ):
                return Turn((), tell=entry)
            case _:
                return None

    def _entries(self, chosen: int) -> tuple[str, ...]:
        return tuple(other.move for other in self._others(chosen))

    def _named(self) -> Iterator[tuple[int, int]]:
        """The number of each move that names a taker, and the player, the latest first."""
        for at in reversed(range(len(self.log.moves))):
            if isinstance(move := self.log.moves[at], Who):
                yield at, move.player

    def _heads(self, at: int) -> int:
        return count_heads(self.log.states[at].unowned[0])

    def _takes(self) -> Iterator[Offer]:
        for at, player in self._named():
            yield offer(say("player_took", player=player, n=self._heads(at)), _open(at))

    def _others(self, chosen: int) -> Iterator[Offer]:
        named = dict(self._named())[chosen]
        for player in self.log.states[chosen].players():
            if player != named:
                entry = str(Amend(chosen, chosen + 1, (Who(player),)))
                yield Offer(say("player_took", player=player, n=self._heads(chosen)), entry)


def _open(at: int) -> OpenCheck:
    return OpenCheck(f"take-{at}")
