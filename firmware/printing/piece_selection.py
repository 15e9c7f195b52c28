"""The pieces to print and their names."""

from collections.abc import Sequence

from engine.errors import InputError
from firmware.printing.games import Caption, printed_game
from vision.pieces import BACK
from vision.tags.codebook import Code, list_printed


class UnknownPiece(InputError):
    """No game has this piece; the text lists the pieces."""


def codes_of_game(game: str | None, *, specials: bool = False) -> tuple[Code, ...]:
    """The codes of a game that need stickers; without a game every code once."""
    if game is None:
        return list_printed()
    return tuple(
        code
        for code in list_printed()
        if code.game == game and (specials or not printed_game(code.game).is_special(code))
    )


def select_codes(game: str, wanted: str) -> tuple[Code, ...]:
    """The codes of a list such as ``44,45,60-63,fifth,block.2``, in that order."""
    picked: list[Code] = []
    for word in (word.strip().lower() for word in wanted.split(",")):
        if word:
            picked += _named(game, word)
    if not picked:
        raise UnknownPiece("Name the cards, for example --only 44,45.")
    return tuple(picked)


def _named(game: str, word: str) -> list[Code]:
    first, dash, last = word.partition("-")
    if dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last):
        return [code for n in range(int(first), int(last) + 1) for code in _named(game, str(n))]
    name = str(int(word)) if word.isdecimal() else word
    found = [
        code
        for code in list_printed()
        if (code.game == game or code.piece == name == "back") and name in (code.piece, code.piece.split(".")[0])
    ]
    if not found:
        raise UnknownPiece(f"{printed_game(game).title} has no card {word}. It has {printed_game(game).pieces}.")
    return found


def caption_code(code: Code) -> Caption:
    """The text beside a sticker."""
    return ("back", "") if code.game == BACK.game else printed_game(code.game).caption(code)


def game_titles(chosen: Sequence[Code]) -> str:
    """The titles of the games of these codes."""
    return (
        ", ".join(dict.fromkeys(printed_game(code.game).title for code in chosen if code.game != BACK.game))
        or "Card backs"
    )


def format_count(number: int, word: str) -> str:
    """``1 sticker``, ``2 stickers``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
