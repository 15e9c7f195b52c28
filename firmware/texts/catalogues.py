"""The text catalogues on disk: loaded by language with English behind each, and added to by other games."""

from contextlib import suppress
from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"

_more: list[Path] = []
"""Folders of catalogues of registered games."""


def add_catalogues(folder: Path) -> None:
    """Use the catalogues in this folder, ``<language>/LC_MESSAGES/oxeye.mo``, for texts that the others lack."""
    _more.append(folder)
    load_catalogue.cache_clear()


def remove_catalogues(folder: Path) -> None:
    _more.remove(folder)
    load_catalogue.cache_clear()


@lru_cache
def load_catalogue(language: str) -> NullTranslations:
    """The texts of a language, with English behind it; of an unknown language, English."""
    found = NullTranslations()
    for wanted in dict.fromkeys((language.replace("-", "_"), "en")):
        for folder in (LOCALE, *_more):
            with suppress(OSError):
                found.add_fallback(translation("oxeye", folder, [wanted]))
    return found
