"""One option for every run: which folder of worked examples to check the rules against (``--vectors=DIR``)."""

from pathlib import Path

import pytest

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", metavar="DIR", default=str(VECTORS), help="folder of worked examples (*.json)")
