"""The boxes on which the cells are tried: without a camera, with a simulated one, of SIX, bare, and for one player."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.rights.examined_table import NO_CAMERA, ExaminedTable
from tests.rights.rights_table import RightsCell
from tests.rights.sighted_table import SightedTable

SOLO = "game:begin thegame players=1"
LONE_TURN = ("play 5 up:1", "play 9 up:1", "play 14 up:1")
NO_CAMERA_TABLE, CARDS, TILES, BARE, ALONE = "no camera", "camera", "camera and SIX", "bare", "alone"


class LonePlayerTable(ExaminedTable):
    """Every game that is begun here has one player."""

    def begin(self, words: str, moves: tuple[str, ...]) -> None:
        super().begin(SOLO, LONE_TURN)


TABLES: Mapping[str, Callable[[Path], ExaminedTable]] = {
    NO_CAMERA_TABLE: ExaminedTable,
    CARDS: lambda folder: SightedTable(folder, "nimmt"),
    TILES: lambda folder: SightedTable(folder, "six"),
    ALONE: LonePlayerTable,
    BARE: lambda folder: ExaminedTable(folder, NO_CAMERA, has_buttons=False),
}
OF_TABLE = ("ask all to overrule", "take the table as it is", "put the cards back and keep the score")
"""Acts that are about a wrong table, which only a camera sees."""


def find_table(cell: RightsCell) -> str:
    match cell.box:
        case "alone":
            return ALONE
        case "bare":
            return BARE
    if cell.act.endswith("of SIX"):
        return TILES
    return CARDS if cell.act.startswith("see a picture") or cell.act in OF_TABLE else NO_CAMERA_TABLE
