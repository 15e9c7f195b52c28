"""What the page shows, as one immutable value that any thread may keep."""

from dataclasses import dataclass, field, replace
from typing import Any

from engine.log import Log
from engine.table import Placement
from engine.text import Text, say
from engine.view import View
from firmware.box.flow_stack import Box, find_running_game, find_wrong_pieces
from firmware.box.flows.pair_phone import PhonePairing
from firmware.box.flows.playing import Playing
from firmware.box.games import ui_of
from firmware.journal.operation_types import Names


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``version`` rises with every visible change.

    ``log`` is the record of the game at the table, ``entries`` its length, ``wrong`` the misplaced pieces.
    ``picture``: phones may see the camera picture, as no round is running or all players have agreed.
    ``looking`` is what the camera is asked for. ``people`` are all who ever played.
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
    """What the box shows now, as version 0."""
    playing = find_running_game(box)
    log = playing.log if playing else None
    return Snapshot(
        0,
        _public(box, view),
        box.known.names,
        log,
        box.known.game if playing else 0,
        len(log.entries) if log else 0,
        find_wrong_pieces(box, view),
        tuple(text for _, text in box.known.faults),
        looking,
        not round_is_running(log) or box.known.picture == box.known.game,
        box.known.area,
        box.known.people,
    )


def refused_command(box: Box) -> Text | None:
    """Why the last command was refused, also while another screen hides that."""
    desks = (flow.desk.refused for flow in box.flows if isinstance(flow, Playing))
    return box.refused or next(desks, None)


def _public(box: Box, view: View) -> View:
    """The pairing code is shown by the box alone: the network must not read it."""
    if not isinstance(box.flows[-1], PhonePairing):
        return view
    return replace(view, prompt=say("pair_look"), lines=(), bar=None, link="")


def next_snapshot(last: Snapshot, now: Snapshot) -> Snapshot:
    """``last`` itself if nothing visible has changed, otherwise ``now`` with the next version."""
    same = replace(now, version=last.version)
    if same == last and now.log is last.log:
        return last
    return replace(now, version=last.version + 1)


def round_is_running(log: Log[Any, Any] | None) -> bool:
    """Whether players hold cards: then a picture of the table could give hands away."""
    return log is not None and ui_of(log.game.name).hands_secret(log.state)
