"""The OpenAPI description, generated from the types of the requests and responses."""

from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from firmware.web.api_state import ApiState
from firmware.web.move_history import History
from firmware.web.print_queue import print_options
from firmware.web.request_parsing import Nothing, PairingCode, Say
from firmware.web.response_bodies import CommandAnswer, ErrorBody, PairingAnswer
from firmware.web.setup_form import Choices

TYPES = (ApiState, Choices, History, CommandAnswer, PairingAnswer, ErrorBody, Say, PairingCode, Nothing)
ERROR_DESCRIPTIONS = {
    400: "The request is malformed.",
    401: "This phone is not paired.",
    403: "The Origin is another page, or the code is wrong.",
    404: "Not found.",
    409: "Not possible now.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    429: "Too many wrong codes: wait a minute.",
    503: "The box does not answer, or is overloaded.",
}
PAIRED: dict[str, Any] = {"security": [{"paired": []}]}
LANG = {
    "name": "lang",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The language of every text, such as de or pt-BR; without it the one the browser prefers.",
}
LIVE = {
    "name": "live",
    "in": "query",
    "schema": {"type": "string"},
    "description": "With it, events named live bring the parts of the page, as HTML in JSON.",
}
GAME = {
    "name": "game",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 0, "maximum": 10**9},
    "description": "The number of a game in the journal.",
}


@cache
def openapi_json() -> bytes:
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Oxeye",
                "version": version("oxeye"),
                "description": "The table as the referee sees it. Everyone on the network may read. A command needs "
                "the cookie of a paired phone and an Origin header with the address of the box.",
            },
            "paths": {**_state_paths(), **_command_paths(), **_export_paths(), **_print_paths()},
            "components": {
                "schemas": msgspec.json.schema_components(TYPES, ref_template="#/components/schemas/{name}")[1],
                "securitySchemes": {"paired": {"type": "apiKey", "in": "cookie", "name": "oxeye"}},
            },
        }
    )


def _state_paths() -> dict[str, Any]:
    number = {"name": "game", "in": "query", "schema": GAME["schema"], "description": "Without it, the running game."}
    return {
        "/api/state": {"get": _get("The table now.", {"application/json": _ref(ApiState)}, LANG)},
        "/api/events": {
            "get": _get("The table now, and after each change, as events.", {"text/event-stream": {}}, LANG, LIVE)
            | _responses({"text/event-stream": {}}, 503)
        },
        "/api/games": {"get": _get("The games and their options.", {"application/json": _ref(Choices)}, LANG)},
        "/api/history": {
            "get": _get("Every move of a game.", {"application/json": _ref(History)}, LANG, number)
            | _responses({"application/json": _ref(History)}, 400, 404, 503)
        },
        "/openapi.json": {"get": _get("This description.", {"application/json": {"type": "object"}})},
        "/camera.jpg": {
            "get": _get("The table as the camera sees it, black outside the zones.", {"image/jpeg": {}})
            | _responses({"image/jpeg": {}}, 401, 409, 503)
            | PAIRED
        },
        "/rules": {"get": _get("The rules, with an anchor for each ruling.", {"text/html": {}}, LANG)},
    }


def _command_paths() -> dict[str, Any]:
    return {
        "/api/tell": {
            "post": _post("Say the words of an offer, or an entry.", Say, CommandAnswer, 401, 503, paired=True)
        },
        "/api/pair": {
            "post": _post("Pair this phone with the code that the box shows.", PairingCode, PairingAnswer, 429)
        },
        "/api/unpair": {"post": _post("Forget this phone.", Nothing, PairingAnswer, 401, paired=True)},
    }


def _export_paths() -> dict[str, Any]:
    everything = {"type": "array", "items": {"type": "object"}}
    return {
        "/export/games.json": {"get": _get_export("Every game with its scores.", {"application/json": everything})},
        "/export/games.csv": {"get": _get_export("The same, a line for each player.", {"text/csv": {}})},
        "/export/games/{game}/log.txt": {
            "get": _get_export("One game as its log.", {"text/plain": {}}, GAME, LANG)
            | _responses({"text/plain": {}}, 404, 409, 503)
        },
        "/export/games/{game}/sheet": {"get": _get_export("A score sheet to print.", {"text/html": {}}, GAME, LANG)},
    }


def _print_paths() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for sheet, wishes in print_options().items():
        asked = [{"name": n, "in": "query", "schema": {"type": "string", "enum": v}} for n, v in wishes.items()]
        got = _get(f"A PDF to print: {sheet}.", {"application/pdf": {}}, *asked)
        found[f"/print/{sheet}.pdf"] = {"get": got | _responses({"application/pdf": {}}, 400, 503)}
    return found


def _get_export(what: str, content: dict[str, Any], *given: dict[str, Any]) -> dict[str, Any]:
    return _get(what, content, *given) | _responses(content, *((404, 503) if given else (503,)))


def _get(what: str, content: dict[str, Any], *given: dict[str, Any]) -> dict[str, Any]:
    return {"summary": what, "parameters": list(given), **_responses(content)}


def _post(what: str, said: type, answered: type, *whys: int, paired: bool = False) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref(said)}}
    return {
        "summary": what,
        "requestBody": {"required": True, "content": content},
        **_responses({"application/json": _ref(answered)}, 400, 403, 413, 415, *whys),
        **(PAIRED if paired else {}),
    }


def _responses(content: dict[str, Any], *whys: int) -> dict[str, Any]:
    fault = {"application/json": {"schema": {"anyOf": [_ref(ErrorBody), _ref(PairingAnswer)]}}}
    good = {kind: {"schema": schema} for kind, schema in content.items()}
    bad = {str(why): {"description": ERROR_DESCRIPTIONS[why], "content": fault} for why in sorted(whys)}
    return {"responses": {"200": {"description": "Success.", "content": good}, **bad}}


def _ref(kind: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}
