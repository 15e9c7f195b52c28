"""For every run: fresh text catalogues, and which folder of worked examples to check (``--vectors=DIR``)."""

from pathlib import Path

import pytest

from firmware.catalogues import compile_catalogues

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", metavar="DIR", default=str(VECTORS), help="folder of worked examples (*.json)")


def pytest_sessionstart() -> None:
    compile_catalogues(VECTORS.parent.parent)
