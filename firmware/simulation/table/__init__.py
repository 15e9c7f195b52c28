"""The simulated table: hands that place pieces, make mistakes and correct them, drawn as a camera sees them."""

from firmware.simulation.table.hand import NEAT_HAND, SimulatedHand
from firmware.simulation.table.progress import has_caught_up
from firmware.simulation.table.table import Act, SimTable

__all__ = ["NEAT_HAND", "Act", "SimTable", "SimulatedHand", "has_caught_up"]
