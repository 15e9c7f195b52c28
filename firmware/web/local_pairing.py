"""The back door: whoever may use the folder of the state on this computer may ask for a code."""

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
    """Answers every knock with a new code; None where there can be no such door."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bridge.invite(True)
        if bridge.page is not None:
            writer.write(msgspec.json.encode(PairingOffer(bridge.page.address, bridge.page.code)))
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    path = folder / SOCKET
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        door.bind(str(path))
        path.chmod(0o600)  # before anybody can knock
        return await asyncio.start_unix_server(answer, sock=door)
    except OSError as why:
        door.close()
        print(f"{path}: {why.strerror or why}. 'oxeye pair' will not work.", file=sys.stderr)
        return None
