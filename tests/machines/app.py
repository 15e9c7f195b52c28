"""Measures memory use and start time of the running service with its camera, its panel and its page.

``python -m tests.machines.app [--seconds N]`` starts ``oxeye run`` as systemd would, plays a match in front of
its camera and reads the memory figures of the kernel. Only the devices are fakes: a full-resolution Camera Module 3
and a panel.
"""

import argparse
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np

from engine.games import GAMES
from engine.log import Log
from firmware.cli.pair import request_code
from firmware.machine.empty_table import save_empty_table
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.simulation.table import SimTable
from firmware.web.pairing_socket import SOCKET
from hw.cameras.picamera import choose_small_size
from vision.render import SceneRenderer

HERE = Path(__file__).parent
OXEYE = (sys.executable, "-c", "from firmware.cli import main; main()", "run", "--config")
WIDE, HIGH = 4608, 2592
"""Full resolution of a Camera Module 3, in pixels."""
PX_MODULE = 3.13
"""Pixels per sticker module at which the table fills the height of the frame."""
PLAYED: dict[str, dict[str, object]] = {"nimmt": {"players": 4, "target": 999}, "six": {}}
"""One card game, and the game that needs colour frames."""
STARTS = 5
READY, GREETING, MEMORY = 3.0, 1.0, 180.0
"""Upper bounds: seconds from start to ready, seconds from start to the start screen, resident megabytes."""
SEEN = 3.0
"""Seconds to wait for the box to record a move; some moves are recorded only once the next one is visible."""
SERVED = 20.0
"""Seconds from the start of the service within which its page must be served."""
BEHIND = 8
"""Moves by which the record may be behind the table."""
CALM = 0.25
SETTINGS = """
[camera]
name = "picamera"
[panel]
chip = "ssd1306"
[buttons]
kind = "pins"
[page]
host = "localhost"
port = {port}
"""


