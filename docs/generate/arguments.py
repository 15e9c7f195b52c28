"""The one argument of each generator: the path that it writes to. An option is none."""

from argparse import ArgumentParser
from pathlib import Path


def parse_path(description: str | None) -> Path:
    parser = ArgumentParser(description=description)
    parser.add_argument("path", type=Path, help="the file or folder that is written")
    path: Path = parser.parse_args().path
    return path
