"""The page of a terminal: what the box says, the table, the scores, the story and the keys, in any size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image
from rich.console import Console as Paper
from rich.panel import Panel
from rich.segment import Segment, Segments
from rich.table import Table as Grid
from rich.text import Text as Line

from engine.view import Pad, View
from firmware.box.table_state import TableState
from firmware.runtime.terminal_tables import GAP, TableWords, table_lines
from hw.panel.screen import HEIGHT, WIDTH, Lines
from hw.panel.terminal import to_blocks

LEAST_SIZE = (80, 24)
"""Columns and lines from which there is a page; a smaller window gets the words and the scores alone."""
PICTURE_SIZE = (WIDTH + 66, HEIGHT // 2 + 14)
"""Columns and lines from which the dots of the small screen stand beside the table, each a block of its own."""
FRAME_COLUMNS = 4
"""What a frame needs beside its content."""
NAME_COLUMNS = 10
"""The longest name of a player."""
ROUND_COLUMNS = 4
FRAMED_LINES = 36
"""Lines from which cards have a frame: in fewer, frames would come and go with what the box says."""
SAID_LINES = 3
"""Lines kept for what the box says, so that the table does not jump with every sentence."""
LEAST_STORY = 3
"""Lines of the story beside which what the box says may grow; the whole table and all scores come before both."""
ALERT, CHOSEN, HEAD = "bold white on red", "bold reverse", "bold"


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One thing that happened; an alert is highlighted."""

    says: str
    alert: bool = False


@dataclass(frozen=True, slots=True)
class TerminalPage:
    """Everything on the page. ``said`` are the texts of ``view``, ``held`` what a held button does and how far it is;
    ``pads`` are the newest scores, also while a menu hides them; ``picture`` are the dots of the small screen.
    """

    title: str
    address: str
    view: View
    said: Lines
    words: TableWords
    table: TableState | None = None
    pads: View | None = None
    story: Sequence[StoryLine] = ()
    held: tuple[str, float] | None = None
    picture: Image.Image | None = None
    keys: str = ""
    small: str = ""


Row = list[Segment]


def draw_page(paper: Paper, page: TerminalPage) -> list[str]:
    """The lines of the page with their colours; as many as the paper has, and none wider."""
    columns, lines = paper.size
    rows = _page(paper, page) if columns >= LEAST_SIZE[0] and lines >= LEAST_SIZE[1] else _plain(paper, page)
    # padded to the last column: to erase the end of a full line would erase its last sign
    full = [Segment.adjust_line_length(row, columns) for row in rows[:lines]]
    ended = [segment for row in full for segment in (*row, Segment("\n"))]
    with paper.capture() as drawn:
        paper.print(Segments(ended), end="", soft_wrap=True)
    return drawn.get().split("\n")[: min(len(rows), lines)]


def _page(paper: Paper, page: TerminalPage) -> list[Row]:
    columns, lines = paper.size
    head, keys = _title(paper, page, columns), _block(paper, Line(page.keys, "dim"), columns)
    room = lines - len(head) - len(keys)
    dots = page.picture if columns >= PICTURE_SIZE[0] and lines >= PICTURE_SIZE[1] else None
    inner = columns - WIDTH - FRAME_COLUMNS - GAP if dots else columns
    pads = _block(paper, _pads(page, inner), inner) if page.pads and page.pads.pads else []
    beside = sum(segment.cell_length for segment in pads[0]) if pads else 0
    wide = inner - beside - GAP if pads else inner
    whole = len(table_lines(page.table, page.words, wide, room)) if page.table else 0
    said = _words(paper, page, columns, max(room - max(len(pads), whole) - LEAST_STORY, SAID_LINES + 2))
    room -= len(said)
    framed = lines >= FRAMED_LINES
    table = table_lines(page.table, page.words, wide, room - LEAST_STORY, framed=framed) if page.table else []
    left = [row for line in table for row in _block(paper, line, wide)]
    middle = _beside(left, pads, wide)
    if dots:
        middle = _beside(middle, _framed_picture(paper, dots), inner)
    middle = middle[:room]
    story = _story(paper, page, columns, room - len(middle) - bool(middle))
    between: list[Row] = [[]] if middle and story else []
    filled = [*head, *said, *middle, *between, *story]
    return [*filled, *([[]] * (lines - len(keys) - len(filled))), *keys]


def _title(paper: Paper, page: TerminalPage, columns: int) -> list[Row]:
    address = page.address and f"http://{page.address}"
    spare = columns - Line(page.title).cell_len - Line(address).cell_len
    if spare < 1:
        title = Line(page.title, HEAD)
        title.truncate(max(columns - Line(address).cell_len - 1, 0))
        return _block(paper, Line.assemble(title, " ", address), columns)[:1]
    return _block(paper, Line.assemble((page.title, HEAD), " " * spare, (address, "underline")), columns)


def _words(paper: Paper, page: TerminalPage, columns: int, most: int) -> list[Row]:
    """What the box says now, framed; of a long list what is around the cursor."""
    inner = columns - FRAME_COLUMNS
    fixed = [*_said(page)]
    offers = [*_offers(page)]
    used = sum(len(line.wrap(paper, inner)) for line in fixed)
    shown = _around(offers, page.view.cursor, max(most - used - 2, 1))
    spare = SAID_LINES - used - len(shown)
    body = Line("\n").join([*fixed, *shown, *[Line()] * spare])
    frame = Panel(body, style="", border_style="bold red" if page.said.alert else "dim", safe_box=True)
    return _block(paper, frame, columns)


