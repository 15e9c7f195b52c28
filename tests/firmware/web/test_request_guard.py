"""Every route for every kind of caller: an unpaired client changes nothing and gets no picture."""

import socket
import time
from contextlib import closing

import httpx
import pytest

from firmware.web.paired_phones import Phones
from firmware.web.pairing_rules import TOKEN_LIFETIME_S
from firmware.web.request_guard import MAX_BODY_BYTES, SECURITY_HEADERS
from firmware.web.request_parsing import TOKEN_COOKIE
from firmware.web.routes import POST_PATHS, routes
from tests.support.page import served

READS = (
    "/",
    "/rules",
    "/static/app.js",
    "/openapi.json",
    "/api/state",
    "/api/events",
    "/api/games",
    "/api/history",
    "/export/games.json",
    "/export/games.csv",
    "/export/games/1/log.txt",
    "/export/games/1/sheet",
    "/print/markers.pdf",
)
PICTURE = "/camera.jpg"
KINDS = {"/api/pair": 2, PICTURE: 3}
BODIES = {"/api/tell": {"words": "menu"}, "/api/pair": {"code": "1"}, "/api/unpair": {}}
ROLES = {
    # who asks: of what everybody may read, of what may be told, of the pairing itself, of a picture while a round runs
    "a stranger": (200, 401, 403, 401),
    "a paired phone": (200, 200, 403, 409),
    "a phone whose token is too old": (200, 401, 403, 401),
    "a phone with a made-up token": (200, 401, 403, 401),
    "another page in a paired browser": (200, 403, 403, 409),
    "a page that hides where it came from": (200, 403, 403, 409),
    "somebody who calls the box by another name": (421, 421, 421, 421),
    "somebody who does it the other way round": (405, 405, 405, 405),
    "somebody who wants to delete": (405, 405, 405, 405),
    "somebody who says too much": (405, 413, 413, 405),
    "somebody who says too much bit by bit": (405, 413, 413, 405),
    "somebody who says it as a form does": (405, 415, 415, 405),
    "somebody who says what is no JSON": (405, 400, 400, 405),
}


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    late = Phones(folder, today=lambda: time.time() - TOKEN_LIFETIME_S - 1)
    _, late_token = late.admit(late.invite())
    with served(folder) as here, httpx.Client(base_url=here.url, verify=False, timeout=20) as here.caller:
        here.late = late_token
        yield here


@pytest.fixture(scope="module")
def cookie(box):
    with box.phone() as phone:
        return phone.cookies[TOKEN_COOKIE]


