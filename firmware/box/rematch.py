"""The next match with the same players and options, after a match or after a restart."""

from dataclasses import replace
from typing import Any

from engine.log import Log
from engine.options import Options, Value
from firmware.box.flow_context import Context
from firmware.box.games import ui_of
from firmware.journal.operation_types import Started


def options_for_rematch(started: Started) -> Options:
    """The options that stay for the next match: not who starts, if the box draws lots for it (P-4)."""
    lot = ui_of(started.game).draws_lot(started.options)
    return {k: v for k, v in started.options.items() if not (lot and k == "first")}


def prepare_rematch(started: Started, log: Log[Any, Any]) -> Started:
    """The next match: the players who stayed, and what the game changes, such as who starts."""
    rematch = ui_of(started.game).rematch(started, log)
    options: dict[str, Value] = {**options_for_rematch(started), **rematch.options, "players": len(rematch.stay)}
    names = {new: started.names[old] for new, old in enumerate(rematch.stay, 1) if old in started.names}
    return Started(started.game, options, names)


def remember_rematch(known: Context, log: Log[Any, Any]) -> Context:
    """From now on "same again" means the rematch of this log."""
    if known.last is None:
        return known
    last = prepare_rematch(replace(known.last, names=known.names), log)
    return replace(known, last=last, names=last.names)
