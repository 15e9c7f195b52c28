"""Every language says all that English says: the same texts and arguments, every plural, in the room there is."""

import ast
import unicodedata
from functools import cache
from gettext import c2py

import pytest
from babel.messages.catalog import Catalog
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from engine.text import say
from firmware.texts.catalogues import LOCALE
from firmware.texts.render import render
from hw.panel.font import SMALL, TALL, TINY
from tests.support.house import list_nodes
from tests.test_texts import (
    CATALOGUE,
    ENTRIES,
    LONG,
    NAMES,
    PAGE,
    RULING,
    TWO_LINES,
    USES,
    constants,
    sample,
    sources,
    wanted,
)

ROOMIER = 48
"""Letters for a prompt or an alert where English takes two lines of 21: dots decide on the screen itself."""
LIST_DOTS = 120
"""Room for an offer in a list that scrolls, on a screen of 128."""
COUNTS = (0, 1, 2, 3, 5, 10, 19, 20, 21, 31, 99, 100, 101, 104, 111, 119, 120, 201)
CEDILLA = "\u0327"
ROMANIAN = {letter: unicodedata.normalize("NFC", letter + CEDILLA) for letter in "stST"}

LANGUAGES = sorted(po.parts[-3] for po in LOCALE.glob("*/LC_MESSAGES/*.po"))

every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def catalogue(language: str) -> Catalog:
    path = LOCALE / language / CATALOGUE.relative_to(LOCALE / "en")
    with path.open("rb") as po:
        return read_po(po, abort_invalid=True)


@cache
def forms(language: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for message in catalogue(language):
        if isinstance(message.id, str):
            found[message.id] = (str(message.string),)
        else:
            found[message.id[0]] = tuple(message.string)
    found.pop("")
    return found


def labels() -> set[str]:
    """Ids that are said within an offer, and the moves, of which one is chosen to go back to."""
    said = {
        word
        for path in sources()
        for offer in list_nodes(path.read_text(encoding="utf-8"))
        if isinstance(offer, ast.Call) and isinstance(offer.func, ast.Name) and offer.func.id == "Offer"
        for call in ast.walk(offer)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "say"
        for word in constants(call.args[0])
    }
    return said | {i for i in ENTRIES if i.startswith("did.")}


LABELS = labels()


def said(language: str, id: str, place: str, names: frozenset[str] | set[str]) -> set[str]:
    """The sentence with the longest things it speaks of, in every plural."""
    plural = len(ENTRIES[id]) > 1
    texts = [say(id, **{name: sample(name, place, n) for name in names}) for n in ((1, 2, 20) if plural else (10,))]
    return {render(text, language, NAMES, strict=True) for text in texts}


@every_language
def test_language_has_every_text_and_no_other(language):
    assert set(forms(language)) ^ set(ENTRIES) == set()
    assert [i for i, texts in forms(language).items() if not all(texts)] == []
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []


@every_language
def test_language_counts_as_its_people_do(language):
    """As many forms as the language has, and for each number the form that Unicode's tables say."""
    count, rule, *_ = get_plural(language)
    assert catalogue(language).num_plurals == count
    ours, theirs = c2py(catalogue(language).plural_expr), c2py(rule)
    assert [n for n in range(1000) if ours(n) != theirs(n)] == []
    wrong = {i: texts for i, texts in forms(language).items() if len(texts) != (count if len(ENTRIES[i]) > 1 else 1)}
    assert wrong == {}


@every_language
def test_language_asks_for_the_arguments_that_english_asks_for(language):
    """A singular may say "the last" instead of a number, nothing else may be left out or added."""
    wrong = []
    for i, texts in forms(language).items():
        english = wanted(ENTRIES[i][-1])
        for at, text in enumerate(texts):
            spared = {"n"} if at == 0 and len(texts) > 1 else set()
            if wanted(text) - english or english - wanted(text) - spared:
                wrong.append((i, text))
    assert wrong == []


@every_language
def test_language_says_the_right_form_for_each_number(language):
    form = c2py(catalogue(language).plural_expr)
    counted = [i for i, texts in forms(language).items() if len(texts) > 1 and wanted(texts[-1]) == {"n"}]
    assert len(counted) > 10
    wrong = [
        (i, n)
        for i in counted
        for n in COUNTS
        if render(say(i, n=n), language, strict=True) != forms(language)[i][form(n)].format(n=n)
    ]
    assert wrong == []


@every_language
def test_language_fits_two_lines_or_nearly(language):
    most = TWO_LINES if language == "en" else ROOMIER
    shown = {
        (use.id, text)
        for use in USES
        if not LONG.match(use.id) and not use.place.startswith(PAGE)
        for text in said(language, use.id, use.place, use.args | use.free | wanted(ENTRIES[use.id][-1]))
    }
    assert sorted((i, len(text), text) for i, text in shown if len(text) > most) == []


@every_language
def test_an_offer_that_has_room_in_english_has_room(language):
    """Only a move of The Game names a zone."""
    cut = []
    for i in sorted(LABELS):
        for place in sorted({use.place for use in USES if use.id == i}) or ["/the_game/"]:
            english, other = (said(words, i, place, wanted(ENTRIES[i][-1])) for words in ("en", language))
            if max(map(SMALL.width, english)) <= LIST_DOTS < max(map(SMALL.width, other)):
                cut.append((i, max(other, key=SMALL.width)))
    assert cut == []


@every_language
def test_titles_of_rules_have_one_line(language):
    titles = {i: texts[0] for i, texts in forms(language).items() if i.startswith("rule_title.")}
    assert {i: title for i, title in titles.items() if not 0 < len(title) <= TWO_LINES // 2} == {}


@every_language
def test_rules_keep_their_numbers(language):
    """A rule that mentions another one does so in every language."""
    named = {i: sorted(set(RULING.findall(texts[0]))) for i, texts in ENTRIES.items() if i.startswith("rule.")}
    assert {i: sorted(set(RULING.findall(forms(language)[i][0]))) for i in named} == named


@every_language
def test_every_letter_is_in_every_size(language):
    letters = {letter for texts in forms(language).values() for letter in "".join(texts)} - {"\n"}
    for font in (SMALL, TALL, TINY):
        assert sorted(letter for letter in letters if not font.has(letter)) == []


@every_language
def test_a_comma_below_is_no_cedilla(language):
    assert [i for i, texts in forms(language).items() if set("".join(texts)) & set(ROMANIAN.values())] == []
