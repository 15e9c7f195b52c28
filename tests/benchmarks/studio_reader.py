"""Reads pictures with the ``oxeye read --json`` of one tree, which may be an older one, in a process of that tree.

The same file is the program of that process: it imports nothing of the project but the command that is installed.
"""

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Self


class StudioReader:
    """``tree`` has its own ``.venv``; the command is imported once, so that a picture costs only its reading."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        python = tree / ".venv" / "bin" / "python"
        self._process = subprocess.Popen(
            [str(python), "-P", __file__], cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def read(self, game: str, picture: Path, empty: Path) -> dict[str, Any]:
        """What the tree tells; only ``error`` if the command fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = ["read", "--json", "--game", game, "--empty", str(empty), str(picture)]
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the reader of {self.tree} has ended")
        return dict(json.loads(line))


def serve() -> None:
    """One line with the arguments of the command in, one line with its JSON out."""
    from click.testing import CliRunner

    (command,) = entry_points(group="console_scripts", name="oxeye")
    program = command.load()
    for line in sys.stdin:
        result = CliRunner().invoke(program, json.loads(line))
        told = [text for text in result.stdout.splitlines() if text.startswith("{")]
        answer = (
            told[-1] if told else json.dumps({"error": f"{result.exit_code}: {result.output} {result.exception!r}"})
        )
        print(answer, flush=True)


if __name__ == "__main__":
    serve()
