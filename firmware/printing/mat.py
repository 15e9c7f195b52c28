"""A mat: the area between four markers, its zones, and a page that is large enough."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import InputError
from engine.table import Area
from firmware.printing.markers import draw_marker, outer_size
from firmware.printing.page_frame import CONTROL_MM, draw_control_line
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import FAINT, SOFT, WHITE, Point, Sheets, Size
from vision.tags.codebook import MARKERS

RIM_MM = 8.0
"""mm outside the markers: their white border, and the edge that printers cannot reach."""

LEAST_SIDE_MM, LARGEST_SIDE_MM = 150.0, 1500.0
DEFAULT_AREA_MM = (700.0, 460.0)
SLACK_MM = 1e-3


class UnprintableArea(InputError):
    """The area cannot be printed like this; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Mat:
    """The area between the markers' inner corners, its zones, and the markers' size, all in mm."""

    area: Size
    plan: Mapping[str, Area]
    marker: float

    @property
    def frame(self) -> float:
        return self.marker + RIM_MM

    @property
    def size(self) -> Size:
        return self.area[0] + 2 * self.frame, self.area[1] + 2 * self.frame


def draw_mat_sheet(paper: Paper | None, area: Size | None, plan: Mapping[str, Area], marker: float) -> Sheets:
    """One page: the given paper in landscape, or without one a page as large as the mat."""
    rim = 2 * (marker + RIM_MM)
    if paper is None:
        mat = Mat(check_mat_area(area or DEFAULT_AREA_MM, plan), plan, marker)
        sheet = Paper("roll", *mat.size)
    else:
        sheet = paper.turned()
        most = (sheet.width - rim, sheet.height - rim)
        mat = Mat(check_mat_area(area or most, plan), plan, marker)
        if mat.area[0] > most[0] + SLACK_MM or mat.area[1] > most[1] + SLACK_MM:
            raise UnprintableArea(
                f"{paper.name.upper()} holds {most[0]:g} x {most[1]:g} mm between markers of {marker:g} mm, "
                f"not {mat.area[0]:g} x {mat.area[1]:g}. Join smaller sheets (--paper a4 or a3), "
                f"print from a roll (--paper roll), or tape the markers to the table."
            )
    sheets = Sheets(f"mat, area {mat.area[0]:g} x {mat.area[1]:g} mm")
    sheets.page(sheet)
    draw_mat(sheets, mat, ((sheet.width - mat.size[0]) / 2, (sheet.height - mat.size[1]) / 2))
    return sheets


def check_mat_area(area: Size, plan: Mapping[str, Area]) -> Size:
    """The area itself, or ``UnprintableArea``."""
    if min(area) < LEAST_SIDE_MM or max(area) > LARGEST_SIDE_MM:
        raise UnprintableArea(
            f"An area is {LEAST_SIDE_MM:g} to {LARGEST_SIDE_MM:g} mm wide and high, not {area[0]:g} x {area[1]:g}."
        )
    for zone, place in plan.items():
        if min(place.left, place.top, area[0] - place.right, area[1] - place.bottom) < -SLACK_MM:
            raise UnprintableArea(
                f"The zone {zone} does not fit in an area of {area[0]:g} x {area[1]:g} mm. Enlarge the area."
            )
    return area


def draw_mat(sheets: Sheets, mat: Mat, at: Point) -> None:
    """Draw the mat with its top left corner at ``at``."""
    wide, high = mat.area
    left, top = at[0] + mat.frame, at[1] + mat.frame
    for line in (
        [(left, top), (left + wide, top)],
        [(left, top + high), (left + wide, top + high)],
        [(left, top), (left, top + high)],
        [(left + wide, top), (left + wide, top + high)],
    ):
        sheets.line(line, FAINT, 0.3, 2.0)
    for zone, place in mat.plan.items():
        _zone(sheets, zone, place, (left, top))
    edge = (outer_size(mat.marker) - mat.marker) / 2
    for corner in MARKERS:
        x = left - mat.marker if corner[1] == "L" else left + wide
        y = top - mat.marker if corner[0] == "T" else top + high
        sheets.box((x - edge, y - edge), (outer_size(mat.marker),) * 2, fill=WHITE)
        draw_marker(sheets, (x, y), corner, mat.marker)
    base = top + high + mat.frame / 2
    sheets.text((left + 12, base), "Oxeye", size=6, bold=True, colour=SOFT)
    note = f"area {wide:g} x {high:g} mm, markers {mat.marker:g} mm"
    sheets.text((left + 12 + sheets.wide("Oxeye  ", 6, bold=True), base), note, size=3, colour=SOFT)
    if wide >= CONTROL_MM + 130:
        draw_control_line(sheets, (left + wide - CONTROL_MM - 12, base - 2))


def _zone(sheets: Sheets, zone: str, place: Area, origin: Point) -> None:
    at = (origin[0] + place.left + 0.5, origin[1] + place.top + 0.5)
    size = (place.right - place.left - 1, place.bottom - place.top - 1)
    sheets.box(at, size, edge=FAINT, width=0.4, corner=min(4.0, min(size) / 4))
    words = zone_title(zone)
    tall = min(5.0, size[1] / 6)
    while tall > 1.5 and sheets.wide(words, tall) > size[0] - 6:
        tall -= 0.25
    sheets.text((at[0] + 3, at[1] + 3 + tall), words, size=tall, colour=FAINT)


def zone_title(zone: str) -> str:
    """``row:3`` as ``Row 3``."""
    return zone.replace(":", " ").replace("_", " ").capitalize()
