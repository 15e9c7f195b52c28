"""Faults of the picture that players can remedy: reported once they last, withdrawn once they are over."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.text import Text, say
from vision.calibration.marker_check import MarkerCheck
from vision.live.frame_reading import FrameReading

AT_ONCE_S, LASTING_S, LONG_S = 1.0, 2.0, 8.0
"""Seconds for which a fault must last before it is reported: nothing is read because of it; play goes on; it may well
pass."""
OVER_S = 0.7
"""Seconds for which it must be gone before it is over."""
BLURRED_FOCUS = 0.25
"""Focus below which cards stay unread: a little less than set-up asks for, so that the report does not come and go."""
BLOCKED_SHARE = 0.6
"""When this share of the zones has been hidden for long, it is not a hand."""
HIDDEN_LONG_S = 15.0
"""Seconds after which a zone counts as hidden for long: a hand is gone by then."""

PictureFault = tuple[Text, float]
"""What to do about a fault, and for how many seconds it must last before it is reported."""


@dataclass(frozen=True, slots=True)
class FaultTracker:
    """Every present fault with its delay, when it began and when it was last found; the gravest first."""

    faults: tuple[tuple[Text, float, float, float], ...] = ()

    def find_lasting(self, at: float) -> Text | None:
        """The gravest fault that has lasted for its delay."""
        return next((text for text, delay, since, _ in self.faults if at - since >= delay), None)


def update_faults(tracker: FaultTracker, at: float, now: Iterable[PictureFault]) -> FaultTracker:
    """The faults after one more frame: those found again keep their beginning, those gone for ``OVER_S`` end."""
    since = {text: began for text, _, began, _ in tracker.faults}
    fresh = tuple((text, delay, since.get(text, at), at) for text, delay in now)
    here = {text for text, _, _, _ in fresh}
    rest = tuple(old for old in tracker.faults if old[0] not in here and at - old[3] < OVER_S)
    return FaultTracker((*fresh, *rest))


def find_picture_faults(
    reading: FrameReading, check: MarkerCheck | None, hidden: float, *, unclear: Text | None = None
) -> tuple[PictureFault, ...]:
    """The faults of one frame, the gravest first.

    ``hidden`` is the share of zones hidden for long; ``unclear`` tells what to do where tiles cannot be told apart.
    """
    codes = {note.code for note in reading.notes}
    found: list[PictureFault] = []
    if "dark" in codes:
        found.append((say("picture_dark"), AT_ONCE_S))
    if "bright" in codes:
        found.append((say("picture_bright"), AT_ONCE_S))
    if "marker-twice" in codes:
        found.append((say("picture_marker_twice"), AT_ONCE_S))
    elif reading.calibration is None:
        found.append((say("picture_lost"), AT_ONCE_S))
    if "bumped" in codes and reading.moving:
        found.append((say("picture_sways"), AT_ONCE_S))
    if check is not None and check.focus is not None and check.focus < BLURRED_FOCUS:
        found.append((say("picture_blurred"), LASTING_S))
    found += [
        (say("card_seen_twice", card=piece), AT_ONCE_S)
        for piece in sorted({piece.piece for piece in reading.pieces if piece.doubtful})
    ]
    if unclear is not None:
        found.append((unclear, LASTING_S))
    if "other-game" in codes:
        found.append((say("other_game"), LASTING_S))
    guessed = reading.calibration.guessed if reading.calibration else None
    covered = guessed or next(iter(check.covered if check else ()), None)
    if covered is not None:
        found.append((say("picture_marker", corner=covered), LONG_S))
    if hidden > BLOCKED_SHARE:
        found.append((say("picture_hidden"), LASTING_S))
    return tuple(found)
