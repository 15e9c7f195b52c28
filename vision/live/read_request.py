"""What the box asks of perception: check the camera, or read the pieces of a game in its zones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.log import Log
from engine.table import Area


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """``purpose`` "aim" measures how the camera stands; "read" reads pieces in ``zones``, of any game if none is named.

    A placement that ``log`` would refuse must stay at rest for longer before it counts. ``fixed`` are the middles in mm
    of what looks like a tile and belongs to the table: "aim" does not count it, and the picture of the empty table
    shows it.
    """

    purpose: Literal["aim", "read"]
    game: str = ""
    zones: Mapping[str, Area] = field(default_factory=dict)
    log: Log[Any, Any] | None = field(default=None, compare=False)
    fixed: tuple[tuple[float, float], ...] = ()
