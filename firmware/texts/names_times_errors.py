"""Players, times and refusals as text for the command line, the console and the exports, in English."""

from collections.abc import Mapping
from datetime import datetime

from engine.errors import OxeyeError
from engine.game import Illegal
from engine.text import say
from firmware.texts.render import render


def format_player(player: int, names: Mapping[int, str]) -> str:
    """The name of a player; player 0 is the team of a cooperative game."""
    return names.get(player) or ("team" if player == 0 else render(say("name.player", number=player)))


def format_time(at: float | None, seconds: bool = False) -> str:
    """Local time of a Unix time; empty for None, a question mark for a time outside the calendar."""
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at).isoformat(" ", "seconds" if seconds else "minutes")
    except (OverflowError, ValueError, OSError):
        return "?"


def format_error(why: OxeyeError) -> str:
    """What is wrong and what helps, as one sentence."""
    if isinstance(why, Illegal):
        return format_illegal(why, {})
    return why.text if isinstance(why.text, str) else render(why.text)


def format_illegal(why: Illegal, names: Mapping[int, str]) -> str:
    """Why a move is illegal, with the ruling."""
    return f"{render(why.text, names=names)} · {why.ruling}"
