"""Audit of the bull piles: each is shown to the camera and must hold the cards that the record says its player took."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.games.nimmt.cards import count_heads, is_number_card
from engine.games.nimmt.pile_audit import audit_piles
from engine.games.nimmt.state import State
from engine.log import Log
from engine.table import Area, Table
from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import GO_ON, offer
from vision.live.perception_events import TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class PileAudit:
    """The first of ``players`` shows the pile. ``seen`` are cards of it, collected over several tables; ``lying`` are
    all cards on the table now.
    """

    state: State
    zones: Mapping[str, Area]
    players: tuple[int, ...]
    seen: frozenset[int] = frozenset()
    lying: frozenset[int] = frozenset()

    @classmethod
    def begin(cls, log: Log[Any, Any]) -> "PileAudit":
        plan = log.game.plan(log.options)
        players = tuple(player for player, pile in enumerate(log.state.piles, 1) if pile)
        return cls(log.state, {"table": Area(0, 0, plan.width, plan.height)}, players)

    def read_request(self, known: Context) -> ReadRequest | None:
        return ReadRequest("read", "nimmt", self.zones)

    def view(self, known: Context) -> View:
        player = self.players[0]
        pile = self.state.piles[player - 1]
        found = audit_piles(self.state, {player: self.seen | self.lying})
        missing, extra = found.missing.get(player, ()), found.extra.get(player, ())
        next_one = offer(say("next_pile") if len(self.players) > 1 else say("piles_done"), Verb.NEXT_PILE)
        if found.agrees:
            return View(
                say("pile_right", player=player, n=len(pile), heads=count_heads(pile)), player, offers=(next_one,)
            )
        lines = tuple(map(self._belongs, extra))
        if not self.seen:
            prompt = say("show_pile", player=player, n=len(pile))
        elif missing:
            prompt = say("pile_lacks", cards=missing[:6])
        else:
            prompt = say("pile_too_many", cards=extra[:6])
        alert, ruling = (lines[0], "R-6") if lines else (None, "")
        offers = (next_one, GO_ON)
        return View(prompt, player, (), offers, alert, ruling=ruling, lines=lines, bar=self._share(missing))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case TableSeen(table, _):
                lying = self._shown(table)
                own = lying.intersection(self.state.piles[self.players[0] - 1])
                return Turn((replace(self, seen=self.seen | own, lying=lying),))
            case Told(Verb.NEXT_PILE, _, _):
                rest = self.players[1:]
                return Turn((replace(self, players=rest, seen=frozenset(), lying=frozenset()),) if rest else ())
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case _:
                return None

    def _shown(self, table: Table) -> frozenset[int]:
        """The cards on the table that are not in the rows."""
        rows = {card for row in self.state.rows for card in row}
        return frozenset(int(seen.piece) for seen in table.seen if is_number_card(seen.piece)) - rows

    def _share(self, missing: tuple[int, ...]) -> float:
        return 1 - len(missing) / len(self.state.piles[self.players[0] - 1])

    def _belongs(self, card: int) -> Text:
        owner = next((player for player, pile in enumerate(self.state.piles, 1) if card in pile), None)
        return say("pile_of_other", card=card, player=owner) if owner else say("never_taken", card=card)
