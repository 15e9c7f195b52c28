"""The page of one session: binds its address, and connects the web server to the box."""

from pathlib import Path

from engine.text import Text, say
from firmware.box.flow_stack import Box, show_box
from firmware.machine.errors import SettingsError
from firmware.machine.network_addresses import PageAddress
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion, Happened
from firmware.runtime.inbox import Inbox
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Stills
from firmware.web.event_stream import DEFAULT_PACE as PACE
from firmware.web.event_stream import Pace
from firmware.web.extra_page import ExtraPage
from firmware.web.page_snapshot import take_snapshot
from firmware.web.paired_phones import Phones
from firmware.web.server import Server


class PageAddressTaken(SettingsError):
    """The address is in use, or does not exist here."""

    text: Text

    def __init__(self, place: str) -> None:
        super().__init__(say("page_not_there", value=place))


class WebPage:
    """``run`` blocks a thread until ``stop``; ``publish`` and ``invite`` are called from the thread of the box."""

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
        extra: ExtraPage | None = None,
    ) -> None:
        self.bridge = BoxLink(inbox, Phones(folder), clock, take_snapshot(box, show_box(box), ""), pace)
        self._server = _server(self.bridge, folder, where, stills, extra)
        self.address_now = self._server.address
        self.address = self.address_now()
        self.invite = self.bridge.invite
        self.run = self._server.run
        self.stop = self._server.stop
        self.bridge.serve(self.address_now)

    def publish(self, companion: Companion, happened: Happened) -> None:
        """Show on the page what has changed with this event."""
        self.bridge.publish(companion, happened.event)


def _server(
    bridge: BoxLink, folder: Path, where: PageAddress, stills: Stills | None, extra: ExtraPage | None
) -> Server:
    try:
        return Server(bridge, folder, where.host, where.port, stills, where.mqtt, extra)
    except OSError as why:
        if where.exact:
            raise PageAddressTaken(f"{where.host}:{where.port}") from why
    return Server(bridge, folder, where.host, 0, stills, where.mqtt, extra)
