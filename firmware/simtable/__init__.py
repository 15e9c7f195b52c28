"""The simulated table: players who lay, err and mend, drawn as a camera over a real table would see them."""

from firmware.simtable.caught_up import caught_up
from firmware.simtable.hand import NEAT, Hand
from firmware.simtable.table import Act, SimTable

__all__ = ["NEAT", "Act", "Hand", "SimTable", "caught_up"]
