"""The simulated table: hands that place pieces, make mistakes and correct them, drawn as a camera sees them."""

from firmware.simulation.table.box_progress import has_caught_up
from firmware.simulation.table.match_acts import SimTable, SimulatedAct
from firmware.simulation.table.placing_accuracy import NEAT_HAND, SimulatedHand

__all__ = ["NEAT_HAND", "SimTable", "SimulatedAct", "SimulatedHand", "has_caught_up"]
