"""A folder of pictures as a camera: in the order of their names, timed by an index or at a fixed rate."""

from math import inf
from pathlib import Path

from engine.text import Text, say
from hw.camera import Camera, NoCamera, ReportNote
from hw.cameras.images import decode_picture, make_frame
from hw.frame import Frame

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".pgm", ".ppm"})
INDEX = "index.csv"


class FilesCamera(Camera):
    """``index.csv`` holds a line ``name,seconds`` for each picture; without it one frame follows every 1/fps seconds.

    A picture that cannot be read or is missing from the index is skipped and reported.
    """

    def __init__(self, folder: str, *, fps: float = 10.0, start: float = 0.0, note: ReportNote | None = None) -> None:
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
            self._report_note(say("camera_not_in_index", value=file.name))
        return file.name in times

    def read(self, timeout: float) -> Frame | None:
        for file, at in self._pictures:
            try:
                picture = decode_picture(file.read_bytes())
            except OSError:
                picture = None
            if picture is not None:
                return make_frame(picture, at)
            self._report_note(say("camera_bad_picture", value=file.name))
        self.over = True
        return None

    def close(self) -> None:
        self._pictures = iter(())

    def _report_note(self, text: Text) -> None:
        if self._note is not None:
            self._note(text)


def read_index(index: Path) -> dict[str, float]:
    """Seconds by name, increasing in the order of the names; ``NoCamera`` names the faulty line or picture."""
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
