"""The zones of a game on a table of a given size, in millimetres."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.options import BadOption
from engine.table import Area


@dataclass(frozen=True, slots=True)
class Plan:
    """The area between the markers and the zones in it; no two zones overlap."""

    width: int
    height: int
    zones: Mapping[str, Area]


def require_area(width: int, height: int, least: tuple[int, int]) -> None:
    """Raise ``BadOption``, which names the least area, for one that is too small."""
    if width < least[0] or height < least[1]:
        raise BadOption(
            "area", "area_too_small", width=width, height=height, least_width=least[0], least_height=least[1]
        )


def divide_area(
    names: tuple[str, ...], area: Area, columns: int, rows: int, *, down_first: bool = True
) -> dict[str, Area]:
    """Equal cells in reading order, or down each column first."""
    wide, high = (area.right - area.left) / columns, (area.bottom - area.top) / rows
    cells: dict[str, Area] = {}
    for n, name in enumerate(names):
        column, row = divmod(n, rows) if down_first else reversed(divmod(n, columns))
        # computed like the edge of the neighbour, so that both are equal
        left, right = (area.left + wide * edge for edge in (column, column + 1))
        top, bottom = (area.top + high * edge for edge in (row, row + 1))
        cells[name] = Area(left, top, right, bottom)
    return cells
