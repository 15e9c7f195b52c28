"""The options of The Game and its levels."""

from engine.options import Option

MOST_PLAYERS = 5
STANDARD, EXPERT, SMALL_HAND = LEVELS = ("standard", "expert", "expert_small_hand")

BESIDE, BELOW = ARRANGEMENTS = ("beside", "below")
"""How the start cards lie: side by side, or one under another with each pile to the right of its start card."""

OPTIONS = (
    Option("players", 3, 1, MOST_PLAYERS),
    Option("level", STANDARD, words=LEVELS),
    Option("first", 1, 1, MOST_PLAYERS),
    Option("start_cards", BESIDE, words=ARRANGEMENTS, later=True),
    Option("width", 0, 0, 5000),
    Option("height", 0, 0, 5000),
)
