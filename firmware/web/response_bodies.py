"""JSON bodies of the responses to commands, and of errors."""

import msgspec
from starlette.responses import Response


class CommandAnswer(msgspec.Struct, frozen=True):
    """``ok``: the box has accepted the command; otherwise ``says`` is why not; ``version`` is the state after it."""

    ok: bool
    says: str
    version: int


class PairingAnswer(msgspec.Struct, frozen=True):
    """Whether the phone is paired now; if not, ``says`` is why not."""

    paired: bool
    says: str


class ErrorBody(msgspec.Struct, frozen=True):
    """Why a request failed, for the author of the client."""

    error: str


def json_response(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
