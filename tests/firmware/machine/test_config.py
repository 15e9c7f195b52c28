"""The settings of the box: an invalid file never stops it, and changing one setting keeps the rest."""

import re
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from engine.text import say
from firmware.app.run_settings import button_sockets, load_run_settings, run_options
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.cli import main
from firmware.cli.run import merge_settings, table_options
from firmware.machine import atomic_file, config_edit
from firmware.machine.config import KEYS, SECTIONS, Config, setting_values
from firmware.machine.config_edit import SettingRefused, change_setting_in_file
from firmware.machine.config_file import (
    BOX_CONFIG,
    CONFIG_VARIABLE,
    LARGEST_FILE_BYTES,
    convert_value,
    describe_allowed,
    read_config,
)
from firmware.machine.network_addresses import PageAddress
from firmware.runtime.companion import Companion
from firmware.texts.render import render
from hw.button_pins import DEFAULT_PINS
from hw.button_presses import Button
from vision.live.perception import Perception
from vision.sticker_and_marker_sizes import (
    LARGEST_MARKER_MM,
    LARGEST_STICKER_MM,
    MARKER_MM,
    SMALLEST_MARKER_MM,
    SMALLEST_STICKER_MM,
    STICKER_MM,
)

SHIPPED = Path(__file__).parents[3] / "systemd/config.toml"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config.toml"
    path.write_bytes(SHIPPED.read_bytes())
    return path


def oxeye(*words, env=None):
    return CliRunner().invoke(main, [*words], env={CONFIG_VARIABLE: "", "COLUMNS": "200"} | (env or {}))


