"""The camera while its arm swings: what has moved on the table beyond the sway, and when the arm is at rest again."""

from dataclasses import dataclass

import cv2

from vision.changes.changed_areas import find_changes, find_changes_beyond_sway, measure_usual_gain
from vision.changes.sway import Sway, fit_sway
from vision.frame import Grey
from vision.tags.candidates import Box

LEAST_SWAY_PX, MOST_SWAY_PX = 0.05, 2.5
"""A sway of the low-resolution stream below the first cannot be told from noise, one above the second is a knock."""
REST_SWAY_PX = 0.3
"""A camera at rest within this distance of where it was calibrated stands there: markers are measured to a tenth."""
NO_SWAY_PX = 0.15
"""A sum of measured sways below this is none, so that their errors do not add up over an evening."""
STEADY_PX, STEADY_FRAMES = 0.08, 3
"""After this many further frames with the same sway, within the first, the camera is at rest, if not where it was."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraSway:
    """``reference`` is the sway of the picture that frames are compared with, since the camera was calibrated;
    ``since`` is that of the last frame since that picture, the same over ``steady`` further frames."""

    reference: Sway | None = None
    since: Sway | None = None
    steady: int = 0

    @property
    def total(self) -> Sway | None:
        """The sway of the last frame since the camera was calibrated, if it is one."""
        both = [sway for sway in (self.reference, self.since) if sway is not None]
        if not both:
            return None
        whole = both[0] if len(both) == 1 else both[0] + both[1]
        # at rest so near to where it was calibrated the camera stands there: nothing has to be undone in every frame
        least = REST_SWAY_PX if self.since is None else NO_SWAY_PX
        return whole if whole.largest() > least else None

    @property
    def at_rest(self) -> bool:
        """Has the camera come to rest since, away from where the reference was taken?"""
        return self.steady >= STEADY_FRAMES

    @property
    def displaced(self) -> bool:
        """Is the camera at rest away from where it was calibrated, or does a measured sway say so that was none?"""
        total = self.total
        return (self.at_rest or self.since is None) and total is not None and total.largest() > REST_SWAY_PX

    def undo(self, small: Grey) -> Grey:
        """The last frame as the camera would see it from where it was calibrated."""
        total = self.total
        return small if total is None else total.undo(small)


STILL = CameraSway()


def follow_sway(
    small: Grey, reference: Grey, before: CameraSway, shape: tuple[int, int]
) -> tuple[list[Box], CameraSway]:
    """Boxes, in full pixels, where the table has changed since the reference picture, and the sway of the camera.

    A sway is looked for only where a still camera would have seen a change: most frames show none.
    """
    changed = find_changes(small, reference, shape)
    if not changed or small.shape != reference.shape:
        return changed, CameraSway(before.reference)
    gain = measure_usual_gain(small, reference)
    since = fit_sway(small, reference, gain)
    if since.largest() >= MOST_SWAY_PX:
        return changed, STILL
    if since.largest() < LEAST_SWAY_PX:
        return changed, CameraSway(before.reference)
    same = before.since is not None and since.distance(before.since) < STEADY_PX
    beyond = find_changes_beyond_sway(since.undo(small, cv2.INTER_LINEAR), reference, shape, gain)
    return beyond, CameraSway(before.reference, since, before.steady + 1 if same else 0)
