"""The web server, in a thread of its own: a fault in it never stops the game."""

import asyncio
import socket
import sys
import traceback
from pathlib import Path
from threading import Event

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware.machine.box_id import ensure_box_id
from firmware.machine.network_addresses import Broker
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Stills
from firmware.web.event_stream import TRANSPORT
from firmware.web.extra_page import ExtraPage
from firmware.web.mqtt import HomeServer
from firmware.web.pairing_socket import SOCKET, serve_pairing_socket
from firmware.web.rate_limits import CONNECTIONS_PER_CLIENT
from firmware.web.routes import web_app
from firmware.web.template_rendering import load_templates

MAX_CONNECTIONS = 600
"""Open at once; more are refused."""
REQUEST_TIMEOUT_S = 10.0
"""For a client that has connected, or begun a request, to complete the request."""
KEEP_ALIVE_S = 15
"""After a response, for the next request on the same connection."""
SEND_BUFFER_BYTES = 1 << 13
"""Kernel buffer of a connection: small, so that a slow reader is noticed soon."""
TCP_USER_TIMEOUT_MS = 30_000
"""After this time without an acknowledgement the kernel closes the connection."""
RESTART_DELAY_S = 2.0


class LimitedConnection(H11Protocol):
    """A connection with a small send buffer, a limit for each client address, and a timeout for requests."""

    host = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        host = (transport.get_extra_info("peername") or ("",))[0]
        open_there = sum(isinstance(other, LimitedConnection) and other.host == host for other in self.connections)
        if len(self.connections) >= MAX_CONNECTIONS or open_there >= CONNECTIONS_PER_CLIENT:
            transport.abort()
            return
        self.host = host
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_USER_TIMEOUT_MS)
        app = self.app

        async def with_transport(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, TRANSPORT: transport}, receive, send)

        self.app = with_transport
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT_S, self._abort_if_idle)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._deadline.cancel()
        if not self._answering:
            self._deadline = self.loop.call_later(REQUEST_TIMEOUT_S, self._abort_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.transport is not None:
            self._deadline.cancel()
            super().connection_lost(exc)

    @property
    def _answering(self) -> bool:
        """Whether a complete request waits for its response."""
        return self.cycle is not None and not self.cycle.response_complete

    def _abort_if_idle(self) -> None:
        if not self._answering:
            self.transport.abort()


class Server:
    """``run`` blocks a thread until ``stop``. The constructor binds the address: ``OSError`` if it is in use."""

    def __init__(
        self,
        bridge: BoxLink,
        folder: Path,
        host: str,
        port: int,
        stills: Stills | None = None,
        broker: Broker | None = None,
        extra: ExtraPage | None = None,
    ) -> None:
        self._bridge = bridge
        self._stills = stills
        self._extra = extra
        self._folder = folder
        self._socket = open_listening_socket(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._host = host
        self._mqtt = HomeServer(broker, self.address(), ensure_box_id(folder)) if broker else None
        self._stopped = Event()
        self._server: uvicorn.Server | None = None

    def address(self) -> str:
        """The address for phones, as it is now: the network may come up later."""
        return f"{_public_host(self._host)}:{self.port}"

    def run(self) -> None:
        load_templates()
        while not self._stopped.is_set():
            try:
                asyncio.run(self._serve())
            except Exception:
                traceback.print_exc(file=sys.stderr)
                self._stopped.wait(RESTART_DELAY_S)
        self._socket.close()

    def stop(self) -> None:
        self._stopped.set()
        self._bridge.hub.close()
        if self._server is not None:
            self._server.should_exit = True

    async def _serve(self) -> None:
        self._bridge.hub.open(asyncio.get_running_loop())
        app: ASGIApp = web_app(self._bridge, self._folder, self._stills, self._extra)
        config = uvicorn.Config(
            app,
            http=LimitedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # there is no proxy: the peer is the client
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 14,
        )
        self._server = uvicorn.Server(config)
        self._server.should_exit = self._stopped.is_set()
        pairing = await serve_pairing_socket(self._bridge, self._folder)
        mqtt = asyncio.create_task(self._mqtt.run(self._bridge.hub)) if self._mqtt else None
        try:
            await self._server.serve(sockets=[self._socket.dup()])
        finally:
            if mqtt is not None:
                mqtt.cancel()
                await asyncio.wait({mqtt})
            if pairing is not None:
                pairing.close()
            (self._folder / SOCKET).unlink(missing_ok=True)


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A listening TCP socket, before the server runs."""
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
    """The host to type on a phone: never the wildcard address."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    return outgoing_address() or f"{socket.gethostname()}.local"


def outgoing_address() -> str | None:
    """Our own address on the way to other networks; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.1", 9))  # UDP: nothing is sent, the kernel only chooses a route
            return str(out.getsockname()[0])
        except OSError:
            return None
