"""``oxeye print``: stickers, markers, a mat or a whole deck as PDF, or as pictures."""

from collections.abc import Mapping
from pathlib import Path

import click
from click.core import ParameterSource

from engine.games import GAMES
from engine.table import Area
from firmware.cli import print_options as options
from firmware.cli.game_options import DEFAULT_GAME
from firmware.printing import camera_range, markers, piece_selection
from firmware.printing.deck_sheets import draw_deck
from firmware.printing.games import printed_game
from firmware.printing.label_sheets import draw_labels
from firmware.printing.mat import UnprintableArea, draw_mat_sheet
from firmware.printing.paper_sizes import MAT_PAPERS, PAPERS, SHEET_PAPERS, TILED_PAPERS
from firmware.printing.pdf_canvas import Sheets
from firmware.printing.png import write_pictures
from firmware.printing.sticker_grid import LabelsOffSheet, StickerGrid
from firmware.printing.sticker_sheets import draw_stickers
from firmware.printing.tiled_mat import draw_tiled_mat
from vision.pieces import BACK, has_tiles
from vision.sticker_and_marker_sizes import STICKER_MM
from vision.tags.codebook import Code


@click.group(name="print", invoke_without_command=True)
@options.png_option
@options.game_option
@options.size_option
@options.marker_option
@click.pass_context
def command(ctx: click.Context, png: Path | None, game: str | None, size: float, marker: float) -> None:
    """Make stickers, corner markers, a mat or a whole deck as PDF.

    With --png and no command: a picture of every sticker and marker, or of those of one game.
    """
    if ctx.invoked_subcommand is not None:
        for option in ctx.params:
            if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                where = f"oxeye print {ctx.invoked_subcommand} --{option} ..."
                raise click.UsageError(f"Put --{option} behind the command: {where}")
    elif png is not None:
        _pictures(png, piece_selection.codes_of_game(game, specials=True), size, marker)
    else:
        click.echo(ctx.get_help())


