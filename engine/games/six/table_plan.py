"""The one free area of SIX on a table of a given size."""

from engine.plan import Plan, require_area
from engine.table import Area

LEAST_AREA_MM = (600, 450)


def plan(width: int, height: int) -> Plan:
    """Tiles lie anywhere in the area."""
    width, height = width or LEAST_AREA_MM[0], height or LEAST_AREA_MM[1]
    require_area(width, height, LEAST_AREA_MM)
    return Plan(width, height, {"table": Area(0, 0, width, height)})
