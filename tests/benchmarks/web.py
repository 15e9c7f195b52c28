"""What 300 slow listeners cost the referee: the same frames with and without them, alternately."""

import argparse
import gc
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from engine.games import GAMES
from engine.log import Log
from firmware.box.events import parse_told
from firmware.machine.network_addresses import PageAddress
from firmware.runtime.clock import ScaledClock
from firmware.runtime.companion import Companion
from firmware.runtime.inbox import Inbox
from firmware.simulation.session import prepare_match
from firmware.web.event_stream import DEFAULT_PACE
from firmware.web.page_wiring import WebPage
from hw.frame import Frame, Plane
from vision.frame import to_grey

MYSELF = (sys.executable, "-m", "tests.benchmarks.web")
LISTENERS, DEAF = 300, 20
"""Listeners that read slowly, and listeners that read nothing."""
SIP, PAUSE = 1000, 0.4
"""Bytes that a slow listener reads at a time, and the seconds between."""
FRAME = 0.2
IDLE = 2.0
"""Milliseconds that a frame without a change takes at most."""
BREATH = 0.05
COMING = 60.0
"""Seconds for all listeners to connect, or to disconnect."""
ACTS = 40
SLOWER, LATER = 1.10, 1.20
"""Limits of the median and the 95th percentile, as multiples of those without listeners."""
DEARER = 1.5
"""Limit of the CPU time of the process, as a multiple; it does not depend on other load."""
MEMORY = 180.0
"""Megabytes of the process, with perception running and all listeners connected."""


Scene = tuple[Log[Any, Any], Plane, list[tuple[Path, int]]]
"""The record, the empty table, and each picture with its number of frames."""


@dataclass(frozen=True, slots=True)
class Run:
    """Milliseconds of each frame, CPU seconds of all threads, and the peak of memory in megabytes."""

    spent: list[float]
    work: float
    memory: float


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--listen", metavar="ADDRESS", help="be the listeners")
    parser.add_argument("--draw", metavar="FOLDER", type=Path, help="draw what is looked at")
    asked = parser.parse_args(argv)
    if asked.listen:
        listen(asked.listen)
        return 0
    if asked.draw:
        draw(asked.draw)
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([*MYSELF, "--draw", name], check=True)  # in another process: its memory is not measured
        shown = scene(folder)
        box = prepare_match(*shown[:2]).box
        page = WebPage(PageAddress(port=0, exact=True), folder, box, Inbox(), ScaledClock())
        serving = Thread(target=page.run)
        serving.start()
        try:
            return compared(page, shown, turns=3 if asked.quick else 7)
        finally:
            page.stop()
            serving.join(10)


def draw(folder: Path, seed: int = 4) -> None:
    """The first minutes of a match; each picture is named by its order and for how many frames it is seen."""
    from firmware.simulation.table import SimTable
    from vision.render.incremental_rendering import SceneRenderer

    table, renderer = SimTable(record(), random.Random(seed), mistake_share=0.1), SceneRenderer(seed)
    np.save(folder / "empty.npy", to_grey(renderer.render(table.empty)))
    for number, act in enumerate(islice((act for act in table.acts() if not act.entry), ACTS)):
        np.save(folder / f"{number:03} {round(act.seconds / FRAME)}.npy", to_grey(renderer.render(act.scene)))


def record() -> Log[Any, Any]:
    return Log(GAMES["nimmt"], {"players": 6})


def scene(folder: Path) -> Scene:
    acts = [(path, int(path.stem.split()[1])) for path in sorted(folder.glob("* *.npy"))]
    return record(), np.load(folder / "empty.npy"), acts


