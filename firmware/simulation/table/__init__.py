"""The simulated table: players who lay, err and mend, drawn as a camera over a real table would see them."""

from firmware.simulation.table.hand import NEAT_HAND, SimulatedHand
from firmware.simulation.table.progress import has_caught_up
from firmware.simulation.table.table import Act, SimTable

__all__ = ["NEAT_HAND", "Act", "SimTable", "SimulatedHand", "has_caught_up"]
