"""An MQTT client that publishes only, and hangs up on a broker that sends more than confirmations."""

from typing import Any

from paho.mqtt.client import Client

RECEIVED_BYTES = 65_536
"""Bytes that a broker may send in one connection before the first publication. The box subscribes to nothing."""
RECEIVED_BYTES_EACH = 64
"""Bytes more for each publication; a confirmation has four."""


class CappedClient(Client):
    """The library itself would keep a packet of 256 MB in memory."""

    _received = 0
    _allowed = RECEIVED_BYTES

    def reconnect(self) -> Any:
        self._received, self._allowed = 0, RECEIVED_BYTES
        return super().reconnect()

    def publish(self, *args: Any, **kwargs: Any) -> Any:
        self._allowed += RECEIVED_BYTES_EACH
        return super().publish(*args, **kwargs)

    def _sock_recv(self, bufsize: int) -> bytes:
        """Every byte from the broker comes through here; an ``OSError`` ends the connection."""
        room = self._allowed - self._received
        if room <= 0:
            raise OSError("the broker sends more than confirmations")
        part = super()._sock_recv(min(bufsize, room))
        self._received += len(part)
        return part
