"""The pages for people say what the project says."""

import re
from pathlib import Path

from firmware.rulebook import rulebook

ROOT = Path(__file__).parent.parent


def test_rulebook_is_the_catalogue():
    page = (ROOT / "docs/rulebook.md").read_text(encoding="utf-8")
    assert page == rulebook(ROOT / "firmware/locale/en/LC_MESSAGES/oxeye.po"), "stale: run 'make docs'"


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            where, _, anchor = link.partition("#")
            target = page.parent / where if where else page
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or f'id="{anchor}"' in target.read_text(encoding="utf-8"), f"{page.name}: {link}"


def test_readme_names_make_targets_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {t for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
             for t in re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))}  # fmt: skip
    assert named <= targets
