"""``oxeye count``: the cards and bull heads of a pile fanned out on a photograph."""

import json
from pathlib import Path

import click

from firmware.photograph import Unreadable, load, quiet
from vision.codebook import BOOK
from vision.frames import grey_of
from vision.tags import read


def heads(card: int) -> int:
    """Bull heads of a number card."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


@click.command("count")
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--json", "as_line", is_flag=True, help="one JSON object")
def command(image: Path, as_line: bool) -> None:
    """Count cards and bull heads of a pile fanned out in IMAGE, every sticker in sight."""
    quiet()
    try:
        tags = read(grey_of(load(image)))
    except Unreadable as error:
        raise click.ClickException(f"{image}: {error}") from error
    codes = {tag.payload: BOOK[tag.payload] for tag in tags}
    cards = sorted(
        int(code.piece) for code in codes.values() if code.game == "nimmt" and code.piece.isdigit()
    )
    total = sum(heads(card) for card in cards)
    if as_line:
        click.echo(json.dumps({"image": str(image), "cards": cards, "count": len(cards), "heads": total}))
        return
    click.echo(f"{len(cards)} cards, {total} bull heads")
    click.echo(" ".join(map(str, cards)))
    if len(tags) > len(codes):
        click.echo("some cards are seen twice and count once: is it one pile?")
