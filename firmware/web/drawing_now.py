"""What is to be done now as HTML: whose turn it is, the prompt, what is wrong and its cure, and all one may declare."""

from html import escape

from engine.text import Text
from firmware.texts.render import render
from firmware.web.api_state import AlertState, ApiState


def now(state: ApiState) -> str:
    """Offers are buttons for who is paired; a ruling is one tap away."""
    who = next((person for person in state.people if person.player == state.turn), None)
    turn = f'<span class="who p-{escape(who.colour)}">{escape(who.name)}</span>' if who else ""
    ruling = _ruling(state.ruling) if state.alert is None else ""
    return (
        f'<p id="turn" data-key="turn">{turn}</p>{_keys(state)}'
        f'<p id="prompt" data-key="prompt" role="status" tabindex="-1">{escape(state.prompt)}{ruling}</p>'
        f'<div id="alert" data-key="alert" role="alert">{_alert(state.alert)}</div>{_troubles(state)}{_bar(state)}'
        f"{_lines(state)}{_offers(state)}"
    )


def _alert(alert: AlertState | None) -> str:
    return f"<p>{escape(alert.text)}{_ruling(alert.ruling)}</p>" if alert else ""


def _ruling(ruling: str) -> str:
    return f' <a class="ruling" href="/rules#{escape(ruling)}">{escape(ruling)}</a>' if ruling else ""


def _troubles(state: ApiState) -> str:
    """What the alert says already is not said twice."""
    others = [text for text in state.troubles if state.alert is None or text != state.alert.text]
    told = "".join(f"<li>{escape(text)}</li>" for text in others)
    return f'<ul class="troubles" data-key="troubles">{told}</ul>' if told else ""


def _bar(state: ApiState) -> str:
    if state.bar is None:
        return ""
    label = escape(state.prompt)
    return f'<meter data-key="bar" min="0" max="1" value="{state.bar:.2f}" aria-label="{label}"></meter>'


def _lines(state: ApiState) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in state.lines)
    return f'<ul class="lines" data-key="lines">{lines}</ul>' if lines else ""


def _offers(state: ApiState) -> str:
    offers = "".join(
        f'<button type="button" data-key="{escape(offer.words)}" data-words="{escape(offer.words)}">'
        f"{escape(offer.label)}</button>"
        for offer in state.offers
    )
    return f'<div class="offers" data-key="offers">{offers}</div>' if state.paired else ""


def _keys(state: ApiState) -> str:
    """What means the same everywhere; or how to get it."""
    back, menu, ask = (escape(render(Text(id), state.language)) for id in ("page_return", "page_menu", "pair_phone"))
    if not state.paired:
        return f'<p class="ask" data-key="ask"><a href="#more">{ask}</a></p>'
    return (
        f'<p class="keys" data-key="keys"><button type="button" data-words="back">{back}</button>'
        f'<button type="button" data-words="menu">{menu}</button></p>'
    )
