"""A folder of pictures in the order of their names, with times from its index or at an even pace."""

from math import inf
from pathlib import Path

from engine.text import say
from hw.camera import Camera, NoCamera, Note, unheard
from hw.cameras.images import decode, frame_of
from hw.frame import Frame

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".pgm", ".ppm"})
INDEX = "index.csv"


class FilesCamera(Camera):
    """``index.csv`` holds a line ``name,seconds`` for each picture; without it a frame comes every 1/fps seconds.

    A picture that cannot be read is skipped, and so is one the index does not know, each with a note.
    """

    def __init__(self, folder: str, *, fps: float = 10.0, start: float = 0.0, note: Note = unheard) -> None:
        if not 0 < fps < inf:
            raise ValueError(f"fps={fps}: give a number of frames a second")
        self._note = note
        place = Path(folder)
        try:
            pictures = sorted(file for file in place.iterdir() if file.suffix.lower() in ENDINGS)
        except OSError as why:
            raise NoCamera(say("camera_no_folder", value=place.name)) from why
        if not pictures:
            raise NoCamera(say("camera_no_pictures", value=place.name))
        index = place / INDEX
        times = read_index(index) if index.exists() else {file.name: n / fps for n, file in enumerate(pictures)}
        self._pictures = iter([(file, start + times[file.name]) for file in pictures if self._timed(file, times)])

    def _timed(self, file: Path, times: dict[str, float]) -> bool:
        if file.name not in times:
            self._note(say("camera_not_in_index", value=file.name))
        return file.name in times

    def read(self, timeout: float) -> Frame | None:
        for file, at in self._pictures:
            try:
                picture = decode(file.read_bytes())
            except OSError:
                picture = None
            if picture is not None:
                return frame_of(picture, at)
            self._note(say("camera_bad_picture", value=file.name))
        self.over = True
        return None

    def close(self) -> None:
        self._pictures = iter(())


def read_index(index: Path) -> dict[str, float]:
    """Seconds by name, growing in the order of the names; ``NoCamera`` names the line or the picture at fault."""
    times: dict[str, float] = {}
    try:
        lines = index.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as why:
        raise NoCamera(say("camera_bad_index", value=index.name, row=1)) from why
    for row, line in enumerate(lines, 1):
        name, _, seconds = line.rpartition(",")
        try:
            times[name] = float(seconds)
        except ValueError as why:
            raise NoCamera(say("camera_bad_index", value=index.name, row=row)) from why
    last = -inf
    for name in sorted(times):
        if not last < times[name] < inf:
            raise NoCamera(say("camera_index_order", value=name))
        last = times[name]
    return times