def written(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_config(path)


# -- the shipped file


def test_the_shipped_file_holds_the_defaults():
    assert read_config(SHIPPED) == read_config(SHIPPED).__class__(Config())


def test_every_key_is_in_the_shipped_file_below_its_own_comment():
    section, seen, before = "", {}, ""
    for line in SHIPPED.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            section = head[1] + "."
        elif key := re.match(r"(\w+) =", line):
            seen[section + key[1]] = before
        before = line
    assert seen.keys() == KEYS.keys()
    assert [key for key, comment in seen.items() if not re.match(r"# \S", comment)] == []


def test_defaults_and_limits_equal_those_of_the_other_modules():
    usual = Config()
    assert (usual.paper.sticker_mm, usual.paper.marker_mm) == (STICKER_MM, MARKER_MM)
    assert button_sockets(usual).pins == DEFAULT_PINS
    for size, most in (
        (SMALLEST_STICKER_MM, LARGEST_STICKER_MM),
        (SMALLEST_MARKER_MM, LARGEST_MARKER_MM),
    ):
        key = "paper.sticker_mm" if size == SMALLEST_STICKER_MM else "paper.marker_mm"
        assert convert_value(key, size)
        assert convert_value(key, most)
        assert convert_value(key, size - 0.1) is None
        assert convert_value(key, most + 0.1) is None


def test_each_key_describes_its_allowed_values():
    assert {key: describe_allowed(key) for key in KEYS if not 3 < len(describe_allowed(key)) < 90} == {}


# -- invalid files

DEFAULTS = setting_values(Config())


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("panel.chip == 3", "", "line 1"),
        ("[panel]\nchip = 'ssd1306'\nchip = 'sh1106'\n", "", "line 3"),
        (b"language = '\xff'", "", "UTF-8"),
        (b"#" * (LARGEST_FILE_BYTES + 1), "", "64 KB"),
        ("x = " + "[" * 9999, "", "not TOML"),
        ("x = " + "9" * 5000, "", "not TOML"),
        ("language = 0x" + "f" * 5000, "language", "such a number"),
        ("language = 3", "language", "de"),
        ("language = 'klingon'", "language", "en"),
        ("record = 'films'", "record", "folder"),
        ("[camera]\nname = 'phone'", "camera.name", "usb:N"),
        ("[camera]\nmains_hz = 55", "camera.mains_hz", "50 or 60"),
        ("[paper]\nsticker_mm = 11.9", "paper.sticker_mm", "12 to 25"),
        ("[paper]\nsticker_mm = nan", "paper.sticker_mm", "12 to 25"),
        ("[panel]\nchip = 'ssd1305'", "panel.chip", "sh1106"),
        ("[panel]\naddress = '0x3C'", "panel.address", "whole number"),
        ("[panel]\nbig = 1", "panel.big", "true or false"),
        ("[panel]\nchip = 'sh1106'\nsize = '128x32'", "panel.size", "128x64"),
        ("[buttons]\nup = 28", "buttons.up", "0 to 27"),
        ("[buttons]\nup = true", "buttons.up", "whole number"),
        ("[buttons]\npower = 3", "buttons.power", "wire of the screen"),
        ("[buttons]\nup = 6", "buttons.up", "buttons.down"),
        ("[signs]\nbuzzer = 13", "signs.buzzer", "buttons.ok"),
        ("[signs]\nled = [17, 27]", "signs.led", "three"),
        ("[signs]\nled = [17, 17, 22]", "signs.led", "GPIO17"),
        ("[panel]\nchip = 'ssd1322'\n[signs]\nbuzzer = 24", "signs.buzzer", "wire of the screen"),
        ("[page]\nport = 0", "page.port", "1 to 65535"),
        ("[page]\nhost = 'oxeye dot local'", "page.host", "lan"),
        ("[pannel]\nchip = 'sh1106'", "pannel", "is panel"),
        ("[panel]\nchpi = 'sh1106'", "panel.chpi", "is panel.chip meant"),
        ("mains_hz = 60", "mains_hz", "is camera.mains_hz meant"),
        ("chip = 'sh1106'", "chip", "is panel.chip meant"),
        ("zebra = 1", "zebra", "no such key"),
        ("panel = 'sh1106'", "panel", "[panel]"),
        ("[[panel]]\nchip = 'sh1106'", "panel", "[panel]"),
    ],
)  # fmt: skip
def test_an_invalid_setting_is_named_and_the_default_used(tmp_path, text, key, says):
    found = written(tmp_path / "config.toml", text)
    assert [problem.key for problem in found.problems] == [key]
    assert says in str(found.problems[0])
    assert found.problems[0].text.id in ("config_file", "config_key", "config_no_key")
    assert key == "" or found.problems[0].text.get("value") == key
    others = setting_values(found.config)
    assert {k for k in KEYS if others[k] != DEFAULTS[k]} <= {"panel.chip"}  # the valid one


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", b"\xef\xbb\xbflanguage = 'en'\r\n"])
def test_an_empty_file_is_valid(tmp_path, text):
    assert written(tmp_path / "config.toml", text).problems == ()


def test_valid_settings_beside_an_invalid_one_apply(tmp_path):
    found = written(tmp_path / "config.toml", "language = 'de'\n[panel]\nport = 99\nbig = true\n[camera]\nhz = 1\n")
    assert (found.config.language, found.config.panel.big, found.config.panel.port) == ("de", True, 1)
    assert [problem.key for problem in found.problems] == ["panel.port", "camera.hz"]


def test_swapped_pins_are_no_conflict(tmp_path):
    found = written(tmp_path / "config.toml", "[buttons]\nup = 6\ndown = 5\n")
    assert (found.problems, found.config.buttons.up, found.config.buttons.down) == ((), 6, 5)


def test_a_pin_that_falls_back_to_its_default_can_displace_another(tmp_path):
    """UP and BACK are both set to 6: UP falls back to its default 5, which is the pin of DOWN."""
    found = written(tmp_path / "config.toml", "[buttons]\nup = 6\ndown = 5\nback = 6\n")
    assert {problem.key for problem in found.problems} == {"buttons.up", "buttons.back", "buttons.down"}
    assert button_sockets(found.config).pins == DEFAULT_PINS


