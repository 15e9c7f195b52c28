"""What a first game of The Game explains, by the prompt that it explains: public facts only."""

from collections.abc import Mapping

from engine.text import say
from firmware.box.games.lesson import Lesson

LESSONS: Mapping[str, Lesson] = {
    "lay_cards": Lesson(say("why_up_and_down"), "G-11", (say("rule_two_cards"), say("rule_ten_back"))),
    "more_or_draw": Lesson(say("why_enough_laid"), "G-12", (say("rule_draw_back"),)),
}


def explain_dealing(hand: int) -> Lesson:
    """Before the first card is laid: the hands and the four start cards."""
    return Lesson(say("why_hands_dealt", n=hand), "G-2", (say("why_up_and_down"), say("rule_two_cards")))
