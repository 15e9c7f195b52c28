"""All players together may overrule the box, or let phones see the table: each agrees with a press of their own."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.log import Adopt, Amend, Log
from engine.notation import BadNotation
from engine.text import say
from engine.view import View
from firmware.box.commands import Agree, Verb, Vote
from firmware.box.events import AllAgreed, FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import offer
from vision.live.read_request import ReadRequest


def overrules(entry: str, log: Log[Any, Any]) -> bool:
    """Does this entry hold, or hide in a correction, an overrule that does not stand yet?"""
    if "overrule" not in entry:
        return False
    try:
        parsed = log.parse(entry)
    except (Illegal, BadNotation):
        return False
    fresh = (move for move in parsed.moves if move not in log.moves) if isinstance(parsed, Amend) else (parsed,)
    return any(isinstance(move, Adopt) and move.by_all for move in fresh)


@dataclass(frozen=True, slots=True)
class UnanimousVote:
    """Asks one player after the other. One no, which stands first, ends the vote without effect.

    A phone cannot agree that phones may see the table.
    """

    players: tuple[int, ...]
    vote: Vote
    at: int = 0

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        player = self.players[self.at]
        offers = (offer(say("disagree"), Verb.BACK), offer(say("agree"), Agree(self.vote, player)))
        question = say("picture_for_phones" if self.vote == "phones" else "do_you_agree", player=player)
        return View(question, player, offers=offers, bar=self.at / len(self.players))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn(())
            case Told(Agree(vote, player), by, _) if (vote, player) == (self.vote, self.players[self.at]):
                if vote == "phones" and by == "web":
                    return Turn((self,))
                if self.at + 1 < len(self.players):
                    return Turn((replace(self, at=self.at + 1),))
                return Turn((), answer=AllAgreed(vote))
            case _:
                return None
