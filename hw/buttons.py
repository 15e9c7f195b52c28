"""Four buttons, or five: from the times of their edges to what the fingers meant, without a clock of its own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

from hw.errors import DeviceError

DEBOUNCE = 0.025
SHORT = 0.6
LONG = 0.8
REPEAT_AFTER = 0.5
REPEAT_EVERY = 1 / 8
RESTART = POWER = 3.0
STUCK = 20.0
"""Seconds after which a button is not held by a finger any more, but broken, or below a cup."""
SEEN = 0.25
"""Seconds after which a bar fills: no tap is that long."""
EPSILON = 1e-9


class NoButtons(DeviceError):
    """There is nothing to press, or it cannot be read."""


class Button(StrEnum):
    UP = "up"
    DOWN = "down"
    OK = "ok"
    BACK = "back"
    POWER = "power"


class PressKind(StrEnum):
    """A short press acts on release, a long one while it is held.

    Restart is OK and BACK held together; off is the power button, or where there is none BACK, held for as long.
    """

    SHORT = "short"
    LONG = "long"
    REPEAT = "repeat"
    RESTART = "restart"
    OFF = "off"


PINS = {Button.UP: 5, Button.DOWN: 6, Button.OK: 13, Button.BACK: 19}
"""The usual pins, as GPIO numbers: none that the screen needs, all in a row on the header, with ground beside them."""

REPEATING = frozenset({Button.UP, Button.DOWN})
CHORD = frozenset({Button.OK, Button.BACK})
OVER = 9
"""More holds than any button has: nothing more comes of holding it."""

Holds = tuple[tuple[float, PressKind], ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed or opened; contacts bounce."""

    button: Button
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Press:
    button: Button
    kind: PressKind


@dataclass(frozen=True, slots=True)
class Finger:
    """One button: ``raw`` and ``since`` are its last edge, ``down_at`` says that it counts as down."""

    raw: bool = False
    since: float = -inf
    down_at: float | None = None
    done: bool = False
    """It has acted, or was part of a chord: letting go means nothing more."""
    holds: int = 0
    """How much of holding it has acted."""
    repeat_at: float = inf

    @property
    def unsure(self) -> bool:
        """It has just changed, and may be bouncing: until that is over nothing comes of it."""
        return self.raw != (self.down_at is not None)


@dataclass(frozen=True, slots=True)
class Holding:
    """What will come of holding on, and how much of the time for it is over, 0 to 1."""

    kind: PressKind
    part: float


@dataclass(frozen=True, slots=True)
class ButtonsState:
    """What is known of the fingers now. With a ``power`` button BACK switches nothing off."""

    fingers: Mapping[Button, Finger] = field(default_factory=lambda: dict.fromkeys(Button, Finger()))
    chord_at: float | None = None
    power: bool = False

    @property
    def touched(self) -> bool:
        return any(finger.down_at is not None for finger in self.fingers.values())

    def holds(self, button: Button) -> Holds:
        match button:
            case Button.UP | Button.DOWN:
                return ()
            case Button.OK:
                return ((LONG, PressKind.LONG),)
            case Button.BACK:
                return ((LONG, PressKind.LONG),) if self.power else ((LONG, PressKind.LONG), (POWER, PressKind.OFF))
            case Button.POWER:
                return ((POWER, PressKind.OFF),)

    def next(self) -> float:
        """When to look again, if no edge comes before."""
        times = [inf]
        for button, finger in self.fingers.items():
            if finger.unsure:
                times.append(finger.since + DEBOUNCE)
            else:
                times.append(_acts_at(self, button))
        if self.chord_at is not None and not any(self.fingers[button].unsure for button in CHORD):
            times.append(self.chord_at + RESTART)
        return min(times)


def progress(hand: ButtonsState, now: float) -> Holding | None:
    """For a bar that fills until it acts, and is gone when the finger is."""
    if hand.chord_at is not None:
        return Holding(PressKind.RESTART, min((now - hand.chord_at) / RESTART, 1.0))
    for button, finger in hand.fingers.items():
        holds = hand.holds(button)
        if finger.down_at is not None and finger.raw and finger.holds < len(holds) and now - finger.down_at >= SEEN:
            after, kind = holds[finger.holds]
            return Holding(kind, min((now - finger.down_at) / after, 1.0))
    return None


def hushed(hand: ButtonsState) -> ButtonsState:
    """Nothing comes of the fingers that are down now: they woke a dark screen. A chord still restarts."""
    still = {
        button: replace(finger, done=True, holds=OVER, repeat_at=inf) if finger.down_at is not None else finger
        for button, finger in hand.fingers.items()
    }
    return replace(hand, fingers=still)


