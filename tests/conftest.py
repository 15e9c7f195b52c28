"""For every run: fresh text catalogues, what to check (``--vectors=DIR``), and how long it may take (``--replays``)."""

from pathlib import Path

import pytest

from firmware.catalogues import compile_catalogues

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", metavar="DIR", default=str(VECTORS), help="folder of worked examples (*.json)")
    parser.addoption("--replays", action="store_true", help="replay every recorded match, not only a few")


def pytest_sessionstart() -> None:
    compile_catalogues(VECTORS.parent.parent)
