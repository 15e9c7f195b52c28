"""Setting up the camera: names each problem with its remedy, then keeps the picture of the empty table."""

from dataclasses import dataclass, replace

import numpy as np

from engine.text import Text, say
from engine.view import View
from firmware.box.commands import Verb
from firmware.box.effects import KeepEmpty
from firmware.box.events import Answered, FlowEvent, Ticked, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import offer
from vision.calibration.camera_check import GOOD_PX_MODULE, LEAST_PX_MODULE, CameraCheck
from vision.live.left_tiles import Spots, leave_out_fixed
from vision.live.perception_events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest

STILL_FOR_S = 0.6
"""Seconds that the picture must be still before it is kept."""
TOO_BLURRED_FOCUS, SOFT_FOCUS = 0.3, 0.5
"""Focus, 0 to 1, below which not every card is read, and below which a better one is advised."""
LEANING_DEG = 15.0
"""Tilt in degrees from which standing the camera upright is the first remedy for a far corner."""
CORNER_COUNT = 4
MOST_FIXED = 2
"""The most things that may be a print or a knot of the table; more are tiles of a game."""
WHITE_PERCENTILE = 98
"""The percentile of brightness that stands for the paper of cards and markers."""


@dataclass(frozen=True, slots=True)
class CameraSetup:
    """``asked``: a person has said that the table is empty; ``taking``: the camera takes its picture, which may last
    some seconds because it measures the light first; ``still``: since when the picture is still. ``pushed``: people are
    asked to push these things, which look like tiles; ``fixed``: those that did not move, and belong to the table.
    """

    last: CameraCheck | None = None
    asked: bool = False
    taking: bool = False
    still: float | None = None
    pushed: Spots = ()
    fixed: Spots = ()

    def read_request(self, known: Context) -> ReadRequest | None:
        return ReadRequest("aim", fixed=self.fixed)

    def view(self, known: Context) -> View:
        if self.last is None:
            return View(say("aim_looking"))
        bar = self.last.focus if len(self.last.missing) < CORNER_COUNT else None
        lines = _list_measurements(self.last)
        if problem := find_camera_problem(self.last):
            if self.pushed and problem.id == "aim_tiles":
                stuck = offer(say("aim_stuck"), Verb.TILES_ARE_FIXED)
                return View(say("aim_push"), offers=(offer(say("aim_moves"), Verb.BACK), stuck), bar=bar, lines=lines)
            belong = (offer(say("aim_belongs"), Verb.TILES_BELONG),) if self._may_belong(known) else ()
            return View(problem, offers=belong, bar=bar, lines=lines)
        if self.asked:
            return View(say("aim_hold"), bar=bar, lines=lines)
        keep = offer(say("aim_keep"), Verb.KEEP_EMPTY_TABLE)
        return View(say("aim_clear"), offers=(keep,), alert=advise_camera(self.last), bar=bar, lines=lines)

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case CameraMeasured(aiming, _, kept=True) if self.taking:
                return Turn((), known=replace(known, area=aiming.area))
            case CameraMeasured(aiming, at):
                return self._aimed(aiming, at)
            case Told(Verb.KEEP_EMPTY_TABLE, _, _) if self.last is not None and find_camera_problem(self.last) is None:
                return Turn((replace(self, asked=True, still=None),))
            case Told(Verb.TILES_BELONG, _, _) if self.last is not None and self._may_belong(known):
                return Turn((replace(self, pushed=self.last.tiles),))
            case Told(Verb.TILES_ARE_FIXED, _, _) if self.last is not None and self.pushed and self._may_belong(known):
                fixed = (*self.fixed, *self.pushed)
                return Turn((replace(self, pushed=(), fixed=fixed, last=replace(self.last, tiles=())),))
            case Told(Verb.BACK, _, _) if self.pushed:
                return Turn((replace(self, pushed=()),))
            case Told(Verb.BACK, _, _):
                return Turn((replace(self, asked=False),) if self.asked and not self.taking else ())
            case Told(Verb.SET_UP_CAMERA | Verb.MENU, _, _):
                return Turn((self,))
            case TableSeen() | Told() | Answered() | Ticked():
                return None

    def _aimed(self, aiming: CameraCheck, at: float) -> Turn:
        """Have the picture taken once no hand moves in it any more; until it is taken, hands stay away."""
        rests = aiming.still and find_camera_problem(aiming) is None
        since = (at if self.still is None else self.still) if rests else None
        same = len(aiming.tiles) == len(self.pushed) and not leave_out_fixed(aiming.tiles, self.pushed)
        measured = replace(self, last=aiming, still=since, pushed=self.pushed if same else ())
        if self.asked and not self.taking and since is not None and at - since >= STILL_FOR_S:
            return Turn((replace(measured, taking=True),), (KeepEmpty(),))
        return Turn((measured,))

    def _may_belong(self, known: Context) -> bool:
        """May the things that look like tiles be part of the table? Not while a game is played."""
        problem = None if self.last is None or len(self.last.tiles) > MOST_FIXED else find_camera_problem(self.last)
        return problem is not None and problem.id == "aim_tiles" and not known.game


