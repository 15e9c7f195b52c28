"""Score pads as HTML: a line for each player, and a chart of how the points grew round by round."""

from collections.abc import Sequence
from html import escape
from itertools import accumulate

from engine.text import Text
from firmware.texts.render import render
from firmware.web.api_state import ApiState, PadState

WIDE, HIGH = 320.0, 150.0
LEFT, RIGHT, TOP, BOTTOM = 26.0, 12.0, 10.0, 22.0


def pads(state: ApiState) -> str:
    """Who is to act is marked; the running round stands beside the total, with the size of a bull pile."""
    language = state.language
    if not state.pads:
        return ""
    head = (
        f'<tr><th scope="col">{_said("people", language)}</th><th scope="col">{_said("page_round", language)}</th>'
        f'<th scope="col">{_said("page_total", language)}</th></tr>'
    )
    body = "".join(_pad(pad, state) for pad in state.pads)
    return f'<table class="pads" data-key="pads"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _pad(pad: PadState, state: ApiState) -> str:
    marks = (("turn", pad.player == state.turn), ("gone", pad.gone), ("winner", pad.winner))
    kind = " ".join(name for name, there in marks if there)
    pile = f' <small class="pile">{pad.cards}</small>' if pad.cards and state.game == "nimmt" else ""
    return (
        f'<tr class="{kind}" data-key="{pad.player}"><th scope="row"><span class="who p-{escape(pad.colour)}">'
        f"{escape(pad.name)}</span></th><td>{pad.now}{pile}</td><td><b>{pad.total + pad.now}</b></td></tr>"
    )


def chart(shown: Sequence[PadState], language: str) -> str:
    """Nothing before the first round is over. The table below it says the same in numbers."""
    most = max((len(pad.rounds) for pad in shown), default=0)
    if not most:
        return ""
    grown = {pad.player: (0, *accumulate(pad.rounds)) for pad in shown}
    low = min(0, *(min(points) for points in grown.values()))
    high = max(1, *(max(points) for points in grown.values()))

    def at(round: int, points: int) -> str:
        x = LEFT + (WIDE - LEFT - RIGHT) * round / most
        y = TOP + (HIGH - TOP - BOTTOM) * (high - points) / (high - low)
        return f"{x:.1f},{y:.1f}"

    def line(pad: PadState) -> str:
        points = [at(round, total) for round, total in enumerate(grown[pad.player])]
        x, y = points[-1].split(",")
        way = " ".join(points)
        return (
            f'<g class="p-{escape(pad.colour)}" data-key="{pad.player}"><polyline class="under" points="{way}"/>'
            f'<polyline points="{way}"/><circle cx="{x}" cy="{y}" r="4"/></g>'
        )

    zero, top = at(0, 0).split(","), at(0, high).split(",")
    every = -(-most // 10)
    rounds = "".join(
        f'<text x="{at(n, 0).split(",")[0]}" y="{HIGH - 6}">{n}</text>' for n in range(every, most + 1, every)
    )
    title = _said("page_chart", language)
    return (
        f'<figure data-key="chart"><figcaption>{title}</figcaption>'
        f'<svg class="chart" viewBox="0 0 {WIDE:.0f} {HIGH:.0f}" role="img" aria-label="{title}">'
        f'<path d="M{zero[0]} {zero[1]}H{WIDE - RIGHT}M{top[0]} {top[1]}H{WIDE - RIGHT}"/>'
        f'<text class="y" x="{LEFT - 6}" y="{float(zero[1]) + 3}">0</text>'
        f'<text class="y" x="{LEFT - 6}" y="{float(top[1]) + 4}">{high}</text>{rounds}'
        f"{''.join(map(line, shown))}</svg>{_numbers(shown, most, language)}</figure>"
    )


def _numbers(shown: Sequence[PadState], most: int, language: str) -> str:
    heads = "".join(f'<th scope="col">{n}</th>' for n in range(1, most + 1))
    lines = "".join(
        f'<tr data-key="{pad.player}"><th scope="row">{escape(pad.name)}</th>'
        f"{''.join(f'<td>{points}</td>' for points in pad.rounds)}</tr>"
        for pad in shown
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{_said("page_chart", language)}">'
        f'<table class="rounds"><thead><tr><th scope="col">{_said("page_round", language)}</th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _said(id: str, language: str) -> str:
    return escape(render(Text(id), language))
