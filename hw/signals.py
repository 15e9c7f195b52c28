"""What a light and a buzzer tell of a game: what is worth a sign, and how the sign looks and sounds."""

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TypeVar

from engine.text import Text
from engine.view import View

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
    """Until this light is out the box must not be unplugged: it outlives whoever switched it on, so it is steady."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Steps of seconds with a colour or a tone in hertz, 0 is silence. ``again``: until something else comes."""

    lights: tuple[tuple[float, Colour], ...] = ()
    tones: tuple[tuple[float, int], ...] = ()
    again: bool = False


DARK: Colour = (0.0, 0.0, 0.0)
DIM_WHITE: Colour = (0.15, 0.15, 0.15)
RED: Colour = (1.0, 0.0, 0.0)
AMBER: Colour = (1.0, 0.45, 0.0)
GREEN: Colour = (0.0, 1.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)

SEATS: tuple[Colour, ...] = (
    *((1.0, 0.1, 0.0), (0.0, 0.3, 1.0), (0.0, 0.8, 0.1), (1.0, 0.7, 0.0), (0.8, 0.0, 0.9)),
    *((0.0, 0.8, 0.8), (1.0, 0.3, 0.4), (0.5, 0.9, 0.0), (0.4, 0.2, 1.0), (0.9, 0.9, 0.8)),
)
"""Player 1 to 10."""

SIGNS = {
    Signal.TURN: Sign(((0.08, WHITE),), ((0.05, 880),)),
    Signal.WRONG: Sign(((0.25, RED), (0.25, DARK)), ((0.12, 330), (0.06, 0), (0.2, 262)), again=True),
    Signal.TAKEN: Sign(((0.12, AMBER), (0.08, DARK)) * 3, ((0.1, 392), (0.1, 330), (0.18, 294))),
    Signal.ROUND_OVER: Sign(((0.3, GREEN), (0.2, DARK)) * 2, ((0.12, 523), (0.12, 659), (0.2, 784))),
    Signal.MATCH_OVER: Sign(
        ((0.2, RED), (0.2, AMBER), (0.2, GREEN)) * 3, ((0.12, 523), (0.12, 659), (0.12, 784), (0.4, 1047))
    ),
    Signal.STOPPING: Sign(((60.0, AMBER),), again=True),
}


def happened(before: View, after: View) -> Signal | None:
    """The weightiest thing that is new."""
    if after.over and not before.over:
        return Signal.MATCH_OVER
    if after.alert is not None and after.alert != before.alert:
        return Signal.WRONG
    if after.prompt.id == "round_over" != before.prompt.id:
        return Signal.ROUND_OVER
    if any(now.cards > was.cards and now.now > was.now for was, now in zip(before.pads, after.pads, strict=False)):
        return Signal.TAKEN
    return Signal.TURN if after.turn is not None and after.turn != before.turn else None


def steady(view: View) -> Colour:
    """What the light shows between signs: whose turn it is, or that the box is on."""
    if view.alert is not None:
        return RED
    return SEATS[(view.turn - 1) % len(SEATS)] if view.turn else DIM_WHITE


def spoken_text(before: View, after: View) -> Text | None:
    """What a voice says of the change: what is wrong first, else what to do now."""
    if after.alert is not None and after.alert != before.alert:
        return after.alert
    return after.prompt if after.prompt != before.prompt else None


def light_at(sign: Sign, after: float) -> Colour | None:
    """The colour so many seconds after the sign began; None: it is over."""
    return _at(sign.lights, after, sign.again)


def tone_at(sign: Sign, after: float) -> int:
    """A tone is heard once, however long the light goes on."""
    return _at(sign.tones, after, False) or 0


def next_step(sign: Sign, after: float) -> float:
    """Seconds after the beginning at which something changes next."""
    ends = [_next(sign.lights, after, sign.again), _next(sign.tones, after, False)]
    return min(ends)


def _at(steps: tuple[tuple[float, Step], ...], after: float, again: bool) -> Step | None:
    whole = sum(seconds for seconds, _ in steps)
    if not steps or (after >= whole - EPSILON and not again):
        return None
    after %= whole
    for seconds, step in steps:
        if after < seconds - EPSILON:
            return step
        after -= seconds
    return steps[-1][1]


def _next(steps: tuple[tuple[float, object], ...], after: float, again: bool) -> float:
    whole = sum(seconds for seconds, _ in steps)
    if not steps or (after >= whole - EPSILON and not again):
        return inf
    end = after - after % whole
    for seconds, _ in steps:
        end += seconds
        if end > after + EPSILON:
            return end
    return end
