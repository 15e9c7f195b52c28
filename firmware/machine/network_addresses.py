"""Addresses that a person writes on the command line: where the page is served, and the MQTT broker."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from engine.errors import InputError

NO_PAGE = "none"
LOCALHOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
PAGE_PORT = 8480
MQTT_PORT, MQTTS_PORT = 1883, 8883


class BadAddress(InputError):
    """The text is no address of the kind that was asked for."""


@dataclass(frozen=True, slots=True)
class Broker:
    """``tls``: the broker must have a certificate of a known authority, or of the one in the file ``authority``.

    ``password`` is best read from a file: every user of the computer can read that of an address.
    """

    host: str
    port: int = MQTT_PORT
    user: str = ""
    tls: bool = False
    password: str = field(default="", repr=False)
    authority: Path | None = None


@dataclass(frozen=True, slots=True)
class PageAddress:
    """``exact``: this port or none; otherwise any free port if this one is taken. ``mqtt`` gets the state too."""

    host: str = LOCALHOST
    port: int = PAGE_PORT
    exact: bool = False
    mqtt: Broker | None = None


def parse_page_address(text: str) -> PageAddress | None:
    """``[HOST:]PORT``, ``lan`` for the whole network, ``none`` for no page. The default port may be taken."""
    if text == NO_PAGE:
        return None
    if text in ("lan", str(PAGE_PORT)):
        return PageAddress(EVERYWHERE if text == "lan" else LOCALHOST)
    host, colon, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535 or (colon and not host):
        raise BadAddress(text)
    return PageAddress(host.removeprefix("[").removesuffix("]") or LOCALHOST, int(port), exact=True)


def parse_broker(text: str) -> Broker:
    """``[mqtt://|mqtts://][USER[:PASSWORD]@]HOST[:PORT]``."""
    parts = urlsplit(text if "//" in text else f"//{text}", scheme="mqtt")
    tls = parts.scheme == "mqtts"
    try:
        port = parts.port or (MQTTS_PORT if tls else MQTT_PORT)
    except ValueError:
        port = 0
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or not port or parts.path or parts.query:
        raise BadAddress(text)
    return Broker(parts.hostname, port, unquote(parts.username or ""), tls, unquote(parts.password or ""))
