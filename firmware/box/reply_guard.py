"""Words that only ever answer a question of the box count for nothing where nobody was asked."""

from typing import Any

from engine.game import Illegal
from engine.log import Adopt, Amend, Log
from engine.notation import BadNotation
from engine.text import Text, say
from firmware.box.events import Answered, Told
from firmware.box.flows.assign_cards import from_words

ANSWERS = frozenset({"all agree", "picture agreed", "paused", "other game", "given up"})
"""Each is said by one flow alone, once everybody who had to be asked was asked."""


def unasked(told: Told, log: Log[Any, Any]) -> Text | None:
    """Where to be asked; None for an answer, and for all that anybody may say by himself."""
    if isinstance(told, Answered):
        return None
    if told.words in ANSWERS or from_words(told.words) or _overrules(told.words, log):
        return say("not_asked")
    return None


def _overrules(words: str, log: Log[Any, Any]) -> bool:
    """That everybody agreed is no entry that one alone may tell, nor hide in a correction; what stands may stand."""
    if "overrule" not in words:
        return False
    try:
        entry = log.parse(words)
    except (Illegal, BadNotation):
        return False
    fresh = (move for move in entry.moves if move not in log.moves) if isinstance(entry, Amend) else (entry,)
    return any(isinstance(move, Adopt) and move.by_all for move in fresh)
