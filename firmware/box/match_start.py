"""Start a match from a command such as ``begin nimmt players=4 spots=1,3,5,6``, with every input checked."""

from collections.abc import Mapping
from typing import Any

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption, Options, fill_options, format_value, get_number
from engine.text import Text, say
from firmware.box.commands import BeginMatch
from firmware.box.flow_context import Context
from firmware.box.games import ui_of
from firmware.box.table_size import round_area
from firmware.journal.operation_types import Names


def start_match(game: str, given: Mapping[str, object], known: Context) -> Log[Any, Any]:
    """The log of a match that begins on the measured table; ``BadOption`` or ``Illegal`` if it cannot."""
    options = {name: value for name, value in given.items() if name not in ("width", "height")}
    if known.area is not None:
        options["width"], options["height"] = round_area(known.area)
    log: Log[Any, Any] = Log(GAMES[game], fill_options(GAMES[game].options, options))
    players = get_number(log.options, "players")
    if ui_of(game).draws_lot(log.options) and "first" not in given:
        lot = int(known.now * 1000) % players  # no person presses to the millisecond, so this is a fair lot (P-4)
        return Log(log.game, {**log.options, "first": lot + 1})
    first = log.options.get("first")
    if isinstance(first, int) and first > players:
        raise BadOption("first", "option_range", value=str(first), low=1, high=players)
    return log


def find_problem(game: str, given: Mapping[str, object], known: Context) -> tuple[Text, str] | None:
    """Why this match cannot begin, and the ruling if there is one; None if it can."""
    try:
        start_match(game, given, known)
    except Illegal as why:
        return why.text, why.ruling
    except BadOption as why:
        if why.name == "players":
            count = next(option for option in GAMES[game].options if option.name == "players")
            return say("player_count", low=count.low, high=count.high), ""
        return why.text, ""
    return None


def begin_command(game: str, given: Options, *, taught: bool = False) -> BeginMatch:
    """The command that begins this game."""
    return BeginMatch(game, tuple((name, format_value(value)) for name, value in given.items()), taught)


def keep_names(log: Log[Any, Any], known: Context) -> Names:
    """Names of the players: by seat if both matches have seats, else by number.

    After a game whose players swap places the names from before that game count.
    """
    swapped = known.last is not None and ui_of(known.last.game).swaps_places
    names = known.names_by_seat or known.names if swapped and not ui_of(log.game.name).swaps_places else known.names
    spots = ui_of(log.game.name).seats(log.options)
    before = ui_of(known.last.game).seats(known.last.options) if known.last else {}
    if spots and before:
        named = {seat: names[player] for player, seat in before.items() if player in names}
        return {player: named[seat] for player, seat in spots.items() if seat in named}
    players = range(1, get_number(log.options, "players") + 1)
    return {player: names[player] for player in players if player in names}
