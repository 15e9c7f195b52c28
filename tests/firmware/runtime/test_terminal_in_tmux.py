"""What is on the screen of a real terminal is what the state says, to the last digit, at moments of each game."""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import httpx
import pytest

from tests.support.companion import free_port
from tests.support.terminal_moments import MATCHES, find_moments, state_of, title_of
from tests.support.terminal_reading import missing_facts

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="not run: 'apt install tmux' first")
pytestmark = needs_tmux
ROOT = Path(__file__).parents[3]
SIZES = [(80, 24), (120, 40)]
PATIENCE_S = 60.0
PROGRAM = "from firmware.cli import main; main()"


@dataclass(frozen=True)
class Tmux:
    """One window of tmux with a server of its own."""

    socket: Path

    def run(self, *words: str) -> str:
        there = ["tmux", "-u", "-f", "/dev/null", "-S", str(self.socket), *words]
        return subprocess.run(there, check=True, capture_output=True, text=True, timeout=PATIENCE_S).stdout

    def page(self) -> str:
        return self.run("capture-pane", "-p")

    def press(self, key: str) -> None:
        self.run("send-keys", key)

    def until(self, there: Callable[[str], bool]) -> str:
        latest = time.monotonic() + PATIENCE_S
        before = ""
        while not there(page := self.page()) or page != before:  # twice the same: not in the middle of a drawing
            assert time.monotonic() < latest, page
            before = page
            Event().wait(0.1)
        return page


@contextmanager
def window(folder: Path, size: tuple[int, int], *command: str) -> Iterator[Tmux]:
    tmux = Tmux(folder / "tmux")
    columns, lines = map(str, size)
    tmux.run("new-session", "-d", "-x", columns, "-y", lines, "-c", str(ROOT), *command)
    try:
        yield tmux
    finally:
        with suppress(subprocess.CalledProcessError):  # the server ends by itself when the program has ended
            tmux.run("kill-server")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", MATCHES)
def test_at_every_moment_the_screen_says_what_the_state_says(game, size, tmp_path):
    with window(tmp_path, size, sys.executable, "-m", "tests.support.terminal_moments", game) as tmux:
        for moment, (box, view) in find_moments(game).items():
            page = tmux.until(lambda page, moment=moment: title_of(game, moment) in page)
            assert missing_facts(state_of(box, view), page) == [], f"{moment}\n{page}"
            assert len(page.rstrip("\n").split("\n")) == size[1]
            tmux.press("Enter")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_lost_column_or_digit_is_noticed(size, tmp_path):
    game = "nimmt"
    with window(tmp_path, size, sys.executable, "-m", "tests.support.terminal_moments", game) as tmux:
        moment, (box, view) = next(iter(find_moments(game).items()))
        page = tmux.until(lambda page: title_of(game, moment) in page)
        cut = "\n".join(line.ljust(size[0])[: size[0] - 1] for line in page.split("\n"))
        assert len(missing_facts(state_of(box, view), cut)) >= len(view.pads)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_running_program_shows_what_its_page_serves(size, tmp_path):
    """Page and screen are asked one after the other, until the state is the same before and after."""
    port = free_port()
    words = ("run", "--camera", "sim", "--page", f"127.0.0.1:{port}", "--state", str(tmp_path / "state"), "--seed", "7")
    with window(tmp_path, size, sys.executable, "-c", PROGRAM, *words, "--no-browser") as tmux:
        address = f"http://127.0.0.1:{port}"
        assert address in tmux.until(lambda page: address in page and "Row 4" in page)
        compared, latest = 0, time.monotonic() + PATIENCE_S
        with httpx.Client(base_url=address) as phone:
            while compared < 5:
                assert time.monotonic() < latest
                before = phone.get("/api/state").json()
                Event().wait(0.3)  # a frame is drawn within a tick
                page = tmux.page()
                if phone.get("/api/state").json()["version"] != before["version"] or re.search(r"│ \* ", page):
                    continue
                assert missing_facts(before, page) == [], page
                compared += 1


def test_a_window_that_changes_its_size_is_drawn_in_full(tmp_path):
    with window(
        tmp_path,
        (80, 24),
        sys.executable,
        "-c",
        PROGRAM,
        *f"run --camera sim --page none --state {tmp_path}/s --seed 7".split(),
    ) as tmux:
        tmux.until(lambda page: "Row 4" in page)
        for columns, lines in ((50, 12), (120, 40)):
            tmux.run("resize-window", "-x", str(columns), "-y", str(lines))
            page = tmux.until(lambda page, wide=columns: ("80 x 24" in page) == (wide < 80) and "Ana" in page)
            assert max(map(len, page.split("\n"))) <= columns
        assert "╭───╮" in tmux.until(lambda page: "╭───╮" in page)


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(term, tmp_path):
    words = f"run --camera sim --page none --state {tmp_path}/s --seed 7 --option players=2".split()
    with window(tmp_path, (80, 24), "env", f"TERM={term}", sys.executable, "-c", PROGRAM, *words) as tmux:
        page = tmux.until(lambda page: "Rows started" in page)
        assert "> " in page
        assert "\x1b" not in page
