"""``oxeye pair``: ask the box that runs here for a code, so that a phone can be paired without a screen."""

import socket
from pathlib import Path

import click
import msgspec

from engine.text import say
from firmware.machine.folders import chosen_folder
from firmware.texts.render import render
from firmware.web.local_pairing import SOCKET, PairingOffer

REPLY_TIMEOUT_S = 5.0


@click.command(help="A code with which a phone is let in, good for two minutes; for a box that has no screen.")
@click.option("--state", type=click.Path(path_type=Path, file_okay=False), help="the folder of the box's state")
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