@pytest.mark.parametrize("what", ["missing", "folder", "unreadable"])
def test_an_unreadable_file_is_one_problem(tmp_path, monkeypatch, what):
    path = tmp_path / "config.toml"
    if what == "folder":
        path.mkdir()
    if what == "unreadable":
        path.write_text("")
        monkeypatch.setattr(Path, "read_bytes", lambda self: (_ for _ in ()).throw(PermissionError(13, "no right")))
    found = read_config(path)
    assert found.config == Config()
    assert [problem.text for problem in found.problems] == [say("config_file")]


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("[panel]\nport = 99\n", "panel.port", 2),
        ("# port\n[page]\nport = 80\n[panel]\nport = 99\n", "panel.port", 5),
        ("panel.port = 99", "panel.port", 1),
        ("\npanel = { port = 99 }", "panel.port", None),
        ("[signs]\nled = [17,\n27]\nvoice = false\n", "signs.led", 2),
        ("language = 'de'\n[pannel]\nchip = 'x'\n", "pannel", 2),
    ],
)
def test_a_problem_names_the_line_of_its_key(tmp_path, text, key, line):
    assert [(problem.key, problem.line) for problem in written(tmp_path / "config.toml", text).problems] == [
        (key, line)
    ]


# -- the command


def test_check_lists_each_problem_and_gives_exit_code_1(file):
    assert oxeye("config", "check", "--config", str(file)).exit_code == 0
    file.write_text("[panel]\nport = 99\nchpi = 1\n", encoding="utf-8")
    out = oxeye("config", "check", env={CONFIG_VARIABLE: str(file)})
    assert out.exit_code == 1
    assert "panel.port (line 2): 99 is not a whole number from 0 to 22" in out.output
    assert "is panel.chip meant?" in out.output


def test_show_lists_every_key_and_marks_changed_values(file):
    oxeye("config", "set", "panel.address", "0x3D", "--config", str(file))
    out = oxeye("config", "show", "--config", str(file)).output
    assert [line.partition(" = ")[0] for line in out.splitlines()] == [*KEYS]
    assert re.findall(r"^.*# not the default$", out, re.MULTILINE) == ["panel.address = 0x3D    # not the default"]


@pytest.mark.parametrize(
    ("key", "typed", "means"),
    [
        ("language", "de", "de"),
        ("panel.chip", '"sh1106"', "sh1106"),
        ("panel.address", "0x3D", 0x3D),
        ("panel.big", "true", True),
        ("paper.sticker_mm", "20", 20),
        ("signs.led", "17, 27, 22", [17, 27, 22]),
        ("signs.led", "17", [17]),
        ("buttons.power", "21", 21),
        ("buttons.power", "none", "none"),
        ("camera.name", 'files:/a "b" \\c', 'files:/a "b" \\c'),
        ("state", "/srv/oxeye", "/srv/oxeye"),
    ],
)
def test_set_changes_one_line_and_keeps_every_comment(file, key, typed, means):
    before = file.read_text(encoding="utf-8")
    change_setting_in_file(file, key, typed)
    after = file.read_text(encoding="utf-8")
    section, _, name = key.rpartition(".")
    found = tomllib.loads(after)
    assert (found[section] if section else found)[name] == means
    changed = [new for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    assert len(changed) <= 1
    assert read_config(file).problems == ()


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("", "panel.chip", '[panel]\nchip = "sh1106"\n'),
        ("language = 'de'\n", "panel.chip", "language = 'de'\n\n[panel]\nchip = \"sh1106\"\n"),
        ("[panel] # mine", "panel.chip", '[panel] # mine\nchip = "sh1106"\n'),
        ("[panel]\n  chip='ssd1306' # old\n", "panel.chip", '[panel]\n  chip="sh1106" # old\n'),
        ("[camera]\nname = 'auto'\n", "language", "language = \"sh1106\"\n\n[camera]\nname = 'auto'\n"),
        ("[a]\nchip = 1\n[panel]\nchip = 'x'", "panel.chip", '[a]\nchip = 1\n[panel]\nchip = "sh1106"'),
        (
            "[panel]\nbig = true\n\n# next\n[page]\n",
            "panel.chip",
            '[panel]\nbig = true\nchip = "sh1106"\n\n# next\n[page]\n',
        ),
        ("panel.chip = 'x'  # old", "panel.chip", 'panel.chip = "sh1106"  # old'),
        ("panel = { chip = 'x' }", "panel.chip", 'panel = { chip = "sh1106" }'),
        ("[panel]\nchip = [1,\n2] # two\nbig = true\n", "panel.chip", '[panel]\nchip = "sh1106" # two\nbig = true\n'),
        ("[panel]\r\nchip = 'x'\r\nbig = true\r\n", "panel.chip", '[panel]\r\nchip = "sh1106"\r\nbig = true\r\n'),
    ],
)
def test_set_writes_the_key_in_its_section(before, key, after):
    assert config_edit.set_value(before, key, '"sh1106"') == after


