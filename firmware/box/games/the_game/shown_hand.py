"""The hand that could not play is shown to the camera after the end, to check that no card was playable."""

from dataclasses import dataclass, replace
from typing import Any

from engine.games.the_game.zones import parse_number
from engine.log import Log
from engine.table import Area, Table
from engine.text import say
from engine.view import View
from firmware.box.commands import EntryLine, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import GO_ON, offer
from vision.live.perception_events import TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class ShownHand:
    """Closes with ``verify 12,30,...`` when as many cards are shown as the hand holds."""

    log: Log[Any, Any]
    seen: frozenset[int] = frozenset()

    def read_request(self, known: Context) -> ReadRequest | None:
        plan = self.log.game.plan(self.log.options)
        return ReadRequest("read", self.log.game.name, {"table": Area(0, 0, plan.width, plan.height)})

    def view(self, known: Context) -> View:
        state = self.log.state
        whole = len(self.seen) == state.hand
        prompt = say("hand_there", cards=tuple(sorted(self.seen))) if self.seen else say("show_hand", n=state.hand)
        sure = (offer(say("that_is_all"), self._entry()),) if whole else ()
        alert = say("hand_too_many", n=state.hand) if len(self.seen) > state.hand else None
        return View(prompt, state.turn, offers=(*sure, GO_ON), alert=alert, bar=min(1.0, len(self.seen) / state.hand))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case TableSeen(table, _):
                return Turn((replace(self, seen=self._hand(table)),))
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(command, _, _) if self.seen and command == self._entry():
                return Turn((), tell=command)
            case _:
                return None

    def _entry(self) -> EntryLine:
        return EntryLine(f"verify {','.join(map(str, sorted(self.seen)))}")

    def _hand(self, table: Table) -> frozenset[int]:
        """The cards on the table that are not in the piles."""
        numbers = frozenset(parse_number(seen.piece) for seen in table.seen)
        return frozenset(n for n in numbers if 1 < n < 100 and not self.log.state.is_laid(n))
