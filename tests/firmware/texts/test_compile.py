"""A built wheel contains freshly compiled catalogues, the same at any time."""

import gettext
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from firmware.texts.compile import LOCALE_PATH, NO_DATE, compile_catalogues

ROOT = Path(__file__).parents[3]
MO = "firmware/texts/locale/en/LC_MESSAGES/oxeye.mo"


def test_wheel_holds_the_compiled_catalogues(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("oxeye-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert MO in packed.namelist()
        assert packed.read(MO) == (ROOT / MO).read_bytes()
        assert {name.split("/")[0] for name in packed.namelist() if name.endswith(".py")} == {
            "engine",
            "firmware",
            "hw",
            "vision",
        }


def test_a_compiled_catalogue_does_not_tell_when_it_was_compiled(tmp_path):
    shutil.copytree(ROOT / LOCALE_PATH, tmp_path / LOCALE_PATH, ignore=shutil.ignore_patterns("*.mo"))
    compiled = compile_catalogues(tmp_path)
    for path in compiled:
        with path.open("rb") as mo:
            assert gettext.GNUTranslations(mo).info()["pot-creation-date"] == f"{NO_DATE:%Y-%m-%d %H:%M%z}"
    assert len(compiled) == 6
