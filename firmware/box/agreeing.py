"""All players together may overrule the box: each of them says so with a press of his own."""

from dataclasses import dataclass, replace

from engine.text import say
from engine.view import Offer, View
from firmware.box.flow import Aim, Known, Turn
from firmware.box.items import Aimed, Looked, Ticked, Told


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Asked one after the other; a single no, which stands first, and nothing has happened."""

    players: tuple[int, ...]
    at: int = 0

    def aim(self, known: Known) -> Aim | None:
        return None

    def view(self, known: Known) -> View:
        player = self.players[self.at]
        offers = (Offer(say("disagree"), "back"), Offer(say("agree"), "agree"))
        return View(say("do_you_agree", player=player), player, offers=offers, bar=self.at / len(self.players))

    def take(self, item: Looked | Aimed | Told | Ticked, known: Known) -> Turn | None:
        match item:
            case Told("back" | "menu", _, _):
                return Turn(())
            case Told("agree", _, _) if self.at + 1 < len(self.players):
                return Turn((replace(self, at=self.at + 1),))
            case Told("agree", _, _):
                return Turn((), say="all agree")
            case _:
                return None
