"""Obeys advice with real pieces, and reads the sentence that people are shown for it."""

import re
from collections.abc import Mapping
from typing import Any

from engine.advice import Act
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Verdict, Waiting
from engine.table import Table
from firmware.box.referee_desk import RefereeDesk, show_desk
from firmware.texts.render import render
from tests.tabletop.nimmt_felt import Felt, Thing


class Misled(Exception):
    """The advice cannot be obeyed."""


def obey(felt: Felt, cure: tuple[Act, ...]) -> None:
    """Do what the advice says, one act after the other."""
    for act in cure:
        if not act.source and not act.target:
            raise Misled(f"{act} goes from nowhere to nowhere")
        thing = _pick_up(felt, act)
        if act.turned and thing.face != act.turned:
            if not _is(thing.under, act.turned):
                raise Misled(f"{act}: the other side is {thing.under or 'unknown'}")
            thing.face, thing.under = thing.under, thing.face
        if act.target:
            felt.put(thing.face, _area(act.target), _place(felt, act), thing.under)


def _pick_up(felt: Felt, act: Act) -> Thing:
    if act.source:
        near = felt.things if act.source == "strange" else felt.at(_area(act.source))
        lying = [t for t in near if _is(t.face, act.piece) or (act.turned and _is(t.under, act.piece))]
        if not lying:
            raise Misled(f"{act}: it does not lie there")
        felt.lift(lying[-1])
        return lying[-1]
    if act.piece.isdigit() and any(_is(t.face, act.piece) for t in felt.things):  # of a special there are four
        raise Misled(f"{act}: it lies on the table")
    gone = [t for t in felt.off if _is(t.face, act.piece) and (act.piece != "back" or t.zone == act.target)]
    if not gone:
        raise Misled(f"{act}: nobody has taken it from the table")
    return gone[-1]


def _place(felt: Felt, act: Act) -> int | None:
    if not act.target.startswith("row"):
        return None
    if not act.after:
        return 0
    faces = felt.faces(_area(act.target))
    if act.after not in faces:
        raise Misled(f"{act}: {act.after} is not there")
    return faces.index(act.after) + 1


def _area(zone: str) -> str:
    return zone.replace("mark", "row").replace("special", "seat")


def _is(face: str, piece: str) -> bool:
    return piece in (face, face.partition(".")[0])


def list_alternatives(log: Log[Any, Any], table: Table, verdict: Verdict[Any]) -> set[str]:
    """What the buttons of a question say in English."""
    view = show_desk(RefereeDesk(log, now=1000.0, table=table, verdict=verdict, since=0.0, patience=0.0))
    return {render(offer.label, "en") for offer in view.offers}


def tell(log: Log[Any, Any], table: Table, verdict: Verdict[Any]) -> str:
    """What the box shows in English when this verdict has stood for a while."""
    view = show_desk(RefereeDesk(log, now=1000.0, table=table, verdict=verdict, since=0.0, patience=0.0))
    shown = (view.alert, *view.lines) if view.alert else (view.prompt, *view.lines)
    return " / ".join(render(text, "en") for text in shown)


AWAY = r"hand|back|away|off the table|aside|remove|take"
ALL_CARDS = r"all cards.*row \d.*row \d"
"""Whole rows are exchanged: nobody names each card."""


def names_act(told: str, acts: tuple[Act, ...], seats: Mapping[int, int]) -> bool:
    """Does the sentence name the card of one of these acts, and a place that it comes from or goes to?"""
    return bool(re.search(ALL_CARDS, told, re.IGNORECASE)) or any(
        _names_piece(told, act) and re.search(_pattern(zone, seats), told, re.IGNORECASE)
        for act in acts
        for zone in (act.source, act.target)
    )


def _names_piece(told: str, act: Act) -> bool:
    words = [piece for piece in (act.piece, act.turned) if piece]
    return any(re.search(rf"(?<!\w){_name(piece)}(?!\w)", told, re.IGNORECASE) for piece in words)


def _name(piece: str) -> str:
    special = {"fifth": "5th row", "seven": "take-at-7", "negpos": "neg=pos", "back": "(card|back|down)"}
    kind = piece.partition(".")[0]
    return special.get(kind, kind)


def _pattern(zone: str, seats: Mapping[int, int]) -> str:
    """A seat is named by its number or by who sits there."""
    kind, _, number = _area(zone).partition(":")
    if kind == "row":
        return rf"row {number}\b"
    if kind == "seat":
        sat = [player for player, seat in seats.items() if seat == int(number)]
        owner = sat[-1] if sat else 0  # one who left may have sat there before
        return rf"seat {number}\b|player {owner}\b"
    return AWAY


def in_words(verdict: Verdict[Any] | None) -> str:
    match verdict:
        case Follows(moves):
            return f"Follows {' ; '.join(map(str, moves))}"
        case Unclear(stories):
            return "Unclear " + " | ".join(" ; ".join(map(str, story)) for story in stories)
        case Waiting():
            return f"Waiting missing={verdict.missing} hint={verdict.hint} cure={getattr(verdict, 'cure', ())}"
        case Refused():
            cure = getattr(verdict, "cure", ())
            return f"Refused wrong={verdict.wrong} missing={verdict.missing} why={verdict.why} cure={cure}"
    return ""
