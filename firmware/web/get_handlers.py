"""GET handlers, open to the whole network: page, state, event stream, history, rules, camera."""

from functools import partial
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from engine.text import say
from firmware.texts.languages import available_languages
from firmware.texts.render import render
from firmware.web import move_history, openapi, page_html
from firmware.web.api_state import api_state
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Stills, draw_still
from firmware.web.rate_limits import client_address
from firmware.web.request_guard import error_response
from firmware.web.request_parsing import (
    LANGUAGE_COOKIE,
    YEAR_S,
    Malformed,
    is_paired_request,
    request_language,
    require_pairing,
)
from firmware.web.response_bodies import json_response
from firmware.web.rulebook_page import rules_page
from firmware.web.setup_form import Choices, list_game_kinds, list_seat_choices
from firmware.web.static_files import static_file


class GetHandlers:
    """Methods without ``async`` read the disk; Starlette runs them in a thread pool."""

    def __init__(self, bridge: BoxLink, journal: Path, stills: Stills | None) -> None:
        self._stills = stills
        self._hub = bridge.hub
        self._phones = bridge.phones
        self._journal = journal

    async def index(self, request: Request) -> Response:
        now = api_state(self._hub.newest, request_language(request), is_paired_request(request, self._phones))
        return _remember_language(request, HTMLResponse(page_html.index_page(now)))

    async def rules(self, request: Request) -> Response:
        return _remember_language(request, HTMLResponse(rules_page(request_language(request))))

    async def static(self, request: Request) -> Response:
        found = static_file(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        content, kind, tag = found
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    async def openapi_json(self, request: Request) -> Response:
        return Response(openapi.openapi_json(), media_type="application/json")

    async def state(self, request: Request) -> Response:
        content = self._hub.state_json(request_language(request), is_paired_request(request, self._phones))
        return Response(content, media_type="application/json")

    async def games(self, request: Request) -> Response:
        now, known_phone = self._hub.newest, is_paired_request(request, self._phones)
        people = list(now.people) if known_phone else []
        return json_response(
            Choices(
                list_game_kinds(request_language(request)),
                list_seat_choices(now.area),
                list(available_languages()),
                now.area,
                people,
            )
        )

    def history(self, request: Request) -> Response:
        asked = request.query_params.get("game")
        now = self._hub.newest
        if asked is None or asked == str(now.game):
            found = move_history.running_history(now, self._journal, request_language(request))
            if found is None:
                raise HTTPException(404, "no game runs")
            return json_response(found)
        if not asked.isdecimal() or len(asked) > 10:
            raise Malformed("game is a number")
        return json_response(move_history.recorded_history(self._journal, int(asked), request_language(request)))

    async def camera_jpg(self, request: Request) -> Response:
        """Permission is checked again once the frame has come: a round may have begun."""
        require_pairing(request, self._phones)
        if not self._hub.newest.picture:
            return error_response(409, render(say("picture_no"), request_language(request)))
        still = await self._stills.take() if self._stills is not None else None
        if still is None:
            return error_response(503, render(say("picture_none"), request_language(request)))
        picture = await run_in_threadpool(draw_still, still)
        if not self._hub.newest.picture:
            return error_response(409, render(say("picture_no"), request_language(request)))
        return Response(picture, media_type="image/jpeg")


class Events:
    """``/api/events``; with ``?live`` each state brings the parts of the page as HTML."""

    def __init__(self, bridge: BoxLink) -> None:
        self._bridge = bridge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        hub, phones = self._bridge.hub, self._bridge.phones
        if request.method != "GET":
            await error_response(405, "only GET is allowed here", {"allow": "GET"})(scope, receive, send)
        elif not hub.has_room(client_address(scope)):
            await error_response(503, "too many streams are open", {"retry-after": "10"})(scope, receive, send)
        else:
            still_paired = partial(is_paired_request, request, phones)
            await hub.listen(
                scope, receive, send, request_language(request), still_paired, live="live" in request.query_params
            )


def _remember_language(request: Request, response: Response) -> Response:
    """Keep a language from the address in a cookie."""
    if request.query_params.get("lang"):
        response.set_cookie(
            LANGUAGE_COOKIE,
            request_language(request),
            max_age=YEAR_S,
            samesite="strict",
        )
    return response