@command.command(name="stickers")
@options.game_option
@options.only_option
@options.specials_option
@click.option("--backs", metavar="N", default=0, type=click.IntRange(0, 500), help="Add N stickers for card backs.")
@options.size_option
@options.paper_option(*SHEET_PAPERS)
@click.option(
    "--grid",
    callback=options.number_list("cols,rows,left,top,pitch_x,pitch_y", ","),
    metavar="C,R,LEFT,TOP,PX,PY",
    help="For ready-cut labels: columns, rows, then in mm the position of the first sticker on the sheet and the "
    "distances to the next column and row.",
)
@click.option("--start", default=1, metavar="N", type=click.IntRange(1), help="First free label of the first sheet.")
@options.png_option
@options.marker_option
@options.out_option("oxeye-stickers.pdf")
def print_stickers(
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
    """Make stickers for the pieces of a game, each with its name beside it."""
    if png is not None and game is None and only is None:
        codes = piece_selection.codes_of_game(None)
    else:
        codes = _chosen(game or DEFAULT_GAME, only, specials) + piece_selection.codes_of_game(BACK.game) * backs
    if png is not None:
        _pictures(png, codes, size, marker)
        return
    sheet = PAPERS[paper]
    try:
        if grid is None and start > 1:
            raise click.BadParameter(
                "--start needs --grid: only sheets of labels have a first label.", param_hint="--start"
            )
        if grid is None:
            made = draw_stickers(codes, size, sheet)
        else:
            made = draw_labels(codes, size, sheet, StickerGrid.of(*grid), start)
    except LabelsOffSheet as why:
        raise click.BadParameter(str(why), param_hint="--grid") from None
    _write(made, out, piece_selection.format_count(len(codes), "sticker"))
    click.echo(camera_range.format_range_table(size))
    _warn(size)


@command.command(name="markers")
@options.marker_option
@options.paper_option(*SHEET_PAPERS)
@options.png_option
@options.out_option("oxeye-markers.pdf")
def print_markers(marker: float, paper: str, png: Path | None, out: Path) -> None:
    """Make the four corner markers that mark the area of the table."""
    if png is not None:
        _pictures(png, (), STICKER_MM, marker)
    else:
        _write(markers.draw_marker_sheets(marker, PAPERS[paper]), out, "4 markers")


@command.command(name="mat")
@click.option(
    "--area",
    callback=options.number_list("WIDTHxHEIGHT", "x"),
    metavar="WxH",
    help="The area between the markers in mm.  [default: as large as A1 or A2 allows, else 700x460]",
)
@click.option("--game", type=click.Choice(sorted(GAMES)), help="Draw the zones of this game.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="Game option, for example players=8.")
@options.paper_option(*MAT_PAPERS, "roll")
@options.marker_option
@options.out_option("oxeye-mat.pdf")
def print_mat(
    area: tuple[float, float] | None, game: str | None, chosen: tuple[str, ...], paper: str, marker: float, out: Path
) -> None:
    """Make a mat with markers: on one page, or on A4, A3 or Letter sheets to join.

    One page is A2, A1, or as large as the area needs (roll), for a copy shop.
    """
    zones: Mapping[str, Area] = {}
    if game is not None:
        plan = options.plan_zones(game, chosen, area)
        area, zones = (plan.width, plan.height), plan.zones
    try:
        if paper in TILED_PAPERS:
            made = draw_tiled_mat(PAPERS[paper], area, zones, marker)
        else:
            made = draw_mat_sheet(PAPERS.get(paper), area, zones, marker)
    except UnprintableArea as why:
        raise click.BadParameter(str(why), param_hint="--area") from None
    _write(made, out, made.title)


@command.command(name="cards")
@options.game_option
@options.only_option
@options.specials_option
@click.option("--backs", is_flag=True, help="Add a sheet of backs behind each sheet, with the sticker for backs.")
@options.size_option
@options.paper_option(*SHEET_PAPERS)
@options.out_option("oxeye-cards.pdf")
def print_cards(
    game: str | None, only: str | None, specials: bool, backs: bool, size: float, paper: str, out: Path
) -> None:
    """Make a whole deck of plain cards with their codes, to cut out."""
    if has_tiles(game):
        title = printed_game(game or "").title
        raise click.BadParameter(f"{title} is played with tiles: print stickers for them.", param_hint="--game")
    codes = _chosen(game or DEFAULT_GAME, only, specials)
    if any(code.piece == "back" for code in codes):
        raise click.BadParameter("A back is no card. Use --backs to print backs behind the cards.", param_hint="--only")
    _write(draw_deck(codes, size, PAPERS[paper], backs=backs), out, piece_selection.format_count(len(codes), "card"))
    _warn(size)


def _chosen(game: str, only: str | None, specials: bool) -> tuple[Code, ...]:
    if specials and not any(map(printed_game(game).is_special, piece_selection.codes_of_game(game, specials=True))):
        raise click.BadParameter(f"{printed_game(game).title} has no special cards.", param_hint="--specials")
    if only is None:
        return piece_selection.codes_of_game(game, specials=specials)
    try:
        return piece_selection.select_codes(game, only)
    except piece_selection.UnknownPiece as why:
        raise click.BadParameter(str(why), param_hint="--only") from None


def _write(made: Sheets, out: Path, what: str) -> None:
    try:
        out.write_bytes(made.finished())
    except OSError as why:
        raise click.FileError(str(out), f"{why.strerror}. Choose another place with --out.") from None
    click.echo(
        f"{out}: {what}, {piece_selection.format_count(made.pages, 'page')}. "
        "Print at 100 % and measure the 100 mm line."
    )


def _pictures(folder: Path, codes: tuple[Code, ...], size: float, marker: float) -> None:
    try:
        count = write_pictures(folder, codes, size, marker)
    except OSError as why:
        raise click.FileError(str(folder), f"{why.strerror}. Choose another folder with --png.") from None
    click.echo(f"{folder}: {count} pictures and index.json")


def _warn(size: float) -> None:
    said = camera_range.describe_poor_range(size)
    if said is not None:
        click.secho(f"Warning: {said}", fg="yellow", err=True)
