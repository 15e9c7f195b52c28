"""``oxeye scores``: the scores of all games in the journal, as lines, CSV or JSON."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from engine.games import GAMES
from engine.name_value_pairs import format_pairs
from engine.options import format_value
from firmware.cli.journal_options import journal_option
from firmware.journal.row_sql import read_entries, read_games
from firmware.journal.row_types import Played
from firmware.journal.scores import GameScore, as_csv, as_dicts, describe_ending, player_scores, score_game
from firmware.journal.sqlite_file import read_journal
from firmware.journal.stored_options import read_options
from firmware.texts.names_times_errors import format_time


@click.command(help="Print the scores of all games, one line for each game.")
@click.option("--csv", "form", flag_value="csv", help="print CSV, one line for each player of each game")
@click.option("--json", "form", flag_value="json", help="print JSON")
@journal_option
def command(form: str | None, path: Path) -> None:
    with read_journal(path) as db:
        found = [score_game(played, read_entries(db, played.id)) for played in read_games(db)]
    match form:
        case "csv":
            click.echo(as_csv(found), nl=False)
        case "json":
            click.echo(json.dumps(as_dicts(found), ensure_ascii=False, indent=1))
        case _:
            click.echo("\n".join(map(format_game, found)) or "no game yet")


def format_game(score: GameScore) -> str:
    """One game in one line: a star marks each winner."""
    played = score.played
    told = [
        f"{played.id:4}",
        format_time(played.began),
        " ".join((played.name, *_changed_options(played))),
        describe_ending(played),
        *format_scores(score),
    ]
    return "  ".join((*told, *([f"({score.damage})"] if score.damage else [])))


def format_scores(score: GameScore) -> Iterator[str]:
    for player in player_scores(score):
        yield f"{player['who']} {player['points']}{'*' * player['won']}{' (left)' * player['gone']}"


def _changed_options(played: Played) -> Iterator[str]:
    """The options that differ from their defaults."""
    usual = {option.name: option.default for option in GAMES[played.name].options} if played.name in GAMES else {}
    for name, value in read_options(played.options).items():
        if value != format_value(usual.get(name, "")) and name != "players":
            yield format_pairs([(name, value)])
