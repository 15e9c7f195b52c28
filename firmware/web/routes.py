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
from firmware.web.request_guard import RequestGuard, error_response
from firmware.web.requests import Malformed, request_language
from firmware.web.views import Events, Views

REPEAT_PAUSE_S = 60.0
"""Seconds in which what went wrong at one place is told once, however often somebody asks for it."""
POST_PATHS = frozenset({"/api/tell", "/api/pair", "/api/unpair"})


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


def web_app(bridge: BoxLink, folder: Path, stills: Stills | None = None) -> ASGIApp:
    """The whole of it, behind its guard."""
    refusals = {
        HTTPException: _http_error,
        Malformed: _bad_request,
        JournalError: _journal_error,
        Exception: ErrorReporter().answer,
    }
    return RequestGuard(Starlette(routes=routes(bridge, folder, stills), exception_handlers=refusals), POST_PATHS)


async def _http_error(request: Request, why: Exception) -> Response:
    assert isinstance(why, HTTPException)
    return error_response(why.status_code, why.detail, why.headers)


async def _bad_request(request: Request, why: Exception) -> Response:
    return error_response(400, str(why))


async def _journal_error(request: Request, why: Exception) -> Response:
    assert isinstance(why, JournalError)
    missing = why.text.id in ("journal_no_game", "journal_none")
    return error_response(404 if missing else 503, render(why.text, request_language(request)))


class ErrorReporter:
    """What nobody thought of is told in full to whoever reads the log, but not again and again."""

    def __init__(self, pause: float = REPEAT_PAUSE_S) -> None:
        self._pause = pause
        self._told: dict[tuple[str, int | None], float] = {}

    async def answer(self, request: Request, why: Exception) -> Response:
        *_, (frame, line) = traceback.walk_tb(why.__traceback__)
        place, now = (frame.f_code.co_filename, line), time.monotonic()
        if now - self._told.get(place, float("-inf")) >= self._pause:
            self._told[place] = now
            traceback.print_exception(why, file=sys.stderr)
        return error_response(500, "something went wrong here")
