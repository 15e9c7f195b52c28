"""What is answered to who tells something, and what goes wrong in words."""

import msgspec
from starlette.responses import Response


class CommandAnswer(msgspec.Struct, frozen=True):
    """``ok``: the box could use the words; else ``says`` is what it says to them. ``version`` is that of the state."""

    ok: bool
    says: str
    version: int


class PairingAnswer(msgspec.Struct, frozen=True):
    """Whether the phone is paired now; if not, ``says`` is why."""

    paired: bool
    says: str


class ErrorBody(msgspec.Struct, frozen=True):
    """Why there is no other answer, for whoever writes the program that asked."""

    error: str


def json_response(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
