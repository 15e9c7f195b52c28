"""Every text of every catalogue, measured in dots: it has its letters and its room on the smallest screen."""

from string import Formatter

import pytest
from babel.messages.pofile import read_po

from engine.text import Text
from firmware.runtime.screen_text import render_screen
from firmware.texts.catalogues import LOCALE
from firmware.texts.languages import available_languages
from firmware.texts.render import render
from hw.panel.font import SMALL, TALL, TINY
from hw.panel.line_breaking import break_lines
from hw.panel.screen import SIZES, list_cut_texts
from tests.contact_sheets import NAMES, draw_sheet, list_scenes, main

READ_ELSEWHERE = (
    *("rule.", "rulebook.", "log_", "option_", "zone.", "piece.", "name.", "game.", "page_", "about_"),
    *("browser_", "fresh_", "sim_", "state_", "terminal_"),
)
"""Long texts for a web page or a terminal, and parts of others."""
NARROW = 123
"""Dots of a line within a warning, on a screen of 128."""
SAMPLES = {
    "player": 1,
    "players": (1, 2),
    "zone": "special:2",
    "pieces": "37 43 44 55 104",
    "cards": (37, 104),
    "rounds": (12, 9, 23, 1, 17),
    "seats": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "kind": "block",
    "colour": "black",
    "color": "black",
    "corner": "BR",
    "game": "nimmt",
    "says": "37 43 44 55 104",
    "value": "0x3C",
    "known": "nimmt thegame six",
    "width": 841,
    "height": 594,
}

every_language = pytest.mark.parametrize("language", available_languages())


def sentences(language):
    """Each text with the longest things it speaks of, in every plural."""
    with (LOCALE / language.replace("-", "_") / "LC_MESSAGES" / "oxeye.po").open("rb") as po:
        messages = [message for message in read_po(po) if message.id]
    for message in messages:
        plural = not isinstance(message.id, str)
        name = message.id[0] if plural else message.id
        forms = message.string if plural else (message.string,)
        if name.startswith(READ_ELSEWHERE):
            continue
        wanted = {arg for form in forms for _, arg, _, _ in Formatter().parse(form) if arg}
        for n in (1, 2, 20) if plural else (104,):
            args = {arg: n if arg == "n" else SAMPLES.get(arg, 104) for arg in wanted}
            yield name, render(Text(name, tuple(args.items())), language, NAMES)


@every_language
def test_every_letter_of_every_text_is_drawn(language):
    letters = {letter for _, text in sentences(language) for letter in text}
    letters |= {letter for name in NAMES.values() for letter in name}
    for font in (SMALL, TALL, TINY):
        assert [letter for letter in sorted(letters) if not font.has(letter)] == []


@every_language
def test_every_text_has_room_as_a_warning_above_a_question(language):
    """Three small lines on most screens, two tiny ones on the lowest."""
    long = [
        (name, text)
        for name, text in sentences(language)
        if len(break_lines(text, SMALL, NARROW)) > 3 or len(break_lines(text, TINY, NARROW)) > 2
    ]
    assert long == []


@every_language
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("big", [False, True], ids=["plain", "big"])
def test_no_scene_of_an_evening_is_cut(language, size, big):
    """Where many share a low screen their names are squeezed, nothing else."""
    names = set(NAMES.values())
    for scene in list_scenes():
        lines = render_screen(scene.view, NAMES, language, note=scene.note)
        assert not set(list_cut_texts(scene.view, lines, size, big=big)) - names, scene.name


def test_a_sheet_shows_every_scene():
    paper = draw_sheet("en", (128, 32))
    assert paper.width > 5 * 128
    assert len(paper.getcolors()) == 3


def test_sheets_are_written_for_every_language_and_size(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tests.contact_sheets.available_languages", lambda: ("en",))
    main(tmp_path / "screens")
    written = sorted(path.name for path in (tmp_path / "screens").iterdir())
    assert written == sorted(f"en-{w}x{h}{big}.png" for w, h in SIZES for big in ("", "-big"))
    assert len(capsys.readouterr().out.splitlines()) == len(written)
