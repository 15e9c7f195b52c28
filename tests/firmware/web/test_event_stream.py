"""The event stream: many listeners cost the referee nothing, and one that does not read is dropped."""

import socket
import statistics
import time
from contextlib import ExitStack, closing

import pytest

from firmware.web.event_stream import Pace
from tests.support.page import DEAL, served

HASTY = Pace(min_interval=0.005, heartbeat=0.2, unread_timeout=0.3)
SMALL = 4096
LATE = 20.0


def listener(box, number=1, *, room=SMALL):
    """A connection that has requested the stream and read nothing, from an address of its own."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.bind((f"127.0.1.{number}", 0))
    line.connect(("127.0.0.1", int(box.page.address.rpartition(":")[2])))
    line.sendall(f"GET /api/events HTTP/1.1\r\nHost: {box.page.address}\r\n\r\n".encode())
    return line


def moves(phone, count):
    """Repeat one move: each time a new state for all listeners."""
    for _ in range(count):
        for words in ("reveal 1 15", "amend 1 2"):
            assert phone.post("/api/tell", json={"words": words}).json()["ok"]


@pytest.fixture
def box(tmp_path):
    with served(tmp_path, DEAL, pace=HASTY) as here:
        yield here


def test_listeners_that_do_not_read_are_dropped_and_others_are_served(box):
    hub = box.page.bridge.hub
    with ExitStack() as stack, box.phone() as phone:
        reader = stack.enter_context(closing(listener(box, room=1 << 20)))
        for number in range(15):
            stack.enter_context(closing(listener(box, number + 2)))
        assert hub.wait_until(lambda: len(hub) == 16, LATE)
        moves(phone, 15)
        assert hub.wait_until(lambda: hub.dropped == 15 and len(hub) == 1, LATE)
        last = hub.newest.version
        reader.settimeout(LATE)
        heard = b""
        while f"id: {last}\n".encode() not in heard:
            heard += reader.recv(1 << 16)


def test_a_closed_connection_is_forgotten(box):
    hub = box.page.bridge.hub
    with ExitStack() as stack:
        for number in range(20):
            stack.enter_context(closing(listener(box, number + 1)))
        assert hub.wait_until(lambda: len(hub) == 20, LATE)
    assert hub.wait_until(lambda: len(hub) == 0, LATE)
    assert hub.dropped == 0


def test_publishing_takes_no_longer_with_many_listeners(box):
    """Sixty listeners, and none."""
    hub, companion = box.page.bridge.hub, box.companion

    def published():
        spent = []
        for _ in range(300):
            start = time.perf_counter()
            hub.publish(hub.newest)
            spent.append(time.perf_counter() - start)
        return statistics.median(spent)

    alone = published()
    with ExitStack() as stack:
        for number in range(60):
            stack.enter_context(closing(listener(box, number + 1)))
        assert hub.wait_until(lambda: len(hub) == 60, LATE)
        assert published() < alone + 0.001
    assert companion.view.alert is None


@pytest.mark.parametrize(
    "said",
    ["", "GET / HT", "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT"],
    ids=["nothing", "half-a-request", "one-and-a-half"],
)
def test_a_connection_without_a_complete_request_is_closed(tmp_path, monkeypatch, said):
    monkeypatch.setattr("firmware.web.server.REQUEST_TIMEOUT_S", 0.05)
    monkeypatch.setattr("firmware.web.server.KEEP_ALIVE_S", 1)
    with (
        served(tmp_path, DEAL) as box,
        closing(socket.create_connection(("127.0.0.1", int(box.page.address.rpartition(":")[2])))) as line,
    ):
        line.sendall(said.encode())
        line.settimeout(LATE)
        while line.recv(1000):
            pass  # until the server closes the connection; otherwise recv times out


@pytest.mark.parametrize(
    ("asked", "begins"),
    [
        ("GET /api/events HTTP/1.0", b"event: state\nid: "),
        ("GET /api/events HTTP/1.1", None),
        ("GET /api/events?live HTTP/1.1", None),
    ],
    ids=["http-1.0", "http-1.1", "page"],
)
def test_the_first_event_comes_at_once_and_for_a_page_with_its_parts(box, asked, begins):
    with closing(socket.create_connection(("127.0.0.1", int(box.page.address.rpartition(":")[2])))) as line:
        line.settimeout(LATE)
        line.sendall(f"{asked}\r\nHost: {box.page.address}\r\n\r\n".encode())
        heard = b""
        while heard.count(b"\n\n") < (2 if "?live" in asked else 1):
            heard += line.recv(1 << 16)
        body = heard.partition(b"\r\n\r\n")[2]
        assert body.startswith(begins or b"%x\r\nevent: state\nid: " % int(body.partition(b"\r\n")[0], 16))
        assert (b"event: live\n" in body) == ("?live" in asked)


def test_a_listener_that_does_not_read_is_dropped_without_a_new_state(box, monkeypatch):
    hub = box.page.bridge.hub
    monkeypatch.setattr("firmware.web.server.SEND_BUFFER_BYTES", 1)
    with closing(listener(box)), box.phone() as phone:
        assert hub.wait_until(lambda: len(hub) == 1, LATE)
        moves(phone, 5)
        assert hub.wait_until(lambda: (len(hub), hub.dropped) == (0, 1), LATE)
