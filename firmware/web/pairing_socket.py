"""Unix socket in the state folder (mode 0600) that issues a pairing code to local users."""

import asyncio
import socket
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware.web.box_link import BoxLink

SOCKET = "page.sock"


class PairingOffer(msgspec.Struct, frozen=True):
    address: str
    code: str


async def serve_pairing_socket(bridge: BoxLink, folder: Path) -> asyncio.Server | None:
    """Answer each connection with a new code; None if the socket cannot be opened."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bridge.invite(True)
        if bridge.page is not None:
            writer.write(msgspec.json.encode(PairingOffer(bridge.page.address, bridge.page.code)))
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    path = folder / SOCKET
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        server.bind(str(path))
        path.chmod(0o600)  # before the first connection is accepted
        return await asyncio.start_unix_server(answer, sock=server)
    except OSError as why:
        server.close()
        print(f"{path}: {why.strerror or why}. 'oxeye pair' will not work.", file=sys.stderr)
        return None
