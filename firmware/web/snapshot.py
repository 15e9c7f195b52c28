"""What is shown now, as one value that any thread may keep: nothing in it ever changes."""

from dataclasses import dataclass, field, replace
from typing import Any

from engine.log import Log
from engine.table import Placement
from engine.text import Text, say
from engine.view import View
from firmware.box.flows.pair_phone import PairingPhone
from firmware.box.flows.playing import Playing
from firmware.box.games import ui_of
from firmware.box.referee_desk import announced_wrong
from firmware.box.stack import Box
from firmware.journal.operations import Names


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``version`` counts what differs to a person.

    ``log`` is the record of the game at the table, ``entries`` how much stands in it, ``wrong`` what lies wrong.
    ``picture``: phones may see the table, for no round runs or all have agreed. ``people`` is who ever played.
    """

    version: int
    view: View
    names: Names
    log: Log[Any, Any] | None = field(default=None, compare=False)
    game: int = 0
    entries: int = 0
    wrong: tuple[Placement, ...] = ()
    troubles: tuple[Text, ...] = ()
    looking: str = ""
    picture: bool = True
    area: tuple[int, int] | None = None
    people: tuple[str, ...] = ()


def take_snapshot(box: Box, view: View, looking: str) -> Snapshot:
    """The box as it is now, with version 0."""
    playing = next((flow for flow in box.flows if isinstance(flow, Playing)), None)
    log = playing.log if playing else None
    return Snapshot(
        0,
        _public(box, view),
        box.known.names,
        log,
        box.known.game if playing else 0,
        len(log.entries) if log else 0,
        announced_wrong(replace(playing.desk, now=box.known.now)) if playing and view.alert else (),
        tuple(text for _, text in box.known.faults),
        looking,
        not round_is_running(log) or box.known.picture == box.known.game,
        box.known.area,
        box.known.people,
    )


def refused_command(box: Box) -> Text | None:
    """What is said to words that were of no use, also where something else is shown now."""
    desks = (flow.desk.refused for flow in box.flows if isinstance(flow, Playing))
    return box.refused or next(desks, None)


def _public(box: Box, view: View) -> View:
    """The code that lets a phone in is for those who see the box, not for everybody on the network."""
    if not isinstance(box.flows[-1], PairingPhone):
        return view
    return replace(view, prompt=say("pair_look"), lines=(), bar=None, link="")


def next_snapshot(last: Snapshot, now: Snapshot) -> Snapshot:
    """The same snapshot again if nobody could tell the difference, else one with the next version."""
    same = replace(now, version=last.version)
    if same == last and now.log is last.log:
        return last
    return replace(now, version=last.version + 1)


def round_is_running(log: Log[Any, Any] | None) -> bool:
    """Are cards in people's hands? Then a picture of the table could tell too much."""
    return log is not None and ui_of(log.game.name).hands_secret(log.state)
