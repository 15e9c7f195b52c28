"""``oxeye count``: count the cards and bull heads of a fanned-out pile on a photo."""

import json
from pathlib import Path

import click

from firmware.box.games import ui_of
from firmware.cli.read import UnreadablePhoto, load_photo, silence_opencv
from vision.frame import to_grey
from vision.tags.codebook import BOOK
from vision.tags.reader import read_tags


@click.command("count")
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--json", "as_line", is_flag=True, help="print one JSON object")
def command(image: Path, as_line: bool) -> None:
    """Count the cards and bull heads of a pile in the photo IMAGE. Fan the pile out so that every sticker shows."""
    silence_opencv()
    try:
        tags = read_tags(to_grey(load_photo(image)[0]))
    except UnreadablePhoto as error:
        raise click.ClickException(f"{image}: {error}") from error
    codes = {tag.payload: BOOK[tag.payload] for tag in tags}
    counted = [code for code in codes.values() if code.piece in ui_of(code.game).card_points]
    cards = sorted(int(code.piece) for code in counted)
    total = sum(ui_of(code.game).card_points[code.piece] for code in counted)
    if as_line:
        click.echo(json.dumps({"image": str(image), "cards": cards, "count": len(cards), "heads": total}))
        return
    click.echo(f"{len(cards)} cards, {total} bull heads")
    click.echo(" ".join(map(str, cards)))
    if len(tags) > len(codes):
        click.echo("some cards appear twice and count once: is this one pile?")
