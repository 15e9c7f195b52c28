"""Run the app at a simulated table with a record of one's own, and write down which pieces are where, for an oracle."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import httpx

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.app.app import AppOptions
from firmware.app.simulated_table import SimulatedTable
from firmware.cli.run import run_simulated
from firmware.machine.network_addresses import PageAddress
from firmware.runtime.clock import ScaledClock
from firmware.simulation.scenarios import BY_NAME, Scenario
from firmware.simulation.table.piece_places import InHand, InPile, InStock
from firmware.web.server import open_listening_socket

START_S = 90.0
WRITE_S = 0.3
PIECES_FILE = "pieces.json"


@dataclass(frozen=True)
class TableRun:
    """A scenario that only a test needs, or the name of one of the product."""

    game: str
    players: int = 3
    moves: tuple[str, ...] = ()
    hands: dict[int, tuple[str, ...]] = field(default_factory=dict)
    cards_each: int = 0
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)

    def build(self) -> tuple[Log, Scenario | None]:
        options = {**self.options} if self.game == "six" else {"players": self.players, **self.options}
        log = Log(GAMES[self.game], options)
        if self.scenario:
            return log, BY_NAME[self.scenario]
        if not self.moves:
            return log, None
        hands = {int(player): tuple(cards) for player, cards in self.hands.items()}
        title = say("start")
        return log, Scenario("own", title, title, self.game, options, tuple(self.moves), hands, self.cards_each)


@dataclass(frozen=True)
class RunningTable:
    url: str
    folder: Path

    def pieces(self) -> dict[str, list[str]]:
        """The ids of the pieces by place: ``hand 1``, ``pile 2``, ``stock cards``, ``table``."""
        return json.loads((self.folder / PIECES_FILE).read_text())

    def state(self) -> dict:
        """What the page of the phones shows, in English."""
        return httpx.get(f"{self.url}/api/state?lang=en", timeout=20).json()

    def table(self) -> dict:
        """What the page of the table draws."""
        with httpx.stream("GET", f"{self.url}/table/events?lang=en", timeout=20) as answer:
            lines = answer.iter_lines()
            return json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))


def write_pieces(table: SimulatedTable, folder: Path, over: Event) -> None:
    """Write where every piece is, as long as the program runs."""
    while not over.wait(WRITE_S):
        found: dict[str, list[str]] = {}
        for it in table.table.pieces():
            match it.place:
                case InHand(player):
                    found.setdefault(f"hand {player}", []).append(it.id)
                case InPile(player):
                    found.setdefault(f"pile {player}", []).append(it.id)
                case InStock(name):
                    found.setdefault(f"stock {name}", []).append(it.id)
                case _:
                    found.setdefault("table", []).append(it.id)
        part = folder / f"{PIECES_FILE}.part"
        part.write_text(json.dumps(found))
        part.rename(folder / PIECES_FILE)


@contextmanager
def running_table(folder: Path, run: TableRun, *, speed: float = 1.0) -> Iterator[RunningTable]:
    """The app in a process of its own, from its first picture to the end of the context."""
    with open_listening_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    words = json.dumps([{key: getattr(run, key) for key in TableRun.__dataclass_fields__}, str(folder), port, speed])
    log = (folder / "run.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.table_run", words],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=log,
        stderr=log,
    )
    here = RunningTable(f"http://127.0.0.1:{port}", folder)
    try:
        latest = time.monotonic() + START_S
        while True:
            assert process.poll() is None, (folder / "run.log").read_text()
            assert time.monotonic() < latest, (folder / "run.log").read_text()
            try:
                if httpx.get(f"{here.url}/table/picture.jpg", timeout=10).status_code == 200:
                    break
            except httpx.TransportError:
                Event().wait(0.3)
        yield here
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def main(words: str) -> int:
    values, folder, port, speed = json.loads(words)
    log, scenario = TableRun(**values).build()
    table = SimulatedTable(log, 4, mistakes="none", scenario=scenario)
    table.people.leave_to_human(frozenset({1}))
    over = Event()
    writer = Thread(target=write_pieces, args=(table, Path(folder), over))
    writer.start()
    page = PageAddress(port=port, exact=True)
    try:
        return run_simulated(AppOptions(table, Path(folder), "dummy", "none", ScaledClock(speed), page=page))
    finally:
        over.set()
        writer.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
