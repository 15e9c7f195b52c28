"""One question of a manual entry, and how a number is chosen by its tens."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import ChooseTens, ChooseWord

LIST_LENGTH = 10
"""The most answers that are shown as a list; of more numbers the tens are chosen first."""


@dataclass(frozen=True, slots=True)
class Question:
    """``offers`` are the answers; ``many`` is how many of them to choose, 0 for any number.

    ``lines`` help to choose, such as a drawn board.
    """

    prompt: Text
    offers: tuple[Offer, ...]
    many: int = 1
    lines: tuple[Text, ...] = ()

    def takes(self, word: str) -> bool:
        """Is this an answer, or a list of answers?"""
        known = {offer.move for offer in self.offers}
        return word in known or (self.many != 1 and set(word.split(",")) <= known)


def ask_number(prompt: Text, cards: Iterable[int], many: int = 1) -> Question:
    """Choose one or ``many`` of these cards, the lowest first."""
    return Question(prompt, tuple(Offer(say("as_is", value=str(card)), str(card)) for card in sorted(cards)), many)


def offer_by_tens(ask: Question, tens: int | None, chosen: tuple[str, ...]) -> tuple[Offer, ...]:
    """The answers to show: all, or the tens to choose from, or the numbers of these tens."""
    left = tuple(offer for offer in ask.offers if offer.move not in chosen)
    if len(left) <= LIST_LENGTH or not all(offer.move.isdecimal() for offer in left):
        return tuple(Offer(offer.label, str(ChooseWord(offer.move))) for offer in left)
    if tens is None:
        found = sorted({int(offer.move) // 10 for offer in left})
        return tuple(Offer(say("tens", low=10 * ten, high=10 * ten + 9), str(ChooseTens(ten))) for ten in found)
    return tuple(Offer(offer.label, str(ChooseWord(offer.move))) for offer in left if int(offer.move) // 10 == tens)