def stuck(hand: ButtonsState, now: float) -> tuple[Button, ...]:
    """Buttons to look after: nothing is heard of them until they are let go."""
    fingers = hand.fingers.items()
    return tuple(b for b, finger in fingers if finger.down_at is not None and now - finger.down_at >= STUCK)


def feel(hand: ButtonsState, now: float, edges: Iterable[Edge] = ()) -> tuple[ButtonsState, tuple[Press, ...]]:
    """The hand after these edges, seen at ``now``, and what was pressed since the last look.

    Call it with every edge, and at ``hand.next()``. Edges may come late: times are theirs, not those of the call.
    """
    presses: list[Press] = []
    for edge in sorted(edges, key=lambda e: e.at):
        hand, more = _wait(hand, edge.at)
        presses += more
        finger = hand.fingers[edge.button]
        if edge.down != finger.raw:
            hand = _with(hand, edge.button, replace(finger, raw=edge.down, since=edge.at))
    hand, more = _wait(hand, now)
    return hand, (*presses, *more)


def _wait(hand: ButtonsState, now: float) -> tuple[ButtonsState, list[Press]]:
    """Let time pass until ``now``, one happening after the other."""
    presses: list[Press] = []
    while (then := hand.next()) <= now + EPSILON:
        for button in Button:
            hand, more = _settle(hand, button, then)
            presses += more
        for button in Button:
            hand, more = _hold(hand, button, then, now)
            presses += more
        if hand.chord_at is not None and hand.chord_at + RESTART <= then + EPSILON:
            hand = replace(hand, chord_at=None)
            presses.append(Press(Button.OK, PressKind.RESTART))
    return hand, presses


def _settle(hand: ButtonsState, button: Button, then: float) -> tuple[ButtonsState, list[Press]]:
    """A contact that has been quiet long enough is what it is since its last edge."""
    finger = hand.fingers[button]
    if not finger.unsure or then + EPSILON < finger.since + DEBOUNCE:
        return hand, []
    if finger.raw:
        pressed = replace(finger, down_at=finger.since, repeat_at=finger.since + REPEAT_AFTER)
        hand = _with(hand, button, pressed)
        return _chord(hand, finger.since) if button in CHORD else hand, []
    held = finger.since - (finger.down_at or 0.0)
    hand = _with(hand, button, Finger(since=finger.since))
    if button in CHORD:
        hand = replace(hand, chord_at=None)
    short = not finger.done and (held < SHORT or button in REPEATING) and button != Button.POWER
    return hand, [Press(button, PressKind.SHORT)] if short else []


def _hold(hand: ButtonsState, button: Button, then: float, now: float) -> tuple[ButtonsState, list[Press]]:
    finger = hand.fingers[button]
    if finger.unsure or then + EPSILON < _acts_at(hand, button):
        return hand, []
    if button not in REPEATING:
        kind = hand.holds(button)[finger.holds][1]
        return _with(hand, button, replace(finger, done=True, holds=finger.holds + 1)), [Press(button, kind)]
    again = finger.repeat_at + REPEAT_EVERY
    if again <= now:  # the whole box had a pause: go on from here, with one step for all that were missed
        again = now + REPEAT_EVERY
    if again - (finger.down_at or 0.0) > STUCK:
        again = inf
    return _with(hand, button, replace(finger, done=True, repeat_at=again)), [Press(button, PressKind.REPEAT)]


def _acts_at(hand: ButtonsState, button: Button) -> float:
    """When holding it on means something."""
    finger = hand.fingers[button]
    if finger.down_at is None:
        return inf
    if button in REPEATING:
        return finger.repeat_at
    holds = hand.holds(button)
    return finger.down_at + holds[finger.holds][0] if finger.holds < len(holds) else inf


def _chord(hand: ButtonsState, at: float) -> ButtonsState:
    """Both down: what they would have done alone is cancelled. A button that is stuck makes no chord."""
    fingers = [hand.fingers[button] for button in CHORD]
    if any(finger.down_at is None or at - finger.down_at >= STUCK for finger in fingers):
        return hand
    for button in CHORD:
        hand = _with(hand, button, replace(hand.fingers[button], done=True, holds=OVER))
    return replace(hand, chord_at=at)


def _with(hand: ButtonsState, button: Button, finger: Finger) -> ButtonsState:
    return replace(hand, fingers={**hand.fingers, button: finger})