def bits(size):
    for _ in range(size // 100):
        yield b" " * 100


def ask(box, cookie, role, path):
    """Status and headers of the response; of a stream only its beginning."""
    tells = path in POST_PATHS
    method = "POST" if tells else "GET"
    headers = dict(box.origin) if tells else {}
    body = {"json": BODIES[path]} if tells else {}
    match role:
        case "a stranger":
            cookie = ""
        case "a phone whose token is too old":
            cookie = box.late
        case "a phone with a made-up token":
            cookie = "a" * 43
        case "another page in a paired browser":
            headers["origin"] = "http://elsewhere.example"
        case "a page that hides where it came from":
            headers.pop("origin", None)
        case "somebody who calls the box by another name":
            headers["host"] = "elsewhere.example"
            headers["origin"] = "http://elsewhere.example"
        case "somebody who does it the other way round":
            method = "GET" if tells else "POST"
            headers |= box.origin
            body = {} if tells else {"json": {}}
        case "somebody who wants to delete":
            method = "DELETE"
        case "somebody who says too much":
            method, body = "POST", {"json": {"words": "a" * MAX_BODY_BYTES}}
        case "somebody who says too much bit by bit":
            method, body = "POST", {"content": bits(MAX_BODY_BYTES + 1000)}
            headers["content-type"] = "application/json"
        case "somebody who says it as a form does":
            method, body = "POST", {"data": {"words": "menu"}}
        case "somebody who says what is no JSON":
            method, body = "POST", {"content": b"{"}
            headers["content-type"] = "application/json"
    if cookie:
        headers["cookie"] = f"{TOKEN_COOKIE}={cookie}"
    with box.caller.stream(method, path, headers=headers, **body) as response:
        return response


@pytest.mark.parametrize("path", [*READS, *sorted(POST_PATHS), PICTURE])
@pytest.mark.parametrize("role", ROLES)
def test_each_caller_gets_the_expected_status(box, cookie, role, path):
    before = box.entries()
    expected = ROLES[role][KINDS.get(path, 0 if path in READS else 1)]
    if path == "/api/unpair":
        with box.phone() as other:
            cookie = other.cookies[TOKEN_COOKIE]
    response = ask(box, cookie, role, path)
    assert response.status_code == expected
    assert {name: response.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "server" not in response.headers
    assert box.entries() == before


def test_the_table_of_callers_has_every_route(box):
    """A new route needs a line in the table of callers."""
    named = {path.replace("/1/", "/{game}/") for path in (*READS, *POST_PATHS, PICTURE)}
    named = {path.replace("app.js", "{name}").replace("markers.pdf", "{sheet}.pdf") for path in named}
    assert named == {route.path for route in routes(box.page.bridge, box.folder)}


ODD = {
    # what nobody asks by accident: its status, never a fault of ours
    "/static/..%2fpages.py": 404,
    "/static/%2e%2e/page_html.py": 404,
    "/static/..%5cpages.py": 404,
    "/static/..": 404,
    "/static//etc/passwd": 404,
    "/static/app.css%00.css": 404,
    "/static/index.html": 404,
    f"/static/{'a' * 5000}.css": 404,
    f"/export/games/{'9' * 5000}/sheet": 404,
    "/export/games/99999999999999999999/log.txt": 404,
    "/export/games/-1/sheet": 404,
    "/export/games/%C2%B2/sheet": 404,
    "/api/history?game=%C2%B2": 400,
    "/print/..%2fmarkers.pdf": 404,
    "/print/markers.pdf?paper=a4%00": 400,
    "//elsewhere.example/api/state": 404,
    f"/api/state?lang={'x' * 9000}": 200,
    "/?lang=%0d%0aset-cookie:%20a=b": 200,
}


@pytest.mark.parametrize("path", ODD, ids=lambda path: path[:40])
def test_no_path_leads_out_of_the_static_folder(box, path):
    with closing(line(box)) as calling:
        calling.sendall(f"GET {path} HTTP/1.1\r\nHost: {box.page.address}\r\n\r\n".encode())
        answer = calling.recv(1 << 16)
    assert int(answer.split()[1]) == ODD[path]
    assert b"\r\nset-cookie: a=b" not in answer.lower()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("oxeye.local:8480", 200),
        ("[::1]:8480", 200),
        ("192.168.0.7", 200),
        ("elsewhere.example", 421),
        ("127.0.0.1.elsewhere.example", 421),
        ("127.0.0.1:8480.elsewhere.example", 421),
        ("oxeye.local.elsewhere.example", 421),
        ("somebody@127.0.0.1", 421),
        ("2130706433", 421),
        ("", 421),
    ],
)
def test_a_foreign_host_name_is_refused(box, host, status):
    assert box.caller.get("/api/state", headers={"host": host}).status_code == status


@pytest.mark.parametrize("origin", ["null", "{url}/", "{url}.elsewhere.example", "http://127.0.0.1", "https:{url}"])
def test_a_command_from_a_foreign_or_similar_origin_is_refused(box, cookie, origin):
    headers = {"origin": origin.format(url=box.url), "cookie": f"{TOKEN_COOKIE}={cookie}"}
    assert box.caller.post("/api/tell", json={"words": "menu"}, headers=headers).status_code == 403


@pytest.mark.parametrize("said", [b'"\\ud800"', b'"\xed\xa0\x80"', b"1", b"[" * 4000, b'""'], ids=range(5))
def test_a_body_that_holds_no_words_is_refused(box, cookie, said):
    headers = {**box.origin, "cookie": f"{TOKEN_COOKIE}={cookie}", "content-type": "application/json"}
    answer = box.caller.post("/api/tell", content=b'{"words": ' + said + b"}", headers=headers)
    assert answer.status_code == 400


def line(box):
    return socket.create_connection(("127.0.0.1", int(box.page.address.rpartition(":")[2])), 10)
