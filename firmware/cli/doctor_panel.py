"""``oxeye doctor panel``: test every dot of the screen and, at a terminal, every button."""

import queue
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import click
from PIL import Image, ImageChops

from engine.text import Text, say
from engine.view import View
from firmware.app.run_settings import button_sockets
from firmware.machine.config import Config, panel_name
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.texts.render import render
from hw.button_presses import Button, Edge, NoButtons
from hw.panel.panel import NoDisplay, Panel, open_panel, panel_size
from hw.terminal_keys import TerminalKeys

PATTERN_S = 1.5
"""Seconds for which each test pattern is shown."""
PRESS_TIMEOUT_S = 20.0
"""Seconds to wait for a press before a button counts as broken."""
MAIN_BUTTONS = (Button.UP, Button.DOWN, Button.OK, Button.BACK)

Size = tuple[int, int]
WaitForPress = Callable[[float], Button | None]
"""The next button that goes down within this many seconds, or None."""
PrintLine = Callable[[str], None]


def try_panel(config: Config, *, box: bool) -> bool:
    """Does all of it work? On a computer that is no ``box`` the terminal replaces screen and buttons."""
    name = panel_name(config) if box else "terminal"
    with ExitStack() as stack:
        panel, well = None, True
        try:
            panel = open_panel(name, port=config.panel.port, address=config.panel.address)
            stack.callback(panel.close)
        except NoDisplay as why:
            well = _amiss(why.text)
        show = partial(_show, panel, panel_size(name), config.language)
        if panel is not None:
            well = (
                try_dots(panel, panel_size(name), click.echo, time.sleep if sys.stdin.isatty() else _no_eyes) and well
            )
        if not sys.stdin.isatty():
            click.echo("this is no terminal: the buttons are not tested")
            return well
        try:
            pressed, buttons = stack.enter_context(_fingers(config, box=box))
        except NoButtons as why:
            return _amiss(why.text)
        return try_buttons(buttons, pressed, show, click.echo) and well


def draw_patterns(size: Size) -> Iterator[tuple[str, Image.Image]]:
    """Test pictures: every dot is lit and dark at least once, and differs from its neighbours once."""
    lit = Image.new("1", size, 1)
    yield "every dot lit", lit
    yield "every dot dark", Image.new("1", size, 0)
    chess = Image.frombytes("1", size, (b"\x55" * (size[0] // 8) + b"\xaa" * (size[0] // 8)) * (size[1] // 2))
    yield "every other dot", chess
    yield "the dots between", ImageChops.invert(chess)
    frame = Image.new("1", size, 1)
    frame.paste(0, (1, 1, size[0] - 1, size[1] - 1))
    yield "a frame along all four edges", frame


def try_dots(panel: Panel, size: Size, tell: PrintLine, rest: Callable[[float], None]) -> bool:
    """Show each pattern for a person to look at; False if the screen stops answering."""
    for name, image in draw_patterns(size):
        tell(name)
        try:
            panel.show(image)
        except NoDisplay as why:
            return _amiss(why.text)
        rest(PATTERN_S)
    return True


def try_buttons(
    buttons: tuple[Button, ...], pressed: WaitForPress, show: Callable[[Text], None], tell: PrintLine
) -> bool:
    """Ask for each button in turn; a wrong answer means exchanged wires."""
    well = True
    last: Button | None = None
    for button in buttons:
        show(say("panel_press", value=button.upper()))
        tell(f"press {button.upper()}")
        came = pressed(PRESS_TIMEOUT_S)
        while came is not None and came == last:  # the contact bounces, or the finger is still on the last button
            came = pressed(PRESS_TIMEOUT_S)
        last = came
        if came is None:
            tell(f"✗ no press of {button.upper()}: check its two wires, and its pin in the settings")
        elif came != button:
            tell(f"✗ that was {came.upper()}: exchange the wires of the two, or their pins in the settings")
        else:
            tell(f"✓ {button.upper()}")
        well = well and came == button
    show(say("panel_works") if well else say("panel_again"))
    return well


def _no_eyes(seconds: float) -> None:
    """Without a terminal the patterns need no pause."""


def _show(panel: Panel | None, size: Size, language: str, text: Text) -> None:
    if panel is not None:
        try:
            panel.show(draw_picture(ScreenFrame(View(text), {}), language, size))
        except NoDisplay as why:
            _amiss(why.text)


def _amiss(text: Text) -> bool:
    click.echo(f"✗ {render(text)}")
    return False


@contextmanager
def _fingers(config: Config, *, box: bool) -> Iterator[tuple[WaitForPress, tuple[Button, ...]]]:
    if not box or config.buttons.kind == "keys":
        with TerminalKeys() as keys:
            yield partial(_of_keys, keys), MAIN_BUTTONS
        return
    if config.buttons.kind == "none":
        yield (lambda seconds: None), ()
        return
    from hw.button_pins import ButtonPins

    heard: queue.Queue[Edge] = queue.Queue()
    pins = button_sockets(config).pins
    with ButtonPins(pins, heard.put):
        yield partial(_of_pins, heard), tuple(pins)


def _of_keys(keys: TerminalKeys, seconds: float) -> Button | None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        for press in keys.read(left):
            return press.button
    return None


def _of_pins(heard: "queue.Queue[Edge]", seconds: float) -> Button | None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            edge = heard.get(timeout=left)
        except queue.Empty:
            break
        if edge.down:
            return edge.button
    return None
