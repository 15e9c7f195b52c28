"""Patterns of the light and the buzzer: the colours, blink times and beep tones of every signal."""

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TypeVar

Colour = tuple[float, float, float]
"""Red, green and blue, 0 to 1; a light of one colour shows the brightest of the three."""
Step = TypeVar("Step")
EPSILON = 1e-6


class Signal(StrEnum):
    TURN = "turn"
    WRONG = "wrong"
    TAKEN = "taken"
    ROUND_OVER = "round over"
    MATCH_OVER = "match over"
    STOPPING = "stopping"
    """The power must stay on until this light goes out. It is steady, because it outlives the program."""


@dataclass(frozen=True, slots=True)
class SignalPattern:
    """Steps of seconds with a colour, or a tone in hertz (0 is silence). ``repeats``: until the next signal."""

    lights: tuple[tuple[float, Colour], ...] = ()
    tones: tuple[tuple[float, int], ...] = ()
    repeats: bool = False


DARK: Colour = (0.0, 0.0, 0.0)
DIM_WHITE: Colour = (0.15, 0.15, 0.15)
RED: Colour = (1.0, 0.0, 0.0)
AMBER: Colour = (1.0, 0.45, 0.0)
GREEN: Colour = (0.0, 1.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)

SEAT_COLOURS: tuple[Colour, ...] = (
    *((1.0, 0.1, 0.0), (0.0, 0.3, 1.0), (0.0, 0.8, 0.1), (1.0, 0.7, 0.0), (0.8, 0.0, 0.9)),
    *((0.0, 0.8, 0.8), (1.0, 0.3, 0.4), (0.5, 0.9, 0.0), (0.4, 0.2, 1.0), (0.9, 0.9, 0.8)),
)
"""Player 1 to 10."""

PATTERNS = {
    Signal.TURN: SignalPattern(((0.08, WHITE),), ((0.05, 880),)),
    Signal.WRONG: SignalPattern(((0.25, RED), (0.25, DARK)), ((0.12, 330), (0.06, 0), (0.2, 262)), repeats=True),
    Signal.TAKEN: SignalPattern(((0.12, AMBER), (0.08, DARK)) * 3, ((0.1, 392), (0.1, 330), (0.18, 294))),
    Signal.ROUND_OVER: SignalPattern(((0.3, GREEN), (0.2, DARK)) * 2, ((0.12, 523), (0.12, 659), (0.2, 784))),
    Signal.MATCH_OVER: SignalPattern(
        ((0.2, RED), (0.2, AMBER), (0.2, GREEN)) * 3, ((0.12, 523), (0.12, 659), (0.12, 784), (0.4, 1047))
    ),
    Signal.STOPPING: SignalPattern(((60.0, AMBER),), repeats=True),
}


def colour_at(sign: SignalPattern, after: float) -> Colour | None:
    """The colour this many seconds after the start; None at the end."""
    return _at(sign.lights, after, sign.repeats)


def tone_at(sign: SignalPattern, after: float) -> int:
    """The tone in hertz; tones play once, also when the light repeats."""
    return _at(sign.tones, after, False) or 0


def next_change(sign: SignalPattern, after: float) -> float:
    """Seconds after the start at which colour or tone changes next."""
    ends = [_next(sign.lights, after, sign.repeats), _next(sign.tones, after, False)]
    return min(ends)


def _at(steps: tuple[tuple[float, Step], ...], after: float, repeats: bool) -> Step | None:
    whole = sum(seconds for seconds, _ in steps)
    if not steps or (after >= whole - EPSILON and not repeats):
        return None
    after %= whole
    for seconds, step in steps:
        if after < seconds - EPSILON:
            return step
        after -= seconds
    return steps[-1][1]


def _next(steps: tuple[tuple[float, object], ...], after: float, repeats: bool) -> float:
    whole = sum(seconds for seconds, _ in steps)
    if not steps or (after >= whole - EPSILON and not repeats):
        return inf
    end = after - after % whole
    for seconds, _ in steps:
        end += seconds
        if end > after + EPSILON:
            return end
    return end
