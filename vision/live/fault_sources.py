"""The parts of the box that can have a fault, the gravest first, and what a fault of each means."""

from typing import Literal, get_args

FaultSource = Literal["journal", "camera", "eyes", "picture", "power", "buttons", "panel", "news"]
"""The part of the box that has a fault, the gravest first: where only one line is free, the first one is shown.

"picture" means that the picture shows too little although the camera works; "news" are notices that pass, not faults.
"""
FAULT_SOURCES: tuple[FaultSource, ...] = get_args(FaultSource)
VISION_SOURCES: frozenset[FaultSource] = frozenset({"camera", "eyes", "picture"})
"""Sources of faults that explain why something cannot be seen."""
BLINDING_SOURCES: frozenset[FaultSource] = frozenset({"camera", "eyes"})
"""Sources whose faults leave the box without tables: what was seen before is no longer valid."""
GRAVE_SOURCES: frozenset[FaultSource] = BLINDING_SOURCES | {"journal"}
"""Sources whose faults people must notice: nothing is seen, or nothing is saved."""
