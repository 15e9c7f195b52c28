"""Button presses from edges: debounce, short and long press, key repeat and chords, as pure functions of time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

from hw.errors import DeviceError

DEBOUNCE_S = 0.025
SHORT_PRESS_S = 0.6
LONG_PRESS_S = 0.8
REPEAT_AFTER_S = 0.5
REPEAT_EVERY_S = 1 / 8
RESTART_HOLD_S = POWER_HOLD_S = 3.0
STUCK_AFTER_S = 20.0
"""A button held longer than this is broken, or something lies on it."""
BAR_AFTER_S = 0.25
"""A progress bar appears after this time: no tap is that long."""
EPSILON_S = 1e-9


class NoButtons(DeviceError):
    """There are no buttons, or they cannot be read."""


class Button(StrEnum):
    UP = "up"
    DOWN = "down"
    OK = "ok"
    BACK = "back"
    POWER = "power"


class PressKind(StrEnum):
    """A short press acts on release, a long one while it is held.

    RESTART is OK and BACK held together. OFF is the power button held, or BACK if there is no power button.
    """

    SHORT = "short"
    LONG = "long"
    REPEAT = "repeat"
    RESTART = "restart"
    OFF = "off"


REPEATING = frozenset({Button.UP, Button.DOWN})
CHORD = frozenset({Button.OK, Button.BACK})
ALL_HOLDS_DONE = 9
"""More holds than any button has: holding it longer has no further effect."""

Holds = tuple[tuple[float, PressKind], ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed or opened, bounces included."""

    button: Button
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Press:
    button: Button
    kind: PressKind


@dataclass(frozen=True, slots=True)
class Finger:
    """State of one button: ``raw`` and ``since`` are its last edge, ``down_at`` is when its debounced press began."""

    raw: bool = False
    since: float = -inf
    down_at: float | None = None
    done: bool = False
    """The press has acted already or was part of a chord: its release has no effect."""
    holds: int = 0
    """Number of hold actions already triggered."""
    repeat_at: float = inf

    @property
    def unsure(self) -> bool:
        """Within the debounce time after an edge, when nothing is decided yet."""
        return self.raw != (self.down_at is not None)


@dataclass(frozen=True, slots=True)
class Holding:
    """The action that a held button will trigger, and the elapsed part of its hold time, 0 to 1."""

    kind: PressKind
    part: float


@dataclass(frozen=True, slots=True)
class ButtonsState:
    """State of all buttons. With a ``power`` button, holding BACK does not switch the box off."""

    fingers: Mapping[Button, Finger] = field(default_factory=lambda: dict.fromkeys(Button, Finger()))
    chord_at: float | None = None
    power: bool = False

    @property
    def any_down(self) -> bool:
        return any(finger.down_at is not None for finger in self.fingers.values())

    def holds(self, button: Button) -> Holds:
        match button:
            case Button.UP | Button.DOWN:
                return ()
            case Button.OK:
                return ((LONG_PRESS_S, PressKind.LONG),)
            case Button.BACK:
                return (
                    ((LONG_PRESS_S, PressKind.LONG),)
                    if self.power
                    else ((LONG_PRESS_S, PressKind.LONG), (POWER_HOLD_S, PressKind.OFF))
                )
            case Button.POWER:
                return ((POWER_HOLD_S, PressKind.OFF),)

    def next_check_at(self) -> float:
        """The time of the next call to ``process_edges`` if no edge comes before."""
        times = [inf]
        for button, finger in self.fingers.items():
            if finger.unsure:
                times.append(finger.since + DEBOUNCE_S)
            else:
                times.append(_acts_at(self, button))
        if self.chord_at is not None and not any(self.fingers[button].unsure for button in CHORD):
            times.append(self.chord_at + RESTART_HOLD_S)
        return min(times)


def hold_progress(state: ButtonsState, now: float) -> Holding | None:
    """Progress of the current hold for a bar on the screen, or None."""
    if state.chord_at is not None:
        return Holding(PressKind.RESTART, min((now - state.chord_at) / RESTART_HOLD_S, 1.0))
    for button, finger in state.fingers.items():
        holds = state.holds(button)
        if (
            finger.down_at is not None
            and finger.raw
            and finger.holds < len(holds)
            and now - finger.down_at >= BAR_AFTER_S
        ):
            after, kind = holds[finger.holds]
            return Holding(kind, min((now - finger.down_at) / after, 1.0))
    return None


def mute_held_buttons(state: ButtonsState) -> ButtonsState:
    """Ignore the buttons that are down now, because they woke a dark screen. A chord still restarts."""
    still = {
        button: replace(finger, done=True, holds=ALL_HOLDS_DONE, repeat_at=inf)
        if finger.down_at is not None
        else finger
        for button, finger in state.fingers.items()
    }
    return replace(state, fingers=still)


