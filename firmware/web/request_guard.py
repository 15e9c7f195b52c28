"""The door: who asks under a strange name, from a strange page, too much or in a strange way, gets no further."""

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware.web.rate_limits import PER_CLIENT, TOTAL, RateLimiter, client_address

MAX_BODY_BYTES = 4096
"""Bytes of what may be told at once."""
BODY_TIMEOUT_S = 10.0
"""Seconds in which all of it must have come."""
BODY_ERRORS = {408: "say it faster", 413: f"say it in {MAX_BODY_BYTES} bytes"}
SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


class RequestGuard:
    """Around everything. A name in an address is only ever our own: no page elsewhere can pass for ours.

    ``tells`` are the paths where something may be told; anywhere else, and in any other way, only reading is done.
    """

    def __init__(self, app: ASGIApp, tells: frozenset[str]) -> None:
        self._app = app
        self._tells = tells
        self._names = own_host_names()
        self._one, self._all = RateLimiter(PER_CLIENT), RateLimiter(TOTAL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        polite = partial(_send_with_headers, send)
        now = asyncio.get_running_loop().time()
        if wait := max(self._one.delay(client_address(scope), now), self._all.delay("", now)):
            await asyncio.sleep(wait)
        why = self._refusal(scope, Headers(scope=scope))
        if why is not None:
            await error_response(*why)(scope, receive, polite)
            return
        if self._tells_something(scope):
            body = await _read_body(receive)
            if isinstance(body, int):
                await error_response(body, BODY_ERRORS[body])(scope, receive, polite)
                return
            receive = _replay(body, receive)
        await self._app(scope, receive, polite)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._ours(host):
            return 421, "call the box by its address in numbers"
        if not self._tells_something(scope):
            return None  # the routes refuse it
        if headers.get("origin") != f"http://{host}":
            return 403, "this came from another page"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "say it in JSON"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return 413, BODY_ERRORS[413]
        return None

    def _tells_something(self, scope: Scope) -> bool:
        return scope["method"] == "POST" and scope["path"] in self._tells

    def _ours(self, host: str) -> bool:
        """An address by numbers cannot be a name that somebody else has pointed at us."""
        name, _, port = host.rpartition(":")
        name = name if port.isdecimal() else host
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return name.lower() in self._names
        return True


def own_host_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", "oxeye", "oxeye.local"})


def error_response(status: int, why: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": why}, status, headers)


async def _read_body(receive: Receive) -> bytes | int:
    """All that is told, or the status of a refusal."""
    body = b""
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            while len(body) <= MAX_BODY_BYTES:
                message = await receive()
                body += message.get("body", b"")
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    break
    except TimeoutError:
        return 408
    return body if len(body) <= MAX_BODY_BYTES else 413


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body in one piece, then whatever comes behind it."""
    told = False

    async def once() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once


async def _send_with_headers(send: Send, message: Message) -> None:
    """Every answer says how far it may be trusted."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(raw=list(message.get("headers", [])))
        headers.update(SECURITY_HEADERS)
        if "cache-control" not in headers:
            headers["cache-control"] = "no-store"
        message = {**message, "headers": headers.raw}
    await send(message)
