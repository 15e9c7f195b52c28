"""Manual entry for The Game: a card on a pile, an unseen card under another, and the hand that could not play."""

from collections.abc import Iterable, Iterator

from engine.games.the_game.match_end import is_over
from engine.games.the_game.rules import list_hidden_steps, may_lay
from engine.games.the_game.state import CARDS, LOWEST_CARD, PILES, State
from engine.text import say
from engine.view import Offer
from firmware.box.commands import OpenForm
from firmware.box.games.manual_entry_question import Question, ask_number
from firmware.box.menu_and_confirmation import offer


def forms(state: State) -> tuple[Offer, ...]:
    if is_over(state):
        return (offer(say("hand_by_hand"), OpenForm("verify")),) if state.stopped and not state.shown else ()
    found = [offer(say("card_on_pile"), OpenForm("play"))]
    if state.total:
        found.append(offer(say("card_under"), OpenForm("under")))
    if any(any(_asked(state, pile)) for pile in range(len(PILES))):
        found.append(offer(say("nothing_under"), OpenForm("bare")))
    return tuple(found)


def ask(state: State, verb: str, words: tuple[str, ...]) -> Question | None:
    """For a card under another: first the pile, then the card on top, then the card itself."""
    fresh = [card for card in range(LOWEST_CARD, LOWEST_CARD + CARDS) if not state.is_laid(card)]
    match verb, len(words):
        case "play", 0:
            return ask_number(say("which_card"), fresh)
        case "play", 1:
            return _pile(range(len(PILES)))
        case "under", 0:
            return _pile(pile for pile in range(len(PILES)) if state.piles[pile])
        case "under", 1:
            return ask_number(say("under_which"), state.piles[PILES.index(words[0])])
        case "under", 2:
            return ask_number(say("which_card"), fresh)
        case "bare", 0:
            return _pile(pile for pile in range(len(PILES)) if any(_asked(state, pile)))
        case "bare", 1:
            return ask_number(say("under_which"), _asked(state, PILES.index(words[0])))
        case "verify", 0:
            return ask_number(say("show_hand", n=state.hand), fresh, state.hand)
        case _:
            return None


def _asked(state: State, pile: int) -> Iterator[int]:
    """Cards that would be legal if an unseen card were under them."""
    cards = range(LOWEST_CARD, LOWEST_CARD + CARDS)
    return (c for c in cards if not (state.is_laid(c) or may_lay(state, pile, c)) and list_hidden_steps(state, pile, c))


def _pile(piles: Iterable[int]) -> Question:
    return Question(say("which_pile"), tuple(Offer(say("pile", zone=PILES[pile]), PILES[pile]) for pile in piles))


def entry(verb: str, words: tuple[str, ...]) -> str:
    match verb:
        case "under" | "bare":
            return " ".join((verb, *reversed(words)))
        case _:
            return " ".join((verb, *words))
