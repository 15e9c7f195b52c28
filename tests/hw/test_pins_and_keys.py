"""Buttons on the mock pins of gpiozero, and keys of a real terminal, become the same presses."""

import os
import pty
import termios
from contextlib import suppress

import pytest
from gpiozero.pins.mock import MockFactory

from hw.button_pins import ButtonPins
from hw.button_presses import Button, ButtonsState, NoButtons, Press, PressKind, process_edges
from hw.terminal_keys import KEY_PRESSES, TerminalKeys, read_keys

PINS = {Button.UP: 5, Button.DOWN: 6, Button.OK: 13, Button.BACK: 19}


@pytest.fixture
def factory():
    made = MockFactory()
    yield made
    made.reset()


def test_edges_on_a_pin_become_a_press(factory):
    clock = iter((1.0, 1.002, 1.003, 1.2)).__next__
    heard = []
    with ButtonPins(PINS, heard.append, clock=clock, factory=factory):
        pin = factory.pin(PINS[Button.BACK])
        pin.drive_low()
        pin.drive_high()
        pin.drive_low()
        pin.drive_high()
    assert [(edge.button, edge.down, edge.at) for edge in heard] == [
        (Button.BACK, True, 1.0),
        (Button.BACK, False, 1.002),
        (Button.BACK, True, 1.003),
        (Button.BACK, False, 1.2),
    ]
    assert process_edges(ButtonsState(), 2.0, heard)[1] == (Press(Button.BACK, PressKind.SHORT),)


def test_closed_pins_can_be_opened_again(factory):
    for _ in range(2):
        with ButtonPins(PINS, lambda edge: None, factory=factory):
            pass


def test_a_used_pin_is_named_and_the_others_are_released(factory):
    with (
        ButtonPins({Button.UP: 13}, lambda edge: None, factory=factory),
        pytest.raises(NoButtons, match="buttons_no_pin value=GPIO13") as caught,
    ):
        ButtonPins(PINS, lambda edge: None, factory=factory)
    with ButtonPins(PINS, lambda edge: None, factory=factory):
        assert caught.value.text.id == "buttons_no_pin"


@pytest.mark.parametrize("pin", [2, 3])
def test_a_button_on_an_i2c_pin_is_refused(factory, pin):
    with pytest.raises(NoButtons, match=f"buttons_i2c_pin value=GPIO{pin}"):
        ButtonPins({Button.POWER: pin}, lambda edge: None, factory=factory)


def test_missing_pins_are_reported(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nosuchchip")
    with pytest.raises(NoButtons, match="buttons_no_pins"):
        ButtonPins(PINS, lambda edge: None)


TYPED = {
    "arrows": ("\x1b[A\x1b[B", "up short, down short", ""),
    "arrows of an old terminal": ("\x1bOA\x1bOB", "up short, down short", ""),
    "enter and backspace": ("\r\n\x7f\b", "ok short, ok short, back short, back short", ""),
    "letters": ("udob", "up short, down short, ok short, back short", ""),
    "capitals are long presses": ("OB", "ok long, back long", ""),
    "restart": ("R", "ok restart", ""),
    "other keys are ignored": ("xyz1\x1b[Cé", "", ""),
    "an incomplete escape sequence waits": ("u\x1b[", "up short", "\x1b["),
    "a single escape does not consume the next key": ("\x1b\x1b[A", "up short", ""),
}


@pytest.mark.parametrize(("typed", "wanted", "rest"), TYPED.values(), ids=TYPED)
def test_typed_keys_become_presses(typed, wanted, rest):
    presses, left = read_keys(typed)
    assert ", ".join(f"{p.button} {p.kind}" for p in presses) == wanted
    assert left == rest


def test_every_button_has_a_key():
    assert {press.button for press in KEY_PRESSES.values()} == set(Button)


@pytest.fixture
def terminal():
    person, box = pty.openpty()
    yield person, box
    for end in (person, box):
        with suppress(OSError):
            os.close(end)


def test_a_terminal_delivers_single_keys_and_is_restored(terminal):
    person, box = terminal
    before = termios.tcgetattr(box)
    with TerminalKeys(box) as keys:
        assert termios.tcgetattr(box) != before
        os.write(person, b"u\x1b")
        assert keys.read(1) == (Press(Button.UP, PressKind.SHORT),)
        os.write(person, b"[B")
        assert keys.read(1) == (Press(Button.DOWN, PressKind.SHORT),)
        assert keys.read(0) == ()
    assert termios.tcgetattr(box) == before


def test_a_closed_terminal_is_reported(terminal):
    person, box = terminal
    with TerminalKeys(box) as keys:
        os.close(person)
        with pytest.raises(NoButtons, match="keys_no_terminal"):
            keys.read(1)


def test_a_file_instead_of_a_terminal_is_refused():
    with open(os.devnull) as nothing, pytest.raises(NoButtons, match="keys_no_terminal"):
        TerminalKeys(nothing.fileno())