def _said(page: TerminalPage) -> Iterator[Line]:
    said, view = page.said, page.view
    if said.alert:
        yield Line(f" ! {said.alert}{_ruling(said.ruling)} ", ALERT)
    yield Line(f"{said.prompt}{'' if said.alert else _ruling(said.ruling)}", HEAD)
    for news in dict.fromkeys((said.note, *said.news)):
        if news:
            yield Line(f"* {news}", "cyan")
    for line in said.lines:
        if line != said.prompt:
            yield Line(f"  {line}")
    if view.link:
        yield Line(view.link, "underline")
    if view.bar is not None:
        yield Line(_bar(view.bar, page.words))
    if page.held:
        yield Line(f"{_bar(page.held[1], page.words)} {page.held[0]}", HEAD)


def _ruling(name: str) -> str:
    return f" ({name})" if name else ""


def _bar(part: float, words: TableWords, columns: int = 20) -> str:
    full = round(min(max(part, 0.0), 1.0) * columns)
    return words.glyphs.full * full + words.glyphs.blank * (columns - full)


def _offers(page: TerminalPage) -> Iterator[Line]:
    for number, label in enumerate(page.said.offers):
        if number == page.view.cursor:
            yield Line.assemble((f"{page.words.glyphs.cursor} {label} ", CHOSEN), ("  OK", "dim"))
        else:
            yield Line(f"  {label}")


def _around(offers: list[Line], cursor: int, most: int) -> list[Line]:
    """As many offers as fit; the first and last line say how many there are beyond them."""
    if len(offers) <= most:
        return offers
    if most < 3:
        place = Line(f"  ({cursor + 1}/{len(offers)})", "dim")
        return [Line.assemble(offers[cursor], place), *([] if most < 2 else offers[cursor + 1 : cursor + 2])]
    first = min(max(cursor - most // 2, 0), len(offers) - most)
    shown = offers[first : first + most]
    if first and cursor != first:
        shown[0] = Line(f"  ... ({first + 1})", "dim")
    after = len(offers) - first - most
    if after and cursor != first + most - 1:
        shown[-1] = Line(f"  ... ({after + 1})", "dim")
    return shown


def _pads(page: TerminalPage, columns: int) -> Grid:
    """A line for each player: the rounds where there is room, the running round, and the total."""
    view = page.pads or page.view
    rounds = max((len(pad.rounds) for pad in view.pads), default=0)
    extra = max((columns - LEAST_SIZE[0]) // ROUND_COLUMNS, 0)
    shown = range(max(rounds - extra, 0), rounds)
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    grid.add_column("", no_wrap=True)
    for number in shown:
        grid.add_column(str(number + 1), justify="right", no_wrap=True)
    grid.add_column(page.words.text("page_round"), justify="right", no_wrap=True)
    grid.add_column(page.words.text("page_total"), justify="right", no_wrap=True)
    for pad in view.pads:
        points = (str(pad.rounds[number]) if number < len(pad.rounds) else "" for number in shown)
        mark = "*" if pad.player in view.winners else page.words.glyphs.cursor if pad.player == view.turn else " "
        style = "dim" if pad.gone else HEAD if mark.strip() else ""
        grid.add_row(f"{mark}{_name(pad, page)}", *points, str(pad.now), str(pad.total + pad.now), style=style)
    return grid


def _name(pad: Pad, page: TerminalPage) -> str:
    name = page.words.text("player", player=pad.player) if pad.player else page.words.text("pad_team")
    return name[:NAME_COLUMNS] if pad.player else name


def _story(paper: Paper, page: TerminalPage, columns: int, room: int) -> list[Row]:
    if room < 1:
        return []
    rows: list[Row] = []
    for told in reversed(page.story[-room:]):
        line = Line(f"{'!' if told.alert else ' '} {told.says}", "bold red" if told.alert else "")
        rows[:0] = _block(paper, line, columns)
        if len(rows) >= room:
            break
    return rows[-room:]


def _framed_picture(paper: Paper, picture: Image.Image) -> list[Row]:
    return _block(
        paper, Panel.fit(Line(to_blocks(picture), no_wrap=True), border_style="dim", safe_box=True), WIDTH + 4
    )


def _beside(left: list[Row], right: list[Row], columns: int) -> list[Row]:
    """Two blocks beside each other; ``columns`` is the width of the left one."""
    if not right:
        return left
    rows = []
    for number in range(max(len(left), len(right))):
        start = left[number] if number < len(left) else []
        used = sum(segment.cell_length for segment in start)
        end = right[number] if number < len(right) else []
        rows.append([*start, Segment(" " * (columns + GAP - used)), *end] if end else start)
    return rows


def _block(paper: Paper, what: Line | Panel | Grid, columns: int) -> list[Row]:
    return paper.render_lines(what, paper.options.update_width(columns), pad=False)


def _plain(paper: Paper, page: TerminalPage) -> list[Row]:
    """A small window: alert, prompt, the offer under the cursor and the scores, then why there is no more."""
    columns, lines = paper.size
    said = [*_said(page), *_around([*_offers(page)], page.view.cursor, 1)]
    pads = [
        Line(f"{page.words.text('player', player=pad.player) if pad.player else page.words.text('pad_team')} "
             f"{pad.total + pad.now}")
        for pad in (page.pads.pads if page.pads else ())
    ]  # fmt: skip
    said += [Line("  ").join(pads)] if pads else []
    rows = [row for line in said for row in _block(paper, line, max(columns, 1))]
    wider = _block(paper, Line(page.small, "dim"), max(columns, 1))
    return [*rows, *wider] if len(rows) + len(wider) <= lines else rows[:lines]
