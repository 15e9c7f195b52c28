"""Handlers of the simulated table: its page, its pictures, its events, and what the person does there."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from engine.text import say
from firmware.simulation.scenarios import SCENARIOS
from firmware.texts.render import render
from firmware.web.api_state import api_state
from firmware.web.box_link import BoxLink
from firmware.web.camera_picture import Still, Stills, draw_whole_still
from firmware.web.extra_page import TABLE_PATH
from firmware.web.page_html import simulated_table_page
from firmware.web.pairing_rules import TOKEN_LIFETIME_S
from firmware.web.piece_pictures import draw_piece_picture
from firmware.web.rate_limits import ConnectionLimiter, client_address
from firmware.web.request_guard import error_response
from firmware.web.request_parsing import TOKEN_COOKIE, Malformed, is_paired_request, request_language
from firmware.web.response_bodies import CommandAnswer, json_response
from firmware.web.table_acts import AnyTableAct
from firmware.web.table_link import TableLink

MAX_WATCHERS = 6
"""Windows that see the live picture, or follow the table, at once."""
EVENT_PAUSE_S = 0.08
"""Least time between two events, and between two looks for a change."""
HEARTBEAT_LOOKS = 120
"""Looks without a change after which a comment shows that the connection stands."""
PIECE_CACHE_S = 86400
ACT_DECODER: msgspec.json.Decoder[AnyTableAct] = msgspec.json.Decoder(AnyTableAct)


class TableHandlers:
    """Open to this computer alone, unless the whole network was allowed."""

    def __init__(self, bridge: BoxLink, stills: Stills, link: TableLink, *, everywhere: bool) -> None:
        self._bridge = bridge
        self._stills = stills
        self._link = link
        self._everywhere = everywhere
        self._watchers = ConnectionLimiter(MAX_WATCHERS, MAX_WATCHERS)
        self._pictures = ConnectionLimiter(MAX_WATCHERS, MAX_WATCHERS)
        self._drawn: tuple[Still | None, dict[bool, bytes]] = (None, {})
        self._drawing = asyncio.Lock()

    async def page(self, request: Request) -> Response:
        """The browser of this computer is paired as it opens the page: it is where the box runs."""
        self._admit(request)
        language, phones = request_language(request), self._bridge.phones
        paired, token = is_paired_request(request, phones), ""
        if (
            not paired
            and is_local(request)
            and request.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        ):
            paired, token = True, await run_in_threadpool(phones.admit_here)
        response = HTMLResponse(
            simulated_table_page(api_state(self._bridge.hub.newest, language, paired), list_scenarios(language))
        )
        if token:
            response.set_cookie(TOKEN_COOKIE, token, max_age=int(TOKEN_LIFETIME_S), httponly=True, samesite="strict")
        return response

    async def picture(self, request: Request) -> Response:
        """The next frame of the camera; it waits for it, so that pictures come at the pace of the camera."""
        self._admit(request)
        address = client_address(request.scope)
        if not self._pictures.has_room(address):
            return error_response(503, "too many windows watch the table", {"retry-after": "5"})
        with self._pictures.held(address):
            still = await self._stills.take()
        if still is None:
            return error_response(503, render(say("picture_none"), request_language(request)))
        picture = await self._draw(still, reading="seen" in request.query_params)
        return Response(picture, media_type="image/jpeg")

    async def _draw(self, still: Still, *, reading: bool) -> bytes:
        """Each frame is drawn once for all who watch."""
        async with self._drawing:
            if self._drawn[0] is not still:
                self._drawn = (still, {})
            drawn = self._drawn[1]
            if reading not in drawn:
                drawn[reading] = await run_in_threadpool(draw_whole_still, still, reading=reading)
            return drawn[reading]

    async def piece(self, request: Request) -> Response:
        self._admit(request)
        game, piece = request.path_params["game"], request.path_params["piece"]
        picture = await run_in_threadpool(draw_piece_picture, game, piece)
        if picture is None:
            raise HTTPException(404, "no such piece")
        return Response(picture, media_type="image/png", headers={"cache-control": f"private, max-age={PIECE_CACHE_S}"})

    async def events(self, request: Request) -> Response:
        self._admit(request)
        if not self._watchers.has_room(client_address(request.scope)):
            return error_response(503, "too many windows watch the table", {"retry-after": "5"})
        return TableEvents(self._watchers, self._link, self._follow(request_language(request)))

    async def _follow(self, language: str) -> AsyncIterator[bytes]:
        """The table, whenever it has changed."""
        sent: object = None
        looks = 0
        while True:
            shown = self._bridge.hub.newest
            record = (shown.log.options, len(shown.log.moves)) if shown.log else None
            now = (self._link.state_key(), shown.game, record, shown.names)
            looks += 1
            if now != sent:
                sent, looks = now, 0
                body = msgspec.json.encode(self._link.message(shown, language))
                yield b"event: table\ndata: " + body + b"\n\n"
            elif looks % HEARTBEAT_LOOKS == 0:
                yield b":\n\n"
            await asyncio.sleep(EVENT_PAUSE_S)

    async def act(self, request: Request) -> Response:
        self._admit(request)
        refused = self._link.do(await read_table_act(request))
        says = render(refused, request_language(request)) if refused else ""
        return json_response(CommandAnswer(refused is None, says, self._bridge.hub.newest.version))

    def _admit(self, request: Request) -> None:
        if not self._everywhere and not is_local(request):
            raise HTTPException(403, "the table is open to this computer only")


class SimulatedTablePage:
    """The page of the simulated table; ``everywhere``: for the whole network."""

    post_paths = frozenset({"/api/table"})

    def __init__(self, link: TableLink, *, everywhere: bool = False) -> None:
        self.show_screen = link.show_screen
        self._link = link
        self._everywhere = everywhere

    def routes(self, bridge: BoxLink, stills: Stills) -> list[BaseRoute]:
        handlers = TableHandlers(bridge, stills, self._link, everywhere=self._everywhere)
        return [
            Route(TABLE_PATH, handlers.page),
            Route("/table/picture.jpg", handlers.picture),
            Route("/table/piece/{game}/{piece}.png", handlers.piece),
            Route("/table/events", handlers.events),
            Route("/api/table", handlers.act, methods=["POST"]),
        ]


class TableEvents(StreamingResponse):
    """The stream of one window, counted while it is open: so long a person sits at the table."""

    def __init__(self, limiter: ConnectionLimiter, link: TableLink, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
        self._limiter = limiter
        self._link = link

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._limiter.held(client_address(scope)):
            self._link.sit_down()
            try:
                await super().__call__(scope, receive, send)
            finally:
                self._link.stand_up()


def list_scenarios(language: str) -> list[tuple[str, str, str]]:
    """Name, title and advice of each scenario."""
    return [(it.name, render(it.title, language), render(it.advice, language)) for it in SCENARIOS]


async def read_table_act(request: Request) -> AnyTableAct:
    try:
        return ACT_DECODER.decode(await request.body())
    except (msgspec.MsgspecError, UnicodeDecodeError) as why:
        raise Malformed(str(why)) from why


def is_local(request: Request) -> bool:
    """Does the request come from this computer?"""
    try:
        return ipaddress.ip_address(client_address(request.scope)).is_loopback
    except ValueError:
        return False
