"""One option for every run: which folder of worked examples to check the rules against.

It is a plugin and no conftest, because pytest finds conftests only after it has read ``--vectors``, whose folder may lie
anywhere.
"""

from pathlib import Path

import pytest

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vectors", metavar="DIR", default=str(VECTORS), help="folder of worked examples (*.json)")
