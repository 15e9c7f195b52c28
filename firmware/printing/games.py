"""What is printed for each game: its title, the names beside its stickers, and the faces of its plain cards."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.games.nimmt.cards import HEADS
from firmware.printing.card_faces import draw_bull, draw_corners, draw_number
from firmware.printing.pdf_canvas import INK, SOFT, Colour, Point, Sheets
from firmware.printing.special_cards import SPECIAL_NAMES, draw_special
from vision.pieces import NIMMT, PIECES, SPECIAL_COPIES, SPECIALS, THE_GAME
from vision.tags.codebook import Code

Caption = tuple[str, str]
"""The name of a piece, large, and a detail that tells copies apart, small."""

HEADS_COLOURS: dict[int, Colour] = {
    1: (72, 84, 100),
    2: (30, 106, 168),
    3: (206, 126, 14),
    5: (190, 46, 38),
    7: (112, 50, 138),
}
RISING_COLOUR: Colour = (190, 46, 38)
FALLING_COLOUR: Colour = (30, 106, 168)


def plain_caption(code: Code) -> Caption:
    return code.piece, ""


def plain_face(sheets: Sheets, at: Point, code: Code) -> None:
    """The name of the piece in two corners and in the middle."""
    wide, high = PIECES[code.game].size
    draw_corners(sheets, at, (wide, high), code.piece, INK)
    draw_number(sheets, (at[0] + wide / 2, at[1] + high * 0.6), code.piece, 18, INK)


def has_no_extras(code: Code) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """``pieces`` lists in words what the game has; ``is_special`` are cards that are printed only on request.

    ``draw_face`` draws one card with its top left corner at a point, without the sticker.
    """

    title: str
    pieces: str
    caption: Callable[[Code], Caption] = plain_caption
    draw_face: Callable[[Sheets, Point, Code], None] = plain_face
    is_special: Callable[[Code], bool] = has_no_extras


def _kind(code: Code) -> str:
    return code.piece.split(".")[0]


def _is_special(code: Code) -> bool:
    return _kind(code) in SPECIALS


def _nimmt_caption(code: Code) -> Caption:
    if not _is_special(code):
        return code.piece, ""
    kind, _, copy = code.piece.partition(".")
    return SPECIAL_NAMES[kind], f"{copy}/{SPECIAL_COPIES}"


def _start_caption(code: Code) -> Caption:
    return code.piece, "start" if code.piece in ("1", "100") else ""


def _tile_caption(code: Code) -> Caption:
    return code.piece, str(int(code.payload[3:5]))


def _nimmt_face(sheets: Sheets, at: Point, code: Code) -> None:
    if _is_special(code):
        draw_special(sheets, at, NIMMT.size, _kind(code))
    else:
        _row_card(sheets, at, int(code.piece))


def _the_game_face(sheets: Sheets, at: Point, code: Code) -> None:
    _pile_card(sheets, at, int(code.piece))


def _row_card(sheets: Sheets, at: Point, number: int) -> None:
    wide, high = NIMMT.size
    count = HEADS[number]
    tone = HEADS_COLOURS[count]
    draw_corners(sheets, at, (wide, high), str(number), tone)
    size = 7.4
    rows = (4, 3) if count == 7 else (count,)
    for line, share in enumerate(rows):
        for n in range(share):
            middle = at[0] + wide / 2 + (n - (share - 1) / 2) * (size + 1.2)
            draw_bull(sheets, (middle, at[1] + 20 + line * (size + 0.4)), size, tone)
    draw_number(sheets, (at[0] + wide / 2, at[1] + high * 0.65), str(number), 22 if number < 100 else 18, tone)


def _pile_card(sheets: Sheets, at: Point, number: int) -> None:
    wide, high = THE_GAME.size
    tone = {1: RISING_COLOUR, 100: FALLING_COLOUR}.get(number, INK)
    draw_corners(sheets, at, (wide, high), str(number), tone)
    middle = at[0] + wide / 2
    draw_number(sheets, (middle, at[1] + high * 0.6), str(number), 24 if number < 100 else 17, tone)
    if number in (1, 100):
        turn = -1 if number == 1 else 1
        for n in range(3):
            y = at[1] + 15.5 + n * 4.4
            sheets.shape([(middle - 6, y - turn * 2), (middle + 6, y - turn * 2), (middle, y + turn * 2.6)], tone)
        words = "rising: 2 to 99" if number == 1 else "falling: 99 to 2"
        sheets.text((at[0] + wide - 5, at[1] + high * 0.72), words, size=2.4, align="right", colour=SOFT)


PRINTED_GAMES: dict[str, PrintedGame] = {
    "nimmt": PrintedGame(
        "6 nimmt!",
        f"1 to 104 and the specials {', '.join(SPECIALS)} (one copy: block.2)",
        _nimmt_caption,
        _nimmt_face,
        _is_special,
    ),
    "thegame": PrintedGame("The Game", "2 to 99 and the start cards 1 and 100", _start_caption, _the_game_face),
    "six": PrintedGame("SIX", "the tiles red and black", _tile_caption),
}
"""By name of the game; a game that is not here is printed with plain faces."""


def printed_game(game: str) -> PrintedGame:
    if game in PRINTED_GAMES:
        return PRINTED_GAMES[game]
    names = dict.fromkeys(piece for _, piece in PIECES[game].names) if game in PIECES else {}
    return PrintedGame(game.replace("_", " ").capitalize(), ", ".join(names) or "nothing to print")
