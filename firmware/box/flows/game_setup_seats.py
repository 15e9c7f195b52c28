"""Which seats are taken, from the cards that players put there before a match."""

from collections.abc import Mapping

from engine.game import Illegal
from engine.games import GAMES
from engine.options import BadOption, Options
from engine.table import Area, Table, group_by_zone
from firmware.box.flow_context import Context
from firmware.box.games.game_ui import option_of
from firmware.box.table_size import round_area


def plan_seats(game: str, options: Options, known: Context) -> Mapping[str, Area]:
    """The seats of the plan with the most seats on this table; none if the table is too small for the game."""
    if known.area is None:
        return {}
    width, height = round_area(known.area)
    count = option_of(game, "players")
    for players in range(count.high, count.low - 1, -1):
        try:
            plan = GAMES[game].plan({**options, "players": players, "width": width, "height": height})
        except (BadOption, Illegal):
            continue
        return {zone: area for zone, area in plan.zones.items() if zone.startswith("seat:")}
    return {}


def find_taken_seats(seats: Mapping[str, Area], table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats with a piece, and the seats that are hidden."""
    held, hidden = group_by_zone(seats, table)
    return _numbers(held), _numbers(hidden - held.keys())


def _numbers(zones: Mapping[str, object] | frozenset[str]) -> tuple[int, ...]:
    return tuple(sorted(int(zone.partition(":")[2]) for zone in zones))
