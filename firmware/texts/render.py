"""Texts rendered in a language: an id and its arguments become the sentence that a screen shows."""

from collections.abc import Mapping
from gettext import NullTranslations

from engine.text import Arg, Text
from firmware.texts.catalogues import load_catalogue

PLAYER_ARGS = frozenset({"player", "players"})
QUOTED_ARGS = frozenset({"known", "line", "option", "says", "value", "wanted", "words"})
"""Arguments that quote user input or allowed input: never translated."""
NAMED_THINGS = ("{zone}", "{piece}", "{pieces}", "{colour}", "{kind}")
"""Words from the catalogue: capitalised at the beginning of a sentence, unlike names of players."""

Names = Mapping[int, str]


class MissingText(LookupError):
    """No catalogue has this text, or an argument is missing."""


def render(text: Text, language: str = "en", names: Names | None = None, *, strict: bool = False) -> str:
    """The sentence for a screen. A text that no catalogue has is shown as its id in words, so that no game stops for
    a missing text; ``strict`` raises ``MissingText`` instead, for tests.
    """
    words = load_catalogue(language)
    try:
        sentence = _sentence(words, text)
        said = sentence.format(**{n: _value(words, n, v, names or {}) for n, v in text.args})
    except (LookupError, ValueError) as why:
        if strict:
            raise MissingText(f"{language}: '{text}' ({why!r})") from why
        values = (_value(words, n, v, names or {}) for n, v in text.args)
        return " ".join((readable(text.id.rpartition(".")[2]), *values))
    return said[:1].upper() + said[1:] if sentence.startswith(NAMED_THINGS) else said


def render_rule(ruling: str, language: str = "en") -> tuple[str, str]:
    """The title and the text of a ruling: ``rule("N-12")``."""
    return render(Text(f"rule_title.{ruling}"), language), render(Text(f"rule.{ruling}"), language)


def readable(id: str) -> str:
    """An id as words: ``draw_pile`` is "Draw pile"."""
    words = " ".join(id.replace("_", " ").replace(".", " ").split())
    return words[:1].upper() + words[1:]


def _sentence(words: NullTranslations, text: Text) -> str:
    n = text.get("n")
    found = words.ngettext(text.id, text.id, n) if isinstance(n, int) else text.id
    if found == text.id:
        found = words.gettext(text.id)
    if found == text.id:
        raise MissingText(text.id)
    return found


def _value(words: NullTranslations, name: str, value: Arg, names: Names) -> str:
    if name in QUOTED_ARGS:
        return str(value)
    if name == "game":
        title = words.gettext(f"game.{value}")
        return readable(str(value)) if title == f"game.{value}" else title
    if name in PLAYER_ARGS and not isinstance(value, str):
        players = value if isinstance(value, tuple) else (value,)
        return ", ".join(_player(words, player, names) for player in players)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return " ".join(_thing(words, word, names) for word in str(value).split())


def _thing(words: NullTranslations, word: str, names: Names) -> str:
    """A zone (``row:2``), a piece that has a name (``block.3``, ``red``), or a number as it is."""
    kind, _, number = word.partition(":")
    if (zone := words.gettext(f"zone.{kind}")) != f"zone.{kind}":
        owner = _player(words, int(number), names) if number.isdigit() else number
        return zone.format(number=number, player=owner)
    piece = "piece." + word.partition(".")[0]
    return named if (named := words.gettext(piece)) != piece else word


def _player(words: NullTranslations, player: int, names: Names) -> str:
    return names.get(player) or words.gettext("name.player").format(number=player)
