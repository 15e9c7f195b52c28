"""lgpio makes its pipes in a folder of their own: what is named on the command line is found wherever that moves us."""

import atexit
import os
import shutil
import tempfile
from collections.abc import MutableMapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

LGPIO_FOLDER, PIN_FACTORY = "LG_WD", "GPIOZERO_PIN_FACTORY"
RECORDED_KINDS = ("files", "video")


def prepare_lgpio(environ: MutableMapping[str, str] = os.environ) -> None:
    """Before lgpio is imported, and where it is: its pipes go where anybody may write, as those of the service do."""
    if find_spec("lgpio") is None:
        return
    environ.setdefault(PIN_FACTORY, "lgpio")
    if not environ.get(LGPIO_FOLDER):
        try:
            folder = tempfile.mkdtemp(prefix="oxeye-pins-")
        except OSError:  # on a full disk whoever wants no pins still gets his answer
            return
        environ[LGPIO_FOLDER] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def absolute_camera(camera: str) -> str:
    """The name of a camera: recordings are files like others."""
    kind, _, where = camera.partition(":")
    return f"{kind}:{Path(where).absolute()}" if kind in RECORDED_KINDS and where else camera


class AbsolutePath(click.Path):
    """A file or folder from / on: lgpio changes the working directory when it is imported.

    Whether it may be read says whoever reads it, with what helps.
    """

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, readable=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return Path(os.fsdecode(super().convert(value, param, ctx))).absolute()
