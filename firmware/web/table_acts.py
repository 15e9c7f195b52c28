"""What the person at the simulated table does, as JSON: hands, light, time, mistakes and the buttons of the box."""

from typing import Annotated, Literal

import msgspec

from firmware.simulation.table.table_light import LampSetting

REACH_MM = 2000.0
"""No table of a game is larger, and no arm longer."""
MAX_TAKEN = 60
"""Pieces that one hand can take at once."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Millimetres = Annotated[float, msgspec.Meta(ge=-REACH_MM, le=REACH_MM)]
Degrees = Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]


class TableAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    """One act of the person."""


class LiftPiece(TableAct, tag="lift", frozen=True):
    """Take a piece up: it is in the fingers, and the camera no longer sees it."""

    name: Name


class PutPiece(TableAct, tag="put", frozen=True):
    """Lay a piece down at a place in mm, from the hand or from another place on the table.

    ``under``: below everything that it touches.
    """

    name: Name
    x: Millimetres
    y: Millimetres
    angle: Degrees = 0.0
    face_down: bool = False
    under: bool = False


class KeepPieces(TableAct, tag="keep", frozen=True):
    """Take pieces of the table into the hand."""

    names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=MAX_TAKEN)]


class TakePieces(TableAct, tag="take", frozen=True):
    """Take pieces of the table, such as a row, onto one's own pile beside the table."""

    names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=MAX_TAKEN)]


class DrawPieces(TableAct, tag="draw", frozen=True):
    """Draw cards from the deck beside the table into the hand."""

    count: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1


class MoveArm(TableAct, tag="arm", frozen=True):
    """Hold an arm over a place of the table, or withdraw it."""

    at: tuple[Millimetres, Millimetres] | None = None


class MoveMug(TableAct, tag="mug", frozen=True):
    """Put a mug down, or take it away."""

    at: tuple[Millimetres, Millimetres] | None = None


class KnockCamera(TableAct, tag="knock", frozen=True):
    """Push the camera a little."""


class TurnPiece(TableAct, tag="turn", frozen=True):
    """Turn a card on the table over."""

    name: Name


class SetLamp(TableAct, tag="lamp", frozen=True):
    """The lamp over the table, and its bulb."""

    light: LampSetting


class SetPace(TableAct, tag="pace", frozen=True):
    """How fast time passes at the table; ``step`` is one act of the others, then a pause."""

    pace: Literal["pause", "step", "slow", "real", "fast"]


class SetMistakes(TableAct, tag="mistakes", frozen=True):
    """How often the others make mistakes; ``now`` is one, at their next act."""

    often: Literal["none", "some", "many", "now"]


class PressButton(TableAct, tag="press", frozen=True):
    """Press a button of the box."""

    button: Literal["up", "down", "ok", "back"]
    long: bool = False


class BeginScenario(TableAct, tag="scenario", frozen=True):
    """Set a scenario up."""

    name: Name


class CutPower(TableAct, tag="power", frozen=True):
    """Cut the power of the box, and give it back."""


AnyTableAct = (
    LiftPiece
    | PutPiece
    | KeepPieces
    | TakePieces
    | DrawPieces
    | MoveArm
    | MoveMug
    | KnockCamera
    | TurnPiece
    | SetLamp
    | SetPace
    | SetMistakes
    | PressButton
    | BeginScenario
    | CutPower
)
