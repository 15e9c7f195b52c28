"""The pages for people say what the project says: links lead somewhere, commands do something, messages are known."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from docs.generate.pictures import FILES, PAGE
from docs.generate.rulebook import format_rulebook
from engine.games import GAMES
from engine.log import Log
from firmware.cli import main as oxeye
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import PauseGame, Started, WriteEntries
from firmware.machine.state_folder import JOURNAL_FILE
from tests.test_texts import ENTRIES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4,}\S.*\n)+")
INLINE = re.compile(r"`((?:sudo |oxeye |make |pytest |\.ci/|systemd/|systemctl |journalctl |systemd-analyze )[^`]*)`")
SHELL = ("", "sh")
ELLIPSIS = "..."


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


pages = pytest.mark.parametrize("page", PAGES, ids=name)


def test_rulebook_is_the_catalogue():
    page = (DOCS / "rulebook.md").read_text(encoding="utf-8")
    assert page == format_rulebook(ROOT / "firmware/texts/locale/en/LC_MESSAGES/oxeye.po"), "stale: run 'make docs'"


# -- links


def slug(heading: str) -> str:
    """As it is linked to where Markdown is shown."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {*re.findall(r'id="([^"]+)"', text), *map(slug, headings)}


@pages
def test_links_lead_somewhere(page):
    for found in LINK.finditer(page.read_text(encoding="utf-8")):
        link = found[1] or found[2]
        if link.startswith("https://"):
            continue
        where, _, anchor = link.partition("#")
        target = page.parent / where if where else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_and_picture_is_linked_to():
    linked = set()
    for page in PAGES:
        for found in LINK.finditer(page.read_text(encoding="utf-8")):
            linked.add((page.parent / (found[1] or found[2]).partition("#")[0]).resolve())
    there = {*PAGES, *(DOCS / "pictures").iterdir()} - {ROOT / "README.md"}
    assert not {name(path) for path in there if path not in linked}


def test_pictures_are_those_that_are_made():
    assert {path.name for path in (DOCS / "pictures").glob("*.png")} == {*FILES, PAGE}


def test_the_newest_change_is_the_version_that_is_built():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1] == version


# -- where to get it

CLONE = re.compile(r"git clone (?:-\S+ )*(\S+)")


def test_every_clone_is_from_the_one_address_that_the_project_declares_or_from_the_placeholder_that_is_explained():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project.get("urls", {}).get("Repository", "ADDRESS")
    cloned = {(name(page), *CLONE.findall(page.read_text(encoding="utf-8"))) for page in PAGES}
    assert {address for _, *addresses in cloned for address in addresses} == {declared}
    explained = "`ADDRESS` is where you found this repository" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert explained == (declared == "ADDRESS")


# -- commands


@dataclass(frozen=True)
class Command:
    """``inline``: amid prose, where a name alone is a name."""

    page: str
    words: tuple[str, ...]
    inline: bool

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"


def said(page: Path) -> Iterator[tuple[str, bool]]:
    """Every line that somebody may type."""
    text = page.read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        if fence[2] in SHELL:
            yield from ((line, False) for line in fence[3].splitlines())
    rest = FENCE.sub("\n", text)
    for block in INDENTED.finditer(rest):
        if not re.match(r" *(-|\d+\.|\|) ", block[0]):
            yield from ((line, False) for line in block[0].splitlines())
    yield from ((found, True) for found in INLINE.findall(INDENTED.sub("\n", rest)))


def commands() -> Iterator[Command]:
    for page in PAGES:
        for line, inline in said(page):
            words = shlex.split(line, comments=True)
            if words[:3] == ["sudo", "-u", "oxeye"]:
                words = words[3:]
            if words and words[0] == "sudo":
                words = words[1:]
            if words:
                yield Command(name(page), tuple(words), inline)


ALL = tuple(dict.fromkeys(commands()))
OURS = [command for command in ALL if command.words[0] == "oxeye"]
MAKE = [command for command in ALL if command.words[0] == "make"]
SCRIPTS = [command for command in ALL if "/" in command.words[0]]
UNITS = frozenset("journalctl systemctl systemd-analyze".split())
ELSEWHERE = UNITS | frozenset("apt cd chown git poweroff raspi-config reboot".split())
"""They need a Pi, root or a network: of them only what they name is looked at."""
NOT_RUN = {
    "pair": "wants a box that runs",
    "update": "wants root and an installed package",
    "backup /media/stick/journal.sqlite": "wants a stick",
    "replay FOLDER": "wants a recording",
}
"""Of ours only parsed."""
SHORT = ("--camera", "sim", "--acts", "2", "--speed", "1000", "--panel", "dummy", "--page", "none", "--buttons", "none")
"""So that an evening of ``oxeye run`` ends at once."""
MAY_FAIL = ("doctor",)
"""Its exit code says whether a person is needed."""


def parsed(command: Command) -> list[click.Command]:
    """The commands and subcommands that these words mean, with options that exist."""
    here, words, found = oxeye, list(command.words[1:]), [oxeye]
    while isinstance(here, click.Group) and words:
        own = {option: each for each in here.params for option in each.opts}
        while words and words[0] in own:
            words = words[1 if own[words[0]].is_flag else 2 :]
        if not words:
            break
        there = here.get_command(click.Context(here), words[0])
        assert there, f"there is no {words[0]}"
        here, words = there, words[1:]
        found.append(here)
    options = {option for each in here.params for option in each.opts}
    unknown = {word.partition("=")[0] for word in words if word.startswith("--")} - options - {"--help"}
    assert not unknown
    return found


def a_name(command: Command) -> bool:
    """No more than a command, in a sentence about it."""
    return command.inline and (len(parsed(command)) == len(command.words) or ELLIPSIS in command.words)


def not_run(command: Command) -> bool:
    told = " ".join(command.words[1:])
    return any(told == words or told.startswith(f"{words} ") for words in NOT_RUN)


@pytest.mark.parametrize("command", OURS, ids=str)
def test_a_command_of_ours_is_one(command):
    assert parsed(command)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with everything that the commands speak of."""
    folder = tmp_path_factory.mktemp("home")
    log = Log(GAMES["nimmt"], {"players": 2})
    with closing(open_journal(folder / JOURNAL_FILE)) as journal:
        for _ in range(7):
            game = journal.begin(Started("nimmt", log.options, {1: "Ana", 2: "Ben"}), 0.0)
            journal.apply(
                WriteEntries(("deal 10,20,30,40", "reveal 1 44", "reveal 2 15", "lay 15 1"), "seen"), game, 1.0
            )
            journal.apply(PauseGame(), game, 0.0)
    shutil.copy(DOCS / "pictures/camera.png", folder / "photo.jpg")
    return folder


TRIED = {c.words: c for c in reversed(OURS) if not a_name(c) and not not_run(c)}
"""Each command once, however many pages name it."""


@pytest.mark.parametrize("command", TRIED.values(), ids=str)
def test_a_command_of_ours_does_what_it_says(command, home, tmp_path, monkeypatch):
    monkeypatch.chdir(home)
    for variable in ("HOME", "STATE_DIRECTORY", "TMPDIR"):
        monkeypatch.setenv(variable, str(home))
    monkeypatch.setenv("OXEYE_CONFIG", str(tmp_path / "config.toml"))
    words = [
        *(word.replace("/tmp", str(home)) for word in command.words[1:]),
        *(SHORT if command.words[1] == "run" else ()),
    ]
    done = CliRunner().invoke(oxeye, words)
    assert done.exit_code == 0 or command.words[1] in MAY_FAIL, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output


def test_what_is_only_parsed_is_spoken_of():
    assert {first for first in NOT_RUN if not any(" ".join(c.words[1:]).startswith(first) for c in OURS)} == set()
    assert {command.words[0] for command in ALL} - {"oxeye", "make", *(c.words[0] for c in SCRIPTS)} == ELSEWHERE


@pytest.mark.parametrize("command", MAKE, ids=str)
def test_a_target_is_one(command):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    given = [word.partition("=")[0] for word in command.words[1:] if "=" in word]
    assert not [
        variable for variable in given if f"$({variable})" not in makefile and f"$(if $({variable})" not in makefile
    ]
    subprocess.run(["make", "--dry-run", *command.words[1:]], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("command", SCRIPTS, ids=str)
def test_a_script_is_there_and_knows_its_options(command):
    script = ROOT / command.words[0]
    assert os.access(script, os.X_OK)
    assert not [word for word in command.words[1:] if word not in script.read_text(encoding="utf-8")]


@pytest.mark.parametrize("command", [c for c in ALL if c.words[0] in UNITS], ids=str)
def test_a_unit_is_ours(command):
    unit = command.words[-1].removesuffix(".service")
    assert (ROOT / f"systemd/{unit}.service").exists()


def test_packages_are_those_of_the_installer():
    named = {word for c in ALL if c.words[0] == "apt" for word in c.words if word.startswith("python3-")}
    installer = (ROOT / "systemd/install.sh").read_text(encoding="utf-8")
    assert named
    assert not [package for package in named if package not in installer]


def test_addresses_of_the_page_are_served():
    told = set(re.findall(r"`(?:GET |POST )?(/[^`\s?#]*)", (DOCS / "phones.md").read_text(encoding="utf-8")))
    served = re.findall(r'Route\("([^"]+)"', (ROOT / "firmware/web/routes.py").read_text(encoding="utf-8"))
    shapes = [re.compile(re.sub(r"\\{\w+(:int)?\\}", r"[^/]+", re.escape(path))) for path in served]
    assert len(told) > 8
    assert not [path for path in told if not any(shape.fullmatch(path) for shape in shapes)]


# -- what the screen says

SAYS = re.compile(r"^ *\| (?:the screen|it) says \|.*\n *\|[-| ]+\|\n((?: *\|.*\n)+)", re.MULTILINE)
TOLD = {
    page.name: [
        phrase.strip()
        for table in SAYS.findall(page.read_text(encoding="utf-8"))
        for row in table.splitlines()
        for phrase in row.strip().strip("|").split("|")[0].split("<br>")
    ]
    for page in PAGES
}
TROUBLES = re.compile(
    r"(aim|board_hot|button|buttons|buzzer|camera|cannot_see|card_seen|config|deck|empty|eyes|journal|keys|lamp|mqtt|off|page|pair"
    r"|panel|picture|power_weak|recording|safe_mode|update)(_\w+)?"
)
NO_TROUBLE = set(
    """
    aim_area aim_belongs aim_camera aim_keep aim_module aim_moves aim_stuck
    panel_press panel_works off_own_start deck_lay deck_lay_card deck_lay_kind
    deck_lay_kinds deck_look deck_next deck_nimmt deck_right deck_specials deck_thegame
    pair_code pair_done pair_is_in pair_look pair_new_code pair_phone picture_for_phones picture_phones
    """.split()
) | {entry for entry in ENTRIES if entry.startswith("page_") and entry not in ("page_where", "page_not_there")}
"""Named like troubles: what is measured, offered or asked."""


SLANTED = re.compile(r"(?<!\*)\*([A-Z0-9][^*]*)\*(?!\*)")
PLAYED = ("README.md", *(f"docs/{name}" for name in TOLD if name.startswith("playing-")), "docs/in-a-game.md",
          "docs/phones.md", "docs/troubleshooting.md", "docs/installing.md")  # fmt: skip


@cache
def shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each sentence with anything in its gaps; of some nothing but gaps is left."""
    split = [(entry, re.split(r"\{[^}]*\}", form)) for entry, forms in ENTRIES.items() for form in forms]
    return tuple(
        (entry, re.compile(".+?".join(map(re.escape, parts))))
        for entry, parts in split
        if len(re.sub(r"\W", "", "".join(parts))) >= LEAST
    )


LEAST = 3
"""Letters that make a sentence one that can be told from others."""


@cache
def known(phrase: str) -> frozenset[str]:
    """The texts that may read like this."""
    return frozenset(entry for entry, shape in shapes() if shape.fullmatch(phrase))


@pytest.mark.parametrize("page", [page for page, phrases in TOLD.items() if phrases])
def test_what_a_page_lets_the_screen_say_is_said(page):
    assert not [phrase for phrase in TOLD[page] if not known(phrase)], f"no screen says this: change it in {page}"


@pytest.mark.parametrize("page", PLAYED)
def test_what_is_said_in_slanted_letters_is_on_the_screen(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not [phrase for phrase in SLANTED.findall(text) if not known(" ".join(phrase.split()))]


def test_every_trouble_has_its_cure():
    explained = {entry for page in TOLD for phrase in TOLD[page] for entry in known(phrase)}
    troubles = {entry for entry in ENTRIES if TROUBLES.fullmatch(entry)} - NO_TROUBLE
    assert len(troubles) > 80
    assert not troubles - explained, "say in docs/troubleshooting.md what to do"
    assert not NO_TROUBLE - ENTRIES.keys()
