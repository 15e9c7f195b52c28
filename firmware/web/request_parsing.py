"""Reads requests: language, token, and a validated body."""

from typing import Annotated, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

from engine.errors import InputError
from firmware.texts.languages import choose_language
from firmware.web.paired_phones import Phones

TOKEN_COOKIE, LANGUAGE_COOKIE = "oxeye", "language"
YEAR_S = 365 * 86400
T = TypeVar("T")


WORDS_LENGTH = 500
"""Most letters of a command: enough for the longest correction that people type."""


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command of an offer, or an entry in the notation of the game."""

    words: Annotated[str, msgspec.Meta(min_length=1, max_length=WORDS_LENGTH)]


class PairingCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The six digits on the box's screen."""

    code: Annotated[str, msgspec.Meta(max_length=20)]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class Malformed(InputError):
    """The body is not valid; the message says why."""


def request_language(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return choose_language(asked, request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", ""))


def read_token(request: Request) -> str:
    return request.cookies.get(TOKEN_COOKIE, "")


def is_paired_request(request: Request, phones: Phones) -> bool:
    return phones.knows(read_token(request))


def require_pairing(request: Request, phones: Phones) -> None:
    if not is_paired_request(request, phones):
        raise HTTPException(401, "pair this phone first")


async def read_body(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as why:
        raise Malformed(str(why)) from why
