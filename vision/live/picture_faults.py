"""What a picture lacks, in words for the table: told once it lasts, and taken back once it is over."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.text import Text, say
from vision.calibration.marker_check import MarkerCheck
from vision.live.frame_reading import FrameReading

AT_ONCE_S, LASTING_S, LONG_S = 1.0, 2.0, 8.0
"""Seconds for which something must be amiss before it is told: without it nothing is read; play goes on; it may
well pass."""
OVER_S = 0.7
"""Seconds for which it must be gone."""
BLURRED_FOCUS = 0.25
"""Focus below which cards stay unread: a little less than what setting up asks for, lest it come and go."""
BLOCKED_SHARE = 0.6
"""This share of the zones hidden for long, and it is no hand."""

PictureFault = tuple[Text, float]
"""What is amiss, and its patience."""


@dataclass(frozen=True, slots=True)
class FaultTracker:
    """Each thing amiss with its patience, when it began and when it was last so; the gravest first."""

    amiss: tuple[tuple[Text, float, float, float], ...] = ()

    def told(self, at: float) -> Text | None:
        return next((text for text, patience, since, _ in self.amiss if at - since >= patience), None)


def update_faults(ailing: FaultTracker, at: float, now: Iterable[PictureFault]) -> FaultTracker:
    """After one more look: what goes on is as old as it was, what has been gone for a while is forgotten."""
    since = {text: began for text, _, began, _ in ailing.amiss}
    fresh = tuple((text, patience, since.get(text, at), at) for text, patience in now)
    here = {text for text, _, _, _ in fresh}
    rest = tuple(old for old in ailing.amiss if old[0] not in here and at - old[3] < OVER_S)
    return FaultTracker((*fresh, *rest))


def find_picture_faults(
    look: FrameReading, check: MarkerCheck | None, hidden: float, *, unclear: Text | None = None
) -> tuple[PictureFault, ...]:
    """What is amiss with a look, the gravest first.

    ``hidden`` is the share of zones hidden for long, ``unclear`` what helps where tiles cannot be told apart.
    """
    notes = {note.why for note in look.notes}
    found: list[PictureFault] = []
    if "dark" in notes:
        found.append((say("picture_dark"), AT_ONCE_S))
    if "bright" in notes:
        found.append((say("picture_bright"), AT_ONCE_S))
    if "marker-twice" in notes:
        found.append((say("picture_marker_twice"), AT_ONCE_S))
    elif look.calibration is None:
        found.append((say("picture_lost"), AT_ONCE_S))
    if "bumped" in notes and look.moving:
        found.append((say("picture_sways"), AT_ONCE_S))
    if check is not None and check.focus is not None and check.focus < BLURRED_FOCUS:
        found.append((say("picture_blurred"), LASTING_S))
    found += [
        (say("card_seen_twice", card=piece), AT_ONCE_S)
        for piece in sorted({piece.piece for piece in look.pieces if piece.doubtful})
    ]
    if unclear is not None:
        found.append((unclear, LASTING_S))
    if "other-game" in notes:
        found.append((say("other_game"), LASTING_S))
    covered = (look.calibration.guessed if look.calibration else None) or next(
        iter(check.covered if check else ()), None
    )
    if covered is not None:
        found.append((say("picture_marker", corner=covered), LONG_S))
    if hidden > BLOCKED_SHARE:
        found.append((say("picture_hidden"), LASTING_S))
    return tuple(found)