def find_stuck_buttons(state: ButtonsState, now: float) -> tuple[Button, ...]:
    """Buttons that have been down too long; they are ignored until they are released."""
    fingers = state.fingers.items()
    return tuple(b for b, finger in fingers if finger.down_at is not None and now - finger.down_at >= STUCK_AFTER_S)


def process_edges(
    state: ButtonsState, now: float, edges: Iterable[Edge] = ()
) -> tuple[ButtonsState, tuple[Press, ...]]:
    """The state after these edges at ``now``, and the presses since the last call.

    Call it with every edge, and at ``state.next_check_at()``. Edges may arrive late: their own times count.
    """
    presses: list[Press] = []
    for edge in sorted(edges, key=lambda e: e.at):
        state, more = _wait(state, edge.at)
        presses += more
        finger = state.fingers[edge.button]
        if edge.down != finger.raw:
            state = _with(state, edge.button, replace(finger, raw=edge.down, since=edge.at))
    state, more = _wait(state, now)
    return state, (*presses, *more)


def _wait(state: ButtonsState, now: float) -> tuple[ButtonsState, list[Press]]:
    """Advance to ``now``, one state change after the other."""
    presses: list[Press] = []
    while (then := state.next_check_at()) <= now + EPSILON_S:
        for button in Button:
            state, more = _settle(state, button, then)
            presses += more
        for button in Button:
            state, more = _hold(state, button, then, now)
            presses += more
        if state.chord_at is not None and state.chord_at + RESTART_HOLD_S <= then + EPSILON_S:
            state = replace(state, chord_at=None)
            presses.append(Press(Button.OK, PressKind.RESTART))
    return state, presses


def _settle(state: ButtonsState, button: Button, then: float) -> tuple[ButtonsState, list[Press]]:
    """Debounce: a contact without an edge for DEBOUNCE_S takes the state of its last edge."""
    finger = state.fingers[button]
    if not finger.unsure or then + EPSILON_S < finger.since + DEBOUNCE_S:
        return state, []
    if finger.raw:
        pressed = replace(finger, down_at=finger.since, repeat_at=finger.since + REPEAT_AFTER_S)
        state = _with(state, button, pressed)
        return _chord(state, finger.since) if button in CHORD else state, []
    held = finger.since - (finger.down_at or 0.0)
    state = _with(state, button, Finger(since=finger.since))
    if button in CHORD:
        state = replace(state, chord_at=None)
    short = not finger.done and (held < SHORT_PRESS_S or button in REPEATING) and button != Button.POWER
    return state, [Press(button, PressKind.SHORT)] if short else []


def _hold(state: ButtonsState, button: Button, then: float, now: float) -> tuple[ButtonsState, list[Press]]:
    finger = state.fingers[button]
    if finger.unsure or then + EPSILON_S < _acts_at(state, button):
        return state, []
    if button not in REPEATING:
        kind = state.holds(button)[finger.holds][1]
        return _with(state, button, replace(finger, done=True, holds=finger.holds + 1)), [Press(button, kind)]
    again = finger.repeat_at + REPEAT_EVERY_S
    if again <= now:  # the program was suspended: continue from here, with one step for all that were missed
        again = now + REPEAT_EVERY_S
    if again - (finger.down_at or 0.0) > STUCK_AFTER_S:
        again = inf
    return _with(state, button, replace(finger, done=True, repeat_at=again)), [Press(button, PressKind.REPEAT)]


def _acts_at(state: ButtonsState, button: Button) -> float:
    """When holding this button longer triggers its next action."""
    finger = state.fingers[button]
    if finger.down_at is None:
        return inf
    if button in REPEATING:
        return finger.repeat_at
    holds = state.holds(button)
    return finger.down_at + holds[finger.holds][0] if finger.holds < len(holds) else inf


def _chord(state: ButtonsState, at: float) -> ButtonsState:
    """Both buttons down: their own actions are cancelled. A stuck button makes no chord."""
    fingers = [state.fingers[button] for button in CHORD]
    if any(finger.down_at is None or at - finger.down_at >= STUCK_AFTER_S for finger in fingers):
        return state
    for button in CHORD:
        state = _with(state, button, replace(state.fingers[button], done=True, holds=ALL_HOLDS_DONE))
    return replace(state, chord_at=at)


def _with(state: ButtonsState, button: Button, finger: Finger) -> ButtonsState:
    return replace(state, fingers={**state.fingers, button: finger})
