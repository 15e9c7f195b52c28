"""The few entry points through which these tests read what version 0.1.0 wrote; each answers in plain JSON values."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.record import read_log, write_log
from engine.text import Text
from firmware import journal_rows as rows
from firmware.backup import among_the_last
from firmware.box.flow import Started
from firmware.journal import Journal, open_journal
from firmware.journal_deeds import Played, Row
from firmware.journal_file import look
from firmware.journal_rows import Damaged
from firmware.known import known_from
from firmware.scores import as_csv, as_dicts, score
from firmware.show_log import told

FROZEN = Path(__file__).parent / "v0_1_0"
"""What version 0.1.0 wrote."""


def digest(content: bytes | str) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


@contextmanager
def in_utc() -> Iterator[None]:
    """Exports write local time; the frozen ones were made in UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def text_in_json(text: Text) -> list[Any]:
    """Without what an exception said: its words are free to change."""
    args = {name: list(value) if isinstance(value, tuple) else value for name, value in text.args if name != "says"}
    return [text.id, args]


def names_in_json(names: Any) -> dict[str, str]:
    return {str(player): name for player, name in names.items()}


def log_in_json(log: Log[Any, Any]) -> dict[str, Any]:
    """How a game stands: the moves that stand, the pads, who has won."""
    view = log.game.view(log.state)
    return {
        "moves": list(map(str, log.moves)),
        "pads": [[pad.player, list(pad.rounds), pad.now, pad.total, pad.cards, pad.gone] for pad in view.pads],
        "turn": view.turn,
        "over": view.over,
        "winners": list(view.winners),
        "record": digest(write_log(log)),
    }


def parsed_again(path: Path) -> Iterator[tuple[str, str]]:
    """Each entry of the undamaged games as it stands, and as it is written after a text log of the game was read."""
    with closing(look(path)) as db:
        for played in rows.games(db):
            entries = rows.entries(db, played.id)
            try:
                log = rows.fold(played, entries, GAMES)
            except Damaged:
                continue
            again = read_log(write_log(log), GAMES)
            yield from zip((row.entry for row in entries), map(str, again.entries), strict=True)


def continue_game(path: Path, game: int, entry: str, at: float) -> None:
    """Take the game up and add this entry, as the box does."""
    with closing(open_journal(path)) as journal:
        assert journal.take_up(game)
        log = journal.load(game, GAMES)
        assert journal.append(game, [log.add(log.parse(entry)).entries[-1]], "button", at)


def back_up(path: Path) -> Path:
    """Today's copy of the journal, beside those of other days."""
    return among_the_last(path)


def journal_in_json(path: Path) -> dict[str, Any]:
    """All that a journal holds, read without writing to it, as ``oxeye scores`` and ``oxeye log`` read it."""
    with in_utc(), closing(look(path)) as db:
        heads = rows.games(db)
        entries = {played.id: rows.entries(db, played.id) for played in heads}
        scores = [score(played, entries[played.id]) for played in heads]
        return {
            "games": [_game(played, entries[played.id]) for played in heads],
            "decks": rows.decks(db),
            "put aside": [list(row) for row in db.execute("SELECT * FROM put_aside ORDER BY game, number")],
            "names": names_in_json(rows.last_evening(heads)),
            "scores": [{**one, "damage": bool(one["damage"])} for one in as_dicts(scores)],
            "spreadsheet": [] if any(one.damage for one in scores) else as_csv(scores).splitlines(),
        }


def _game(played: Played, entries: list[Row]) -> dict[str, Any]:
    damage: list[Any] = []
    log: Log[Any, Any] | None
    try:
        log = rows.fold(played, entries, GAMES)
    except Damaged as bad:
        damage, log = [bad.row, text_in_json(bad.text)], bad.good
    return {
        "id": played.id,
        "token": played.token,
        "name": played.name,
        "options": played.options,
        "names": names_in_json(played.names),
        "began": played.began,
        "ended": played.ended,
        "how": played.how,
        "entries": [[row.number, row.told, row.at, row.entry] for row in entries],
        "damage": damage,
        "told": [[row.told, row.at] for row in told(played, entries[: len(log.entries)])] if log else [],
        "stands": log_in_json(log) if log else None,
    }


def opened_in_json(path: Path, at: float) -> dict[str, Any]:
    """What a box finds that is switched on with this journal, which it may mend: call it with a copy."""
    with closing(open_journal(path)) as journal:
        trouble = journal.trouble
        notices = [text_in_json(notice) for notice in journal.notices()]
        running = journal.running()
        restored = None if trouble else restored_in_json(journal, at)
        return {
            "trouble": text_in_json(trouble.text) if trouble else None,
            "notices": notices,
            "running": running.id if running else None,
            "restored": restored,
        }


def restored_in_json(journal: Journal, at: float) -> dict[str, Any]:
    """What the box knows when it starts."""
    known, notices = known_from(journal, at)
    return {
        "names": names_in_json(known.names),
        "people": list(known.people),
        "placed": names_in_json(known.placed),
        "last": started_in_json(known.last) if known.last else None,
        "stopped": [
            {
                "id": stopped.id,
                "names": names_in_json(stopped.names),
                "paused": stopped.paused,
                "stands": log_in_json(stopped.log),
            }
            for stopped in known.stopped
        ],
        "decks": sorted(known.decks),
        "notices": [text_in_json(notice) for notice in notices],
    }


def started_in_json(started: Started) -> dict[str, Any]:
    return {"game": started.game, "options": rows.words(started.options), "names": names_in_json(started.names)}
