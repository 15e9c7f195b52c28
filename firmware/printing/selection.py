"""Which pieces are to be printed, and what people call them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.errors import InputError
from vision.pieces import SPECIAL_COPIES, SPECIALS
from vision.tags.codebook import Code, list_printed

GAMES: Mapping[str, str] = MappingProxyType({"nimmt": "6 nimmt!", "thegame": "The Game", "six": "SIX"})
NAMES: Mapping[str, str] = MappingProxyType(
    {
        "fifth": "5th Row",
        "seven": "Take-at-7",
        "insert": "Insert",
        "block": "Block",
        "replace": "Replace",
        "move": "Move",
        "negpos": "Neg=Pos",
    }
)
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "fifth": "Your card starts a fifth row. You take nothing.",
        "seven": "This row holds a sixth card: only the seventh takes it.",
        "insert": "Lay your card inside a row or before it, not at its end.",
        "block": "Nobody touches this row until somebody takes another.",
        "replace": "Take your card back and lay another one.",
        "move": "First move any one card to another row.",
        "negpos": "One card of the row you take counts against your heads.",
    }
)


class UnknownPiece(InputError):
    """A piece was asked for that no game has; the sentence says which there are."""


def special(code: Code) -> bool:
    return code.piece.split(".")[0] in SPECIALS


def codes(game: str | None, *, specials: bool = False) -> tuple[Code, ...]:
    """What a game needs stickers for; without a game every code there is, one of each."""
    if game is None:
        return list_printed()
    return tuple(code for code in list_printed() if code.game == game and (specials or not special(code)))


def only(game: str, wanted: str) -> tuple[Code, ...]:
    """The codes of a list such as ``44,45,60-63,fifth,block.2``, in that order."""
    picked: list[Code] = []
    for word in (word.strip().lower() for word in wanted.split(",")):
        if word:
            picked += _named(game, word)
    if not picked:
        raise UnknownPiece("Say which cards, for example --only 44,45.")
    return tuple(picked)


def _named(game: str, word: str) -> list[Code]:
    first, dash, last = word.partition("-")
    if dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last):
        return [code for n in range(int(first), int(last) + 1) for code in _named(game, str(n))]
    name = str(int(word)) if word.isdecimal() else word
    found = [
        code
        for code in list_printed()
        if (code.game == game or code.piece == name == "back")
        and (code.piece == name or (code.piece.split(".")[0] == name and special(code)))
    ]
    if not found:
        raise UnknownPiece(f"{GAMES[game]} has no card {word}. It has {_all(game)}.")
    return found


def _all(game: str) -> str:
    match game:
        case "nimmt":
            return f"1 to 104 and the specials {', '.join(SPECIALS)} (one copy: block.2)"
        case "thegame":
            return "2 to 99 and the start cards 1 and 100"
        case _:
            return "the tiles red and black"


def caption(code: Code) -> tuple[str, str]:
    """What stands beside a sticker: the card's own name, large, and what else tells it apart, small."""
    kind, _, copy = code.piece.partition(".")
    match code.game:
        case "nimmt" if kind in NAMES:
            return NAMES[kind], f"{copy}/{SPECIAL_COPIES}"
        case "thegame" if code.piece in ("1", "100"):
            return code.piece, "start"
        case "six":
            return code.piece, str(int(code.payload[3:5]))
        case "any":
            return "back", ""
        case _:
            return code.piece, ""


def titles(chosen: Sequence[Code]) -> str:
    """The games of these codes as one line."""
    return ", ".join(dict.fromkeys(GAMES[code.game] for code in chosen if code.game in GAMES)) or "Card backs"


def count(number: int, word: str) -> str:
    """A number of things in words."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
