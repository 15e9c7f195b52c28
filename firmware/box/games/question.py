"""One thing to choose on the way to an entry, and how a number is found by its tens."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import ChooseTens, ChooseWord

SHORT = 10
"""So many answers are a list; of more numbers the tens are asked for first."""


@dataclass(frozen=True, slots=True)
class Ask:
    """``offers`` are the answers in words; ``many`` how many of them make one row of numbers, 0 as many as one likes.

    ``lines`` help to choose, as a picture of the board does.
    """

    prompt: Text
    offers: tuple[Offer, ...]
    many: int = 1
    lines: tuple[Text, ...] = ()

    def takes(self, word: str) -> bool:
        """Is this an answer, or a row of them?"""
        known = {offer.move for offer in self.offers}
        return word in known or (self.many != 1 and set(word.split(",")) <= known)


def numbers(prompt: Text, cards: Iterable[int], many: int = 1) -> Ask:
    """Any of these cards, the lowest first."""
    return Ask(prompt, tuple(Offer(say("as_is", value=str(card)), str(card)) for card in sorted(cards)), many)


def by_tens(ask: Ask, tens: int | None, chosen: tuple[str, ...]) -> tuple[Offer, ...]:
    """What to show of the answers: all, or the tens there are, or those of these tens."""
    left = tuple(offer for offer in ask.offers if offer.move not in chosen)
    if len(left) <= SHORT or not all(offer.move.isdecimal() for offer in left):
        return tuple(Offer(offer.label, str(ChooseWord(offer.move))) for offer in left)
    if tens is None:
        found = sorted({int(offer.move) // 10 for offer in left})
        return tuple(Offer(say("tens", low=10 * ten, high=10 * ten + 9), str(ChooseTens(ten))) for ten in found)
    return tuple(Offer(offer.label, str(ChooseWord(offer.move))) for offer in left if int(offer.move) // 10 == tens)
