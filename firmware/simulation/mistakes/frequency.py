"""How often simulated players make mistakes."""

MISTAKE_SHARE = 0.1
"""One card in ten is placed wrongly: with fewer mistakes a demonstration shows too little of the referee."""
MEND_FIRST_SHARE = 0.15
"""Share of mistakes that are corrected before the next mistake is made."""
