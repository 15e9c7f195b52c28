"""Instructions that rebuild the recorded table line by line: after a pause, a knock, or an undo."""

from dataclasses import dataclass

from engine.game import M, S
from engine.log import Log
from engine.table import Layout, Table
from engine.text import Text, say

MOST_NAMED_PIECES = 6
"""A line has room for this many pieces; of more only the missing ones are named."""
TILE_LETTERS = {"red": "R", "black": "B"}


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One zone to rebuild: the pieces it should hold, the pieces to take away, and whether it is done.

    ``name`` are the pieces to name: not those under the top of a pile, nor many that are in place already.
    """

    zone: str
    lay: tuple[str, ...]
    away: tuple[str, ...]
    done: bool
    name: tuple[str, ...] = ()

    @property
    def text(self) -> Text:
        if self.zone.startswith("board:"):
            return say("guide_tiles", row=int(self.zone.partition(":")[2]), says=" ".join(self.name))
        if not self.lay:
            return self._away()
        return say("guide_lay", zone=self.zone, pieces=" ".join(self.name or self.lay))

    @property
    def next(self) -> Text:
        """The first thing to do: remove wrong pieces, then lay missing ones."""
        return self._away() if self.away else self.text

    def _away(self) -> Text:
        return say("guide_away", zone=self.zone, pieces=" ".join(self.away[:MOST_NAMED_PIECES]))


def list_guide_lines(log: Log[S, M], table: Table | None) -> tuple[GuideLine, ...]:
    """Every zone of the record in order, done where the table agrees. A hidden zone is never done.

    Without a table no zone is done.
    """
    game, state = log.game, log.state
    want = game.layout(state)
    seen = Layout({}) if table is None else game.arrange(state, table)
    tops = frozenset(lies.piece for lies in game.place(state, want).seen)
    return compare_layouts(want, seen, tops)


def compare_layouts(want: Layout, seen: Layout, tops: frozenset[str] | None = None) -> tuple[GuideLine, ...]:
    """``tops`` are the pieces visible from above if everything is in place; None means all of them.

    Tiles make one line for each line of the board; the position of the board on the table has no line.
    """
    told: list[GuideLine] = []
    cells: list[GuideLine] = []
    for zone in sorted(want.zones.keys() | seen.zones.keys(), key=_order):
        lay, got = want.zones.get(zone, ()), seen.zones.get(zone, ())
        away = tuple(piece for piece in got if piece not in lay)
        on_top = tuple(piece for piece in lay if tops is None or piece in tops)
        lack = tuple(piece for piece in on_top if piece not in got)
        name = (lack or on_top)[:MOST_NAMED_PIECES] if len(on_top) > MOST_NAMED_PIECES else on_top
        line = GuideLine(zone, lay, away, lay == got and zone not in seen.hidden, name)
        if zone.startswith("cell:"):
            cells.append(line)
        elif zone != "anchor":
            told.append(line)
    return (*told, *_board(cells))


def _board(cells: list[GuideLine]) -> list[GuideLine]:
    """Tiles by the line of the board they lie in: a letter each, a dot for a gap, a dash for half a tile of indent."""
    places = {(int(r), int(q)): cell for cell in cells for q, r in [cell.zone.removeprefix("cell:").split(",")]}
    left = min((2 * q + r for (r, q), cell in places.items() if cell.lay), default=0)
    told: list[GuideLine] = []
    for number, r in enumerate(range(min(places)[0], max(places)[0] + 1) if places else (), 1):
        here = {q: cell for (row, q), cell in places.items() if row == r}
        lay = {q: TILE_LETTERS.get(cell.lay[0], "?") for q, cell in here.items() if cell.lay}
        letters = tuple(lay.get(q, ".") for q in range(min(lay), max(lay) + 1)) if lay else ()
        indent = "-" * (2 * min(lay) + r - left) if lay else ""
        name = (indent, *letters) if indent else letters
        away = tuple(piece for cell in here.values() for piece in cell.away)
        done = all(cell.done for cell in here.values())
        told.append(GuideLine(f"board:{number}", tuple(lay.values()), away, done, name))
    return told


def _order(zone: str) -> tuple[str, int, str]:
    kind, _, number = zone.partition(":")
    return kind, int(number) if number.isdigit() else 0, number
