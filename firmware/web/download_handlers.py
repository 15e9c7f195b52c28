"""GET handlers of downloads: scores, logs, score sheets and prints."""

import json
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from engine.text import say
from firmware.journal.scores import as_csv, as_dicts
from firmware.texts.render import render
from firmware.web import journal_exports
from firmware.web.print_queue import PrintQueue, PrintQueueFull, UnknownPrint
from firmware.web.request_parsing import Malformed, request_language

MAX_GAME_DIGITS = 10
"""More digits are no game."""


class DownloadHandlers:
    """Methods without ``async`` read the disk; Starlette runs them in a thread pool."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._scores = journal_exports.ScoreCache(journal)
        self._prints = PrintQueue()

    def games_json(self, request: Request) -> Response:
        content = json.dumps(as_dicts(self._scores.all()), ensure_ascii=False, indent=1)
        return _attachment(content, "application/json", "oxeye.json")

    def games_csv(self, request: Request) -> Response:
        return _attachment(as_csv(self._scores.all()), "text/csv", "oxeye.csv")

    def log_txt(self, request: Request) -> Response:
        game = _game_number(request)
        try:
            content = journal_exports.game_log(self._journal, game)
        except journal_exports.RoundRunning:
            raise HTTPException(409, render(say("log_too_soon"), request_language(request))) from None
        return _attachment(content, "text/plain", f"oxeye-{game}.txt")

    def score_sheet(self, request: Request) -> Response:
        game = _game_number(request)
        return HTMLResponse(journal_exports.score_sheet(self._journal, game, request_language(request)))

    async def print_pdf(self, request: Request) -> Response:
        sheet = request.path_params["sheet"]
        try:
            content = await self._prints.make(sheet, request.query_params)
        except UnknownPrint as why:
            raise Malformed(str(why)) from why
        except PrintQueueFull:
            raise HTTPException(503, "other prints are being made", {"retry-after": "10"}) from None
        return _attachment(content, "application/pdf", f"oxeye-{sheet}.pdf")


def _game_number(request: Request) -> int:
    asked: str = request.path_params["game"]
    if not asked.isdecimal() or len(asked) > MAX_GAME_DIGITS:
        raise HTTPException(404)
    return int(asked)


def _attachment(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
