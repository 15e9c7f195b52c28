"""Paper sizes, and which papers each kind of print may have; no PDF library, because the page must not load one."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SHEET_PAPERS = ("a4", "letter")
"""For stickers, markers and cards: what a home printer takes."""
TILED_PAPERS = ("a4", "a3", "letter")
"""For a mat that is cut and joined."""
MAT_PAPERS = (*TILED_PAPERS, "a2", "a1")


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper in portrait, in mm."""

    name: str
    width: float
    height: float

    def turned(self) -> "Paper":
        return Paper(self.name, self.height, self.width)


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        paper.name: paper
        for paper in (
            Paper("a4", 210, 297),
            Paper("letter", 215.9, 279.4),
            Paper("a3", 297, 420),
            Paper("a2", 420, 594),
            Paper("a1", 594, 841),
        )
    }
)
