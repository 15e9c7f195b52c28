"""The simulated table: players who lay, err and mend, drawn as a camera over a real table would see them."""

from firmware.simulation.table.caught_up import caught_up
from firmware.simulation.table.hand import NEAT, SimulatedHand
from firmware.simulation.table.table import Act, SimTable

__all__ = ["NEAT", "Act", "SimTable", "SimulatedHand", "caught_up"]
