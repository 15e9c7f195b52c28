"""Every address of the page, and how a refusal is said."""

import sys
import time
import traceback
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from firmware.journal.errors import JournalError
from firmware.machine.folders import JOURNAL_FILE
from firmware.texts.render import render
from firmware.web.box_link import BoxLink
from firmware.web.camera import Stills
from firmware.web.commands import Commands
from firmware.web.downloads import Downloads
from firmware.web.request_guard import Guard, refusal
from firmware.web.requests import Malformed, language
from firmware.web.views import Events, Views

PAUSE = 60.0
"""Seconds in which what went wrong at one place is told once, however often somebody asks for it."""
TELLS = frozenset({"/api/tell", "/api/pair", "/api/unpair"})


def routes(bridge: BoxLink, folder: Path, stills: Stills | None = None) -> list[BaseRoute]:
    journal = folder / JOURNAL_FILE
    reading, telling, taking = Views(bridge, journal, stills), Commands(bridge), Downloads(journal)
    return [
        Route("/", reading.index),
        Route("/rules", reading.rules),
        Route("/static/{name}", reading.static),
        Route("/openapi.json", reading.description),
        Route("/api/state", reading.state),
        Route("/api/events", Events(bridge)),
        Route("/api/games", reading.games),
        Route("/api/history", reading.history),
        Route("/camera.jpg", reading.camera),
        Route("/api/tell", telling.tell, methods=["POST"]),
        Route("/api/pair", telling.pair, methods=["POST"]),
        Route("/api/unpair", telling.unpair, methods=["POST"]),
        Route("/export/games.json", taking.games_json),
        Route("/export/games.csv", taking.games_csv),
        Route("/export/games/{game}/log.txt", taking.log),
        Route("/export/games/{game}/sheet", taking.sheet),
        Route("/print/{sheet}.pdf", taking.printed),
    ]


def page(bridge: BoxLink, folder: Path, stills: Stills | None = None) -> ASGIApp:
    """The whole of it, behind its guard."""
    refusals = {HTTPException: _refused, Malformed: _malformed, JournalError: _troubled, Exception: Failed().answer}
    return Guard(Starlette(routes=routes(bridge, folder, stills), exception_handlers=refusals), TELLS)


async def _refused(request: Request, why: Exception) -> Response:
    assert isinstance(why, HTTPException)
    return refusal(why.status_code, why.detail, why.headers)


async def _malformed(request: Request, why: Exception) -> Response:
    return refusal(400, str(why))


async def _troubled(request: Request, why: Exception) -> Response:
    assert isinstance(why, JournalError)
    missing = why.text.id in ("journal_no_game", "journal_none")
    return refusal(404 if missing else 503, render(why.text, language(request)))


class Failed:
    """What nobody thought of is told in full to whoever reads the log, but not again and again."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._told: dict[tuple[str, int | None], float] = {}

    async def answer(self, request: Request, why: Exception) -> Response:
        *_, (frame, line) = traceback.walk_tb(why.__traceback__)
        place, now = (frame.f_code.co_filename, line), time.monotonic()
        if now - self._told.get(place, float("-inf")) >= self._pause:
            self._told[place] = now
            traceback.print_exception(why, file=sys.stderr)
        return refusal(500, "something went wrong here")
