"""Work round lgpio, which changes the working directory: give it a folder and make command-line paths absolute."""

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
    """Give lgpio a writable folder for its pipes; must run before lgpio is imported."""
    if find_spec("lgpio") is None:
        return
    environ.setdefault(PIN_FACTORY, "lgpio")
    if not environ.get(LGPIO_FOLDER):
        try:
            folder = tempfile.mkdtemp(prefix="oxeye-pins-")
        except OSError:  # on a full disk commands without pins still work
            return
        environ[LGPIO_FOLDER] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def absolute_camera(camera: str) -> str:
    """The camera name with an absolute path, if it names a recording."""
    kind, _, where = camera.partition(":")
    return f"{kind}:{Path(where).absolute()}" if kind in RECORDED_KINDS and where else camera


class AbsolutePath(click.Path):
    """A click type that makes a path absolute, because lgpio changes the working directory when it is imported.

    It does not check that the path is readable: the command that reads it does, with a remedy.
    """

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, readable=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return Path(os.fsdecode(super().convert(value, param, ctx))).absolute()
