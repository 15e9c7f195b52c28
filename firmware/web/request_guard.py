"""Checks each request before it is routed: Host, Origin, media type, size and rate; adds security headers."""

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
"""Of a request; every command fits."""
BODY_TIMEOUT_S = 10.0
"""For the whole body to arrive."""
BODY_ERRORS = {408: "the body came too slowly", 413: f"the body is longer than {MAX_BODY_BYTES} bytes"}
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
    """ASGI middleware around the whole app. Only our own names are accepted as Host, so that a foreign page cannot
    reach the box under a name of its own (DNS rebinding). A body is read only in a POST to ``post_paths``.
    """

    def __init__(self, app: ASGIApp, post_paths: frozenset[str]) -> None:
        self._app = app
        self._post_paths = post_paths
        self._host_names = own_host_names()
        self._per_client, self._total = RateLimiter(PER_CLIENT), RateLimiter(TOTAL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send_secured = partial(_send_with_headers, send)
        now = asyncio.get_running_loop().time()
        if wait := max(self._per_client.delay(client_address(scope), now), self._total.delay("", now)):
            await asyncio.sleep(wait)
        error = self._check(scope, Headers(scope=scope))
        if error is not None:
            await error_response(*error)(scope, receive, send_secured)
            return
        if self._is_command(scope):
            body = await _read_body(receive)
            if isinstance(body, int):
                await error_response(body, BODY_ERRORS[body])(scope, receive, send_secured)
                return
            receive = _replay(body, receive)
        await self._app(scope, receive, send_secured)

    def _check(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._is_own_host(host):
            return 421, "use the numeric address of the box"
        if not self._is_command(scope):
            return None  # the routes answer 404 or 405
        if headers.get("origin") != f"http://{host}":
            return 403, "the request came from another page"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "the body must be JSON"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return 413, BODY_ERRORS[413]
        return None

    def _is_command(self, scope: Scope) -> bool:
        return scope["method"] == "POST" and scope["path"] in self._post_paths

    def _is_own_host(self, host: str) -> bool:
        """A numeric address cannot be a foreign name that points to this box."""
        name, _, port = host.rpartition(":")
        name = name if port.isdecimal() else host
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return name.lower() in self._host_names
        return True


def own_host_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", "oxeye", "oxeye.local"})


def error_response(status: int, error: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": error}, status, headers)


async def _read_body(receive: Receive) -> bytes | int:
    """The body, or the status code of the error."""
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
    """A receive callable that returns the body in one message, then the messages after it."""
    replayed = False

    async def once() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once


async def _send_with_headers(send: Send, message: Message) -> None:
    """Add the security headers to a response."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(raw=list(message.get("headers", [])))
        headers.update(SECURITY_HEADERS)
        if "cache-control" not in headers:
            headers["cache-control"] = "no-store"
        message = {**message, "headers": headers.raw}
    await send(message)