@pytest.mark.parametrize(
    ("text", "key", "value", "says"),
    [
        ("", "panel.chpi", "sh1106", "is panel.chip meant"),
        ("", "panel.chip", "hd44780", "ssd1306"),
        ("", "panel.port", "1\nbig = true", "whole number"),
        ("", "buttons.up", "2", "wire of the screen"),
        ("", "buttons.up", "6", "buttons.down"),
        ("", "language", "klingon", "ro"),
        ("[panel", "panel.chip", "sh1106", "by hand"),
        ("panel = 'ssd1306'", "panel.chip", "sh1106", "by hand"),
        ("[[panel]]\nchip = 'ssd1306'", "panel.chip", "sh1106", "by hand"),
        ("[panel]\nsize = '128x32'", "panel.chip", "sh1106", "panel.size"),
    ],
)
def test_set_refuses_an_invalid_value_and_keeps_the_file(tmp_path, text, key, value, says):
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingRefused, match=re.escape(says)):
        change_setting_in_file(path, key, value)
    assert path.read_text(encoding="utf-8") == text
    assert [*tmp_path.iterdir()] == [path]


def test_set_works_beside_an_invalid_setting(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[panel]\nport = 99\n", encoding="utf-8")
    change_setting_in_file(path, "language", "de")
    assert read_config(path).config.language == "de"


def test_set_writes_through_a_link_and_keeps_the_permissions(tmp_path, file):
    file.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    change_setting_in_file(link, "language", "it")
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert read_config(file).config.language == "it"


def test_a_full_disk_leaves_the_old_file(file, monkeypatch):
    before = file.read_bytes()
    monkeypatch.setattr(atomic_file.os, "fsync", lambda number: (_ for _ in ()).throw(OSError(28, "No space left")))
    out = oxeye("config", "set", "language", "it", "--config", str(file))
    assert out.exit_code == 1
    assert "No space left" in out.output
    assert file.read_bytes() == before
    assert [*file.parent.iterdir()] == [file]


# -- use of the settings


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("", "panel", "oled:ssd1306"),
        ("[panel]\nsize = '128x32'", "panel", "oled:ssd1306:128x32"),
        ("[panel]\nchip = 'ssd1322'", "panel", "oled:ssd1322"),
        ("[panel]\nchip = 'none'", "panel", "dummy"),
        ("", "buttons", "pins"),
        ("", "page", PageAddress("0.0.0.0")),
        ("[page]\noff = true", "page", None),
        ("[page]\nhost = 'localhost'\nport = 80", "page", PageAddress("127.0.0.1", 80)),
        ("[page]\nhost = '203.0.113.7'", "page", PageAddress("0.0.0.0")),
        ("[signs]\nbuzzer = 12", "buzzer", 12),
        ("", "buzzer", None),
        ("", "record", None),
        ("state = '/srv/oxeye'", "state", Path("/srv/oxeye")),
    ],
)
def test_settings_become_options_of_the_command_line(tmp_path, text, option, value):
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    assert load_run_settings(path).options[option] == value


