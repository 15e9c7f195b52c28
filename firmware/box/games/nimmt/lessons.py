"""What a first game of 6 nimmt! explains, by the prompt that it explains: public facts only."""

from collections.abc import Mapping

from engine.options import Options
from engine.text import say
from firmware.box.games.lesson import Lesson

_CHOOSE = Lesson(say("why_secret"), "N-5", (say("rule_choose"), say("rule_reveal")))
_REVEAL = Lesson(say("why_reveal"), "N-5", (say("rule_choose"), say("rule_reveal")))
_SIXTH = Lesson(say("why_sixth"), "N-12", (say("rule_five_to_a_row"), say("rule_sixth_starts")))
_LOW = Lesson(say("why_low"), "N-15", (say("rule_choose_row"), say("rule_your_card_starts")))
FIRST_GAME: Options = {"variant": "base", "end": "rounds", "rounds": 3}
LESSONS: Mapping[str, Lesson] = {
    "deal_rows": Lesson(say("why_rows"), "N-3", (say("rule_five_to_a_row"), say("rule_rows_rise"))),
    "choose_cards": _CHOOSE,
    "waiting_for": _CHOOSE,
    "turn_up": _REVEAL,
    "lay_behind": Lesson(say("why_nearest"), "N-10", (say("rule_lowest_first"), say("rule_rows_rise"))),
    "take_row": _SIXTH,
    "low_card": _LOW,
    "low_takes_first": _LOW,
    "starts_row": Lesson(say("why_starts"), "N-16", (say("rule_your_card_starts"), say("rule_five_to_a_row"))),
    "round_over": Lesson(say("why_heads"), "N-22", (say("rule_fewest_win"),)),
}
