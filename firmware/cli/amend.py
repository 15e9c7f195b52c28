"""``oxeye amend``: correct moves of a recorded game; all later moves are judged again."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from engine.games import GAMES
from engine.log import Amend, BrokenLog, Log
from firmware.cli.journal_options import journal_errors, journal_option
from firmware.cli.scores import format_scores
from firmware.journal.journal import Journal, open_journal
from firmware.journal.log_from_rows import DamagedRows
from firmware.journal.operation_types import Names, QuarantineRows, ReopenGame, WriteEntries
from firmware.journal.queries import find_game
from firmware.journal.row_sql import read_games
from firmware.journal.row_types import Played
from firmware.journal.scores import GameScore, view_of
from firmware.journal.sqlite_file import read_journal
from firmware.machine.regular_file import as_owner_of
from firmware.texts.names_times_errors import format_illegal
from firmware.texts.render import render

BOX_RUNS_REMEDY = "correct it there while its screen shows the game, or stop the box first (sudo systemctl stop oxeye)"


@click.command(
    help="Replace the moves of GAME from FIRST up to, but not including, LAST by each MOVE, as 'oxeye log' numbers "
    "them. Without a MOVE they are deleted; FIRST = LAST inserts. Write each move in quotes: 'lay 14 2'."
)
@click.argument("game", type=int)
@click.argument("first", type=int)
@click.argument("last", type=int)
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@click.option("--mend", is_flag=True, help="in a damaged game, set aside the first unreadable row and all later ones")
@journal_option
def command(game: int, first: int, last: int, moves: tuple[str, ...], mend: bool, path: Path) -> None:
    with journal_errors(path), as_owner_of(path.parent):
        with read_journal(path) as db:
            alone = may_be_running(read_games(db), game)
        with closing(open_journal(path, alone=alone)) as journal:
            if journal.error and journal.error.text.id == "journal_in_use":
                raise click.ClickException(f"the running box may continue game {game}: {BOX_RUNS_REMEDY}")
            _done(journal, journal.error is None)
            played = journal.head(game)
            log, bad = _read(journal, played, mend)
            try:
                entry: Amend[Any] = Amend(first, last, tuple(map(log.parse, moves)))
                longer = log.add(log.parse(str(entry)))  # as it will be read back
            except BrokenLog as broken:
                raise click.ClickException(describe_misfits(log, broken, first, last, moves, played.names)) from broken
            was, now = ("  ".join(format_scores(GameScore(played, view_of(one)))) for one in (log, longer))
            if bad:
                _done(journal, journal.apply(QuarantineRows(bad), game, time.time()))
            _done(journal, journal.apply(WriteEntries((str(entry),), "cli"), game, time.time()))
            again = played.how == "finished" and not view_of(longer).over
            if again:
                _done(journal, journal.apply(ReopenGame(), game, time.time()))
    click.echo(f"was: {was}\nnow: {now}")
    if again:
        click.echo("The match is no longer over: after its next start the box offers to continue it.")


def may_be_running(heads: Sequence[Played], game: int) -> bool:
    """May a running box continue this game? It may show the game that ended last until another one begins."""
    played = find_game(heads, game)
    if played.ended is None:
        return True
    return not any(head.runs for head in heads) and played.ended == max(head.ended or 0.0 for head in heads)


def _read(journal: Journal, played: Played, mend: bool) -> tuple[Log[Any, Any], int]:
    """The log and 0; of a damaged game the log before the first bad row, and the number of that row."""
    try:
        return journal.load(played.id, GAMES), 0
    except DamagedRows as bad:
        if bad.good is None:
            raise
        if not mend:
            way = f"'oxeye amend --mend {played.id} 0 0' continues from the moves before it"
            raise click.ClickException(f"{render(bad.text)}. {way}, and throws nothing away") from bad
        return bad.good, bad.row


def _done(journal: Journal, done: bool) -> None:
    if not done:
        assert journal.error
        raise journal.error


def describe_misfits(
    log: Log[Any, Any], broken: BrokenLog, first: int, last: int, moves: tuple[str, ...], names: Names
) -> str:
    """One line for each move that no longer fits, with its present number."""
    told = ["nothing was changed, because these moves would no longer fit:"]
    for index, why in broken.misfits:
        later = index - len(moves) - first + last
        move = f"'{moves[index - first]}'" if index < first + len(moves) else f"{later} '{log.moves[later]}'"
        told.append(f"  {move}: {format_illegal(why, names)}")
    return "\n".join(told)