class Service:
    """The service process with the environment of its unit; ``began`` is monotonic, ``ready`` is seconds after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.panel = folder / "panel.json"
        self.panel.unlink(missing_ok=True)
        self.state = folder / "state"
        with socket.socket() as door:
            door.bind(("127.0.0.1", 0))
            self.port = int(door.getsockname()[1])
        (folder / "config.toml").write_text(SETTINGS.format(port=self.port))
        post = folder / "notify"
        post.unlink(missing_ok=True)
        self._post = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._post.bind(str(post))
        given = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        unit = (HERE.parents[1] / "systemd/oxeye.service").read_text()
        words = " ".join(re.findall(r"(?m)^Environment=(.*)$", unit)).split()
        given |= {name: value for name, _, value in (word.partition("=") for word in words)}
        given |= {"NOTIFY_SOCKET": str(post), "STATE_DIRECTORY": str(self.state), "GPIOZERO_PIN_FACTORY": "mock",
                  "LG_WD": str(folder), "PYTHONPATH": str(HERE / "pretended"), "OXEYE_PANEL": str(self.panel),
                  "OXEYE_TABLE": str(folder / "table.yuv")}  # fmt: skip
        self.log = (folder / "log").open("w+")
        self.began = time.monotonic()
        words = [*OXEYE, str(folder / "config.toml")]
        self._process = subprocess.Popen(
            words, env=given, cwd=folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT
        )
        self.ready = self._heard("READY=1", 60.0) - self.began

    def _heard(self, word: str, seconds: float) -> float:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            self._post.settimeout(CALM)
            with suppress(TimeoutError):
                if word in self._post.recv(4096).decode().split("\n"):
                    return time.monotonic()
        self.log.seek(0)
        raise RuntimeError(f"the service did not send {word}:\n{self.log.read()[-3000:]}")

    @property
    def greeting(self) -> tuple[float, list[str]]:
        """Seconds until the first pixels were lit, and the heavy modules imported by then."""
        told = json.loads(self.panel.read_text())
        return told["at"] - self.began, told["heavy"]

    def status(self, name: str) -> float:
        """A memory figure of /proc/PID/status, in megabytes."""
        words = Path(f"/proc/{self._process.pid}/status").read_text().split()
        return int(words[words.index(f"{name}:") + 1]) / 1024

    def ask(self, path: str, said: object = None, token: str = "") -> tuple[Any, str]:
        box = f"http://127.0.0.1:{self.port}"
        headers = {"content-type": "application/json", "origin": box, "cookie": f"oxeye={token}"}
        body = None if said is None else json.dumps(said).encode()
        with urllib.request.urlopen(urllib.request.Request(box + path, body, headers), timeout=20) as answer:
            return json.load(answer), answer.headers.get("set-cookie", "").partition("=")[2].partition(";")[0]

    def paired(self) -> str:
        """The token of a phone that is paired as soon as the page is served, which may be after the box is ready."""
        while not (self.state / SOCKET).exists() and time.monotonic() < self.began + SERVED:
            time.sleep(CALM)
        return self.ask("/api/pair", {"code": request_code(self.state / SOCKET).code})[1]

    def follow(self) -> None:
        """Read the event stream like an open page."""
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/events") as stream:
            for _ in stream:
                pass

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        self._post.close()
        return self._process.wait(20)


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    service = Service(folder)
    try:
        yield service
    finally:
        ended = service.stop()
        if ended:
            print(f"        the service exited with {ended}")


class Table:
    """A match as the camera file: each picture replaces the previous one atomically."""

    def __init__(self, folder: Path, game: str) -> None:
        self._file = folder / "table.yuv"
        self.game = game
        log = Log(GAMES[game], PLAYED[game])
        self.sim = SimTable(log, random.Random(3), px_module=PX_MODULE, mistake_share=0.0)
        self._renderer = SceneRenderer(3)

    def bare(self) -> Any:
        """Show the empty table to the camera and return its picture."""
        empty = self.picture(self.sim.empty)
        self.show(empty)
        return empty

    def picture(self, scene: Any) -> Any:
        drawn = self._renderer.render(scene)
        high, wide = min(drawn.shape[0], HIGH), min(drawn.shape[1], WIDE)
        left, top = (WIDE - wide) // 2, (HIGH - high) // 2
        edges = (top, HIGH - high - top, left, WIDE - wide - left)
        return cv2.copyMakeBorder(drawn[:high, :wide], *edges, cv2.BORDER_REPLICATE)

    def show(self, picture: Any) -> None:
        small = cv2.resize(picture, choose_small_size((WIDE, HIGH)), interpolation=cv2.INTER_AREA)
        fresh = self._file.with_suffix(".new")
        with fresh.open("wb") as file:
            for each in (picture, small):
                bright, red, blue = cv2.split(cv2.cvtColor(each, cv2.COLOR_BGR2YCrCb))
                halved = (cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for p in (blue, red))
                for plane in (bright, *halved):
                    np.asarray(plane, np.uint8).tofile(file)
        fresh.replace(self._file)


def play(service: Service, table: Table, seconds: float) -> tuple[list[float], int, int]:
    """Play for ``seconds``; return the resident megabytes sampled, the moves made and the moves recorded."""
    token = service.paired()
    options = [f"{name}={value}" for name, value in PLAYED[table.game].items()]
    service.ask("/api/tell", {"words": " ".join(["begin", table.game, *options])}, token)
    page = Thread(target=service.follow, daemon=True)
    page.start()
    end, held, known, made = time.monotonic() + seconds, [service.status("VmRSS")], 0, 0
    for act in table.sim.acts():
        table.show(table.picture(act.scene))
        if act.entry:
            with suppress(urllib.error.HTTPError):
                service.ask("/api/tell", {"words": act.entry}, token)
        shown, made = time.monotonic(), made if act.reaching else len(table.sim.truth.moves)
        while (now := time.monotonic()) < shown + act.seconds or (now < shown + SEEN and known < made):
            time.sleep(CALM)
            held.append(service.status("VmRSS"))
            known = service.ask("/api/state")[0]["moves"]
        if now > end:
            break
    return held, made, known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180.0, help="seconds of play")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    missed = []

    def bar(what: str, value: float, most: float, unit: str) -> None:
        print(f"{what:<52} {value:6.1f} {unit}, at most {most:.0f} {unit}", flush=True)
        if value > most:
            missed.append(what)

    with tempfile.TemporaryDirectory(prefix="oxeye-app-", dir="/dev/shm") as name:
        folder = Path(name)
        empty = Table(folder, "nimmt").bare()
        save_empty_table(folder / "state", empty)
        ready, greeting, heavy = [], [], set[str]()
        for _ in range(STARTS):
            with running(folder) as service:
                ready.append(service.ready)
                greeting.append(service.greeting[0])
                heavy |= set(service.greeting[1])
        print(f"{STARTS} starts, ready after {', '.join(f'{each:.1f}' for each in ready)} s")
        bar("start screen shown (median)", statistics.median(greeting), GREETING, "s")
        print(f"heavy modules imported by then: {', '.join(sorted(heavy)) or 'nothing'}")
        if heavy:
            missed.append("start screen without heavy imports")
        bar("ready (median)", statistics.median(ready), READY, "s")
        for game in PLAYED:
            (folder / "state" / JOURNAL_FILE).unlink()
            table = Table(folder, game)
            save_empty_table(folder / "state", table.bare())
            with running(folder) as service:
                fresh = service.status("VmRSS")
                held, made, known = play(service, table, asked.seconds)
                print(f"{asked.seconds:.0f} s of {game} at {WIDE} x {HIGH}: {made} moves made, {known} recorded")
                parts = ", ".join(f"{part} {service.status(part):.0f}" for part in ("RssAnon", "RssFile", "RssShmem"))
                print(f"resident when ready {fresh:.0f} MB, median {statistics.median(held):.0f} MB, now: {parts} MB")
                bar(f"highest resident memory with {game}, 4 samples a s", max(held), MEMORY, "MB")
                print(f"peak resident memory (VmHWM): {service.status('VmHWM'):.0f} MB")
            if known < made - BEHIND or made < asked.seconds / 10:
                missed.append(f"the moves of {game} are recorded")
    for what in missed:
        print(f"MISSED: {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
