"""The screens of a sitting: lines into a pipe, a whole page in a terminal, or the dots of a panel."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import click

from engine.text import Text
from firmware.console import Console
from firmware.display import Display, Shown, picture
from hw.camera import Clock
from hw.panel.panel import PatientPanel, open_panel, size_of


@dataclass(frozen=True, slots=True)
class Screens:
    """``say`` tells a line, and whether it is an alert; ``displays`` draw; ``leave`` lets the last picture stay."""

    say: Callable[[str, bool], None]
    displays: tuple[Display, ...] = ()
    leave: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Look:
    """A panel by its name, its place on the bus, its language, and whether its letters are ``big``."""

    panel: str
    port: int = 1
    address: int = 0x3C
    language: str = "en"
    big: bool = False


def open_screens(
    look: Look, title: str, stack: ExitStack, *, trouble: Callable[[Text | None], None], clock: Clock
) -> Screens:
    """They are closed with the ``stack``."""
    if look.panel == "terminal" and sys.stdout.isatty():
        console = stack.enter_context(Console(title))
        return Screens(console.note, (Display(console.draw),))
    click.echo(title)
    if look.panel == "terminal":
        return Screens(_line)
    panel = PatientPanel(
        partial(open_panel, look.panel, port=look.port, address=look.address), tell=trouble, clock=clock
    )
    stack.callback(panel.close)
    size = size_of(look.panel)

    def draw(shown: Shown) -> None:
        panel.show(picture(shown, look.language, size, big=look.big), shown.light)

    return Screens(_line, (Display(draw),), panel.leave)


def _line(says: str, alert: bool) -> None:
    click.echo(f"{'!' if alert else ' '} {says}")
