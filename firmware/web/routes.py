"""Every address of the page: who may ask, and what is answered."""

from functools import partial

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from firmware.web import pages, requests
from firmware.web.bridge import Bridge
from firmware.web.guard import Guard, refusal
from firmware.web.hub import MOST
from firmware.web.pairing import KEPT
from firmware.web.requests import COOKIE, Code, Malformed, Say, body, language, paired
from firmware.web.state import state
from firmware.words import render

LONGEST = 500
"""Letters of what may be told: the longest amendment anybody would type."""


class Answer(msgspec.Struct, frozen=True):
    """``ok``: the box could use the words; else ``says`` is what it says to them. ``version`` is that of the state."""

    ok: bool
    says: str
    version: int


class Let(msgspec.Struct, frozen=True):
    """Whether the phone is paired now; if not, ``says`` is why."""

    paired: bool
    says: str


def page(bridge: Bridge, names: frozenset[str] | None = None) -> ASGIApp:
    """The whole of it, behind its guard."""
    here = Here(bridge)
    routes: list[BaseRoute] = [
        Route("/", here.index),
        Route("/static/{name}", here.static),
        Route("/api/state", here.state),
        Route("/api/events", Events(bridge)),
        Route("/api/tell", here.tell, methods=["POST"]),
        Route("/api/pair", here.pair, methods=["POST"]),
        Route("/api/unpair", here.unpair, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refused, Malformed: _malformed})
    return Guard(app, names)


class Here:
    """What is the same for every request."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._phones = bridge.phones

    async def index(self, request: Request) -> Response:
        now = state(self._bridge.hub.newest, language(request), paired(request, self._phones))
        return _in_language(request, HTMLResponse(pages.index(now)))

    async def static(self, request: Request) -> Response:
        found = pages.static(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        content, kind, tag = found
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    async def state(self, request: Request) -> Response:
        said = self._bridge.hub.said(language(request), paired(request, self._phones))
        return Response(said, media_type="application/json")

    async def tell(self, request: Request) -> Response:
        self._must_be_paired(request)
        words = " ".join((await body(request, Say)).words.split())
        if not words or len(words) > LONGEST or not words.isprintable():
            raise Malformed(f"say it in 1 to {LONGEST} letters")
        after = await self._bridge.tell(words)
        if after is None:
            raise HTTPException(503, "the box does not answer")
        refused = after.refused if after.refused == after.view.alert else None
        says = render(refused, language(request), after.names) if refused else ""
        return _json(Answer(refused is None, says, after.version))

    async def pair(self, request: Request) -> Response:
        answer, token = self._phones.admit("".join((await body(request, Code)).code.split()))
        if answer != "paired":
            says = render(pages.REFUSALS[answer], language(request))
            return _json(Let(False, says), 429 if answer == "shut" else 403)
        self._bridge.paired()
        response = _json(Let(True, ""))
        response.set_cookie(COOKIE, token, max_age=int(KEPT), httponly=True, samesite="strict")
        return response

    async def unpair(self, request: Request) -> Response:
        self._must_be_paired(request)
        self._phones.forget(requests.token(request))
        response = _json(Let(False, ""))
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    def _must_be_paired(self, request: Request) -> None:
        if not paired(request, self._phones):
            raise HTTPException(401, "pair this phone first")


class Events:
    """The stream of states, each one as soon as it is there."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        hub, phones = self._bridge.hub, self._bridge.phones
        if request.method != "GET":
            await refusal(405, "this is only to be read", {"allow": "GET"})(scope, receive, send)
        elif len(hub) >= MOST:
            await refusal(503, "too many listen already", {"retry-after": "10"})(scope, receive, send)
        else:
            await hub.listen(scope, receive, send, language(request), partial(paired, request, phones))


def _json(value: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _in_language(request: Request, response: Response) -> Response:
    """A language that was asked for is remembered."""
    if request.query_params.get("lang"):
        response.set_cookie(requests.LANGUAGE, language(request), max_age=requests.YEAR, samesite="strict")
    return response


async def _refused(request: Request, why: Exception) -> Response:
    assert isinstance(why, HTTPException)
    return refusal(why.status_code, why.detail, why.headers)


async def _malformed(request: Request, why: Exception) -> Response:
    return refusal(400, str(why))
