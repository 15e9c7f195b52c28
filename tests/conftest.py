"""For every run: fresh text catalogues, what to check (``--vectors=DIR``), and how long it may take (``--replays``)."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from firmware.texts.compile import compile_catalogues

VECTORS = Path(__file__).parent / "vectors"

# one thread for numpy, as on the box, before a test imports it: its matrices here are small, and threads only wait
os.environ.setdefault("OMP_NUM_THREADS", "1")


# how long an example takes says something of the machine, not of the code
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", metavar="DIR", default=str(VECTORS), help="folder of worked examples (*.json)")
    parser.addoption("--replays", action="store_true", help="replay every recorded match, not only a few")


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes into the state of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_sessionstart() -> None:
    compile_catalogues(VECTORS.parent.parent)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect without garbage collection, which would search the thousands of tests found so far again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
