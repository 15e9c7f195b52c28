"""Geometry of the chart of scores: how the points of each player grew round by round."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from firmware.web.api_state import PadState

WIDTH, HEIGHT = 320.0, 150.0
"""Of the drawing, in its own units."""
LEFT, RIGHT, TOP, BOTTOM = 26.0, 12.0, 10.0, 22.0
"""Margins, which hold the labels."""
MAX_ROUND_LABELS = 10


@dataclass(frozen=True, slots=True)
class ChartLine:
    """``points`` is an SVG polyline that ends at ``end_x``, ``end_y``."""

    pad: PadState
    points: str
    end_x: str
    end_y: str


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Coordinates are text with one decimal, as they stand in the SVG."""

    width: int
    height: int
    start_x: str
    end_x: str
    zero_y: str
    top_y: str
    label_x: str
    zero_label_y: str
    top_label_y: str
    round_label_y: str
    top: int
    rounds: int
    round_labels: tuple[tuple[str, int], ...]
    lines: tuple[ChartLine, ...]


def score_chart(pads: Sequence[PadState]) -> ScoreChart | None:
    """None before the first round is over."""
    rounds = max((len(pad.rounds) for pad in pads), default=0)
    if not rounds:
        return None
    totals = [(0, *accumulate(pad.rounds)) for pad in pads]
    low = min(0, *(min(points) for points in totals))
    high = max(1, *(max(points) for points in totals))

    def x_of(round: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * round / rounds:.1f}"

    def y_of(points: int) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / (high - low):.1f}"

    step = -(-rounds // MAX_ROUND_LABELS)
    return ScoreChart(
        width=round(WIDTH),
        height=round(HEIGHT),
        start_x=x_of(0),
        end_x=f"{WIDTH - RIGHT:.1f}",
        zero_y=y_of(0),
        top_y=y_of(high),
        label_x=f"{LEFT - 6:.1f}",
        zero_label_y=f"{float(y_of(0)) + 3:.1f}",
        top_label_y=f"{float(y_of(high)) + 4:.1f}",
        round_label_y=f"{HEIGHT - 6:.1f}",
        top=high,
        rounds=rounds,
        round_labels=tuple((x_of(number), number) for number in range(step, rounds + 1, step)),
        lines=tuple(
            ChartLine(
                pad,
                " ".join(f"{x_of(number)},{y_of(points)}" for number, points in enumerate(grown)),
                x_of(len(grown) - 1),
                y_of(grown[-1]),
            )
            for pad, grown in zip(pads, totals, strict=True)
        ),
    )
