"""The server in a thread of its own: nothing that happens in it, or to it, stops the game."""

import asyncio
import socket
import sys
import traceback
from pathlib import Path
from threading import Event

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware.machine.addresses import Broker
from firmware.web.box_link import BoxLink
from firmware.web.camera import Stills
from firmware.web.event_stream import TRANSPORT
from firmware.web.local_pairing import SOCKET, serve_pairing_socket
from firmware.web.mqtt import HomeServer
from firmware.web.rate_limits import CONNECTIONS_PER_CLIENT
from firmware.web.routes import web_app
from firmware.web.templates import load_templates

MAX_CONNECTIONS = 600
"""Open at once; more are cut."""
REQUEST_TIMEOUT_S = 10.0
"""Seconds in which somebody who has called, or begun to ask, must have asked."""
KEEP_ALIVE_S = 15
"""Seconds in which somebody who has got his answer may ask for more."""
SEND_BUFFER_BYTES = 1 << 13
"""Bytes that are kept for somebody who does not read: so few that a slow one is soon heard of again."""
TCP_USER_TIMEOUT_MS = 30_000
"""Milliseconds after which a line that answers nothing is taken for cut."""
RESTART_DELAY_S = 2.0


class LimitedConnection(H11Protocol):
    """A line that keeps little for who does not read, and that can be cut."""

    host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        host = (transport.get_extra_info("peername") or ("",))[0]
        open_there = sum(isinstance(line, LimitedConnection) and line.host == host for line in self.connections)
        if len(self.connections) >= MAX_CONNECTIONS or open_there >= CONNECTIONS_PER_CLIENT:
            transport.abort()
            return
        self.host = host
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        line = transport.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_USER_TIMEOUT_MS)
        app = self.app

        async def known(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, TRANSPORT: transport}, receive, send)

        self.app = known
        self._silent = self.loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_silent)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._silent.cancel()
        if not self._asked:
            self._silent = self.loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.transport is not None:
            self._silent.cancel()
            super().connection_lost(exc)

    @property
    def _asked(self) -> bool:
        """Is a request there in full that has no answer yet?"""
        return self.cycle is not None and not self.cycle.response_complete

    def _cut_if_silent(self) -> None:
        if not self._asked:
            self.transport.abort()


class Server:
    """``run`` is a thread's, until ``stop``. The address is taken at once: ``OSError`` if somebody else has it."""

    def __init__(
        self,
        bridge: BoxLink,
        folder: Path,
        host: str,
        port: int,
        stills: Stills | None = None,
        broker: Broker | None = None,
    ) -> None:
        self._bridge = bridge
        self._stills = stills
        self._folder = folder
        self._socket = open_listening_socket(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._host = host
        self._home = HomeServer(broker, self.address()) if broker else None
        self._over = Event()
        self._server: uvicorn.Server | None = None

    def address(self) -> str:
        """Where phones find it now."""
        return f"{_public_host(self._host)}:{self.port}"

    def run(self) -> None:
        load_templates()
        while not self._over.is_set():
            try:
                asyncio.run(self._serve())
            except Exception:
                traceback.print_exc(file=sys.stderr)
                self._over.wait(RESTART_DELAY_S)
        self._socket.close()

    def stop(self) -> None:
        self._over.set()
        self._bridge.hub.close()
        if self._server is not None:
            self._server.should_exit = True

    async def _serve(self) -> None:
        self._bridge.hub.open(asyncio.get_running_loop())
        app: ASGIApp = web_app(self._bridge, self._folder, self._stills)
        config = uvicorn.Config(
            app,
            http=LimitedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody stands between: who asks is who has called
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 14,
        )
        self._server = uvicorn.Server(config)
        self._server.should_exit = self._over.is_set()
        door = await serve_pairing_socket(self._bridge, self._folder)
        home = asyncio.create_task(self._home.run(self._bridge.hub)) if self._home else None
        try:
            await self._server.serve(sockets=[self._socket.dup()])
        finally:
            if home is not None:
                home.cancel()
                await asyncio.wait({home})
            if door is not None:
                door.close()
            (self._folder / SOCKET).unlink(missing_ok=True)


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _public_host(host: str) -> str:
    """What people type."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    return outgoing_address() or f"{socket.gethostname()}.local"


def outgoing_address() -> str | None:
    """Of all our addresses the one that leads out; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which way it would go
            return str(out.getsockname()[0])
        except OSError:
            return None
