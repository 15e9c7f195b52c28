"""All players together may overrule the box, or let phones see the table: each says so with a press of his own."""

from dataclasses import dataclass, replace

from engine.text import say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.events import Ticked, Told
from firmware.box.flow import Turn
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Asked one after the other; a single no, which stands first, and nothing has happened.

    Whether phones may see a ``picture`` is not for a phone to say.
    """

    players: tuple[int, ...]
    at: int = 0
    picture: bool = False

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        player = self.players[self.at]
        offers = (Offer(say("disagree"), "back"), Offer(say("agree"), "agree"))
        question = say("picture_for_phones" if self.picture else "do_you_agree", player=player)
        return View(question, player, offers=offers, bar=self.at / len(self.players))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        match item:
            case Told("back" | "menu", _, _):
                return Turn(())
            case Told("agree", "web", _) if self.picture:
                return Turn((self,))
            case Told("agree", _, _) if self.at + 1 < len(self.players):
                return Turn((replace(self, at=self.at + 1),))
            case Told("agree", _, _):
                return Turn((), say="picture agreed" if self.picture else "all agree")
            case _:
                return None
