"""What version 0.1.0 wrote is never changed: each fixture is the same, byte by byte."""

from tests.compatibility.reading import FROZEN, digest

MANIFEST, README = FROZEN / "frozen.sha256", FROZEN / "README.md"


def test_every_fixture_is_as_it_was_written():
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    wanted = dict(reversed(line.split("  ", 1)) for line in lines)
    files = [path for path in FROZEN.rglob("*") if path.is_file() and path not in (MANIFEST, README)]
    assert {str(path.relative_to(FROZEN)): digest(path.read_bytes()) for path in files} == wanted
