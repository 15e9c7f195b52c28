"""The threads beside the main loop: started together, stopped together, and a failure of one is reported."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread

THREAD_END_TIMEOUT_S = 2.0
"""Seconds to wait for each thread at the end; one that hangs in a driver is left behind."""


class LoopFailed(RuntimeError):
    """These threads have ended with an error."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A thread beside the loop: ``stop`` makes ``run`` return."""

    name: str
    run: Callable[[], None]
    stop: Callable[[], None] = lambda: None


class Workers:
    """A context in which the threads run; leaving it stops them and waits for them.

    An unexpected exception in a thread is printed, sets ``stop``, and becomes ``LoopFailed`` at the end.
    """

    def __init__(self, stop: Event, *workers: Worker) -> None:
        self._stop = stop
        self._workers = workers
        self._broken: list[str] = []
        self._threads = [Thread(target=partial(self._run, worker), name=worker.name, daemon=True) for worker in workers]

    def _run(self, worker: Worker) -> None:
        try:
            worker.run()
        except Exception:
            traceback.print_exc()
            self._broken.append(worker.name)
            self._stop.set()

    def __enter__(self) -> "Workers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join(THREAD_END_TIMEOUT_S)
            if thread.is_alive():
                print(f"{thread.name} does not end and is left behind", file=sys.stderr)
        if self._broken:
            raise LoopFailed(", ".join(self._broken))
