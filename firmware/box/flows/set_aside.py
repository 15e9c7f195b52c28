"""What to keep apart when a game is put away, so that it can go on another day."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Illegal
from engine.games.nimmt.rules import drafter
from engine.games.nimmt.state import State as Nimmt
from engine.games.six.state import State as Six
from engine.games.the_game.state import State as TheGame
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Command, Verb
from firmware.box.context import Context
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.menu import offer
from vision.live.read_request import ReadRequest

COLOURS = ("red", "black")


@dataclass(frozen=True, slots=True)
class KeepApart:
    """One line at a time, and all of them for a longer screen. The game is put away already.

    ``then`` is told after the last line.
    """

    lines: tuple[Text, ...]
    then: Command | None = None
    at: int = 0

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        more = self.at + 1 < len(self.lines)
        offers = ((offer(say("keep_next"), Verb.NEXT_PAGE),) if more else ()) + (offer(say("all_put_by"), Verb.BACK),)
        return View(self.lines[self.at], offers=offers, lines=self.lines, bar=(self.at + 1) / len(self.lines))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK | Verb.MENU, _, _):
                return Turn((), tell=self.then)
            case Told(Verb.NEXT_PAGE, _, _) if self.at + 1 < len(self.lines):
                return Turn((replace(self, at=self.at + 1),))
            case _:
                return None


def keep_apart(log: Log[Any, Any]) -> tuple[Text, ...]:
    """Whatever the camera never saw and nobody could lay out again from the record."""
    match log.state:
        case Nimmt() as state:
            return tuple(_cards(state))
        case TheGame() as state:
            hands = [say("keep_hand", player=p, n=state.hands[p - 1]) for p in state.playing if state.hands[p - 1]]
            return (*hands, say("keep_deck", n=state.deck)) if state.deck else tuple(hands)
        case Six() as state if state.game and any(state.game.hands):
            stocks = zip(COLOURS, state.game.hands, strict=True)
            return tuple(say("keep_tiles", colour=colour, n=n) for colour, n in stocks if n)
    return ()


def _cards(state: Nimmt) -> list[Text]:
    kept: list[Text] = []
    hands = dict(_hands(state))
    for player, pile in enumerate(state.piles if state.phase not in ("over", "end") else (), 1):
        if pile and hands.get(player):
            kept.append(say("keep_both", player=player, n=hands[player], pile=len(pile)))
        elif pile:
            kept.append(say("keep_pile", player=player, n=len(pile)))
        elif hands.get(player):
            kept.append(say("keep_hand", player=player, n=hands[player]))
    if not hands and state.phase in ("choose", "lay"):
        kept.append(say("keep_hands"))
    if state.rules.variant == "halves" and state.entered and state.turns <= state.rules.halves[0]:
        kept.append(say("keep_stock"))
    kept += [say("keep_specials", player=p, n=state.held[p - 1]) for p in state.players() if state.held[p - 1]]
    return [*kept, say("keep_special_deck")] if state.rules.anniversary else kept


def _hands(state: Nimmt) -> list[tuple[int, int]]:
    """How many number cards each player holds, as far as that is certain."""
    rules, order = state.rules, tuple(state.players())
    if state.phase == "draft" or (state.phase == "deal" and rules.variant == "professional"):
        turns = [order[drafter(len(order), rules.first, state.round, n) - 1] for n in range(state.picked)]
        return [(player, turns.count(player)) for player in order]
    off = rules.seats == "off" and (state.card or state.laid)  # nobody knows whose cards lie already
    if off or state.phase not in ("choose", "lay"):
        return []
    first_half = rules.variant == "halves" and state.turns < rules.halves[0]
    left = (rules.halves[0] if first_half else rules.turns) - state.turns
    played = {p for p in order if state.phase == "lay" or state.shown[p - 1] or p in state.chosen}
    return [(player, left - (player in played)) for player in order]


def tidied(log: Log[Any, Any]) -> tuple[str, ...]:
    """Entries that say that everything is gone which the rules had removed before: it is packed up now anyway."""
    told: list[str] = []
    for entry in ("clear", *(f"tidy {zone}" for zone in log.game.layout(log.state).zones)):
        try:
            log = log.add(log.parse(entry))
        except (Illegal, BadNotation):
            continue
        told.append(entry)
    return tuple(told)
