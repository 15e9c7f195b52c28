"""How a game is begun: from words such as ``begin nimmt players=4 spots=1,3,5,6``, or as the last one, once more."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption, Options, Value, fill_options, format_value, get_number
from engine.text import Text, say
from firmware.box.commands import BeginMatch
from firmware.box.context import Context
from firmware.box.games import ui_of
from firmware.journal.operations import Names, Started

MERCY = 0.02
"""A table is measured to about a hundredth: what falls short of a size by less than this counts as that size."""


def begun(game: str, given: Mapping[str, object], known: Context) -> Log[Any, Any]:
    """The game at its very start on the table as measured; ``BadOption`` or ``Illegal`` where it cannot be."""
    options = {name: value for name, value in given.items() if name not in ("width", "height")}
    if known.area is not None:
        options["width"], options["height"] = size(known.area)
    log: Log[Any, Any] = Log(GAMES[game], fill_options(GAMES[game].options, options))
    players = get_number(log.options, "players")
    if ui_of(game).draws_lot(log.options) and "first" not in given:
        lot = int(known.now * 1000) % players  # nobody presses to the millisecond (P-4)
        return Log(log.game, {**log.options, "first": lot + 1})
    first = log.options.get("first")
    if isinstance(first, int) and first > players:
        raise BadOption("first", "option_range", value=str(first), low=1, high=players)
    return log


def problem(game: str, given: Mapping[str, object], known: Context) -> tuple[Text, str] | None:
    """Why this cannot be begun, in words that say what to do, and by which ruling if it is one."""
    try:
        begun(game, given, known)
    except Illegal as why:
        return why.text, why.ruling
    except BadOption as why:
        if why.name == "players":
            count = next(option for option in GAMES[game].options if option.name == "players")
            return say("player_count", low=count.low, high=count.high), ""
        return why.text, ""
    return None


def size(area: tuple[int, int]) -> tuple[int, int]:
    """The measured area, or the size it was meant to be."""
    width, height = area
    for wide, high in sorted({area for game in GAMES for area in ui_of(game).areas}, reverse=True):
        if width >= wide * (1 - MERCY) and height >= high * (1 - MERCY):
            return max(width, wide), max(height, high)
    return area


def begin_command(game: str, given: Options) -> BeginMatch:
    """The command that begins this game."""
    return BeginMatch(game, tuple((name, format_value(value)) for name, value in given.items()))


def names_for(log: Log[Any, Any], known: Context) -> Names:
    """People keep their names where they sat; without seats, by their number.

    Whoever begins at SIX is its first player: after it people are where they were before.
    """
    swapped = known.last is not None and ui_of(known.last.game).swaps_places
    names = known.placed or known.names if swapped and not ui_of(log.game.name).swaps_places else known.names
    spots = ui_of(log.game.name).seats(log.options)
    before = ui_of(known.last.game).seats(known.last.options) if known.last else {}
    if spots and before:
        named = {seat: names[player] for player, seat in before.items() if player in names}
        return {player: named[seat] for player, seat in spots.items() if seat in named}
    players = range(1, get_number(log.options, "players") + 1)
    return {player: names[player] for player in players if player in names}


def once_more(started: Started) -> Options:
    """What the same again is agreed on: all but who starts a draft, for which there is a new lot (P-4)."""
    lot = ui_of(started.game).draws_lot(started.options)
    return {k: v for k, v in started.options.items() if not (lot and k == "first")}


def again(started: Started, log: Log[Any, Any]) -> Started:
    """The same people at the same places once more: who left stays away, and the loser starts where that counts."""
    rematch = ui_of(started.game).rematch(started, log)
    options: dict[str, Value] = {**once_more(started), **rematch.options, "players": len(rematch.stay)}
    names = {new: started.names[old] for new, old in enumerate(rematch.stay, 1) if old in started.names}
    return Started(started.game, options, names)


def played(known: Context, log: Log[Any, Any]) -> Context:
    """Who played to the end, and who starts next, is what the same again means from now on."""
    if known.last is None:
        return known
    last = again(replace(known.last, names=known.names), log)
    return replace(known, last=last, names=last.names)
