"""What a first game of SIX explains, by the prompt that it explains: public facts only."""

from collections.abc import Mapping

from engine.text import say
from firmware.box.games.lesson import Lesson

LESSONS: Mapping[str, Lesson] = {
    "lay_start_pair": Lesson(say("why_start_pair"), "S-2", (say("rule_one_of_each"),)),
    "lay_tile": Lesson(say("why_shapes_win"), "S-5", (say("rule_next_to_any"), say("rule_own_colour_shape"))),
    "move_tile": Lesson(
        say("why_tiles_move"),
        "S-11",
        (say("rule_lift_and_lay"), say("rule_cut_off_leaves"), say("rule_below_six")),
    ),
}
