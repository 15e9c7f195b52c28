"""Scores of recorded games: computed from the moves of each game, as dictionaries and as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.view import View
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.row_types import EntryRow, Played
from firmware.journal.stored_options import read_options
from firmware.texts.names_times_errors import format_player, format_time
from firmware.texts.render import render


@dataclass(frozen=True, slots=True)
class GameScore:
    """A game with its final view; a damaged game has the view before its first damaged row."""

    played: Played
    view: View | None
    damage: str = ""


def score_game(played: Played, entries: Sequence[EntryRow]) -> GameScore:
    try:
        return GameScore(played, view_of(fold_rows(played, entries, GAMES)))
    except DamagedRows as bad:
        return GameScore(played, view_of(bad.good) if bad.good else None, render(bad.text))


def view_of(log: Log[Any, Any]) -> View:
    """The view after the last move of a log."""
    found: View = log.game.view(log.state)
    return found


def describe_ending(played: Played) -> str:
    return played.how or "running"


def player_scores(score: GameScore) -> Iterator[dict[str, Any]]:
    """One dictionary for each player, in the order of the pads."""
    for pad in score.view.pads if score.view else ():
        yield {
            "player": pad.player,
            "who": format_player(pad.player, score.played.names),
            "points": pad.total + pad.now,
            "rounds": list(pad.rounds),
            "won": score.view is not None and pad.player in score.view.winners,
            "gone": pad.gone,
        }


def as_dicts(found: Sequence[GameScore]) -> list[dict[str, Any]]:
    return [{**_head(score), "players": list(player_scores(score))} for score in found]


def as_csv(found: Sequence[GameScore]) -> str:
    """One line for each player of each game."""
    columns = "game name options began ended how damage player who points rounds won gone".split()
    whole = io.StringIO()
    out = csv.DictWriter(whole, columns, lineterminator="\n")
    out.writeheader()
    for one in found:
        head = {**_head(one), "options": one.played.options}
        for player in player_scores(one) if one.view else [{}]:
            told = {
                "who": _escape_formula(player["who"]),
                "rounds": " ".join(map(str, player["rounds"])),
                "won": int(player["won"]),
                "gone": int(player["gone"]),
            }
            out.writerow({**head, **player, **told} if player else head)
    return whole.getvalue()


def _head(score: GameScore) -> dict[str, Any]:
    played = score.played
    return {
        "game": played.id,
        "name": played.name,
        "options": read_options(played.options),
        "began": format_time(played.began, seconds=True),
        "ended": format_time(played.ended, seconds=True),
        "how": describe_ending(played),
        "damage": score.damage,
    }


def _escape_formula(name: str) -> str:
    """A quote before a name that a spreadsheet would evaluate as a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
