"""``oxeye print``: stickers, markers, a mat and a whole deck as PDF, or as pictures."""

import math
from collections.abc import Callable
from pathlib import Path

import click

from firmware.sheets import choose, markers, reach
from firmware.sheets.deck import deck_sheets
from firmware.sheets.joined import joined_sheets
from firmware.sheets.labels import label_sheets
from firmware.sheets.mat import NoRoom, mat_sheets
from firmware.sheets.paper import PAPERS, Sheets
from firmware.sheets.pictures import write_pictures
from firmware.sheets.stickers import Grid, Misfit, sticker_sheets
from vision.codebook import Code

EXAMPLES = {",": "8,11,12,10,24,25", "x": "700x460"}

Wrap = Callable[[Callable[..., None]], Callable[..., None]]


def _numbers(names: str, mark: str) -> Callable[..., tuple[float, ...] | None]:
    """Reads ``594x420`` or ``8,11,12,10,24,25``: so many numbers with a mark between them."""
    count = len(names.split(mark))

    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, ...] | None:
        if value is None:
            return None
        try:
            numbers = tuple(float(word) for word in value.lower().split(mark))
        except ValueError:
            numbers = ()
        if len(numbers) != count or not all(map(math.isfinite, numbers)):
            raise click.BadParameter(
                f"{value!r} is not {names}: give {count} numbers, as in {EXAMPLES[mark]}.", ctx, param
            )
        return numbers

    return read


def _between(
    least: float, most: float, what: str
) -> Callable[[click.Context, click.Parameter, float], float]:
    def check(ctx: click.Context, param: click.Parameter, value: float) -> float:
        if not least <= value <= most:
            raise click.BadParameter(f"{what} are {least:g} to {most:g} mm large, not {value:g}.", ctx, param)
        return value

    return check


_size = click.option(
    "--size",
    default=reach.USUAL,
    show_default=True,
    metavar="MM",
    callback=_between(reach.SMALLEST, reach.LARGEST, "Stickers"),
    help="A sticker's side in mm, white border included: 12 to 25.",
)
_marker = click.option(
    "--marker",
    default=markers.USUAL,
    show_default=True,
    metavar="MM",
    callback=_between(markers.SMALLEST, markers.LARGEST, "Markers"),
    help="Side of a marker's black square in mm: 25 to 80.",
)
_game = click.option("--game", type=click.Choice(list(choose.GAMES)), help="Which game.  [default: nimmt]")
_only = click.option(
    "--only", metavar="CARDS", help="Just these, to replace lost ones: 44,45,60-63,fifth,block.2"
)
_specials = click.option("--specials", is_flag=True, help="With the 28 special cards of 6 nimmt!.")
_png = click.option(
    "--png",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write pictures into DIR instead of a PDF: one PNG for each sticker and marker, and index.json.",
)


def _paper(*names: str) -> Wrap:
    return click.option(
        "--paper", type=click.Choice(names), default=names[0], show_default=True, help="Sheet size."
    )


def _out(name: str) -> Wrap:
    return click.option(
        "--out",
        metavar="FILE",
        default=name,
        show_default=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help="The PDF to write.",
    )


@click.group(name="print", invoke_without_command=True)
@_png
@_size
@_marker
@click.pass_context
def command(ctx: click.Context, png: Path | None, size: float, marker: float) -> None:
    """Make what a table needs: stickers, corner markers, a mat, or a whole deck.

    With --png alone every sticker and marker there is becomes a picture.
    """
    if ctx.invoked_subcommand is not None:
        if png is not None:
            raise click.UsageError(
                f"Put --png behind the word: oxeye print {ctx.invoked_subcommand} --png {png}"
            )
    elif png is not None:
        _pictures(png, choose.codes(None), size, marker)
    else:
        click.echo(ctx.get_help())


