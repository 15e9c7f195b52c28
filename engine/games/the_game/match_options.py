"""The options of The Game and its levels."""

from engine.options import Option

MOST_PLAYERS = 5
STANDARD, EXPERT, SMALL_HAND = LEVELS = ("standard", "expert", "expert_small_hand")

OPTIONS = (
    Option("players", 3, 1, MOST_PLAYERS),
    Option("level", STANDARD, words=LEVELS),
    Option("first", 1, 1, MOST_PLAYERS),
    Option("width", 0, 0, 5000),
    Option("height", 0, 0, 5000),
)
