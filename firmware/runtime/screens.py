"""The screens of the app: lines into a pipe, a full page in a terminal, or the dots of a panel."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import click

from engine.text import Text
from firmware.runtime.display_thread import Display, ScreenFrame, draw_picture
from firmware.runtime.opened_panel import OpenedPanel
from firmware.runtime.screen_text import render_screen
from hw.camera import Clock
from hw.panel.panel import Panel, open_panel, panel_size
from hw.panel.reconnecting import ReconnectingPanel

DUMB_TERMINALS = ("", "dumb", "unknown")


@dataclass(frozen=True, slots=True)
class Screens:
    """``say`` prints a line, as an alert or not; ``displays`` draw; ``leave`` keeps the last picture on the panel."""

    say: Callable[[str, bool], None]
    displays: tuple[Display, ...] = ()
    leave: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """A panel by name, its I2C port and address, its language, and whether its letters are ``big``.

    ``opened`` is a panel that is open already.
    """

    panel: str
    port: int = 1
    address: int = 0x3C
    language: str = "en"
    big: bool = False
    opened: OpenedPanel | None = None


def open_screens(
    options: ScreenOptions, title: str, stack: ExitStack, *, trouble: Callable[[Text | None], None], clock: Clock
) -> Screens:
    """Open the screens; the ``stack`` closes them."""
    if options.panel == "terminal" and is_full_terminal():
        # not for a pipe or a panel: rich takes 8 MB
        from firmware.runtime.terminal_ui import Console

        console = stack.enter_context(Console(title, options.language))
        return Screens(console.note, (Display(console.draw),))
    click.echo(title)
    if options.panel == "terminal" and sys.stdout.isatty():
        return Screens(_line, (Display(PlainScreen(options.language).draw),))
    if options.panel == "terminal":
        return Screens(_line)
    first = iter([options.opened.panel] if options.opened and options.opened.name == options.panel else [])

    def open_again() -> Panel:
        return next(first, None) or open_panel(options.panel, port=options.port, address=options.address)

    panel = ReconnectingPanel(open_again, tell=trouble, clock=clock)
    stack.callback(panel.close)
    size = panel_size(options.panel)

    def draw(shown: ScreenFrame) -> None:
        panel.show(draw_picture(shown, options.language, size, big=options.big), shown.light)

    return Screens(_line, (Display(draw),), panel.detach)


class PlainScreen:
    """Prints the prompt and the offer under the cursor when they change, for a terminal that cannot move its cursor."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._last = ("", "")

    def draw(self, shown: ScreenFrame) -> None:
        said = render_screen(shown.view, shown.names, shown.language or self._language)
        place = f" ({shown.view.cursor + 1}/{len(said.offers)})" if said.offers[1:] else ""
        now = said.prompt, f"{said.offers[shown.view.cursor]}{place}" if said.offers else ""
        if now != self._last:
            self._last = now
            click.echo("  ".join((f"> {now[0]}", *([f"[OK: {now[1]}]"] if now[1] else []))))


def is_full_terminal() -> bool:
    """Can a page be drawn here? Not into a pipe, and not by a terminal that cannot move its cursor."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in DUMB_TERMINALS


def _line(says: str, alert: bool) -> None:
    click.echo(f"{'!' if alert else ' '} {says}")
