"""The few entry points through which these tests read what version 0.1.0 wrote; each answers in plain JSON values."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Any

import httpx
import numpy as np
import pytest

from engine.games import GAMES
from engine.log import Log
from engine.log_text import read_log, write_log
from engine.text import Text
from engine.view import View
from firmware.app.restore import restore_session
from firmware.box.effects import Effect, Invite, KeepEmpty, PowerOff, RequestFacts, Restart
from firmware.box.events import Pressed, Ticked, Told
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.old_commands import parse_old_command
from firmware.journal.copies import add_daily_copy
from firmware.journal.journal import Journal, open_journal
from firmware.journal.log_from_rows import DamagedRows, fold_rows
from firmware.journal.operation_types import (
    BeginGame,
    EndGame,
    PauseGame,
    RenamePlayers,
    ResumeGame,
    Started,
    VerifyDeck,
    WriteEntries,
)
from firmware.journal.player_names import find_last_names
from firmware.journal.queries import rows_of_moves
from firmware.journal.row_sql import read_entries, read_games, read_verified_decks
from firmware.journal.row_types import EntryRow, Played
from firmware.journal.scores import as_csv, as_dicts, score_game
from firmware.journal.sqlite_file import open_readonly
from firmware.journal.stored_options import format_options
from firmware.machine import config, config_edit, config_file, empty_table
from firmware.machine.network_addresses import PageAddress
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.recording.reader import Recorded
from firmware.recording.replay import replay
from firmware.recording.writer import EVENTS_FILE
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Happened
from firmware.runtime.inbox import Inbox, Observation
from firmware.web import mqtt
from firmware.web.page_wiring import WebPage
from firmware.web.paired_phones import Phones
from firmware.web.pairing_socket import SOCKET
from hw.button_presses import Edge
from vision import pieces
from vision.live.perception import Perception
from vision.tags import codebook
from vision.tags.reader import read_tags

FROZEN = Path(__file__).parent / "v0_1_0"
"""What version 0.1.0 wrote."""
MATCHES = FROZEN.parents[1] / "recordings"
"""Whole recorded matches, one for each variant of each game; version 0.1.0 made them as well."""
PATIENCE_S = 120.0
"""How long a test waits for the box; it answers within milliseconds, but sheets are drawn at the lowest priority."""


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
    with closing(open_readonly(path)) as db:
        for played in read_games(db):
            entries = read_entries(db, played.id)
            try:
                log = fold_rows(played, entries, GAMES)
            except DamagedRows:
                continue
            again = read_log(write_log(log), GAMES)
            yield from zip((row.entry for row in entries), map(str, again.entries), strict=True)


def continue_game(path: Path, game: int, entry: str, at: float) -> None:
    """Take the game up and add this entry, as the box does."""
    with closing(open_journal(path)) as journal:
        assert journal.apply(ResumeGame(game), game, at)
        log = journal.load(game, GAMES)
        assert journal.apply(WriteEntries((str(log.parse(entry)),), "button"), game, at)


def back_up(path: Path) -> Path:
    """Today's copy of the journal, beside those of other days."""
    return add_daily_copy(path, GAMES)


def journal_in_json(path: Path) -> dict[str, Any]:
    """All that a journal holds, read without writing to it, as ``oxeye scores`` and ``oxeye log`` read it."""
    with in_utc(), closing(open_readonly(path)) as db:
        heads = read_games(db)
        entries = {played.id: read_entries(db, played.id) for played in heads}
        scores = [score_game(played, entries[played.id]) for played in heads]
        return {
            "games": [_game(played, entries[played.id]) for played in heads],
            "decks": read_verified_decks(db),
            "put aside": [list(row) for row in db.execute("SELECT * FROM put_aside ORDER BY game, number")],
            "names": names_in_json(find_last_names(heads, ("six",))),
            "scores": [{**one, "damage": bool(one["damage"])} for one in as_dicts(scores)],
            "spreadsheet": [] if any(one.damage for one in scores) else as_csv(scores).splitlines(),
        }


def _game(played: Played, entries: list[EntryRow]) -> dict[str, Any]:
    damage: list[Any] = []
    log: Log[Any, Any] | None
    try:
        log = fold_rows(played, entries, GAMES)
    except DamagedRows as bad:
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
        "told": [[row.told, row.at] for row in rows_of_moves(played, entries[: len(log.entries)])] if log else [],
        "stands": log_in_json(log) if log else None,
    }


