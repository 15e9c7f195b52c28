"""The screens of a sitting: lines into a pipe, a whole page in a terminal, or the dots of a panel."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import click

from engine.text import Text
from firmware.runtime.console import Console
from firmware.runtime.display import Display, ScreenFrame, draw_picture
from firmware.runtime.opened_panel import OpenedPanel
from hw.camera import Clock
from hw.panel.panel import Panel, ReconnectingPanel, open_panel, panel_size


@dataclass(frozen=True, slots=True)
class Screens:
    """``say`` tells a line, and whether it is an alert; ``displays`` draw; ``leave`` lets the last picture stay."""

    say: Callable[[str, bool], None]
    displays: tuple[Display, ...] = ()
    leave: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """A panel by its name, its place on the bus, its language, and whether its letters are ``big``.

    ``greeted`` is one that is open already.
    """

    panel: str
    port: int = 1
    address: int = 0x3C
    language: str = "en"
    big: bool = False
    greeted: OpenedPanel | None = None


def open_screens(
    look: ScreenOptions, title: str, stack: ExitStack, *, trouble: Callable[[Text | None], None], clock: Clock
) -> Screens:
    """They are closed with the ``stack``."""
    if look.panel == "terminal" and sys.stdout.isatty():
        console = stack.enter_context(Console(title))
        return Screens(console.note, (Display(console.draw),))
    click.echo(title)
    if look.panel == "terminal":
        return Screens(_line)
    first = iter([look.greeted.panel] if look.greeted and look.greeted.name == look.panel else [])

    def opened() -> Panel:
        return next(first, None) or open_panel(look.panel, port=look.port, address=look.address)

    panel = ReconnectingPanel(opened, tell=trouble, clock=clock)
    stack.callback(panel.close)
    size = panel_size(look.panel)

    def draw(shown: ScreenFrame) -> None:
        panel.show(draw_picture(shown, look.language, size, big=look.big), shown.light)

    return Screens(_line, (Display(draw),), panel.detach)


def _line(says: str, alert: bool) -> None:
    click.echo(f"{'!' if alert else ' '} {says}")
