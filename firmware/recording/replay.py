"""A recording played again through the real perception and the real box, without a thread."""

from dataclasses import dataclass

from firmware.box.events import Ticked, Told
from firmware.box.old_commands import parse_old_command
from firmware.journal.operation_types import WriteEntries
from firmware.recording.reader import Recorded, RecordingEnded, ToldInPhrase
from firmware.recording.recorded_events import RecordedPads
from firmware.recording.writer import record_pads
from firmware.runtime.companion import Companion, Happened, Observer
from firmware.runtime.main_loop import TICK_S
from hw.frame import Frame
from vision.live.perception import Perception

MEASURED_VERBS = ("start", "slide")
"""Moves of SIX that hold the measured position of the board."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The entries of the replay and those of the recording; ``ended`` is None if the recording has no end."""

    companion: Companion
    now: tuple[str, ...]
    then: tuple[str, ...]
    ended: RecordingEnded | None

    def faults(self) -> list[str]:
        """Where replay and recording differ, apart from measured positions."""
        found = []
        before, after = _without_measured(self.then), _without_measured(self.now)
        for number, (then, now) in enumerate(zip(before, after, strict=False), 1):
            if now != then:
                found.append(f"entry {number}: '{then}' then, '{now}' now")
                break
        if len(before) != len(after) and not found:
            found.append(f"{len(before)} entries then, {len(after)} now")
        if self.ended is None:
            found.append("the recording has no end")
        elif (points := _final_pads(self.companion)) != self.ended.pads:
            found.append(f"pads: {self.ended.pads} then, {points} now")
        return found


def replay(recorded: Recorded, *observers: Observer) -> Replayed:
    """Replay a recording; ``DamagedRecording`` once a damaged line is reached."""
    now: list[str] = []
    then: list[str] = []

    def note(happened: Happened) -> None:
        now.extend(entry for effect in happened.effects if isinstance(effect, WriteEntries) for entry in effect.entries)

    head = recorded.head
    eyes = Perception(recorded.empty, sticker_mm=head.sticker_mm, marker_mm=head.marker_mm)
    companion = Companion(recorded.box, eyes, games=head.games, observers=[note, *observers])
    if recorded.started:
        companion.begin(recorded.started)
    ended: RecordingEnded | None = None
    ticked = 0.0
    for event in recorded.events():
        match event:
            case WriteEntries(entries, _):
                then += entries
                continue
            case RecordingEnded():
                ended = event
                continue
            case _:
                pass
        while not recorded.timed and ticked + TICK_S < event.at:
            ticked += TICK_S
            companion.handle(Ticked(ticked))
        match event:
            case Frame():
                companion.read_frame(event)
            case ToldInPhrase(words, by, at):
                companion.handle(Told(parse_old_command(words, companion.view.offers), by, at))
            case _:
                companion.handle(event)
    return Replayed(companion, tuple(now), tuple(then), ended)


def _without_measured(entries: tuple[str, ...]) -> list[str]:
    """The entries without measured positions of a board."""
    return [entry for entry in entries if entry.split()[0] not in MEASURED_VERBS]


def _final_pads(companion: Companion) -> RecordedPads:
    log = companion.log
    return record_pads(log.game.view(log.state)) if log else ()
