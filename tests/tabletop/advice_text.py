"""What people are shown in English, and whether it names the piece and the place of each act."""

import re
from collections.abc import Iterable
from typing import Any

from engine.log import Log
from engine.referee import Waiting
from engine.table import Table
from engine.view import View
from firmware.box.referee_desk import RefereeDesk, show_desk
from firmware.texts.render import render

SIDES = {"left": (0, 0), "right": (0, 1), "top": (1, 0), "bottom": (1, 1)}
"""Word -> which coordinate, and whether the word means the high end of it."""
FARTHEST = 0.6
"""A tile may be called left although it lies this far to the right, as a share of the board, but not farther."""


def show(log: Log[Any, Any], table: Table, verdict: Any) -> View:
    """The screen when this verdict has stood for a while."""
    return show_desk(RefereeDesk(log, now=1000.0, table=table, verdict=verdict, since=0.0, patience=0.0))


def tell(log: Log[Any, Any], table: Table, verdict: Any) -> str:
    """Advice for a table that waits is the prompt, beside which an announcement such as "draws 2 cards" may stand."""
    view = show(log, table, verdict)
    first = view.prompt if isinstance(verdict, Waiting) else view.alert or view.prompt
    return " / ".join(render(text, "en") for text in (first, *view.lines))


def find_unnamed_card(told: str, acts: Iterable[Any]) -> str:
    """An act whose card or pile the sentence does not name, "" if there is none."""
    faces = {"back": "face[- ]down", "seven": "Take-at-7", "block": "Block"}
    for act in acts:
        named = any(re.search(rf"\b{faces.get(face, face)}\b", told) for face in (act.piece, act.turned) if face)
        piles = [zone.replace(":", " pile ") for zone in (act.source, act.target) if zone]
        if not named or not any(pile in told.lower() for pile in piles):
            return str(act)
    return ""


def find_unnamed_tile(told: str, acts: Iterable[Any]) -> str:
    """An act whose colour the sentence does not name, or a sentence without a place."""
    for act in acts:
        if act.piece not in told.lower():
            return str(act)
    return "" if re.search(r"left|right|top|bottom|middle|beside", told.lower()) else "no place"


def is_side(words: str, x: float, y: float, board: Iterable[tuple[float, float]]) -> bool:
    """Does a tile at x, y lie where these words say, on a board of these tiles?"""
    spots = [*board, (x, y)]
    for word, (axis, high) in SIDES.items():
        if word in words:
            low, top = min(s[axis] for s in spots), max(s[axis] for s in spots)
            share = ((x, y)[axis] - low) / (top - low) if top > low else 0.5
            if (1 - share if high else share) > FARTHEST:
                return False
    return True
