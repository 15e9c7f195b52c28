"""``oxeye pair``: get a pairing code from the running box, so that a phone can be paired without a screen."""

import socket
from pathlib import Path

import click
import msgspec

from engine.text import say
from firmware.machine.state_folder import chosen_folder
from firmware.texts.render import render
from firmware.web.pairing_socket import SOCKET, PairingOffer

REPLY_TIMEOUT_S = 5.0
"""Seconds to wait for the running box on its Unix socket."""


@click.command(help="Show a code that pairs a phone for a box without a screen. It is valid for two minutes.")
@click.option("--state", type=click.Path(path_type=Path, file_okay=False), help="the state folder of the box")
def command(state: Path | None) -> None:
    folder = state or chosen_folder()
    try:
        invited = request_code(folder / SOCKET)
    except (OSError, msgspec.MsgspecError):
        raise click.ClickException(render(say("pair_no_box", value=str(folder)))) from None
    code = f"{invited.code[:3]} {invited.code[3:]}"
    click.echo(f"http://{invited.address}")
    click.echo(render(say("pair_code", value=code, line=invited.address)))


def request_code(path: Path) -> PairingOffer:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(REPLY_TIMEOUT_S)
        line.connect(str(path))
        said = b""
        while part := line.recv(1024):
            said += part
    return msgspec.json.decode(said, type=PairingOffer)
