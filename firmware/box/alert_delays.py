"""How long an alert of a game waits before it is shown, and how long it stays."""

FOUL_DELAY_S = 0.15
"""Seconds that a foul must stand before it is announced; perception has already waited until the table was still."""
HINT_DELAY_S = 4.0
"""Seconds that a piece must be in the air before a hint is shown; so long people have time to do what was entered."""
BLIND_DELAY_S = 5.0
"""Seconds that a zone must be hidden before that is shown."""
ANSWER_SHOWN_S = 5.0
"""Seconds for which the answer to an entry is shown; then an alert about the table may replace it."""
ALTERNATION_S, FAULT_SHARE_S = 20.0, 5.0
"""A foul and a grave fault are shown in turn: of every period the last seconds show the fault. A faster change
could not be read."""
