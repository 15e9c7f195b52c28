"""The language chosen on the box: kept over a restart, and never one that this version does not know."""

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.machine.chosen_language import LANGUAGE_FILE, load_language, save_language
from firmware.texts.languages import available_languages


@pytest.mark.parametrize("language", available_languages())
def test_it_is_kept(language, tmp_path):
    save_language(tmp_path, language)
    assert load_language(tmp_path) == language


@pytest.mark.parametrize("content", [b"", b"tlh\n", b"\xff\xfe", b"de en"], ids=str)
def test_anything_else_in_the_file_counts_as_none(content, tmp_path):
    (tmp_path / LANGUAGE_FILE).write_bytes(content)
    assert load_language(tmp_path) == ""


def test_without_a_choice_there_is_none(tmp_path):
    assert load_language(tmp_path) == ""
    assert load_language(tmp_path / "none") == ""


@pytest.mark.parametrize(
    ("words", "says"), [((), "Die Spiele liegen in"), (("--language", "it"), "Le partite sono in")]
)
def test_the_program_speaks_it_unless_the_command_line_names_another(words, says, tmp_path):
    save_language(tmp_path, "de")
    run = ["run", "--camera", "sim", "--speed", "1000", "--acts", "1", "--page", "none", "--state", str(tmp_path)]
    assert says in CliRunner().invoke(main, [*run, *words]).output
