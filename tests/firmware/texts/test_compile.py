"""A built wheel contains freshly compiled catalogues."""

import subprocess
import sys
import zipfile
from pathlib import Path

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
