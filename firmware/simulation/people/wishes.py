"""What people may wish for beside playing on, by name."""

from collections.abc import Callable, Mapping

from firmware.simulation.people.camera_wish import SetUpCameraWish
from firmware.simulation.people.check_wishes import AuditPilesWish, CheckDeckWish, ExchangeWish, ShowHandWish
from firmware.simulation.people.correction_wishes import OverruleWish, TableIsRightWish, UndoWish
from firmware.simulation.people.manual_wish import EnterMoveWish
from firmware.simulation.people.match_wishes import (
    AgainWish,
    GiveUpWish,
    GoHomeWish,
    NextRoundWish,
    PauseWish,
    PlayOnWish,
    ResumeWish,
)
from firmware.simulation.people.player_wishes import ChangeSeatsWish, JoinWish, LeaveWish, RenameWish
from firmware.simulation.people.special_wish import SPECIAL_WISHES
from firmware.simulation.people.wish import Wish

KINDS = (
    PauseWish, ResumeWish, UndoWish, GiveUpWish, RenameWish, LeaveWish, JoinWish, ChangeSeatsWish, TableIsRightWish,
    OverruleWish, AuditPilesWish, CheckDeckWish, NextRoundWish, ExchangeWish, AgainWish, PlayOnWish, ShowHandWish,
    GoHomeWish, EnterMoveWish, SetUpCameraWish,
)  # fmt: skip
WISHES: Mapping[str, Callable[[], Wish]] = {**{wish.name: wish for wish in KINDS}, **SPECIAL_WISHES}
"""By name; a new game has particulars, so that it is wished for as a ``NewGameWish``."""
