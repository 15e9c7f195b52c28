"""pytest plugin for the emulated machine: Hypothesis runs few examples, without a deadline."""

from pathlib import Path

from hypothesis import settings

settings.register_profile("emulated", deadline=None, max_examples=5, derandomize=True, database=None)
settings.load_profile("emulated")


def pytest_addoption(parser):
    parser.addoption("--vectors", default=str(Path.cwd() / "tests/vectors"))
    parser.addoption("--replays", action="store_true")