def compared(page: WebPage, shown: Scene, turns: int) -> int:
    verdicts(page, shown)  # the first run is slower
    looks = [n for n, took in enumerate(verdicts(page, shown).spent) if took > IDLE]
    alone: list[Run] = []
    heard: list[Run] = []
    for _ in range(turns):
        alone.append(verdicts(page, shown))
        with listening(page):
            heard.append(verdicts(page, shown))
    dropped, left = deaf(page, shown)
    quiet, busy = ([statistics.median(run.spent[n] for run in runs) for n in looks] for runs in (alone, heard))
    ratio = statistics.median(b / q for q, b in zip(quiet, busy, strict=True))
    later = late(busy) / late(quiet)
    least, most = min(run.work for run in alone), min(run.work for run in heard)
    memory = max(run.memory for run in heard)
    print(f"{len(quiet)} looks at something new, {turns} times alone and with {LISTENERS} slow listeners")
    print(f"  alone            median {statistics.median(quiet):6.1f} ms, 95th percentile {late(quiet):6.1f} ms")
    print(f"  with listeners   median {statistics.median(busy):6.1f} ms, 95th percentile {late(busy):6.1f} ms")
    print(f"  look by look {ratio:.3f} times, at most {SLOWER}; 95th percentile {later:.3f} times, at most {LATER}")
    print(f"  work of the process {least:.2f} s, with listeners {most / least:.3f} times, at most {DEARER}")
    print(f"  memory {max(r.memory for r in alone):.0f} MB, with listeners {memory:.0f} MB, at most {MEMORY:.0f} MB")
    print(f"  {dropped} were dropped of {DEAF} that read nothing, {left} are left of {LISTENERS} slow ones")
    missed = [
        *(["the median"] if ratio > SLOWER else []),
        *(["the 95th percentile"] if later > LATER else []),
        *(["the work"] if most / least > DEARER else []),
        *(["memory"] if memory > MEMORY else []),
        *(["listeners that read nothing"] if (dropped, left) != (DEAF, LISTENERS) else []),
    ]
    for what in missed:
        print(f"missed: {what}")
    return 1 if missed else 0


def deaf(page: WebPage, shown: Scene) -> tuple[int, int]:
    """How many are dropped and how many are left after the timeout for listeners that read nothing."""
    hub = page.bridge.hub
    before = hub.dropped
    with listening(page):
        late = time.monotonic() + 3 * DEFAULT_PACE.unread_timeout
        while hub.dropped - before < DEAF and time.monotonic() < late:
            verdicts(page, shown)
        return hub.dropped - before, len(hub)


def verdicts(page: WebPage, shown: Scene) -> Run:
    """Process every frame, from perception to the published state."""
    gc.collect()  # frees the run before
    companion = at_table(page, shown)
    began = time.process_time()
    spent: list[float] = []
    at = memory = 0.0
    for path, frames in shown[2]:
        for _ in range(frames):
            at += FRAME
            frame = Frame(np.load(path), at)
            start = time.perf_counter()
            companion.read_frame(frame)
            spent.append((time.perf_counter() - start) * 1000)
            # a new state for all listeners
            companion.handle(parse_told("menu" if round(at / FRAME) % 2 else "back", "button", at))
            time.sleep(BREATH)
        memory = max(memory, resident())
    return Run(spent, time.process_time() - began, memory)


def at_table(page: WebPage, shown: Scene) -> Companion:
    """A companion that has seen nothing yet, with the page as its observer."""
    companion = prepare_match(*shown[:2]).start_companion(
        observers=[lambda happened: page.publish(companion, happened)]
    )
    return companion


def late(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def resident() -> float:
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("VmRSS:") + 1]) / 1024


@contextmanager
def listening(page: WebPage) -> Iterator[None]:
    """Listeners in another process, so that only serving them is measured."""
    with subprocess.Popen([*MYSELF, "--listen", page.address]) as people:
        try:
            hub = page.bridge.hub
            assert hub.wait_until(lambda: len(hub) == LISTENERS + DEAF, COMING)
            yield
        finally:
            people.kill()
    assert hub.wait_until(lambda: not len(hub), COMING)


def listen(address: str) -> None:
    """Read until the process is killed."""
    lines = [line(address, number) for number in range(LISTENERS + DEAF)]
    while True:
        for slow in lines[:LISTENERS]:
            with suppress(BlockingIOError):
                slow.recv(SIP)
        time.sleep(PAUSE)


def line(address: str, number: int) -> socket.socket:
    """A connection from an address of its own, as phones have."""
    host, _, port = address.rpartition(":")
    calling = socket.socket()
    calling.bind((f"127.0.{1 + number // 250}.{1 + number % 250}", 0))
    calling.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    calling.connect((host, int(port)))
    calling.sendall(f"GET /api/events?live HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
    calling.setblocking(False)
    return calling


if __name__ == "__main__":
    sys.exit(main())
