"""``oxeye scores``: the pads of all games in the journal, each added up from its moves."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from engine.games import GAMES
from engine.log import Log
from engine.view import View
from firmware.cli.journal_options import day, journal_option, told_plainly, who
from firmware.journal import schema as rows
from firmware.journal.file import open_readonly
from firmware.journal.operations import EntryRow, Played
from firmware.journal.schema import DamagedRows
from firmware.texts.render import render


@dataclass(frozen=True, slots=True)
class GameScore:
    """A game and how it stands; of a damaged one, how it stood before the first bad row."""

    played: Played
    view: View | None
    damage: str = ""


@click.command(help="The scores of all games: a table, or --csv (one line for each player), or --json.")
@click.option("--csv", "form", flag_value="csv", help="one line for each player of each game")
@click.option("--json", "form", flag_value="json")
@journal_option
def command(form: str | None, path: Path) -> None:
    with told_plainly(path), closing(open_readonly(path)) as db:
        found = [score(played, rows.entries(db, played.id)) for played in rows.games(db)]
    match form:
        case "csv":
            click.echo(as_csv(found), nl=False)
        case "json":
            click.echo(json.dumps(as_dicts(found), ensure_ascii=False, indent=1))
        case _:
            click.echo("\n".join(map(line, found)) or "no game yet")


def score(played: Played, entries: Sequence[EntryRow]) -> GameScore:
    try:
        return GameScore(played, view(rows.fold(played, entries, GAMES)))
    except DamagedRows as bad:
        return GameScore(played, view(bad.good) if bad.good else None, render(bad.text))


def view(log: Log[Any, Any]) -> View:
    found: View = log.game.view(log.state)
    return found


def line(score: GameScore) -> str:
    """One game in one line: the winners have a star."""
    played = score.played
    told = [
        f"{played.id:4}",
        day(played.began),
        " ".join((played.name, *_chosen(played))),
        _ending(played),
        *pads(score),
    ]
    return "  ".join((*told, *([f"({score.damage})"] if score.damage else [])))


def pads(score: GameScore) -> Iterator[str]:
    for player in _players(score):
        yield f"{player['who']} {player['points']}{'*' * player['won']}{' (left)' * player['gone']}"


def _chosen(played: Played) -> Iterator[str]:
    """The options that are not as they always are."""
    usual = {option.name: option.default for option in GAMES[played.name].options} if played.name in GAMES else {}
    for name, value in rows.read_words(played.options).items():
        if value != rows.word(usual.get(name, "")) and name != "players":
            yield f"{name}={value}"


def _ending(played: Played) -> str:
    return played.how or "running"


def _head(score: GameScore) -> dict[str, Any]:
    played = score.played
    return {
        "game": played.id,
        "name": played.name,
        "options": rows.read_words(played.options),
        "began": day(played.began, seconds=True),
        "ended": day(played.ended, seconds=True),
        "how": _ending(played),
        "damage": score.damage,
    }


def _players(score: GameScore) -> Iterator[dict[str, Any]]:
    for pad in score.view.pads if score.view else ():
        yield {
            "player": pad.player,
            "who": who(pad.player, score.played.names),
            "points": pad.total + pad.now,
            "rounds": list(pad.rounds),
            "won": score.view is not None and pad.player in score.view.winners,
            "gone": pad.gone,
        }


def as_dicts(found: Sequence[GameScore]) -> list[dict[str, Any]]:
    return [{**_head(score), "players": list(_players(score))} for score in found]


def as_csv(found: Sequence[GameScore]) -> str:
    """One line for each player of each game."""
    columns = "game name options began ended how damage player who points rounds won gone".split()
    whole = io.StringIO()
    out = csv.DictWriter(whole, columns, lineterminator="\n")
    out.writeheader()
    for one in found:
        head = {**_head(one), "options": one.played.options}
        for player in _players(one) if one.view else [{}]:
            told = {
                "who": _no_formula(player["who"]),
                "rounds": " ".join(map(str, player["rounds"])),
                "won": int(player["won"]),
                "gone": int(player["gone"]),
            }
            out.writerow({**head, **player, **told} if player else head)
    return whole.getvalue()


def _no_formula(name: str) -> str:
    """A spreadsheet would work out a name that begins like this."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
