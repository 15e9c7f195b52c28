"""Texts in a language: an id and its arguments become the sentence a screen shows."""

from collections.abc import Mapping
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path

from engine.text import Arg, Text

LOCALE = Path(__file__).parent / "locale"
PLAYER_ARGS = frozenset({"player", "players"})
QUOTED_ARGS = frozenset({"known", "line", "option", "says", "value", "wanted", "words"})
"""Arguments that quote what somebody wrote or may write: never translated."""
NAMED_THINGS = ("{zone}", "{piece}", "{pieces}", "{colour}", "{kind}")
"""Words of the catalogue, small within a sentence and large at its beginning; a name is as its owner writes it."""

Names = Mapping[int, str]


class MissingText(LookupError):
    """No catalogue has this text, or it wants an argument that was not given."""


def render(text: Text, language: str = "en", names: Names | None = None, *, strict: bool = False) -> str:
    """The sentence for a screen. A hole in the catalogue shows the bare id, so that no game stops for a word.

    ``strict`` raises ``MissingText`` instead: for tests, where a hole must hurt.
    """
    words = load_catalogue(language)
    try:
        sentence = _sentence(words, text)
        said = sentence.format(**{n: _value(words, n, v, names or {}) for n, v in text.args})
    except (LookupError, ValueError) as why:
        if strict:
            raise MissingText(f"{language}: '{text}' ({why!r})") from why
        return text.id
    return said[:1].upper() + said[1:] if sentence.startswith(NAMED_THINGS) else said


def render_rule(ruling: str, language: str = "en") -> tuple[str, str]:
    """The title and the text of a ruling: ``rule("N-12")``."""
    return render(Text(f"rule_title.{ruling}"), language), render(Text(f"rule.{ruling}"), language)


@lru_cache
def load_catalogue(language: str) -> NullTranslations:
    """The texts of a language, with English behind it; of an unknown language, English."""
    english = translation("oxeye", LOCALE, ["en"], fallback=True)
    if language == "en":
        return english
    try:
        found: GNUTranslations = translation("oxeye", LOCALE, [language.replace("-", "_")])
    except OSError:
        return english
    found.add_fallback(english)
    return found


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
        return words.gettext(f"game.{value}")
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