def opened_in_json(path: Path, at: float) -> dict[str, Any]:
    """What a box finds that is switched on with this journal, which it may mend: call it with a copy."""
    with closing(open_journal(path)) as journal:
        trouble = journal.error
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
    known, notices = restore_session(journal, at)
    return {
        "names": names_in_json(known.names),
        "people": list(known.people),
        "placed": names_in_json(known.names_by_seat),
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


def replayed_in_json(folder: Path) -> dict[str, Any]:
    """What a recording comes to: for each thing told or pressed what the box shows and does, and the end."""
    recorded = Recorded(folder)
    items: list[Any] = []

    def note(happened: Happened) -> None:
        effects = [effect_in_json(effect) for effect in happened.effects]
        match happened.event:
            case Told(_, by, at):
                items.append([at, "told", by, shown_in_json(happened.view), effects])
            case Pressed(press, at):
                items.append([at, "pressed", press.button, press.kind, shown_in_json(happened.view), effects])
            case item if effects:
                items.append([item.at, "saw", effects])
            case _:
                pass

    done = replay(recorded, note)
    log = done.companion.log
    return {
        "plays": started_in_json(recorded.started) if recorded.started else None,
        "items": items,
        "written": list(done.then),
        "now": list(done.now),
        "faults": done.faults(),
        "end": None if done.ended is None else [[pad[0], list(pad[1]), *pad[2:]] for pad in done.ended.pads],
        "names": names_in_json(done.companion.box.known.names),
        "stopped": sorted(stopped.id for stopped in done.companion.box.known.stopped),
        "decks": sorted(done.companion.box.known.decks),
        "stands": log_in_json(log) if log else None,
    }


def match_in_json(name: str) -> dict[str, Any]:
    """How a recorded match begins, and what its entries add up to; no picture is decoded."""
    recorded = Recorded(MATCHES / name)
    assert recorded.started
    log: Log[Any, Any] = Log(GAMES[recorded.started.game], recorded.started.options)
    for line in map(json.loads, (MATCHES / name / EVENTS_FILE).read_text(encoding="utf-8").splitlines()[1:]):
        if line[0] == "wrote":
            log = log.add(*map(log.parse, line[1]))
    return {"plays": started_in_json(recorded.started), "timed": recorded.timed, "stands": log_in_json(log)}


ONCE_ALERTS = frozenset({"draws", "near_border", "same_position", "claim_true"})
"""News of the games that version 0.1.0 showed as alerts."""


def shown_in_json(view: View) -> list[Any]:
    """What people see: which sentence, which alert, and how many offers. Some news was shown as an alert."""
    alerts = ([view.alert] if view.alert else []) + [text for text in view.news if text.id in ONCE_ALERTS]
    return [view.prompt.id, alerts[0].id if alerts else "", len(view.offers)]


def effect_in_json(effect: Effect) -> list[Any]:
    """What the box does, by the name that it had in version 0.1.0."""
    match effect:
        case BeginGame(started):
            return ["begin", started_in_json(started)]
        case ResumeGame(game):
            return ["take up", game]
        case WriteEntries(entries, by):
            return ["write", by, list(entries)]
        case PauseGame():
            return ["put aside"]
        case EndGame(how):
            return ["end", how]
        case RenamePlayers(names):
            return ["rename", names_in_json(names)]
        case VerifyDeck(deck):
            return ["deck checked", deck]
        case KeepEmpty():
            return ["keep empty"]
        case Invite(open):
            return ["invite", open]
        case RequestFacts():
            return ["look up"]
        case Restart():
            return ["restart"]
        case PowerOff():
            return ["power off"]


def settings_in_json(path: Path) -> dict[str, Any]:
    """Each setting of a file as it counts, and what is wrong with the file."""
    found = config_file.read_config(path)
    return {
        "values": {key: _in_json(value) for key, value in config.setting_values(found.config).items()},
        "problems": [[problem.key, *text_in_json(problem.text)] for problem in found.problems],
    }


def change_setting(path: Path, key: str, words: str) -> None:
    """What ``oxeye config set`` does."""
    config_edit.change_setting_in_file(path, key, words)


def knows_phone(folder: Path, token: str, today: float) -> bool:
    """Is the phone that sends this cookie paired with the box whose state folder this is?"""
    return Phones(folder, today=lambda: today).knows(token)


def pair_and_forget(folder: Path, token: str, today: float) -> str:
    """Forget the phone that has this token and pair another one, whose token is given back."""
    phones = Phones(folder, today=lambda: today)
    phones.forget(token)
    answer, fresh = phones.admit(phones.invite())
    assert answer == "paired"
    return fresh


def empty_table_in_json(folder: Path) -> dict[str, Any]:
    """The picture of the empty table that a box finds in its state folder."""
    picture = empty_table.load_empty_table(folder)
    assert picture is not None
    area = Perception(picture).area
    assert area is not None
    return {"shape": list(picture.shape), "pixels": digest(picture.tobytes()), "area": list(area)}


def stickers_in_json() -> dict[str, Any]:
    """Every code that can be printed or read, its modules, and where a sticker sits on its card."""
    modules = {code.payload: codebook.draw_pattern(code.payload) for code in codebook.CODES}
    return {
        "printed": [[code.payload, code.game, code.piece] for code in codebook.CODES],
        "read": digest("\n".join(f"{text} {code.game} {code.piece}" for text, code in sorted(codebook.BOOK.items()))),
        "modules of all": digest(b"".join(np.packbits(dark).tobytes() for dark in modules.values())),
        "modules": {payload: _rows(modules[payload]) for payload in list(modules)[::12]},
        "markers": {
            corner: [number, _rows(codebook.draw_marker_modules(corner))] for corner, number in codebook.MARKERS.items()
        },
        "cards": {game: list(own.size) for game, own in pieces.PIECES.items() if own.kind == "card"},
        "from sticker to card": {
            f"{game} {side:g}": list(codebook.offset_to_card_centre(game, side))
            for game in ("nimmt", "thegame", "six", "any")
            for side in (12.0, 14.0, 18.0, 25.0)
        },
    }


def code_of(modules: Any) -> list[str]:
    """What the decoder of the box reads in these modules, drawn as a sticker with its quiet zone."""
    dark = np.pad(np.asarray(modules, np.uint8), codebook.QUIET_MODULES)
    picture = np.kron(255 * (1 - dark), np.ones((8, 8))).astype(np.uint8)
    framed = np.pad(picture, 60, constant_values=255)
    return [tag.payload for tag in read_tags(framed)]


def _rows(dark: Any) -> list[str]:
    return ["".join("#" if module else "." for module in row) for row in np.asarray(dark, bool)]


def _in_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def started_in_json(started: Started) -> dict[str, Any]:
    return {
        "game": started.game,
        "options": format_options(started.options),
        "names": names_in_json(started.names),
    }


@dataclass
class Served:
    """A box with its page: ``tell`` is a button at the box; clients are programs on the network, to be closed."""

    page: WebPage
    inbox: Inbox
    folder: Path
    companion: Companion | None = None
    taken: list[object] = field(default_factory=list)
    changed: Condition = field(default_factory=Condition)

    @property
    def url(self) -> str:
        return f"http://{self.page.address}"

    def tell(self, *words: str) -> None:
        for word in words:
            told = Told(parse_old_command(word, self.companion.view.offers if self.companion else ()), "button", 0.0)
            with self.changed:
                self.taken.clear()
                self.inbox.put(told)
                assert self.changed.wait_for(partial(self._took, told), PATIENCE_S), word

    def _took(self, told: Told) -> bool:
        return any(item is told for item in self.taken)

    def prompt(self) -> str:
        """Which sentence the box shows."""
        assert self.companion
        return self.companion.view.prompt.id

    def code(self) -> str:
        """What the screen of the box shows while a phone is let in."""
        self.page.invite(True)
        assert self.page.bridge.page is not None
        return self.page.bridge.page.code

    def paired(self) -> httpx.Client:
        """A phone that was let in."""
        phone = self.unpaired()
        assert phone.post("/api/pair", json={"code": self.code()}).json()["paired"]
        return phone

    def unpaired(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={"origin": self.url}, timeout=PATIENCE_S)

    def over_mqtt(self, host: str) -> dict[str, Any]:
        """What a broker is told of the state, and what Home Assistant reads to find the box."""
        return {
            "state": mqtt.home_state(self.page.bridge.hub.newest, "en"),
            "discovery": dict(mqtt.discovery_messages(host, f"{mqtt.TOPIC}/{host}", "oxeye.local:8480")),
            "availability": [mqtt.ONLINE, mqtt.OFFLINE],
        }

    def knocked(self) -> dict[str, Any]:
        """What ``oxeye pair`` hears from the box."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.connect(str(self.folder / SOCKET))
            heard = b""
            while part := door.recv(1000):
                heard += part
        answer: dict[str, Any] = json.loads(heard)
        return answer


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """A box that plays with this state folder, and its page: each has a thread of its own, as in ``oxeye run``."""
    over, inbox, clock = Event(), Inbox(), ScaledClock()
    with closing(open_journal(folder / JOURNAL_FILE)) as journal:
        known, _ = restore_session(journal, 0.0)
    box = Box(replace(known, area=(900, 600)), (Home(),))
    page = WebPage(PageAddress(port=0, exact=True), folder, box, inbox, clock)
    here = Served(page, inbox, folder)

    def play() -> None:
        with closing(open_journal(folder / JOURNAL_FILE)) as journal:
            companion = Companion(
                box,
                Perception(),
                journal,
                observers=[lambda happened: page.publish(companion, happened)],
                actions={Invite: lambda effect: page.invite(effect.open)},
            )
            here.companion = companion
            while not over.is_set():
                item = inbox.get(0.05)
                assert not isinstance(item, Edge | Observation)
                companion.handle(Ticked(clock()) if item is None else item)
                with here.changed:
                    here.taken.append(item)
                    here.changed.notify_all()

    threads = [Thread(target=page.run), Thread(target=play)]
    for thread in threads:
        thread.start()
    try:
        here.tell("menu")
        yield here
    finally:
        page.stop()
        over.set()
        for thread in threads:
            thread.join(PATIENCE_S)
