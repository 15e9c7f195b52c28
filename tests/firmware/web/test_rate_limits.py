"""Rate limits: one client cannot take the connections, streams or requests of others."""

import socket
import time
from contextlib import ExitStack, closing

import httpx
import pytest

from firmware.web.rate_limits import (
    CONNECTIONS_PER_CLIENT,
    MAX_KNOWN_CLIENTS,
    STREAMS_PER_CLIENT,
    ConnectionLimiter,
    Rate,
    RateLimiter,
)
from tests.support.page import DEAL, served

QUICK = Rate(10.0, 5)


@pytest.fixture
def box(tmp_path):
    with served(tmp_path, DEAL) as here:
        yield here


def line(box, host):
    """A connection from this loopback address."""
    return socket.create_connection(("127.0.0.1", port(box)), 10, (host, 0))


def port(box):
    return int(box.page.address.rpartition(":")[2])


def status(box, host, path="/api/state"):
    transport = httpx.HTTPTransport(local_address=host)
    with httpx.Client(transport=transport, base_url=box.url) as caller, caller.stream("GET", path) as answer:
        return answer.status_code


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        (["a"] * 5, [0] * 5),
        (["a"] * 8, [0] * 5 + [0.1, 0.2, 0.3]),
        (["a"] * 6 + ["b"], [0] * 5 + [0.1, 0]),
    ],
    ids=["a-page-that-opens", "each-further-request-waits-longer", "another-client-does-not"],
)
def test_requests_over_the_rate_are_delayed(asked, waits):
    limiter = RateLimiter(QUICK)
    assert [limiter.delay(address, 0.0) for address in asked] == pytest.approx(waits)


def test_the_delay_ends_after_a_pause():
    limiter = RateLimiter(QUICK)
    assert [limiter.delay("a", 0.0) for _ in range(9)][-1] > 0
    assert [limiter.delay("a", 2.0) for _ in range(5)] == pytest.approx([0] * 5)


def test_the_guard_delays_one_address_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.web.request_guard.PER_CLIENT", Rate(10.0, 2))
    with served(tmp_path, DEAL) as box:
        began = time.monotonic()
        assert [status(box, "127.0.0.2") for _ in range(5)] == [200] * 5
        assert time.monotonic() - began >= 0.25


def test_a_repeated_error_is_logged_once(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("firmware.web.get_handlers.rules_page", lambda language: 1 / 0)
    with served(tmp_path, DEAL) as box:
        assert [status(box, "127.0.0.2", "/rules") for _ in range(3)] == [500] * 3
    assert capfd.readouterr().err.count("ZeroDivisionError") == 1


def test_addresses_without_a_delay_are_forgotten():
    limiter = RateLimiter(QUICK)
    for n in range(10 * MAX_KNOWN_CLIENTS):
        limiter.delay(str(n), float(n))
    assert len(limiter) <= MAX_KNOWN_CLIENTS


def test_a_closed_connection_makes_room_and_its_address_is_forgotten():
    places = ConnectionLimiter(3, 2)
    with places.held("a"), places.held("a"):
        assert (places.has_room("a"), places.has_room("b")) == (False, True)
        with places.held("b"):
            assert not places.has_room("c")
    assert (len(places), places.has_room("a")) == (0, True)


def test_one_address_cannot_take_the_streams_of_others(box):
    with ExitStack() as stack:
        for _ in range(STREAMS_PER_CLIENT):
            stack.enter_context(stream(box, "127.0.0.2"))
        assert status(box, "127.0.0.2", "/api/events") == 503
        assert status(box, "127.0.0.2") == 200
        assert status(box, "127.0.0.3", "/api/events") == 200


def test_one_address_cannot_take_the_connections_of_others(box):
    with ExitStack() as stack:
        for _ in range(CONNECTIONS_PER_CLIENT):
            stack.enter_context(closing(line(box, "127.0.0.2")))
        with pytest.raises(httpx.TransportError):
            status(box, "127.0.0.2")
        assert status(box, "127.0.0.3") == 200


def stream(box, host):
    """A connection on which the stream has begun."""
    calling = line(box, host)
    calling.sendall(f"GET /api/events HTTP/1.1\r\nHost: {box.page.address}\r\n\r\n".encode())
    assert calling.recv(12) == b"HTTP/1.1 200"
    return closing(calling)
