"""Which alert a screen shows: the answer to a person, the alert of the flow, or a fault."""

from dataclasses import replace

from engine.text import Text
from engine.view import View
from firmware.box.alert_delays import ALTERNATION_S, FAULT_SHARE_S
from firmware.box.flow_context import Context
from vision.live.fault_sources import GRAVE_SOURCES, VISION_SOURCES

UNSEEN_ALERTS = frozenset({"cannot_see", "cannot_see_table"})
MINOR_ALERTS = frozenset({"picture_light", "picture_marker", "other_game", "table_like_cards", "table_like_tiles"})
"""Faults that do not prevent reading; they wait while the game cites a rule."""
RULING_OF_ALERT = {"tiles_unclear": "S-3"}
"""The ruling of a fault of the picture; most have none."""


def add_alert(shown: View, known: Context, refused: Text | None, *, answers: bool) -> View:
    """The view with the alert that comes first, and its ruling: a fault shows where there is no alert.

    The reason why nothing can be seen replaces the alert that it cannot be seen. A grave fault is shown even beside
    another alert, in turn with it. ``refused`` answers a command that no flow took; ``answers``: the alert is the
    answer to a person, which is not interrupted.
    """
    waiting = MINOR_ALERTS if shown.ruling else frozenset()
    alert = refused or shown.alert or next((it for _, it in known.faults if it.id not in waiting), None)
    if alert is not None and alert.id in UNSEEN_ALERTS:
        alert = next((text for source, text in known.faults if source in VISION_SOURCES), alert)
    grave = next((text for source, text in known.faults if source in GRAVE_SOURCES), None)
    if grave is not None and alert is not None and not answers and _yields_to_fault(known.now):
        alert = grave
    ruling = shown.ruling if alert is shown.alert else RULING_OF_ALERT.get(alert.id, "") if alert else ""
    return replace(shown, alert=alert, ruling=ruling)


def _yields_to_fault(now: float) -> bool:
    """Is a grave fault shown now instead of another alert?"""
    return now % ALTERNATION_S >= ALTERNATION_S - FAULT_SHARE_S