def find_camera_problem(aiming: CameraCheck) -> Text | None:
    """The first problem with its remedy; None if the table can be read as it is."""
    found = {note.code for note in aiming.notes}
    if "dark" in found:
        return say("aim_dark")
    if "bright" in found:
        return say("aim_bright")
    if len(aiming.missing) == CORNER_COUNT:
        return say("aim_none")
    if aiming.twice:
        return say("aim_twice", corner=aiming.twice[0])
    if aiming.missing:
        return say("aim_missing", corner=aiming.missing[0])
    if aiming.swapped:
        return say("aim_swapped", corner=aiming.swapped[0], other=aiming.swapped[1])
    if aiming.askew:
        return say("aim_askew")
    if aiming.px_module is not None and aiming.px_module < LEAST_PX_MODULE:
        return _enlarge_codes(aiming)
    if aiming.focus < TOO_BLURRED_FOCUS:
        return say("aim_focus")
    if aiming.tags:
        return say("aim_cards", n=len(aiming.tags))
    if aiming.tiles:
        return say("aim_tiles", n=len(aiming.tiles))
    return None


def advise_camera(aiming: CameraCheck) -> Text | None:
    """What would improve a picture that is good enough."""
    if aiming.px_module is not None and aiming.px_module < GOOD_PX_MODULE:
        if aiming.nearer_cm:
            return say("aim_better_nearer", cm=aiming.nearer_cm)
        if aiming.larger_mm:
            return say("aim_better_larger", mm=aiming.larger_mm)
    return say("aim_soft") if aiming.focus < SOFT_FOCUS else None


def _enlarge_codes(aiming: CameraCheck) -> Text:
    """The cheapest remedy for codes that are too small in the picture."""
    if aiming.tilt is not None and aiming.tilt > LEANING_DEG:
        return say("aim_straight")
    if aiming.nearer_cm:
        return say("aim_nearer", cm=aiming.nearer_cm)
    if aiming.larger_mm:
        return say("aim_larger", mm=aiming.larger_mm)
    return say("aim_together")


def _list_measurements(aiming: CameraCheck) -> tuple[Text, ...]:
    """Focus, brightness, and what the markers say about area and resolution."""
    # the measure by which a picture is too dark
    light = float(np.percentile(aiming.small[::4, ::4], WHITE_PERCENTILE)) / 255
    meters = say("meter_focus", percent=round(100 * aiming.focus)), say("meter_light", percent=round(100 * light))
    if aiming.area is None or aiming.px_module is None:
        return meters
    width, height = aiming.area
    return *meters, say("aim_area", width=width, height=height), say("aim_module", px=f"{aiming.px_module:.1f}")
