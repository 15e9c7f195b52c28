"""How well a camera stands over a table, measured on one frame for whoever sets it up."""

from dataclasses import dataclass

from vision.bearings import bearings
from vision.frames import Grey
from vision.notes import Note


@dataclass(frozen=True, slots=True)
class Aiming:
    """``missing`` are markers not seen (TL TR BR BL), ``focus`` is 0 to 1, ``area`` is in mm between the markers.

    ``px_module`` is that of a sticker in the worst corner; None where no markers tell it.
    """

    missing: tuple[str, ...]
    focus: float
    px_module: float | None = None
    area: tuple[int, int] | None = None
    notes: tuple[Note, ...] = ()


def aiming(grey: Grey) -> Aiming:
    """The markers in a frame and what they tell."""
    mat, notes = bearings(grey)
    if mat is None:
        return Aiming((), 0.0, notes=tuple(notes))
    area = (round(mat.area.right), round(mat.area.bottom))
    return Aiming((), 1.0, mat.px_module(18.0)[0], area, tuple(notes))
