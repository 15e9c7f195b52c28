"""A person at the page of the simulated table: eyes on the page, and a mouse or a finger that drags pieces."""

import re
import time
from dataclasses import dataclass
from threading import Event

import numpy as np
from playwright.sync_api import Page

from tests.support.table_run import RunningTable

SOON_S = 90.0
"""Longest wait for what should come: many programs share this computer."""
STEPS = 6


@dataclass
class TablePlayer:
    page: Page
    run: RunningTable
    touch: bool = False

    def sit_down(self, *, tour: bool = False) -> None:
        if not tour:
            self.page.add_init_script("localStorage.setItem('oxeye-tour', 'seen')")
        self.page.goto(f"{self.run.url}/table?lang=en")
        self.page.locator(".view.seen").wait_for(timeout=SOON_S * 1000)

    # eyes

    @property
    def prompt(self) -> str:
        return self.page.locator("#prompt").inner_text()

    @property
    def alert(self) -> str:
        return self.page.locator("#alert").inner_text().strip()

    def wait_until(self, seen, what: str):
        latest = time.monotonic() + SOON_S
        while not (found := seen()):
            assert time.monotonic() < latest, f"{what}: {self.prompt!r} {self.alert!r} {self.run.pieces()}"
            Event().wait(0.15)
        return found

    def wait_for_prompt(self, pattern: str) -> re.Match[str]:
        return self.wait_until(lambda: re.search(pattern, self.prompt.replace("\n", " ")), pattern)

    def wait_for_alert(self, pattern: str) -> re.Match[str]:
        return self.wait_until(lambda: re.search(pattern, self.alert.replace("\n", " ")), pattern)

    # places

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Millimetres of the table as a place on the page."""
        matrix = np.array(self.run.table()["to_picture"]).reshape(3, 3)
        u, v, w = matrix @ [x, y, 1]
        box = self.page.locator("#view").bounding_box()
        return box["x"] + u / w * box["width"], box["y"] + v / w * box["height"]

    def zone(self, zone: str) -> dict:
        return next(it for it in self.run.table()["zones"] if it["zone"] == zone)

    def middle(self, zone: str) -> tuple[float, float]:
        area = self.zone(zone)
        return (area["left"] + area["right"]) / 2, (area["top"] + area["bottom"]) / 2

    def row(self, row: int) -> list[dict]:
        area = self.zone(f"row:{row}")
        lying = self.run.table()["pieces"]
        here = [
            it for it in lying if area["left"] <= it["x"] < area["right"] and area["top"] <= it["y"] < area["bottom"]
        ]
        return sorted(here, key=lambda it: it["x"])

    def behind(self, row: int) -> tuple[float, float]:
        """The place behind the last card of a row."""
        area, held = self.zone(f"row:{row}"), self.row(row)
        return (held[-1]["x"] + 62 if held else area["left"] + 40), (area["top"] + area["bottom"]) / 2

    # hands

    def drag(self, name: str, x: float, y: float) -> None:
        """Drag a piece, from the hand or on the table, to a place in millimetres."""
        self.drag_to(name, *self.spot(x, y))

    def drag_to(self, name: str, px: float, py: float) -> None:
        piece = self.page.locator(f".piece[data-name='{name}']:not(.landing)")
        piece.first.wait_for(timeout=SOON_S * 1000)
        box = piece.first.bounding_box()
        # the left part of a card in the hand is not covered by the next one
        share = 0.2 if piece.first.evaluate("it => Boolean(it.closest('#hand'))") else 0.5
        start = box["x"] + min(box["width"] * share, 20 if share < 0.5 else 999), box["y"] + box["height"] / 2
        if self.touch:
            self._touch(start, (px, py))
            return
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(px, py, steps=STEPS)
        self.page.mouse.up()

    def _touch(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        touch = self.page.context.new_cdp_session(self.page)

        def send(kind: str, *points: tuple[float, float]) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

        send("touchStart", start)
        for n in range(1, STEPS + 1):
            send("touchMove", tuple(a + (b - a) * n / STEPS for a, b in zip(start, end, strict=True)))
        send("touchEnd")

    def act(self, name: str, choice: str) -> None:
        """Tap a piece on the table and choose what to do with it."""
        piece = self.page.locator(f"#pieces .piece[data-name='{name}']")
        if self.touch:
            piece.tap()
        else:
            piece.click()
        self.page.locator("#choice").get_by_role("button", name=choice).click()
