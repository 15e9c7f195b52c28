"""Responses match the OpenAPI description, for allowed and for malformed requests."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.config import SchemathesisConfig

from firmware.web.openapi import openapi_json
from firmware.web.request_parsing import TOKEN_COOKIE
from tests.support.page import DEAL, served

SLOW = ("/api/events", "/print/")
"""A stream has no end and a print takes seconds: test_request_guard requests them."""
EXAMPLES = 8

described = json.loads(openapi_json())
described["paths"] = {path: told for path, told in described["paths"].items() if not path.startswith(SLOW)}
schema = schemathesis.openapi.from_dict(described, config=SchemathesisConfig())


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    with served(tmp_path_factory.mktemp("described"), DEAL) as here, here.phone() as phone:
        here.caller = phone
        yield here


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
)
def test_answers_are_as_described(box, case: Case):
    if TOKEN_COOKIE in (case.cookies or {}) and case.path != "/api/unpair":
        case.cookies[TOKEN_COOKIE] = box.caller.cookies[TOKEN_COOKIE]
    case.call_and_validate(base_url=box.url, headers=box.origin)
