"""The rules of the source tree, checked; each check is shown to find a planted breach."""

import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

from tests.support import house

ROOT = Path(__file__).parent.parent
TREE = house.read_tree(ROOT)
CHECKS = {
    "rooms-import-what-they-may": house.wrong_rooms,
    "packages-of-firmware-import-downward": house.upward_imports,
    "no-module-is-loose-in-firmware": house.loose_modules,
    "engine-and-vision-touch-no-file-and-no-clock": house.impurities,
    "devices-know-the-view-alone": house.devices_that_know_too_much,
    "a-public-name-means-one-thing": house.ambiguous_names,
    "no-game-is-named-outside-its-modules": house.named_games,
    "a-module-has-a-docstring": house.missing_docstrings,
    "prose-names-its-subject": house.vague_words,
}
BREACHES = [
    ("rooms-import-what-they-may", "engine/new.py", "import numpy"),
    ("rooms-import-what-they-may", "vision/live/new.py", "from hw.frame import Frame"),
    ("rooms-import-what-they-may", "vision/live/new.py", "import firmware.box.events"),
    ("rooms-import-what-they-may", "hw/new.py", "import vision.frame"),
    ("rooms-import-what-they-may", "firmware/web/new.py", "import flask"),
    ("rooms-import-what-they-may", "firmware/cli/new.py", "from tests.support import house"),
    ("packages-of-firmware-import-downward", "firmware/texts/new.py", "from firmware.box import events"),
    (
        "packages-of-firmware-import-downward",
        "firmware/box/games/new.py",
        "from firmware.web.page_wiring import PageAddress",
    ),
    ("packages-of-firmware-import-downward", "firmware/strange/new.py", ""),
    ("no-module-is-loose-in-firmware", "firmware/new.py", ""),
    ("engine-and-vision-touch-no-file-and-no-clock", "engine/new.py", "import time"),
    ("engine-and-vision-touch-no-file-and-no-clock", "vision/tags/new.py", "from pathlib import Path"),
    ("engine-and-vision-touch-no-file-and-no-clock", "vision/tags/new.py", "def load(path):\n    return open(path)"),
    ("engine-and-vision-touch-no-file-and-no-clock", "vision/new.py", "import cv2\nIMAGE = cv2.imread('a.png')"),
    ("devices-know-the-view-alone", "hw/new.py", "from engine.log import Log"),
    ("devices-know-the-view-alone", "hw/panel/new.py", "from engine import games"),
    ("a-public-name-means-one-thing", "hw/new.py", "class Log:\n    pass"),
    ("a-public-name-means-one-thing", "firmware/web/new.py", "def judge():\n    pass"),
    ("no-game-is-named-outside-its-modules", "firmware/web/new.py", "HIDDEN = game == 'thegame'"),
    ("no-game-is-named-outside-its-modules", "firmware/box/new.py", "HEADS = {'nimmt': 5}"),
    ("no-game-is-named-outside-its-modules", "vision/live/new.py", "from engine.games.six.board import Board"),
    ("no-game-is-named-outside-its-modules", "firmware/cli/new.py", "from engine.games import nimmt"),
    ("a-module-has-a-docstring", "engine/new.py", "# nothing said"),
    ("prose-names-its-subject", "hw/new.py", "# whoever holds the button"),
    ("prose-names-its-subject", "firmware/web/new.py", "SENTENCE = 'Nobody can join'"),
]


@cache
def list_breaches(check):
    return list(CHECKS[check](TREE))


@pytest.mark.parametrize("check", CHECKS)
def test_the_tree_keeps_the_rule(check):
    assert list_breaches(check) == []


@pytest.mark.parametrize(("check", "path", "source"), BREACHES)
def test_a_planted_breach_is_found(check, path, source):
    text = source if check == "a-module-has-a-docstring" else f'"""Planted."""\n{source}\n'
    (new,) = set(CHECKS[check]({**TREE, path: text})) - set(list_breaches(check))
    assert path in new


def test_few_names_are_excused_and_each_with_a_reason():
    assert len(house.ONE_MEANING) <= 20
    assert all(len(reason.split()) > 3 for reason in house.ONE_MEANING.values())


def test_an_excuse_that_is_not_needed_goes():
    counted = [name for source in TREE.values() for name in house.public_names(source)]
    assert all(counted.count(name) > 1 for name in house.ONE_MEANING)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_product_and_no_proof(wheel):
    assert list(house.foreign_files(wheel)) == []
    modules = {name for name in wheel if name.endswith(".py")}
    assert modules == {*TREE}


@pytest.mark.parametrize("folder", ["firmware/web/templates", "firmware/web/static"])
def test_the_wheel_holds_what_the_page_is_made_of(wheel, folder):
    files = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert files
    assert files <= {*wheel}


@pytest.mark.parametrize(
    "planted", ["tests/test_house.py", "firmware/bench_page.py", "firmware/tests/a.py", "docs/generate/a.py"]
)
def test_a_planted_proof_in_the_wheel_is_found(wheel, planted):
    assert [planted in breach for breach in house.foreign_files([*wheel, planted])] == [True]


def test_every_room_is_packaged():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) == set(house.ROOMS)


def test_tests_do_not_shadow_the_rooms():
    """``tests/engine/__init__.py`` would become the package ``engine``."""
    assert not [*(ROOT / "tests").rglob("__init__.py")]


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_locks_hold_hashes_and_no_address(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text


def test_texts_and_documents_name_their_subject():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    pages.remove(ROOT / "docs/glossary.md")  # it lists the words not to use
    pages += [*(ROOT / "firmware/texts/locale/en").rglob("*.po"), *(ROOT / "firmware/web").rglob("*.html")]
    texts = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in pages}
    assert list(house.vague_words(texts)) == []


def test_no_file_of_the_root_is_named_like_an_option():
    """A program that takes an option for a path writes such a file."""
    assert [path.name for path in ROOT.iterdir() if path.name.startswith("-")] == []
