"""Handlers of POST requests: commands from paired phones, pairing and unpairing."""

from starlette.requests import Request
from starlette.responses import Response

from engine.text import Text, say
from firmware.box.old_commands import parse_old_command
from firmware.texts.render import render
from firmware.web import request_parsing
from firmware.web.box_link import BoxLink
from firmware.web.pairing_rules import TOKEN_LIFETIME_S
from firmware.web.request_guard import error_response
from firmware.web.request_parsing import (
    TOKEN_COOKIE,
    Nothing,
    PairingCode,
    Say,
    read_body,
    request_language,
    require_pairing,
)
from firmware.web.response_bodies import CommandAnswer, PairingAnswer, json_response

PAIRING_REFUSALS: dict[str, Text] = {"wrong": say("pair_wrong"), "shut": say("pair_shut"), "closed": say("pair_closed")}


class PostHandlers:
    def __init__(self, bridge: BoxLink) -> None:
        self._bridge = bridge
        self._phones = bridge.phones

    async def tell(self, request: Request) -> Response:
        require_pairing(request, self._phones)
        words = (await read_body(request, Say)).words
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())
        answer = await self._bridge.tell(parse_old_command(line, self._bridge.hub.newest.view.offers))
        if answer is None:
            return error_response(503, "the box does not answer")
        after, refused = answer
        says = render(refused, request_language(request), after.names) if refused else ""
        return json_response(CommandAnswer(refused is None, says, after.version))

    async def pair(self, request: Request) -> Response:
        answer, token = self._phones.admit("".join((await read_body(request, PairingCode)).code.split()))
        if answer != "paired":
            says = render(PAIRING_REFUSALS[answer], request_language(request))
            return json_response(PairingAnswer(False, says), 429 if answer == "shut" else 403)
        self._bridge.paired()
        response = json_response(PairingAnswer(True, ""))
        response.set_cookie(TOKEN_COOKIE, token, max_age=int(TOKEN_LIFETIME_S), httponly=True, samesite="strict")
        return response

    async def unpair(self, request: Request) -> Response:
        require_pairing(request, self._phones)
        await read_body(request, Nothing)
        self._phones.forget(request_parsing.read_token(request))
        response = json_response(PairingAnswer(False, ""))
        response.delete_cookie(TOKEN_COOKIE, httponly=True, samesite="strict")
        return response
