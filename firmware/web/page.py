"""The page of one sitting: where it is served, and everything between it and the box."""

from pathlib import Path

from engine.text import Text, say
from firmware.box.stack import Box, show_box
from firmware.machine.addresses import PageAddress
from firmware.machine.errors import SettingsError
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Happened
from firmware.runtime.inbox import Inbox
from firmware.web.box_link import BoxLink
from firmware.web.camera import Stills
from firmware.web.event_stream import DEFAULT_PACE as PACE
from firmware.web.event_stream import Pace
from firmware.web.phones import Phones
from firmware.web.server import Server
from firmware.web.snapshot import take_snapshot


class PageAddressTaken(SettingsError):
    """Somebody else is there already, or there is no such place: ``text`` says where."""

    text: Text

    def __init__(self, place: str) -> None:
        super().__init__(say("page_not_there", value=place))


class WebPage:
    """``run`` is a thread's, until ``stop``; ``heard`` and ``invite`` are called from the thread of the box."""

    def __init__(
        self,
        where: PageAddress,
        folder: Path,
        box: Box,
        inbox: Inbox,
        clock: ScaledClock,
        *,
        pace: Pace = PACE,
        stills: Stills | None = None,
    ) -> None:
        self.bridge = BoxLink(inbox, Phones(folder), clock, take_snapshot(box, show_box(box), ""), pace)
        self._server = _server(self.bridge, folder, where, stills)
        self.address_now = self._server.address
        self.address = self.address_now()
        self.invite = self.bridge.invite
        self.run = self._server.run
        self.stop = self._server.stop
        self.bridge.serve(self.address_now)

    def heard(self, companion: Companion, happened: Happened) -> None:
        self.bridge.heard(companion, happened.event)


def _server(bridge: BoxLink, folder: Path, where: PageAddress, stills: Stills | None) -> Server:
    try:
        return Server(bridge, folder, where.host, where.port, stills, where.mqtt)
    except OSError as why:
        if where.exact:
            raise PageAddressTaken(f"{where.host}:{where.port}") from why
    return Server(bridge, folder, where.host, 0, stills, where.mqtt)
