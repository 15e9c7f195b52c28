"""A whole deck of plain cards with their codes, to print and cut."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.printing.card_faces import draw_back
from firmware.printing.games import printed_game
from firmware.printing.page_frame import CONTROL_MM, draw_control_line, draw_edge_ticks
from firmware.printing.paper_sizes import Paper
from firmware.printing.pdf_canvas import FAINT, SOFT, Point, Sheets, Size
from firmware.printing.piece_selection import game_titles
from firmware.printing.sticker_sheets import draw_sticker
from vision.pieces import PIECES
from vision.tags.codebook import CODES, EDGE_MM, Code

EDGE_FREE_MM, SIDE_FREE_MM = 6.5, 14.0
"""Free mm above and below, and left and right, where the control line is."""


@dataclass(frozen=True, slots=True)
class CardBlock:
    """Cards edge to edge, centred on a sheet, so that backs on the other side match."""

    paper: Paper
    card: Size
    cols: int
    rows: int

    @property
    def left(self) -> float:
        return (self.paper.width - self.cols * self.card[0]) / 2

    @property
    def top(self) -> float:
        return (self.paper.height - self.rows * self.card[1]) / 2

    @property
    def places(self) -> list[Point]:
        wide, high = self.card
        return [(self.left + col * wide, self.top + row * high) for row in range(self.rows) for col in range(self.cols)]


def fit_block(paper: Paper, card: Size) -> CardBlock:
    """The block with most cards, on the sheet in portrait or landscape."""
    return max(
        (
            CardBlock(
                sheet,
                card,
                int((sheet.width - 2 * SIDE_FREE_MM) // card[0]),
                int((sheet.height - 2 * EDGE_FREE_MM) // card[1]),
            )
            for sheet in (paper, paper.turned())
        ),
        key=lambda found: found.cols * found.rows,
    )


def draw_deck(codes: Sequence[Code], sticker: float, paper: Paper, *, backs: bool = False) -> Sheets:
    """The cards in order, with a sheet of backs behind each sheet on request."""
    sheets = Sheets(f"{game_titles(codes)} cards")
    lie = fit_block(paper, PIECES[codes[0].game].size)
    room = lie.cols * lie.rows
    pages = [codes[first : first + room] for first in range(0, len(codes), room)]
    (tag,) = (code for code in CODES if code.piece == "back")
    for number, page in enumerate(pages, 1):
        _sheet(sheets, lie, f"{sheets.title}, sheet {number} of {len(pages)}")
        for at, code in zip(lie.places, page, strict=False):
            printed_game(code.game).draw_face(sheets, at, code)
            corner = (at[0] + EDGE_MM, at[1] + lie.card[1] - EDGE_MM - sticker)
            draw_sticker(sheets, corner, code, sticker)
        if backs:
            _sheet(sheets, lie, f"{sheets.title}, back of sheet {number}: print it on the other side")
            for at in lie.places:
                draw_back(sheets, at, lie.card, sticker)
                middle = (at[0] + (lie.card[0] - sticker) / 2, at[1] + (lie.card[1] - sticker) / 2)
                draw_sticker(sheets, middle, tag, sticker)
    return sheets


def _sheet(sheets: Sheets, lie: CardBlock, title: str) -> None:
    sheets.page(lie.paper)
    xs = [lie.left + col * lie.card[0] for col in range(lie.cols + 1)]
    ys = [lie.top + row * lie.card[1] for row in range(lie.rows + 1)]
    for x in xs:
        sheets.line([(x, ys[0]), (x, ys[-1])], FAINT, 0.1)
    for y in ys:
        sheets.line([(xs[0], y), (xs[-1], y)], FAINT, 0.1)
    draw_edge_ticks(sheets, xs, ys, (xs[0], ys[0], xs[-1], ys[-1]))
    draw_control_line(sheets, (6.5, (lie.paper.height + CONTROL_MM) / 2), turn=-90, words=lie.left >= 18)
    beside = (lie.paper.width - 6.5, lie.paper.height / 2)
    sheets.text(beside, f"Oxeye: {title}", size=1.9, align="centre", colour=SOFT, turn=90)
