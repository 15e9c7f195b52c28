"""What a page of its own beside that for phones has: routes, and the small screen that it shows."""

from typing import Protocol

from starlette.routing import BaseRoute

from firmware.runtime.display_thread import ScreenFrame
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Stills

TABLE_PATH = "/table"
"""Where the page of the simulated table is."""


class ExtraPage(Protocol):
    """``post_paths`` are those of its routes that change something."""

    post_paths: frozenset[str]

    def show_screen(self, shown: ScreenFrame) -> None:
        """Called by the thread of a screen."""
        ...

    def routes(self, bridge: BoxLink, stills: Stills) -> list[BaseRoute]: ...
