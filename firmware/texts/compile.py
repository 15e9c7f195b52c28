"""Compile the text catalogues (.po) for gettext (.mo): for a checkout, and for every wheel as it is built."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE_PATH = Path("firmware/texts/locale")
NO_DATE = datetime(1980, 1, 1, tzinfo=UTC)
"""The creation date in every .mo: with that of the build two packages of one version would differ."""


def compile_catalogues(root: Path) -> list[Path]:
    """Write a .mo beside every .po and say which."""
    written = []
    for source in sorted((root / LOCALE_PATH).glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as po:
            catalogue = read_po(po, locale=source.parts[-3], abort_invalid=True)
        catalogue.creation_date = NO_DATE
        target = source.with_suffix(".mo")
        with target.open("wb") as mo:
            write_mo(mo, catalogue)
        written.append(target)
    return written


class Catalogues(BuildHookInterface[Any]):
    """Called by hatchling before it packs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
