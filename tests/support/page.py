"""A page served for a running game, with the threads of the real app."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import httpx

from engine.games import GAMES
from engine.log import Log
from engine.options import Options
from firmware.box.effects import Invite
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import play_from
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Started
from firmware.machine.network_addresses import Broker, PageAddress
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.web.camera_picture import Stills
from firmware.web.event_stream import DEFAULT_PACE, Pace
from firmware.web.page_wiring import WebPage
from firmware.web.table_handlers import SimulatedTablePage
from firmware.web.table_link import SimulatedSeat, TableLink
from vision.live.perception import Perception

NAMES = {1: "Ana", 2: "Ben", 3: "<b>Clea"}
DEAL = "deal 10,20,30,40"


@dataclass
class Served:
    page: WebPage
    inbox: Inbox
    folder: Path
    companion: Companion | None = None
    caller: httpx.Client | None = None
    late: str = ""
    taken: object = None
    look: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        return f"http://{self.page.address}"

    @property
    def origin(self) -> dict[str, str]:
        return {"origin": self.url}

    def entries(self) -> tuple[str, ...]:
        """The entries of the record."""
        log = self.companion.log if self.companion else None
        return tuple(map(str, log.entries)) if log else ()

    def code(self) -> str:
        """The pairing code that the box shows."""
        self.page.invite(True)
        return self.page.bridge.page.code

    def press(self, *words: str) -> None:
        """Commands given at the box, one after the other."""
        for word in words:
            told = parse_told(word, "button", 0.0)
            self.inbox.put(told)
            while self.taken is not told:
                Event().wait(0.005)

    @contextmanager
    def frames(self) -> Iterator[None]:
        """Frames come from the camera within the context."""
        over = Event()

        def film() -> None:
            while not over.wait(0.02):
                self.look()

        camera = Thread(target=film)
        camera.start()
        try:
            yield
        finally:
            over.set()
            camera.join()

    @contextmanager
    def phone(self) -> Iterator[httpx.Client]:
        """A phone that is paired."""
        with httpx.Client(base_url=self.url, headers=self.origin, verify=False) as phone:
            assert phone.post("/api/pair", json={"code": self.code()}).json() == {"paired": True, "says": ""}
            yield phone


@contextmanager
def served(
    folder: Path,
    *moves: str,
    game: str = "nimmt",
    options: Options | None = None,
    pace: Pace = DEFAULT_PACE,
    stills: Stills | None = None,
    broker: Broker | None = None,
    seat: SimulatedSeat | None = None,
) -> Iterator[Served]:
    log = Log(GAMES[game], options or ({"players": 3} if game == "nimmt" else {}))
    started = Started(game, log.options, NAMES)
    box = Box(Context(names=NAMES, last=started, people=("Dora",)), (Home(), play_from(log)))
    inbox, clock, over, ready = Inbox(), ScaledClock(), Event(), Event()
    extra = SimulatedTablePage(TableLink(seat, inbox, clock, "en", away_s=0.0)) if seat else None
    where = PageAddress(port=0, exact=True, mqtt=broker)
    page = WebPage(where, folder, box, inbox, clock, pace=pace, stills=stills, extra=extra)
    here = Served(page, inbox, folder)

    def play() -> None:
        with closing(open_journal(folder / JOURNAL_FILE)) as journal:
            here.companion = companion = Companion(
                box,
                Perception(),
                journal,
                observers=[lambda happened: page.publish(companion, happened)],
                actions={Invite: lambda effect: page.invite(effect.open)},
            )
            companion.begin(started)
            for move in moves:
                companion.handle(parse_told(move, "seen", clock()))
            companion.handle(Ticked(clock()))
            ready.set()
            while not over.is_set():
                item = inbox.get(0.05)
                companion.handle(item if item is not None else Ticked(clock()))
                here.taken = item

    threads = [Thread(target=page.run), Thread(target=play)]
    for thread in threads:
        thread.start()
    try:
        assert ready.wait(10)
        yield here
    finally:
        page.stop()
        over.set()
        for thread in threads:
            thread.join(5)
