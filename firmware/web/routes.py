"""Every route of the page, and the responses to errors."""

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
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.texts.render import render
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Stills
from firmware.web.download_handlers import DownloadHandlers
from firmware.web.extra_page import ExtraPage
from firmware.web.get_handlers import Events, GetHandlers
from firmware.web.post_handlers import PostHandlers
from firmware.web.request_guard import RequestGuard, error_response
from firmware.web.request_parsing import Malformed, request_language

REPEAT_PAUSE_S = 60.0
"""An unexpected error at one line of code is logged once in this time."""
POST_PATHS = frozenset({"/api/tell", "/api/pair", "/api/unpair"})


def routes(bridge: BoxLink, folder: Path, stills: Stills | None = None) -> list[BaseRoute]:
    journal = folder / JOURNAL_FILE
    views, commands, downloads = GetHandlers(bridge, journal, stills), PostHandlers(bridge), DownloadHandlers(journal)
    return [
        Route("/", views.index),
        Route("/rules", views.rules),
        Route("/static/{name}", views.static),
        Route("/openapi.json", views.openapi_json),
        Route("/api/state", views.state),
        Route("/api/events", Events(bridge)),
        Route("/api/games", views.games),
        Route("/api/history", views.history),
        Route("/camera.jpg", views.camera_jpg),
        Route("/api/tell", commands.tell, methods=["POST"]),
        Route("/api/pair", commands.pair, methods=["POST"]),
        Route("/api/unpair", commands.unpair, methods=["POST"]),
        Route("/export/games.json", downloads.games_json),
        Route("/export/games.csv", downloads.games_csv),
        Route("/export/games/{game}/log.txt", downloads.log_txt),
        Route("/export/games/{game}/sheet", downloads.score_sheet),
        Route("/print/{sheet}.pdf", downloads.print_pdf),
    ]


def web_app(bridge: BoxLink, folder: Path, stills: Stills | None = None, extra: ExtraPage | None = None) -> ASGIApp:
    """The routes with their error responses, behind the request guard; ``extra`` is a page beside that for phones."""
    every, post_paths = routes(bridge, folder, stills), POST_PATHS
    if extra is not None and stills is not None:
        every, post_paths = every + extra.routes(bridge, stills), POST_PATHS | extra.post_paths
    handlers = {
        HTTPException: _http_error,
        Malformed: _bad_request,
        JournalError: _journal_error,
        Exception: ErrorReporter().answer,
    }
    return RequestGuard(Starlette(routes=every, exception_handlers=handlers), post_paths)


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
    """Logs unexpected errors with their traceback, each line of code once in ``REPEAT_PAUSE_S``."""

    def __init__(self, pause: float = REPEAT_PAUSE_S) -> None:
        self._pause = pause
        self._logged: dict[tuple[str, int | None], float] = {}

    async def answer(self, request: Request, why: Exception) -> Response:
        *_, (frame, line) = traceback.walk_tb(why.__traceback__)
        place, now = (frame.f_code.co_filename, line), time.monotonic()
        if now - self._logged.get(place, float("-inf")) >= self._pause:
            self._logged[place] = now
            traceback.print_exception(why, file=sys.stderr)
        return error_response(500, "something went wrong here")
