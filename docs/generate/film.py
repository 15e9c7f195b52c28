"""Generate the short film of the simulated table: a card in the wrong row, and put right."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from docs.generate.arguments import parse_path
from tests.support.table_player import TablePlayer
from tests.support.table_run import TableRun, running_table

FILM = "table.webp"
SCENARIO = "wrong-row"
SIZE = (1180, 740)
"""Of the window, in pixels."""
WIDE_PX = 820
MOST_BYTES = 2_000_000
QUALITIES = (70, 55, 40, 28)
"""Tried one after the other until the film is small enough."""
MOVE_MS, WAIT_MS, READ_MS = 90, 350, 2800
"""How long a frame stands: while a card moves, while people wait, and while they read."""
STEPS = 9


class Film:
    """Pictures of a page, each with the time for which it stands."""

    def __init__(self, player: TablePlayer) -> None:
        self._player = player
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, stands_ms: int) -> None:
        shot = Image.open(io.BytesIO(self._player.page.screenshot())).convert("RGB")
        frame = shot.resize((WIDE_PX, round(shot.height * WIDE_PX / shot.width)), Image.Resampling.LANCZOS)
        if self.frames and frame.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += stands_ms
        else:
            self.frames.append(frame)
            self.times.append(stands_ms)

    def drag(self, name: str, x: float, y: float) -> None:
        """Drag a piece slowly."""
        mouse = self._player.page.mouse
        box = self._player.page.locator(f".piece[data-name='{name}']").first.bounding_box()
        assert box is not None
        start, end = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), self._player.spot(x, y)
        mouse.move(*start)
        mouse.down()
        for n in range(1, STEPS + 1):
            mouse.move(*(a + (b - a) * n / STEPS for a, b in zip(start, end, strict=True)))
            self.shoot(MOVE_MS)
        mouse.up()
        self.shoot(WAIT_MS)

    def wait_for(self, pattern: str, *, alert: bool) -> None:
        player = self._player
        wait = player.wait_for_alert if alert else player.wait_for_prompt
        wait(pattern)
        player.page.wait_for_timeout(600)

    def save(self, path: Path) -> None:
        for quality in QUALITIES:
            self.frames[0].save(
                path,
                save_all=True,
                append_images=self.frames[1:],
                duration=self.times,
                loop=0,
                quality=quality,
                method=6,
                minimize_size=True,
            )
            if path.stat().st_size <= MOST_BYTES:
                return
        raise SystemExit(f"{path} is too large: {path.stat().st_size} bytes")


def main(out: Path) -> None:
    from tests.support.browser import CHROMIUM, chromium

    if not CHROMIUM:
        print(f"not {FILM}: Chromium is missing")
        return
    with (
        TemporaryDirectory() as name,
        running_table(Path(name), TableRun("nimmt", scenario=SCENARIO)) as run,
        chromium() as browser,
    ):
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, locale="en", color_scheme="light")
        player = TablePlayer(page, run)
        player.sit_down()
        player.wait_for_prompt("Lay 44 behind 37, row 2")
        page.wait_for_timeout(1500)
        film = Film(player)
        film.shoot(1500)
        film.drag("44", *player.behind(3))
        film.wait_for("44 belongs in row 2", alert=True)
        film.shoot(READ_MS)
        film.drag("44", *player.behind(2))
        film.wait_for("Lay 63 behind 58", alert=False)
        film.shoot(READ_MS)
        film.save(out / FILM)
    print(FILM)


if __name__ == "__main__":
    main(parse_path(__doc__))
