"""Rendering texts in a language: arguments have readable names, and a missing text never stops a game."""

import pytest

from engine.text import Text, say
from firmware.texts.catalogues import load_catalogue
from firmware.texts.render import MissingText, render, render_rule

GUIDES = [
    (say("guide_lay", zone="row:2", pieces="37 43 44"), "Row 2: 37 43 44"),
    (say("guide_lay", zone="up:1", pieces="44"), "Up pile 1: 44"),
    (say("guide_lay", zone="cell:2,-1", pieces="red"), "Place 2,-1: red"),
    (say("guide_lay", zone="spread", pieces="1 2"), "The spread: 1 2"),
    (say("guide_away", zone="mark:4", pieces="block.3 seven"), "Specials at row 4: remove Block Take-at-7"),
    (say("guide_lay", zone="seat:2", pieces="back"), "Ada's card: a face-down card"),
    (say("guide_lay", zone="seat:3", pieces="12"), "Player 3's card: 12"),
]


@pytest.mark.parametrize(("text", "shown"), GUIDES, ids=str)
def test_zones_pieces_and_players_have_names(text, shown):
    assert render(text, names={2: "Ada"}, strict=True) == shown


def test_a_name_is_shown_unchanged():
    assert render(say("pick_card", player=2), names={2: "ada"}, strict=True) == "ada picks a card"


def test_typed_text_is_quoted_unchanged():
    assert "'lay red row:2'" in render(say("log_torn", line="lay red row:2"), strict=True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (say("no_such_text", card=3), "No such text 3"),
        (Text("did.toy.put"), "Put"),
        (Text("guide_lay"), "Guide lay"),
        (say("guide_lay", zone="row:1"), "Guide lay row 1"),
        (say("game", game="little_tower"), "Little tower"),
    ],
    ids=lambda value: str(value),
)
def test_a_text_missing_from_the_catalogue_is_shown_as_its_id(text, shown):
    assert render(text) == shown


@pytest.mark.parametrize(
    "text", [say("no_such_text", card=3), Text("guide_lay"), say("guide_lay", zone="row:1")], ids=str
)
def test_strict_rendering_raises_for_a_missing_text(text):
    with pytest.raises(MissingText, match=text.id):
        render(text, strict=True)


@pytest.mark.parametrize("language", ["en", "xx", "xx-YY"])
def test_an_unknown_language_is_english(language):
    assert render(say("guide_lay", zone="seat:2", pieces="5"), language) == "Player 2's card: 5"
    assert load_catalogue(language).gettext("rule_title.N-12") == "Sixth card takes"


def test_a_rule_has_a_title_and_a_text():
    title, text = render_rule("N-20")
    assert title == "Counting heads"
    assert "55 has 7 heads" in text
