"""The language that was chosen on the box, in the state folder; it counts before that of the settings."""

from pathlib import Path

from firmware.machine.atomic_file import write_durably
from firmware.texts.languages import available_languages

LANGUAGE_FILE = "language"


def load_language(folder: Path) -> str:
    """The code of the language; empty if none was chosen, or none that this version knows."""
    try:
        chosen = (folder / LANGUAGE_FILE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return chosen if chosen in available_languages() else ""


def save_language(folder: Path, language: str) -> None:
    """``OSError`` if it cannot be kept."""
    write_durably(folder / LANGUAGE_FILE, f"{language}\n".encode())
