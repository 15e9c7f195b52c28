"""``oxeye run`` with a folder of pictures or a video of a match reads its cards."""

import os
import pty
import termios
from contextlib import closing, contextmanager
from itertools import takewhile
from pathlib import Path
from threading import Event, Thread

import cv2
import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, Started, WriteEntries
from firmware.machine import empty_table
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.recording.reader import Recorded
from hw.frame import Frame

MATCH = Path(__file__).parents[2] / "recordings" / "nimmt-base"
LEAD, UNTIL, FPS, SPEED = 4.0, 4.9, 5, 4
"""Seconds before the match begins, and of it; the pace of its frames, and how much faster they pass here."""


@pytest.fixture(scope="module")
def begun():
    """The first frames of a match, and what was read in them."""
    recorded = Recorded(MATCH)
    events = list(takewhile(lambda e: not isinstance(e, Frame) or e.at < UNTIL, recorded.events()))
    entries = [entry for event in events if isinstance(event, WriteEntries) for entry in event.entries]
    return recorded, [event for event in events if isinstance(event, Frame)], entries


@pytest.fixture
def state(begun, tmp_path):
    """The state folder of a box whose camera is set up and that has played this match before."""
    recorded, _, _ = begun
    folder = tmp_path / "state"
    empty_table.save_empty_table(folder, recorded.empty)
    with closing(open_journal(folder / JOURNAL_FILE)) as journal:
        game = journal.begin(Started(recorded.started.game, recorded.started.options, recorded.started.names), 0.0)
        journal.apply(EndGame("given up"), game, 1.0)
    return folder


def files(frames, place):
    """Every frame is a file; an unchanged frame is a link to the one before."""
    pictures = place / "pictures"
    pictures.mkdir()
    rows, last = [], None
    for number, frame in enumerate(frames):
        path = pictures / f"{number:03}.png"
        if last is not None and frame.grey is last[0]:
            path.hardlink_to(last[1])
        else:
            cv2.imwrite(str(path), frame.grey, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        last = frame.grey, path
        rows.append(f"{path.name},{LEAD + frame.at:.1f}\n")
    (pictures / "index.csv").write_text("".join(rows))
    return f"files:{pictures}"


def video(frames, place):
    path = place / "match.avi"
    high, wide = frames[0].grey.shape
    film = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), FPS, (wide, high))
    for frame in [frames[0]] * round(LEAD * FPS) + frames:
        film.write(frame.colour())
    film.release()
    return f"video:{path}"


@contextmanager
def terminal():
    """A terminal in which OK is pressed as soon as it reads single keys."""
    hand, keyboard = pty.openpty()
    before, over = os.dup(0), Event()
    os.dup2(keyboard, 0)

    def press():
        while termios.tcgetattr(keyboard)[3] & termios.ICANON:
            if over.wait(0.01):
                return
        os.write(hand, b"o")

    somebody = Thread(target=press)
    somebody.start()
    try:
        yield
    finally:
        over.set()
        somebody.join()
        os.dup2(before, 0)
        for end in (hand, keyboard, before):
            os.close(end)


@pytest.mark.parametrize("kind", [files, video])
def test_a_recorded_table_is_played_to_its_end_and_its_cards_are_read(begun, state, tmp_path, kind):
    _, frames, entries = begun
    camera = kind(frames, tmp_path)
    words = ["run", "--camera", camera, "--speed", str(SPEED), "--state", str(state), "--buttons", "keys"]
    with terminal():
        out = CliRunner().invoke(main, [*words, "--page", "none"])
    assert out.exit_code == 0, out.output
    with closing(open_journal(state / JOURNAL_FILE)) as journal:
        assert [row.entry for row in journal.rows(journal.running().id)] == entries