@command.command()
@_game
@_only
@_specials
@click.option(
    "--backs", metavar="N", default=0, type=click.IntRange(0, 500), help="And N tags for card backs."
)
@_size
@_paper("a4", "letter")
@click.option(
    "--grid",
    callback=_numbers("cols,rows,left,top,pitch_x,pitch_y", ","),
    metavar="C,R,LEFT,TOP,PX,PY",
    help="Ready-cut labels: columns, rows, then in mm the first sticker's place on the sheet and the steps "
    "to the next column and row.",
)
@click.option(
    "--start", default=1, metavar="N", type=click.IntRange(1), help="The first label that is still there."
)
@_png
@_marker
@_out("oxeye-stickers.pdf")
def stickers(
    game: str | None,
    only: str | None,
    specials: bool,
    backs: int,
    size: float,
    paper: str,
    grid: tuple[float, ...] | None,
    start: int,
    png: Path | None,
    marker: float,
    out: Path,
) -> None:
    """Stickers for the cards of a game, each with its card's name beside it."""
    if png is not None and game is None and only is None:
        codes = choose.codes(None)
    else:
        codes = _chosen(game or "nimmt", only, specials) + choose.codes("any") * backs
    if png is not None:
        _pictures(png, codes, size, marker)
        return
    sheet = PAPERS[paper]
    try:
        if grid is None and start > 1:
            raise click.BadParameter(
                "Only sheets of labels have a first label: give their --grid.", param_hint="--start"
            )
        if grid is None:
            made = sticker_sheets(codes, size, sheet)
        else:
            made = label_sheets(codes, size, sheet, Grid.of(*grid), start)
    except Misfit as why:
        raise click.BadParameter(str(why), param_hint="--grid") from None
    _write(made, out, choose.count(len(codes), "sticker"))
    click.echo(reach.table(size))
    _warn(size)


@command.command(name="markers")
@_marker
@_paper("a4", "letter")
@_png
@_out("oxeye-markers.pdf")
def four(marker: float, paper: str, png: Path | None, out: Path) -> None:
    """The four markers that say where the table's area is."""
    if png is not None:
        _pictures(png, (), reach.USUAL, marker)
    else:
        _write(markers.marker_sheets(marker, PAPERS[paper]), out, "4 markers")


@command.command()
@click.option(
    "--area",
    callback=_numbers("WIDTHxHEIGHT", "x"),
    metavar="WxH",
    help="The area between the markers in mm, 700x460 for example.  [default: what the paper holds]",
)
@_paper("a4", "a3", "a2", "a1", "letter")
@_marker
@_out("oxeye-mat.pdf")
def mat(area: tuple[float, float] | None, paper: str, marker: float, out: Path) -> None:
    """A mat with its markers: one A2 or A1 page, or A4, A3 or Letter sheets to be joined."""
    try:
        if paper in ("a1", "a2"):
            made = mat_sheets(PAPERS[paper], area, {}, marker)
        else:
            made = joined_sheets(PAPERS[paper], area, {}, marker)
    except NoRoom as why:
        raise click.BadParameter(str(why), param_hint="--area") from None
    _write(made, out, made.title)


@command.command()
@_game
@_only
@_specials
@click.option("--backs", is_flag=True, help="And a sheet of backs behind each sheet, with the back tag.")
@_size
@_paper("a4", "letter")
@_out("oxeye-cards.pdf")
def cards(
    game: str | None, only: str | None, specials: bool, backs: bool, size: float, paper: str, out: Path
) -> None:
    """A whole deck of plain cards, codes printed in place: cut, and play."""
    if game == "six":
        raise click.BadParameter("SIX is played with tiles: print stickers for them.", param_hint="--game")
    codes = _chosen(game or "nimmt", only, specials)
    if any(code.piece == "back" for code in codes):
        raise click.BadParameter(
            "A back is no card. Print backs behind the cards with --backs.", param_hint="--only"
        )
    _write(deck_sheets(codes, size, PAPERS[paper], backs=backs), out, choose.count(len(codes), "card"))
    _warn(size)


def _chosen(game: str, only: str | None, specials: bool) -> tuple[Code, ...]:
    if specials and game != "nimmt":
        raise click.BadParameter(f"{choose.GAMES[game]} has no special cards.", param_hint="--specials")
    if only is None:
        return choose.codes(game, specials=specials)
    try:
        return choose.only(game, only)
    except choose.Unknown as why:
        raise click.BadParameter(str(why), param_hint="--only") from None


def _write(made: Sheets, out: Path, what: str) -> None:
    try:
        out.write_bytes(made.finished())
    except OSError as why:
        raise click.FileError(str(out), f"{why.strerror}. Choose another place with --out.") from None
    click.echo(
        f"{out}: {what}, {choose.count(made.pages, 'page')}. Print at 100 % and measure the 100 mm line."
    )


def _pictures(folder: Path, codes: tuple[Code, ...], size: float, marker: float) -> None:
    try:
        count = write_pictures(folder, codes, size, marker)
    except OSError as why:
        raise click.FileError(str(folder), f"{why.strerror}. Choose another folder with --png.") from None
    click.echo(f"{folder}: {count} pictures and index.json")


def _warn(size: float) -> None:
    said = reach.warning(size)
    if said is not None:
        click.secho(f"Warning: {said}", fg="yellow", err=True)
