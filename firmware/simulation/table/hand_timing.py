"""How fast simulated hands move, how long they rest, and how long they wait to correct a mistake or to play on."""

ARM_S = 0.2
"""Seconds for which one position of an arm is shown."""
REST_RANGE_S = (0.7, 1.1)
"""Shortest and longest rest between two acts of hands, in seconds."""
REFUSED_S, ASKED_S = 2.4, 6.0
"""Seconds after which a player corrects a mistake that is refused, and one that is only asked about."""
SIGHT_TIMEOUT_S = 10.0
"""Seconds after which the players continue, whether the box has read the table or not."""
