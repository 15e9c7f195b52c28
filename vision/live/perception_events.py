"""What perception reports: a table at rest, a measurement of the camera, and a fault that began or ended."""

from dataclasses import dataclass

from engine.table import Table
from engine.text import Text
from vision.calibration.camera_check import CameraCheck
from vision.live.fault_sources import FaultSource


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table at rest."""

    table: Table
    at: float


@dataclass(frozen=True, slots=True)
class CameraMeasured:
    """How well the camera stands, measured while it is set up; ``kept``: the picture of the empty table that was asked
    for has been taken.
    """

    check: CameraCheck
    at: float
    kept: bool = False


@dataclass(frozen=True, slots=True)
class FaultChanged:
    """A fault began, with a text that says what to do; without a text the fault has ended."""

    source: FaultSource
    text: Text | None
    at: float


Perceived = TableSeen | CameraMeasured | FaultChanged