def test_a_power_button_adds_a_pin():
    config = Config(buttons=Config().buttons.__class__(power=21))
    assert button_sockets(config).pins == DEFAULT_PINS | {Button.POWER: 21}


def test_the_screen_names_few_problems_and_the_log_all(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("a=1\nb=1\nc=1\nd=1\ne=1\n", encoding="utf-8")
    found = load_run_settings(path)
    assert [notice.get("value") for notice in found.notices] == ["a", "b", "c"]
    assert len(found.complaints) == 5


def test_without_the_settings_file_a_computer_is_no_box(monkeypatch):
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    assert BOX_CONFIG.exists() or load_run_settings() is None


def test_a_missing_named_file_is_reported_and_the_defaults_are_used(tmp_path, monkeypatch):
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "gone.toml"))
    found = load_run_settings()
    assert found.options == run_options(Config())
    assert found.notices == (say("config_file"),)


@click.command()
@table_options
def asked(config, **kwargs):
    """Print the options that ``oxeye run`` receives."""
    given = merge_settings(config, kwargs)
    click.echo(f"{given.camera} {given.panel} {given.buzzer} {given.light} {given.settings.sockets.address}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "usb:1 oled:sh1106 12 (17,) 61"),
        (["--camera", "auto"], "auto oled:sh1106 12 (17,) 61"),
        (["--panel", "terminal", "--light", "", "--buzzer", "4"], "usb:1 terminal 4 () 61"),
    ],
)
def test_the_command_line_overrides_the_settings(tmp_path, words, says):
    path = tmp_path / "config.toml"
    path.write_text(
        "zebra = 1\n[camera]\nname = 'usb:1'\n[panel]\nchip = 'sh1106'\naddress = 0x3D\n"
        "[signs]\nled = [17]\nbuzzer = 12\n",
        encoding="utf-8",
    )
    out = CliRunner().invoke(asked, ["--config", str(path), *words])
    assert out.output.splitlines() == ["settings: zebra (line 1): there is no such key", says]


def test_the_screen_of_the_running_box_names_the_key(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[panel]\nport = 99\n", encoding="utf-8")
    companion = Companion(Box(Context(), (Home(),)), Perception(), notices=[*load_run_settings(path).notices])
    assert companion.view.alert == say("config_key", value="panel.port")
    assert render(companion.view.alert) == "panel.port is wrong: using the default"


def test_every_section_has_keys():
    assert set(SECTIONS) == {key.partition(".")[0] for key in KEYS if "." in key}


@pytest.mark.parametrize(
    "line",
    [
        r'record = "/a\u0000b"',
        r'state = "/a\u0000b"',
        r'state = "/a\n"',
        r'camera.name = "usb:\u0000"',
        r'camera.name = "files:/a\u001b[2J"',
    ],
)
def test_an_impossible_file_name_is_refused_and_printed_safely(tmp_path, line):
    found = written(tmp_path / "config.toml", line)
    assert found.config == Config()
    (problem,) = found.problems
    assert str(problem).isprintable()


def test_a_state_folder_outside_the_sandbox_is_reported(tmp_path):
    path = tmp_path / "config.toml"
    for folder, said in (("/var/lib/oxeye/games", False), ("/other", True), ("/var/lib/oxeye/../other", True)):
        path.write_text(f'state = "{folder}"\n', encoding="utf-8")
        done = oxeye("config", "check", "--config", str(path))
        assert done.exit_code == 0
        assert ("state: the service may write" in done.output) is said, folder
