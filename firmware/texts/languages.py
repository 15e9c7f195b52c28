"""The languages with their own names, and the choice for a browser: requested, chosen before, or its best."""

from functools import lru_cache

from firmware.texts.catalogues import LOCALE

DEFAULT_LANGUAGE = "en"
ENDONYMS = {
    "de": "Deutsch",
    "en": "English",
    "it": "Italiano",
    "pt-BR": "Português (Brasil)",
    "pt-PT": "Português europeu",
    "ro": "Română",
}
"""Each language by its own name, so that it can be found without reading another."""


@lru_cache
def available_languages() -> tuple[str, ...]:
    """Every language with a catalogue, as browsers write it."""
    return tuple(sorted(folder.parent.name.replace("_", "-") for folder in LOCALE.glob("*/LC_MESSAGES")))


def choose_language(asked: str, before: str, accepts: str) -> str:
    for wish in (asked, before, *_preferences(accepts)):
        if found := _match(wish):
            return found
    return DEFAULT_LANGUAGE


def _match(wish: str) -> str:
    """The language itself, or a related one: pt for pt-BR and the other way round."""
    wish = wish.strip().lower()
    for near in (wish, wish.partition("-")[0]):
        for language in available_languages():
            if near and near in (language.lower(), language.lower().partition("-")[0]):
                return language
    return ""


def _preferences(accepts: str) -> list[str]:
    """The languages of an Accept-Language header such as ``de;q=0.8, en``, best first."""
    found: list[tuple[float, str]] = []
    for part in accepts[:500].split(","):
        language, _, weight = part.partition(";")
        try:
            found.append((-float(weight.strip().removeprefix("q=") or 1), language))
        except ValueError:
            continue
    return [language for weight, language in sorted(found, key=lambda wish: wish[0]) if weight < 0]
